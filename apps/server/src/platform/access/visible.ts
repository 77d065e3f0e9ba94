import type { ErrorCode } from '@heliograph/contract/kernel/errors';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Database } from '../database/db.ts';
import { BusinessError, fieldError } from '../errors.ts';

/**
 * Throws a 422 on `field` if the record it names does not exist for the caller: another tenant's record and a missing
 * one give the same error. `condition` narrows it more.
 */
export async function requireVisible(
  ctx: Pick<Context, 'db'>,
  table: keyof Database,
  id: number,
  field: string,
  condition = sql<boolean>`true`,
): Promise<void> {
  // The user of a program is not a person: nothing else can be given to it.
  const person = table === 'user_account' ? sql`AND NOT is_service` : sql``;
  const { rows } = await sql`SELECT FROM ${sql.table(table)} WHERE id = ${id} AND (${condition}) ${person}`.execute(
    ctx.db,
  );
  if (rows.length === 0) throw fieldError(field, 'not_visible');
}

/** Throws a 422 unless the department exists for the caller and belongs to the corporation. */
export async function requireDepartment(
  ctx: Pick<Context, 'db'>,
  place: { corporation_id: number; department_id: number },
): Promise<void> {
  await requireVisible(ctx, 'department', place.department_id, 'department_id');
  const within = sql<boolean>`corporation_id = ${place.corporation_id}`;
  await requireVisible(ctx, 'department', place.department_id, 'corporation_id', within);
}

/**
 * Throws `code` if another record that the caller sees has the same name in a column. The same email address, which is
 * stored in one form, counts too. Records of other tenants do not count: a refusal would reveal that they exist. `within`
 * narrows it more, so that no tenant takes a value that others need.
 */
export async function requireUnused(
  ctx: Pick<Context, 'db'>,
  table: keyof Database,
  [column, value]: readonly [string, string],
  code: ErrorCode,
  { except = 0, within = sql<boolean>`true` } = {},
): Promise<void> {
  const same = column === 'email' ? sql`email = ${value}` : sql`name_key(${sql.ref(column)}) = name_key(${value})`;
  const { rows } = await sql`SELECT FROM ${sql.table(table)}
    WHERE ${same} AND id <> ${except} AND (${within}) LIMIT 1`.execute(ctx.db);
  if (rows.length > 0) throw new BusinessError(code);
}
