import { X509Certificate } from 'node:crypto';
import { auditStream, type newStreamSecret } from '@heliograph/contract/audit/audit-stream';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import { sql } from 'kysely';
import { newSecret, requireEventRights } from '#modules/callbacks';
import { fromNow } from '#modules/events';
import { audit } from '#platform/access/audit';
import { requireNumbers } from '#platform/access/hidden-texts';
import { requireVisible } from '#platform/access/visible';
import { type Context, requirePermission } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler, ResourceHandlers } from '#platform/http/http';
import { seal, secretKey } from '#platform/process/seal';
import { tableStore } from '#platform/records/table-store';
import { streamSecretContext } from './send-items.ts';

const stored = tableStore(auditStream, {
  table: 'audit_stream',
  from: 'audit_stream_row',
  searched: ['name', 'corporation_name', 'host', 'url', 'bucket', 'servers', 'topic'],
});
type Row = Awaited<ReturnType<typeof stored.get>>['data'];

const find = async (ctx: Context, id: number): Promise<Row> =>
  (await stored.get(ctx, { params: { id }, query: {}, body: {} })).data;

/** Throws unless the caller sees all that a stream sends, and may take it along. */
function requireRights(ctx: Context, { contents, types }: Pick<Row, 'contents' | 'types'>): void {
  const { caller } = ctx;
  if (caller.scope_level > 2) throw new BusinessError('forbidden');
  requirePermission(caller, contents === 'events' ? 'callbacks-create' : 'activity-logs-download');
  // Entries of the log hold the numbers of changed records.
  if (contents === 'audit') requireNumbers(ctx, 'name');
  else requireEventRights(ctx, types);
}

const NEEDED = {
  syslog: ['host'],
  https: ['url'],
  s3: ['endpoint', 'bucket', 'username'],
  kafka: ['servers', 'topic'],
  nats: ['servers', 'topic'],
} as const;

/** Throws if a field is missing that the destination needs, or cannot be used. */
function check(
  ctx: Context,
  row: Pick<
    Row,
    'contents' | 'destination' | 'host' | 'url' | 'endpoint' | 'bucket' | 'username' | 'ca' | 'servers' | 'topic'
  >,
) {
  if (row.contents === 'events' && row.destination === 'syslog') throw fieldError('destination', 'events_by_syslog');
  for (const field of NEEDED[row.destination]) if (!row[field]) throw fieldError(field, 'required');
  for (const field of ['url', 'endpoint'] as const)
    if (row[field]?.startsWith('http:') && !ctx.config.HTTP_CALLBACKS) throw fieldError(field, 'url_not_https');
  if (!row.ca) return;
  try {
    new X509Certificate(row.ca);
  } catch {
    throw fieldError('ca', 'certificate');
  }
}

const setSecret = (ctx: Context, id: number, secret: string | null) =>
  ctx.db
    .updateTable('audit_stream')
    .set({ secret_sealed: secret === null ? null : seal(secretKey(ctx.config), secret, streamSecretContext(id)) })
    .where('id', '=', id)
    .execute();

/** Destinations whose secret a person enters. */
const KEEPS_SECRET: ReadonlySet<string> = new Set(['s3', 'kafka', 'nats']);

/** Place of streams of events in the log, behind its end: a worker that knows no events sends nothing of it. */
const BEHIND_THE_LOG = Number.MAX_SAFE_INTEGER;

/** Returns where a new stream begins: with the entry of its own creation, or with the next event. */
async function placeOf({ db }: Context, contents: Row['contents']) {
  if (contents === 'events') return { position: BEHIND_THE_LOG, cursor: await fromNow(db) };
  const { rows } = await sql<{ position: number }>`SELECT activity_position() AS position`.execute(db);
  return { position: rows[0]!.position, cursor: null };
}

/** Streams of the activity log and of events. The secret can be set and is never answered. */
export const auditStreams: ResourceHandlers<typeof auditStream> = {
  ...stored,
  async create(ctx, { params, query, body: { secret, ...body } }) {
    requireRights(ctx, body);
    const asked = body.corporation_id ?? (isAdministration(ctx.caller.scope_level) ? null : ctx.caller.corporation_id);
    if (asked !== null) await requireVisible(ctx, 'corporation', asked, 'corporation_id');
    // Events of all corporations together would be no customer's.
    if (body.contents === 'events' && asked === null) throw fieldError('corporation_id', 'required');
    check(ctx, body);
    if (body.destination === 's3' && secret === null) throw fieldError('secret', 'required');
    const hour = new Date(Math.floor(ctx.clock.now().getTime() / 3_600_000) * 3_600_000).toISOString();
    const begin = { ...(await placeOf(ctx, body.contents)), covered_until: hour };
    const made = await stored.create(ctx, {
      params,
      query,
      body: { ...body, corporation_id: asked, ...begin } as never,
    });
    await setSecret(ctx, made.data.id, body.destination === 'https' ? newSecret() : secret);
    return { ...made, data: await find(ctx, made.data.id) };
  },
  async update(ctx, { params, query, body: { secret, ...body } }) {
    const before = await find(ctx, params.id);
    const after = { ...before, ...(body as Partial<Row>) };
    requireRights(ctx, before);
    requireRights(ctx, after);
    check(ctx, after);
    if (secret !== undefined && KEEPS_SECRET.has(before.destination)) await setSecret(ctx, params.id, secret);
    // A changed receiver is tried immediately.
    await ctx.db.updateTable('audit_stream').set({ next_at: sql`now()` }).where('id', '=', params.id).execute();
    return stored.update(ctx, { params, query, body: body as never });
  },
  async remove(ctx, call) {
    requireRights(ctx, await find(ctx, call.params.id));
    return stored.remove(ctx, call);
  },
};

/** Makes the secret that signs posted entries, and shows it once. */
export const newStreamKey: Handler<typeof newStreamSecret> = async (ctx, { params }) => {
  const row = await find(ctx, params.id);
  requireRights(ctx, row);
  if (row.destination !== 'https') throw new BusinessError('invalid_transition');
  const secret = newSecret();
  await setSecret(ctx, row.id, secret);
  await audit(ctx, {
    name: auditStream.name,
    description: 'secret rotated',
    subject_type: auditStream.name,
    subject_id: row.id,
    corporation_id: row.corporation_id,
  });
  return { data: { id: row.id, secret } };
};
