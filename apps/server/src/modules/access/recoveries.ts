import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { ScopeLevel } from '@heliograph/contract/kernel/scope';
import { type askedOfMe, REQUEST_HOURS } from '@heliograph/contract/notifications/asked';
import { sql } from 'kysely';
import type { Identity } from '#modules/identity';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { readSettings } from '#platform/operator/settings';
import { manageable } from './rights.ts';

type Asked = ReplyOf<typeof askedOfMe>[number];

/** Person whose second factor is to be lifted. */
interface Lost {
  id: number;
  corporation_id: number | null;
}

/** Condition that a request `r` still waits. */
const waits = (now: string) => sql<boolean>`r.asked_at > ${now}::timestamptz - ${REQUEST_HOURS} * interval '1 hour'`;

/**
 * Tells whether the second factor of a person may be lifted now: they have none, one administrator is enough by the
 * setting, or another one asked for it within a day. Otherwise records the caller's request. Throws `recovery_four_eyes`
 * if the caller has asked already.
 */
export async function mayLift({ authDb }: Identity, ctx: Context, person: Lost): Promise<boolean> {
  const now = ctx.clock.now().toISOString();
  const me = ctx.caller.user_id;
  const settings = await readSettings(ctx.db, ['recoveries_four_eyes']);
  if (settings.get('recoveries_four_eyes') === 'false' || !(await hasFactor(authDb, person.id))) return true;
  const { rows: others } =
    await sql`DELETE FROM recovery_request r WHERE r.user_id = ${person.id} AND r.asked_by <> ${me}
    AND ${waits(now)} RETURNING 1`.execute(ctx.db);
  if (others.length > 0) return true;
  const { rows: made } = await sql`
    INSERT INTO recovery_request AS r (user_id, asked_by, asked_at) VALUES (${person.id}, ${me}, ${now})
    ON CONFLICT (user_id) DO UPDATE SET asked_by = excluded.asked_by, asked_at = excluded.asked_at WHERE NOT (${waits(now)})
    RETURNING 1`.execute(ctx.db);
  if (made.length === 0) throw new BusinessError('recovery_four_eyes');
  await audit(ctx, {
    name: 'users',
    description: 'recovery requested',
    subject_type: 'users',
    subject_id: person.id,
    corporation_id: person.corporation_id,
  });
  return false;
}

/** Tells whether a person has more than a password to sign in with. */
async function hasFactor(authDb: Identity['authDb'], id: number): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`SELECT EXISTS (SELECT FROM passkey WHERE user_id = ${id})
    OR EXISTS (SELECT FROM user_totp WHERE user_id = ${id} AND confirmed_at IS NOT NULL)
    OR EXISTS (SELECT FROM external_identity WHERE user_id = ${id}) AS has`.execute(authDb);
  return rows[0]!.has;
}

/** Lists the recoveries that the caller may confirm, in the words of the bell. */
export async function recoveriesAskedOf(ctx: Context): Promise<Asked[]> {
  const { caller, db, clock } = ctx;
  if (!caller.permissions.has('users-reset-password')) return [];
  const { rows } = await sql<Omit<Asked, 'kind' | 'place'> & { scope_level: ScopeLevel }>`
    SELECT u.id, u.name, u.scope_level, a.name AS by, r.asked_at AS at
    FROM recovery_request r JOIN user_account u ON u.id = r.user_id LEFT JOIN user_account a ON a.id = r.asked_by
    WHERE ${waits(clock.now().toISOString())} AND r.asked_by <> ${caller.user_id}
    ORDER BY r.asked_at DESC LIMIT 100`.execute(db);
  const within = await manageable(ctx, rows);
  return rows
    .filter(({ id }) => within.has(id))
    .map(({ id, name, by, at }) => ({ kind: 'recovery', id, name, by, at, place: `/users/${id}` }));
}
