import { contact, MOST_TAGS } from '@heliograph/contract/audience/contact';
import type { mergeContacts as operation } from '@heliograph/contract/audience/contact-merge';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import { requirePermission } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { contacts, once } from './contacts.ts';
import { readContactFields, type Value } from './field-values.ts';

/** Merges two contacts of a corporation. Both are locked, so that no change of the deleted one is lost. */
export const mergeContacts: Handler<typeof operation> = async (ctx, { params, body }) => {
  const { db, clock } = ctx;
  requirePermission(ctx.caller, contact.permissions.edit);
  const { contact_id, take } = body;
  if (contact_id === params.id) throw fieldError('contact_id', 'contact_merge_self');
  const rows = await db
    .selectFrom('contact')
    .selectAll()
    .where('id', 'in', [params.id, contact_id])
    .orderBy('id')
    .forUpdate()
    .execute();
  const kept = rows.find(({ id }) => id === params.id);
  const other = rows.find(({ id }) => id === contact_id);
  if (!kept) throw new BusinessError('not_found');
  if (other?.corporation_id !== kept.corporation_id) throw fieldError('contact_id', 'not_visible');
  const fields = await readContactFields(db, kept.corporation_id);
  const columns = new Map([['name', 'name'], ...fields.map(({ key, slot }) => [key, slot] as const)]);
  const unknown = take.find((key) => !columns.has(key));
  if (unknown !== undefined) throw fieldError('take', 'contact_field_unknown', { field: unknown });
  const tags = once([...kept.tags, ...other.tags]);
  if (tags.length > MOST_TAGS) throw fieldError('contact_id', 'contact_merge_tags', { count: MOST_TAGS });
  const [mine, theirs] = [kept, other] as unknown as Record<string, Value>[];
  const taken = [...columns].flatMap(([key, column]) =>
    theirs![column] !== null && (mine![column] === null || take.includes(key)) ? [[column, theirs![column]]] : [],
  );
  const { data: before } = await contacts.get!(ctx, { params, query: {}, body: {} });
  const { data: gone } = await contacts.get!(ctx, { params: { id: contact_id }, query: {}, body: {} });
  await sql`UPDATE conversion SET contact_id = ${params.id} WHERE contact_id = ${contact_id}`.execute(db);
  await db.deleteFrom('contact').where('id', '=', contact_id).execute();
  await db
    .updateTable('contact')
    .set({ ...Object.fromEntries(taken), tags, updated_at: clock.now().toISOString() })
    .where('id', '=', params.id)
    .execute();
  const merged = await contacts.get!(ctx, { params, query: {}, body: {} });
  await audit(ctx, {
    name: contact.name,
    description: 'merged',
    subject_type: contact.name,
    subject_id: params.id,
    corporation_id: kept.corporation_id,
    before: { ...before, other: gone },
    after: merged.data,
  });
  return merged;
};
