import { MOST_CALLBACK_ADDRESSES } from '@heliograph/contract/api/callback-address';
import { callback } from '@heliograph/contract/callbacks/callback';
import type { EventType } from '@heliograph/contract/kernel/events';
import { sql } from 'kysely';
import { type Context, requirePermission } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { addSecret, endpoints } from './endpoints.ts';

/** Key with which a program adds addresses. */
export interface Adder {
  key_id: number;
  corporation_id: number;
}

/** Endpoint that a program has added. */
export interface ProgramEndpoint {
  id: number;
  url: string;
  types: EventType[];
  description: string | null;
  enabled: boolean;
  paused_at: string | null;
  failing_since: string | null;
  created_at: string;
}

const { permissions } = callback;

/** SQL of the endpoints of keys of the same person or service account, and of the same mode. */
const ofSame = ({ key_id, corporation_id }: Adder) => sql`e.corporation_id = ${corporation_id}
  AND (k.user_id, k.mode) = (SELECT user_id, mode FROM api_key WHERE id = ${key_id})`;

/** Returns the endpoints that programs of a key's owner have added, the newest first. */
export async function endpointsOfProgram(ctx: Context, adder: Adder): Promise<ProgramEndpoint[]> {
  requirePermission(ctx.caller, permissions.index);
  const { rows } = await sql<ProgramEndpoint>`
    SELECT e.id, e.url, e.types, e.description, e.enabled, e.paused_at, e.failing_since, e.created_at
    FROM callback_endpoint e JOIN api_key k ON k.id = e.api_key_id WHERE ${ofSame(adder)}
    ORDER BY e.id DESC LIMIT ${MOST_CALLBACK_ADDRESSES}`.execute(ctx.db);
  return rows;
}

/**
 * Adds an endpoint of a program, and returns it with its secret, which nobody sees again. Throws `forbidden`,
 * `callback_already_exists`, `callback_addresses_full`, and a 422 on `url` or `types`.
 */
export async function addProgramEndpoint(
  ctx: Context,
  { key_id, corporation_id }: Adder,
  { url, types, description }: { url: string; types: EventType[]; description: string | null },
): Promise<ProgramEndpoint & { secret: string }> {
  requirePermission(ctx.caller, permissions.create);
  // Two programs that add an address at the same time wait for each other, so that both count right.
  await sql`SELECT pg_advisory_xact_lock(hashtext('callback_endpoint'), ${corporation_id}::bigint::int)`.execute(
    ctx.db,
  );
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM callback_endpoint WHERE corporation_id = ${corporation_id} AND api_key_id IS NOT NULL`.execute(
    ctx.db,
  );
  if (rows[0]!.n >= MOST_CALLBACK_ADDRESSES)
    throw new BusinessError('callback_addresses_full', { params: { most: MOST_CALLBACK_ADDRESSES } });
  const department_id = ctx.caller.scope_level > 2 ? ctx.caller.department_id : null;
  const body = { corporation_id, department_id, url, types, description, enabled: true };
  const { data } = await endpoints.create(ctx, { params: {}, query: {}, body });
  await sql`UPDATE callback_endpoint SET api_key_id = ${key_id} WHERE id = ${data.id}`.execute(ctx.db);
  const secret = await addSecret(ctx, data);
  return { ...data, url, secret };
}

/** Removes an endpoint that a program of the key's owner has added. Throws `not_found` and `forbidden`. */
export async function removeProgramEndpoint(ctx: Context, adder: Adder, id: number): Promise<void> {
  requirePermission(ctx.caller, permissions.delete);
  const { rows } = await sql`
    SELECT FROM callback_endpoint e JOIN api_key k ON k.id = e.api_key_id WHERE e.id = ${id} AND ${ofSame(adder)}`.execute(
    ctx.db,
  );
  if (rows.length === 0) throw new BusinessError('not_found');
  await endpoints.remove(ctx, { params: { id }, query: {}, body: {} });
}
