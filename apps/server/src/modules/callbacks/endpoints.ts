import { isIP } from 'node:net';
import { callback, type resumeCallback, type rotateCallbackSecret } from '@heliograph/contract/callbacks/callback';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import { requireNumbers, requireTexts } from '#platform/access/hidden-texts';
import { requireDepartment, requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler, ResourceHandlers } from '#platform/http/http';
import { allowedAddress, hostOf, TargetError, WEB_PORTS } from '#platform/outbound/outbound';
import { seal, secretKey } from '#platform/process/seal';
import { tableStore } from '#platform/records/table-store';
import { newSecret, secretContext } from './signing.ts';

const stored = tableStore(callback, {
  table: 'callback_endpoint',
  from: 'callback_endpoint_row',
  searched: ['url', 'description', 'corporation_name', 'department_name'],
  // An endpoint that a corporation, a department or a message sets is deleted there.
  may: ({ kind }) => ({ delete: kind === 'own' }),
});
type Row = Awaited<ReturnType<typeof stored.get>>['data'];

/** Returns an endpoint that the caller may see. Throws `not_found` for any other. */
export async function findEndpoint(ctx: Context, id: number): Promise<Row> {
  return (await stored.get(ctx, { params: { id }, query: {}, body: {} })).data;
}

/** Receivers of callbacks. */
export const endpoints: ResourceHandlers<typeof callback> = {
  ...stored,
  async create(ctx, call) {
    const { corporation_id, department_id, url } = call.body;
    await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
    if (department_id !== null) await requireDepartment(ctx, { corporation_id, department_id });
    // A person who manages a department makes endpoints for that department.
    else if (ctx.caller.scope_level > 2) throw fieldError('department_id', 'required');
    requireEventRights(ctx, call.body.types);
    await requireGood(ctx, url);
    return stored.create(ctx, call);
  },
  async update(ctx, call) {
    const before = await findEndpoint(ctx, call.params.id);
    const { url, enabled } = call.body;
    if (before.kind !== 'own' && ((url !== undefined && url !== before.url) || (enabled && !before.enabled)))
      throw new BusinessError('callback_of_elsewhere');
    const { types = before.types } = call.body;
    const moved = url !== undefined && url !== before.url;
    for (const { tells, requireRight } of RIGHTS) {
      const widened = !(before.enabled && tells(before.types));
      if (tells(types) && (widened || moved)) requireRight(ctx, 'types');
    }
    if (url !== undefined && url !== before.url) {
      await requireGood(ctx, url);
      // A new receiver starts without the failures of the old one.
      await resume(ctx, before.id);
    }
    return stored.update(ctx, call);
  },
  async remove(ctx, call) {
    if ((await findEndpoint(ctx, call.params.id)).kind !== 'own') throw new BusinessError('has_dependencies');
    return stored.remove(ctx, call);
  },
};

/** Tells if an endpoint receives the texts of inbound messages. An empty list of types means all types. */
const tellsTexts = (types: readonly string[]) => types.length === 0 || types.includes('message.received');

/** Tells if an endpoint receives numbers of recipients or repliers. */
const tellsNumbers = (types: readonly string[]) =>
  types.length === 0 || types.some((type) => /^(message|verification)\./.test(type) || ABOUT_PEOPLE.has(type));
/** Types besides those of messages and verifications that name a person. */
const ABOUT_PEOPLE: ReadonlySet<string> = new Set(['link.clicked', 'journey.step']);

/** Tells if an endpoint receives values of contacts. */
const tellsContacts = (types: readonly string[]) => types.length === 0 || types.includes('journey.step');
const requireContacts = ({ caller }: Context, field: string): void => {
  if (!caller.permissions.has('contacts-index')) throw fieldError(field, 'callback_contacts');
};

/** Throws unless a person may have events of these types sent out of the console; no type means all. */
export function requireEventRights(ctx: Context, types: readonly string[]): void {
  for (const { tells, requireRight } of RIGHTS) if (tells(types)) requireRight(ctx, 'types');
}

/** Rights that a person needs to have events sent to an address. */
const RIGHTS = [
  { tells: tellsTexts, requireRight: requireTexts },
  { tells: tellsNumbers, requireRight: requireNumbers },
  { tells: tellsContacts, requireRight: requireContacts },
] as const;

/**
 * Checks the address of an endpoint. A host name is resolved and checked at each connection; an IP address can be
 * checked now.
 */
async function requireGood(ctx: Context, address: string): Promise<void> {
  const url = new URL(address);
  if (url.protocol === 'http:' && !ctx.config.HTTP_CALLBACKS) throw fieldError('url', 'url_not_https');
  const target = hostOf(url);
  if (isIP(target.host) === 0) return;
  await allowedAddress(ctx.config, { ...target, ports: WEB_PORTS }).catch((error: unknown) => {
    throw error instanceof TargetError ? fieldError('url', 'url_not_allowed') : error;
  });
}

const resume = (ctx: Context, id: number) =>
  ctx.db
    .updateTable('callback_endpoint')
    .set({ paused_at: null, pause_reason: null, failing_since: null })
    .where('id', '=', id)
    .execute();

const noted = (ctx: Context, row: Row, description: string) =>
  audit(ctx, {
    name: 'callbacks',
    description,
    subject_type: 'callbacks',
    subject_id: row.id,
    corporation_id: row.corporation_id,
  });

/** Makes the secret of an endpoint that has no present one, stores it sealed, and returns it. */
export async function addSecret(
  ctx: Context,
  { id, corporation_id }: Pick<Row, 'id' | 'corporation_id'>,
): Promise<string> {
  const secret = newSecret();
  await sql`INSERT INTO callback_secret (corporation_id, callback_endpoint_id, sealed)
    VALUES (${corporation_id}, ${id}, ${seal(secretKey(ctx.config), secret, secretContext(id))})`.execute(ctx.db);
  return secret;
}

/** Makes a secret and shows it. The previous secret also signs for a while. */
export const rotate: Handler<typeof rotateCallbackSecret> = async (ctx, { params, body }) => {
  const row = await findEndpoint(ctx, params.id);
  // Without this lock, two people could rotate at the same time, and one would be shown a secret that is lost.
  await sql`SELECT FROM callback_endpoint WHERE id = ${row.id} FOR UPDATE`.execute(ctx.db);
  const until = new Date(ctx.clock.now().getTime() + body.overlap_hours * 3_600_000).toISOString();
  // A secret that nobody has seen is not needed any more.
  const { rows: old } = await sql<{ expires_at: string; shown: boolean }>`
    UPDATE callback_secret SET expires_at = CASE WHEN shown AND ${body.overlap_hours > 0} THEN ${until}::timestamptz ELSE now() END
    WHERE callback_endpoint_id = ${row.id} AND expires_at IS NULL RETURNING expires_at, shown`.execute(ctx.db);
  const secret = await addSecret(ctx, row);
  await noted(ctx, row, 'secret rotated');
  const kept = old[0]?.shown && body.overlap_hours > 0 ? old[0].expires_at : null;
  return { data: { id: row.id, secret, old_secret_until: kept } };
};

/** Resumes an endpoint that was paused. */
export const resumeEndpoint: Handler<typeof resumeCallback> = async (ctx, { params }) => {
  const row = await findEndpoint(ctx, params.id);
  await resume(ctx, row.id);
  await noted(ctx, row, 'resumed');
  return { data: { id: row.id } };
};
