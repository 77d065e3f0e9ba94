import {
  type ContactFieldType,
  contactField,
  type contactFieldUse,
  MOST_CONTACT_FIELDS,
  RESERVED_FIELD_KEYS,
} from '@heliograph/contract/audience/contact-field';
import { sql } from 'kysely';
import { z } from 'zod';
import { audit } from '#platform/access/audit';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler, ResourceHandlers } from '#platform/http/http';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { tableStore } from '#platform/records/table-store';
import { translate } from '#platform/text/i18n';
import { segmentsWithField } from './segments.ts';

/** Job that removes the values of a field that was deleted. */
export const emptyContactFieldJob = defineJob('empty-contact-field', z.object({ contact_field_id: z.int() }));

/** Columns by type: their prefix in the table. Choices are stored as texts. */
const COLUMNS = {
  text: 'text',
  choice: 'text',
  number: 'number',
  date: 'date',
  yes_no: 'flag',
} as const satisfies Record<ContactFieldType, keyof typeof MOST_CONTACT_FIELDS>;
/** Contacts whose value is removed in one transaction. */
const AT_ONCE = 10_000;

const stored = tableStore(contactField, {
  table: 'contact_field',
  from: 'contact_field_row',
  searched: ['name', 'key'],
});

interface Fitting {
  key?: string | undefined;
  type: string;
  choices?: readonly string[] | undefined;
  is_language?: boolean | undefined;
}

function requireFitting({ key, type, choices, is_language }: Fitting): void {
  if (is_language && COLUMNS[type as ContactFieldType] !== 'text') throw fieldError('is_language', 'language_is_text');
  if (key !== undefined && RESERVED_FIELD_KEYS.has(key)) throw fieldError('key', 'contact_field_reserved');
  if (choices === undefined) return;
  if (type === 'choice' && choices.length === 0) throw fieldError('choices', 'contact_choices_missing');
  if (type !== 'choice' && choices.length > 0) throw fieldError('choices', 'contact_choices_only');
  if (new Set(choices).size < choices.length) throw fieldError('choices', 'contact_choices_repeated');
}

/** Returns the first free column for a type. Two people who add fields to a corporation wait for each other. */
async function freeSlot({ db }: Context, corporationId: number, type: ContactFieldType): Promise<string> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('contact_field', ${corporationId}))`.execute(db);
  const column = COLUMNS[type];
  const { rows } = await sql<{ slot: string }>`SELECT s.slot FROM (
      SELECT ${column} || '_' || n AS slot, n FROM generate_series(1, ${MOST_CONTACT_FIELDS[column]}::integer) n) s
    WHERE NOT EXISTS (SELECT FROM contact_field f WHERE f.corporation_id = ${corporationId} AND f.slot = s.slot)
    ORDER BY s.n LIMIT 1`.execute(db);
  if (!rows[0]) throw new BusinessError('contact_fields_full', { params: { most: MOST_CONTACT_FIELDS[column] } });
  return rows[0].slot;
}

/** Fields of contacts: typed, of one corporation. Removing one removes its values in the background. */
export const contactFields: ResourceHandlers<typeof contactField> = {
  ...stored,
  async create(ctx, call) {
    const { corporation_id, type } = call.body;
    await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
    requireFitting(call.body);
    const body = { ...call.body, slot: await freeSlot(ctx, corporation_id, type) };
    return stored.create(ctx, { ...call, body });
  },
  async update(ctx, call) {
    const { data } = await stored.get(ctx, { params: call.params, query: {}, body: {} });
    requireFitting({ ...call.body, type: data.type });
    return stored.update(ctx, call);
  },
  async remove(ctx, call) {
    const { data } = await stored.get(ctx, call);
    const removed = await ctx.db
      .updateTable('contact_field')
      .set({ removed_at: ctx.clock.now().toISOString() })
      .where('id', '=', data.id)
      .where('removed_at', 'is', null)
      .executeTakeFirst();
    if (removed.numUpdatedRows === 0n) throw new BusinessError('not_found');
    await audit(ctx, {
      name: contactField.name,
      description: 'deleted',
      subject_type: contactField.name,
      subject_id: data.id,
      corporation_id: data.corporation_id,
      before: data,
    });
    await enqueue(ctx.db, emptyContactFieldJob, { contact_field_id: data.id }, { tenant: data.corporation_id });
    return { message: translate(ctx.locale, 'delete.done') };
  },
};

/** Counts the contacts that have a value in a field. */
export const countFieldUse: Handler<typeof contactFieldUse> = async (ctx, { params }) => {
  const { db } = ctx;
  const field = await db
    .selectFrom('contact_field_row')
    .select(['corporation_id', 'slot'])
    .where('id', '=', params.id)
    .executeTakeFirst();
  if (!field) throw new BusinessError('not_found');
  const { rows } = await sql<{ contacts: number }>`SELECT count(*) AS contacts FROM contact
    WHERE corporation_id = ${field.corporation_id} AND ${sql.ref(field.slot!)} IS NOT NULL`.execute(db);
  const segments = await segmentsWithField(ctx, field.corporation_id!, params.id);
  return { data: { contacts: rows[0]!.contacts, segments } };
};

/** Removes the values of a deleted field, some contacts in each transaction, and then the field. It is safe to repeat. */
export async function emptyContactField(
  { database }: Pick<WorkerContext, 'database'>,
  id: number,
  signal: AbortSignal,
): Promise<void> {
  const field = await database
    .selectFrom('contact_field')
    .select(['corporation_id', 'slot'])
    .where('id', '=', id)
    .where('removed_at', 'is not', null)
    .executeTakeFirst();
  if (!field) return;
  const slot = sql.ref(field.slot);
  for (let after: number | null = 0; after !== null; ) {
    signal.throwIfAborted();
    const step: { rows: { last: number | null }[] } = await sql<{ last: number | null }>`WITH part AS (
        SELECT id FROM contact WHERE corporation_id = ${field.corporation_id} AND id > ${after} ORDER BY id LIMIT ${AT_ONCE}
      ), emptied AS (
        UPDATE contact c SET ${slot} = NULL FROM part WHERE c.id = part.id AND c.${slot} IS NOT NULL
      ) SELECT max(id) AS last FROM part`.execute(database);
    after = step.rows[0]!.last;
  }
  await database.deleteFrom('contact_field').where('id', '=', id).execute();
}
