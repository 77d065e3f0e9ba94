import { isAdministration } from '@heliograph/contract/kernel/scope';
import { corporation as corporationRecord } from '@heliograph/contract/organizations/corporation';
import type { assignReseller, previewAssignment, previewReseller } from '@heliograph/contract/organizations/team';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import { BusinessError, constraintError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { translate } from '#platform/text/i18n';
import { BECOMES_RESELLER, downgrade, downgradesOf, GETS_RESELLER } from './downgrades.ts';

/** Fields of a corporation that its place among resellers needs. */
export interface Placed {
  id: number;
  name: string;
  is_reseller: boolean;
  reseller_id: number | null;
  reseller_name: string | null;
}

/** Throws `forbidden` unless the caller is of the administration, which decides the reseller of each corporation. */
export function requireAdministration({ caller }: Pick<Context, 'caller'>): void {
  if (!isAdministration(caller.scope_level)) throw new BusinessError('forbidden');
}

/** Finds a corporation; with `lock` it is locked until the transaction ends. Throws `not_found`. */
async function findPlaced(ctx: Context, id: number, { lock = false } = {}): Promise<Placed> {
  const { rows } = await sql<Placed>`
    SELECT c.id, c.name, c.is_reseller, c.reseller_id, r.name AS reseller_name
    FROM corporation c LEFT JOIN corporation r ON r.id = c.reseller_id
    WHERE c.id = ${id} ${lock ? sql`FOR NO KEY UPDATE OF c` : sql``}`.execute(ctx.db);
  if (!rows[0]) throw new BusinessError('not_found');
  return rows[0];
}

/** As `findPlaced`, for a corporation that a field names: if it is missing, that is a fault of the field. */
export async function findNamed(ctx: Context, field: string, id: number, how?: { lock: boolean }): Promise<Placed> {
  try {
    return await findPlaced(ctx, id, how);
  } catch (error) {
    throw error instanceof BusinessError ? fieldError(field, 'not_visible') : error;
  }
}

/** Throws if a corporation cannot be made a reseller. */
export function requireFree(corporation: Placed, field: string): void {
  if (corporation.is_reseller) throw new BusinessError('reseller_already_exists');
  if (corporation.reseller_id !== null)
    throw fieldError(field, 'corporation_has_reseller', { reseller: corporation.reseller_name ?? '' });
}

/** Lists the people that are downgraded if a corporation becomes a reseller. */
export const showNewReseller: Handler<typeof previewReseller> = async (ctx, { params }) => {
  const corporation = await findPlaced(ctx, params.id);
  requireAdministration(ctx);
  requireFree(corporation, 'corporation_id');
  return { data: await downgradesOf(ctx, params.id, BECOMES_RESELLER) };
};

/** Lists the people that are downgraded if a corporation gets a reseller: the same for every reseller. */
export const showAssignment: Handler<typeof previewAssignment> = async (ctx, { params }) => {
  const corporation = await findPlaced(ctx, params.id);
  requireAdministration(ctx);
  if (corporation.is_reseller) throw fieldError('reseller_id', 'reseller_has_none');
  return { data: await downgradesOf(ctx, params.id, GETS_RESELLER) };
};

/** Gives a corporation to a reseller with the downgrades that follow, or takes it back; one transaction. */
export const assign: Handler<typeof assignReseller> = async (ctx, { params, body }) => {
  const { reseller_id, confirmed_user_ids } = body;
  await findPlaced(ctx, params.id);
  requireAdministration(ctx);
  // Both are locked in the order of their ids, so that two parallel assignments never wait for each other.
  const ids = [params.id, ...(reseller_id === null ? [] : [reseller_id])];
  await sql`SELECT FROM corporation WHERE id = ANY (${ids}) ORDER BY id FOR NO KEY UPDATE`.execute(ctx.db);
  const corporation = await findPlaced(ctx, params.id);
  if (corporation.is_reseller) throw fieldError('reseller_id', 'reseller_has_none');
  const reseller = reseller_id === null ? null : await findReseller(ctx, reseller_id);
  const people = reseller === null ? [] : await downgrade(ctx, params.id, GETS_RESELLER, confirmed_user_ids);
  await ctx.db
    .updateTable('corporation')
    .set({ reseller_id })
    .where('id', '=', params.id)
    .execute()
    .catch((error: unknown) => {
      throw constraintError(error, corporationRecord.conflicts) ?? error;
    });
  await audit(ctx, {
    name: 'corporations',
    description: reseller === null ? 'reseller taken off' : 'reseller assigned',
    subject_type: 'corporations',
    subject_id: params.id,
    corporation_id: params.id,
    before: { reseller_id: corporation.reseller_id, reseller_name: corporation.reseller_name, downgraded: [] },
    after: { reseller_id, reseller_name: reseller?.name ?? null, downgraded: people.map(({ email }) => email) },
  });
  const said = reseller === null ? 'taken_off' : 'assigned';
  const names = { corporation: corporation.name, reseller: reseller?.name ?? '' };
  return { message: translate(ctx.locale, `teams.${said}`, names) };
};

async function findReseller(ctx: Context, id: number): Promise<Placed> {
  const found = await findNamed(ctx, 'reseller_id', id);
  if (!found.is_reseller) throw fieldError('reseller_id', 'not_visible');
  return found;
}
