import { isAdministration } from '@heliograph/contract/kernel/scope';
import { isNumeric } from '@heliograph/contract/senders/sender-id';
import { type Kysely, sql } from 'kysely';
import { holderOf } from '#modules/inbound-routing';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError, fieldError } from '#platform/errors';

/**
 * Finds the names that a corporation may not send with unless the platform allows it: those of the platform, of other
 * tenants, and names that look like one of them. The answer does not reveal which.
 */
export async function reservedAmong(
  db: Kysely<Database>,
  corporationId: number,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM unnest(${[...names]}::text[]) AS name
    WHERE sender_name_reserved(${corporationId}, name)`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** Throws a 422 on `field` if a tenant may not send with a name; the platform's own people may give any. */
export async function requireFreeName(ctx: Context, corporationId: number, name: string, field: string): Promise<void> {
  if (isAdministration(ctx.caller.scope_level)) return;
  const reserved = await reservedAmong(ctx.db, corporationId, [name]);
  if (reserved.size > 0) throw fieldError(field, 'name_reserved');
}

/**
 * Finds the protected names among names: by name, `hold` if the platform decides about it, `refuse` if nobody else may
 * add it. A name that contains or looks like a protected one counts.
 */
export async function protectedAmong(
  db: Kysely<Database>,
  names: readonly string[],
): Promise<ReadonlyMap<string, 'hold' | 'refuse'>> {
  const { rows } = await sql<{ asked: string; action: 'hold' | 'refuse' }>`
    SELECT asked, p.action FROM unnest(${[...names]}::text[]) AS asked, protected_name_like(asked) p`.execute(db);
  return new Map(rows.map(({ asked, action }) => [asked, action]));
}

/** Finds the protected name that a name contains or looks like; null if there is none. */
export async function protectedLike(db: Kysely<Database>, name: string) {
  const { rows } = await sql<{ name: string; action: 'hold' | 'refuse' }>`
    SELECT name, action FROM protected_name_like(${name})`.execute(db);
  return rows[0] ?? null;
}

/**
 * Throws if the caller may not give a sender ID to a corporation. Only the platform gives numbers, each to one
 * corporation at a time. Returns whether the platform must decide about the name, because it is protected.
 */
export async function requireSender(ctx: Context, corporationId: number, sender: string): Promise<boolean> {
  const platform = isAdministration(ctx.caller.scope_level);
  if (isNumeric(sender)) {
    if (!platform) throw fieldError('sender_id', 'sender_number');
    await requireUnheld(ctx, corporationId, sender);
    return false;
  }
  await requireFreeName(ctx, corporationId, sender, 'sender_id');
  const action = (await protectedAmong(ctx.db, [sender])).get(sender);
  if (action === 'refuse' && !platform) throw fieldError('sender_id', 'name_protected');
  return action !== undefined;
}

/** Throws `number_already_given`, with the holder's name, if a number belongs to another corporation. */
export async function requireUnheld(ctx: { db: Kysely<Database> }, corporationId: number, sender: string) {
  const number = sender.replace(/^00/, '');
  const holder = await holderOf(ctx, number);
  const { rows } = await sql<{ name: string }>`
    SELECT c.name FROM corporation c WHERE c.id <> ${corporationId} AND (c.id = ${holder} OR c.id IN (
      SELECT s.corporation_id FROM sender_id s WHERE upper(s.sender_id) IN (${number}, ${`00${number}`}) AND NOT s.withheld))
    ORDER BY c.id LIMIT 1`.execute(ctx.db);
  const [other] = rows;
  if (!other) return;
  const params = { name: other.name };
  const fields = { sender_id: [{ key: 'number_already_given', params }] };
  throw new BusinessError('number_already_given', { params, fields });
}
