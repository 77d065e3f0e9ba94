import { contact } from '@heliograph/contract/audience/contact';
import type { ContactSelection } from '@heliograph/contract/audience/contact-selection';
import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { numberBeginning } from '#modules/contacts';
import { mayTryNumbers } from '#platform/access/hidden-numbers';
import { corporationsOf } from '#platform/access/scope-clause';
import type { Context } from '#platform/context';
import { literally } from '#platform/database/like';
import { readNumberRules } from '#platform/operator/number-rules';
import { storedValue } from './field-values.ts';

type Query = Omit<ContactSelection, 'ids'>;
type Viewer = Pick<Context, 'db' | 'caller'>;
type Condition = RawBuilder<boolean>;

/** Largest number, with more digits than any real one. */
const LAST = '9'.repeat(15);

const CONSENTED = (state: string) => sql`EXISTS (SELECT FROM consent s WHERE s.corporation_id = n.corporation_id
  AND s.number = n.number AND s.state = ${state})`;
const OPTED_OUT = sql`EXISTS (SELECT FROM opt_out u WHERE u.corporation_id = n.corporation_id AND u.number = n.number
  AND u.ended_at IS NULL)`;

/** Tells if another contact of the corporation has the same name. The index of names answers. */
const NAMESAKE = sql<boolean>`(n.name IS NOT NULL AND EXISTS (SELECT FROM contact o
  WHERE o.corporation_id = n.corporation_id AND lower(o.name) = lower(n.name) AND o.name IS NOT NULL AND o.id <> n.id))`;

/** Conditions of the states of consent, in the order in which the view decides. */
export function consentIs(state: NonNullable<Query['consent']>): Condition {
  const [stopped, opted, asked, left] = [OPTED_OUT, CONSENTED('opt_in'), CONSENTED('asked'), CONSENTED('opt_out')];
  if (state === 'opt_out') return sql`(${stopped} OR (${left} AND NOT ${opted} AND NOT ${asked}))`;
  if (state === 'opt_in') return sql`(${opted} AND NOT ${stopped})`;
  if (state === 'asked') return sql`(${asked} AND NOT ${opted} AND NOT ${stopped})`;
  return sql`NOT (${stopped} OR ${opted} OR ${asked} OR ${left})`;
}

/** Builds the condition of a field's value. A field that the caller does not see, and a value that cannot be, find nothing. */
async function valueIs({ db, caller }: Viewer, fieldId: number, value: string | undefined): Promise<Condition> {
  const row = await db.selectFrom('contact_field_row').selectAll().where('id', '=', fieldId).executeTakeFirst();
  if (!row) return sql`false`;
  const field = { type: row.type as 'text', choices: row.choices! };
  const within = sql`n.corporation_id = ${row.corporation_id}`;
  const column = sql`n.${sql.ref(row.slot!)}`;
  if (value === undefined || value === '') return sql`(${within} AND ${column} IS NOT NULL)`;
  const stored = mayTryNumbers(caller, value) ? storedValue(field, value) : undefined;
  return stored === undefined ? sql`false` : sql`(${within} AND ${column} = ${stored})`;
}

/** Builds the condition of a search: the beginning of a number or of a name, so that an index answers. */
async function searched({ db, caller }: Viewer, search: string): Promise<Condition> {
  const name = `${literally(search.toLowerCase())}%`;
  const byName = mayTryNumbers(caller, search)
    ? sql<boolean>`(n.name IS NOT NULL AND lower(n.name) LIKE ${name})`
    : sql<boolean>`false`;
  const first = numberBeginning(search, await readNumberRules(db));
  const last = caller.numbers_visible && first !== null ? first + LAST : first;
  return first === null ? byName : sql`((n.number >= ${first} AND n.number <= ${last}) OR ${byName})`;
}

/** Builds the condition for rows `n` of contact that a list shows. */
async function selected(ctx: Viewer, query: Query): Promise<Condition> {
  const { corporation_id, number_list_id, consent, tag, contact_field_id, value, same_name, search } = query;
  const own = corporationsOf(ctx.caller);
  const conditions: Condition[] = [];
  if (own) conditions.push(sql`n.corporation_id = ANY (${[...own]}::bigint[])`);
  if (corporation_id !== undefined) conditions.push(sql`n.corporation_id = ${corporation_id}`);
  if (number_list_id !== undefined)
    conditions.push(sql`EXISTS (SELECT FROM number_list l JOIN number_list_number m ON m.number_list_id = l.id
      WHERE l.id = ${number_list_id} AND l.corporation_id = n.corporation_id AND m.number = n.number)`);
  if (consent !== undefined) conditions.push(consentIs(consent));
  if (tag !== undefined && tag !== '')
    conditions.push(mayTryNumbers(ctx.caller, tag) ? sql`(n.tags <> '{}' AND n.tags @> ${[tag]}::text[])` : sql`false`);
  if (contact_field_id !== undefined) conditions.push(await valueIs(ctx, contact_field_id, value));
  if (same_name !== undefined) conditions.push(same_name ? NAMESAKE : sql`NOT ${NAMESAKE}`);
  if (search) conditions.push(await searched(ctx, search));
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` AND `)})`;
}

/** Returns the condition for rows `n` of contact that a person has chosen. */
export async function chosenContacts(ctx: Viewer, { ids, ...query }: ContactSelection): Promise<Condition> {
  const where = await selected(ctx, query);
  return ids === undefined ? where : sql`(${where} AND n.id = ANY (${ids}::bigint[]))`;
}

/** Columns of rows `n` of contact_row, as lists answer them. */
export const contactColumns = sql.join(
  Object.keys(contact.row.shape)
    .filter((name) => name !== 'abilities' && name !== 'etag')
    .map((name) => sql`n.${sql.ref(name)}`),
);

/** Returns a page of contacts, by default the newest first. */
export async function pageOfContacts(
  ctx: Context,
  query: QueryOf<typeof contact.list>,
): Promise<ReplyOf<typeof contact.list>> {
  const { page, per_page, sort = '-id' } = query;
  const where = await selected(ctx, query);
  const direction = sort.startsWith('-') ? sql`DESC` : sql`ASC`;
  const order = sql`ORDER BY n.${sql.ref(sort.replace(/^-/, ''))} ${direction}, n.id ${direction}`;
  // The page is chosen first: consent and values are looked up for its rows only, and not for those before them.
  const { rows } = await sql<Omit<z.output<typeof contact.row>, 'abilities'>>`
    WITH page AS MATERIALIZED (
      SELECT n.id FROM contact n WHERE ${where} ${order} LIMIT ${per_page} OFFSET ${(page - 1) * per_page}
    ) SELECT ${contactColumns} FROM contact_row n WHERE n.id IN (SELECT id FROM page) ${order}`.execute(ctx.db);
  const counted = await sql<{ total: number }>`SELECT count(*) AS total FROM contact n WHERE ${where}`.execute(ctx.db);
  const total = counted.rows[0]!.total;
  const abilities = {
    edit: ctx.caller.permissions.has(contact.permissions.edit),
    delete: ctx.caller.permissions.has(contact.permissions.delete),
  };
  return {
    data: rows.map((row) => ({ ...row, abilities })),
    meta: { page, per_page, total, pages: Math.ceil(total / per_page) },
  };
}
