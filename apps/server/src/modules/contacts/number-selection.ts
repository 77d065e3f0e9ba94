import { listNumber, type numberSelection } from '@heliograph/contract/contacts/number-list';
import { type NumberRules, plainDigits } from '@heliograph/contract/kernel/number-rules';
import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { mayTryNumbers } from '#platform/access/hidden-numbers';
import type { Caller, Context } from '#platform/context';
import { literally } from '#platform/database/like';
import { readNumberRules } from '#platform/operator/number-rules';

type NumberSelection = z.output<typeof numberSelection>;

const PARAMS = ['param1', 'param2', 'param3', 'param4', 'param5', 'param6', 'param7', 'param8', 'param9'] as const;
/** Largest number, with more digits than any real one. */
const LAST = '9'.repeat(15);
/** Search text of digits and signs only. A name may also contain a number. */
const DIGITS = /^\+?[\d\s().-]{2,}$/;

/**
 * Returns the beginning of the searched numbers, in the form in which they are stored. A leading 0 stands for the
 * country's own prefix.
 */
export function beginning(search: string, { start, start_with_any_msisdn }: NumberRules): string | null {
  const digits = DIGITS.test(search) ? plainDigits(search) : undefined;
  if (digits === undefined) return null;
  if (search.startsWith('+') || digits.startsWith(start) || start_with_any_msisdn) return digits;
  return digits.startsWith('0') ? start + digits.slice(1) : digits;
}

/**
 * Builds the condition for rows `n` of number_list_number_row in a selection. Numbers and names are searched by their
 * beginning, so an index answers for a list of any size. A caller who may not see numbers finds only whole ones.
 */
export function selectedNumbers(
  selection: NumberSelection,
  rules: NumberRules,
  reader: Pick<Caller, 'numbers_visible'>,
): RawBuilder<boolean> {
  const conditions: RawBuilder<boolean>[] = [];
  const { ids, search, opted_out } = selection;
  if (ids) conditions.push(sql`n.id = ANY (${`{${ids.join()}}`}::bigint[])`);
  if (search) {
    const name = `${literally(search.toLowerCase())}%`;
    const byName = !mayTryNumbers(reader, search)
      ? sql<boolean>`false`
      : sql<boolean>`(n.name IS NOT NULL AND lower(n.name) LIKE ${name})`;
    const first = beginning(search, rules);
    const last = reader.numbers_visible ? first + LAST : first;
    conditions.push(first === null ? byName : sql`((n.number >= ${first} AND n.number <= ${last}) OR ${byName})`);
  }
  if (opted_out !== undefined) conditions.push(sql`n.opted_out = ${opted_out}`);
  for (const param of PARAMS) {
    const value = selection[param];
    if (value !== undefined) conditions.push(sql`n.${sql.ref(param)} = ${value}`);
  }
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` AND `)})`;
}

/** Tells if a selection is the whole list. */
const isAll = (selection: NumberSelection) =>
  Object.values(selection).every((value) => value === undefined || value === '');

const ORDER = { number: sql`n.number`, name: sql`n.name`, id: sql`n.id` } as const;
const COLUMNS = sql.join(
  Object.keys(listNumber.row.shape)
    .filter((name) => name !== 'abilities' && name !== 'etag')
    .map((name) => sql`n.${sql.ref(name)}`),
);

/** Returns a page of a list's numbers, by default in their order, or in that of their entry if they are masked. */
export async function pageOfNumbers(
  ctx: Context,
  query: QueryOf<typeof listNumber.list>,
): Promise<ReplyOf<typeof listNumber.list>> {
  const { page, per_page, sort, number_list_id, ...selection } = query;
  const where = sql`n.number_list_id = ${number_list_id} AND ${selectedNumbers(selection, await readNumberRules(ctx.db), ctx.caller)}`;
  const key = (sort?.replace(/^-/, '') ?? (ctx.caller.numbers_visible ? 'number' : 'id')) as keyof typeof ORDER;
  const direction = sort?.startsWith('-') ? sql`DESC` : sql`ASC`;
  const { rows } = await sql<Omit<z.output<typeof listNumber.row>, 'abilities'>>`
    SELECT ${COLUMNS} FROM number_list_number_row n WHERE ${where}
    ORDER BY ${ORDER[key]} ${direction}, ${ctx.caller.numbers_visible ? ORDER.number : ORDER.id} LIMIT ${per_page} OFFSET ${(page - 1) * per_page}`.execute(
    ctx.db,
  );
  // The list stores its own count. Only a narrower selection is counted.
  const counting = isAll(selection)
    ? sql<{ total: number }>`SELECT numbers_count AS total FROM number_list WHERE id = ${number_list_id}`
    : sql<{ total: number }>`SELECT count(*) AS total FROM number_list_number_row n WHERE ${where}`;
  const total = (await counting.execute(ctx.db)).rows[0]?.total ?? 0;
  const abilities = {
    edit: ctx.caller.permissions.has(listNumber.permissions.edit),
    delete: ctx.caller.permissions.has(listNumber.permissions.delete),
  };
  return {
    data: rows.map((row) => ({ ...row, abilities })),
    meta: { page, per_page, total, pages: Math.ceil(total / per_page) },
  };
}
