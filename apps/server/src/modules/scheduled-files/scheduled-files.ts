import { isAdministration } from '@heliograph/contract/kernel/scope';
import {
  type confirmHostKey,
  type FileFault,
  scheduledFile,
  type sendFileAgain,
  type testScheduledFile,
} from '@heliograph/contract/scheduled-files/scheduled-file';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import { requireNumbers, requireTexts } from '#platform/access/hidden-texts';
import { requireVisible } from '#platform/access/visible';
import { type Context, requirePermission } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Call, Handler, ResourceHandlers } from '#platform/http/http';
import { homeOf } from '#platform/person/home';
import { seal, secretKey } from '#platform/process/seal';
import { tableStore } from '#platform/records/table-store';
import { translate } from '#platform/text/i18n';
import { type Destination, privateKeyContext, secretContext, tryDestination } from './destinations.ts';
import { faultOf } from './fault.ts';
import { fileName } from './file-names.ts';
import { periodStart } from './periods.ts';
import { isPrivateKey } from './sftp.ts';

const stored = tableStore(scheduledFile, {
  table: 'scheduled_file',
  from: 'scheduled_file_row',
  searched: ['name', 'corporation_name', 'host', 'bucket'],
});
type Row = Awaited<ReturnType<typeof stored.get>>['data'];

const find = async (ctx: Context, id: number): Promise<Row> =>
  (await stored.get(ctx, { params: { id }, query: {}, body: {} })).data;

/** Throws unless the caller sees all messages of the owner, and may take them as files. */
function requireRights({ caller }: Context): void {
  if (caller.scope_level > 2) throw new BusinessError('forbidden');
  requirePermission(caller, 'transactions-download');
}

interface Secrets {
  secret?: string | null | undefined;
  private_key?: string | null | undefined;
}

type Checked = Pick<Row, 'destination' | 'host' | 'endpoint' | 'bucket' | 'texts' | 'has_secret' | 'has_private_key'>;

/** Throws if a field is missing that the destination needs, or cannot be used. */
async function check(ctx: Context, row: Checked, { private_key }: Secrets): Promise<void> {
  const needed = row.destination === 'sftp' ? (['host'] as const) : (['endpoint', 'bucket'] as const);
  for (const field of needed) if (!row[field]) throw fieldError(field, 'required');
  if (row.destination === 's3' && !row.has_secret) throw fieldError('secret', 'required');
  if (!row.has_secret && !row.has_private_key) throw fieldError('secret', 'secret_or_private_key');
  if (row.endpoint?.startsWith('http:') && !ctx.config.HTTP_CALLBACKS) throw fieldError('endpoint', 'url_not_https');
  if (private_key && !(await isPrivateKey(private_key))) throw fieldError('private_key', 'private_key');
}

/** Stores the secrets that a body has; `null` removes one. */
async function setSecrets(ctx: Context, id: number, { secret, private_key }: Secrets): Promise<void> {
  const key = secretKey(ctx.config);
  const sealed = (value: string | null, context: string) => (value === null ? null : seal(key, value, context));
  const columns = {
    ...(secret !== undefined && { secret_sealed: sealed(secret, secretContext(id)) }),
    ...(private_key !== undefined && {
      private_key_sealed: sealed(private_key && `${private_key}\n`, privateKeyContext(id)),
    }),
  };
  if (Object.keys(columns).length > 0)
    await ctx.db.updateTable('scheduled_file').set(columns).where('id', '=', id).execute();
}

/** Returns the owner of a new scheduled file: only the platform's people make one for the platform. */
async function ownerOf(ctx: Context, asked: number | null): Promise<number | null> {
  if (asked !== null) {
    await requireVisible(ctx, 'corporation', asked, 'corporation_id');
    return asked;
  }
  return isAdministration(ctx.caller.scope_level) ? null : ctx.caller.corporation_id;
}

/** Returns the start of the present period of an owner: the first file holds all of it. */
async function firstStart(ctx: Context, corporation_id: number | null, every: Row['every']): Promise<string> {
  const { timezone } = await homeOf({ db: ctx.db, caller: { ...ctx.caller, corporation_id, user_id: 0 } });
  return periodStart(every, ctx.clock.now().toISOString(), timezone);
}

/** Fields that decide where files go. A person who changes one must be allowed to read what is sent there. */
const PLACE = ['host', 'port', 'endpoint', 'bucket', 'folder', 'username'] as const;

/** Scheduled files. Secrets can be set and are never answered. */
export const scheduledFiles: ResourceHandlers<typeof scheduledFile> = {
  ...stored,
  async create(ctx, { params, query, body: { secret, private_key, ...body } }) {
    requireRights(ctx);
    if (body.texts) requireTexts(ctx, 'texts');
    if (body.numbers) requireNumbers(ctx, 'numbers');
    const corporation_id = await ownerOf(ctx, body.corporation_id);
    const has = { has_secret: secret !== null, has_private_key: private_key !== null };
    await check(ctx, { ...body, ...has }, { private_key });
    const covered_until = await firstStart(ctx, corporation_id, body.every);
    const made = await stored.create(ctx, { params, query, body: { ...body, corporation_id, covered_until } as never });
    await setSecrets(ctx, made.data.id, { secret, private_key });
    return { ...made, data: await find(ctx, made.data.id) };
  },
  async update(ctx, { params, query, body: { secret, private_key, ...body } }) {
    const before = await find(ctx, params.id);
    requireRights(ctx);
    const after = { ...before, ...(body as Partial<Row>) };
    const moved = PLACE.some((field) => after[field] !== before[field]);
    if (after.texts && (!before.texts || moved)) requireTexts(ctx, 'texts');
    if (after.numbers && (!before.numbers || moved)) requireNumbers(ctx, 'numbers');
    const has = {
      has_secret: secret === undefined ? before.has_secret : secret !== null,
      has_private_key: private_key === undefined ? before.has_private_key : private_key !== null,
    };
    await check(ctx, { ...after, ...has }, { private_key });
    await setSecrets(ctx, params.id, { secret, private_key });
    // Another server has another key; a stored secret must not be shown to it before a person has confirmed that key.
    if (after.host !== before.host || after.port !== before.port) await setHostKey(ctx, params.id, null);
    return stored.update(ctx, { params, query, body: body as never });
  },
  async remove(ctx, call) {
    await find(ctx, call.params.id);
    requireRights(ctx);
    return stored.remove(ctx, call);
  },
};

const setHostKey = (ctx: Context, id: number, host_key: string | null) =>
  ctx.db.updateTable('scheduled_file').set({ host_key }).where('id', '=', id).execute();

const noted = (ctx: Context, row: Row, description: string, after: object = {}) =>
  audit(ctx, {
    name: scheduledFile.name,
    description,
    subject_type: scheduledFile.name,
    subject_id: row.id,
    corporation_id: row.corporation_id,
    after,
  });

/** Tries the destination of a scheduled file, outside a transaction. */
export async function testDestination(
  { config }: Pick<Context, 'config'>,
  { params }: Call<typeof testScheduledFile>,
  run: <R>(work: (ctx: Context) => Promise<R>) => Promise<R>,
) {
  const to = await run(async (ctx) => {
    const about = await find(ctx, params.id);
    requireRights(ctx);
    await noted(ctx, about, 'destination tested');
    const row = await ctx.db.selectFrom('scheduled_file').selectAll().where('id', '=', params.id).executeTakeFirst();
    return row as Destination;
  });
  let host_key: string | null = null;
  let fault: FileFault | null = null;
  try {
    await tryDestination(config, to, (seen) => {
      host_key = seen;
    });
  } catch (error) {
    fault = faultOf(error);
  }
  return { data: { fault, host_key } };
}

/** Stores the fingerprint that a person confirmed. */
export const confirmKey: Handler<typeof confirmHostKey> = async (ctx, { params, body: { host_key } }) => {
  const row = await find(ctx, params.id);
  requireRights(ctx);
  if (row.destination !== 'sftp') throw fieldError('host_key', 'invalid');
  await setHostKey(ctx, row.id, host_key);
  await noted(ctx, row, 'host key confirmed', { host_key });
  return { message: translate(ctx.locale, 'scheduled_file.host_key_confirmed') };
};

/** Sends a file again, now if it waits. Throws `scheduled_file_gone` if its content is not kept any more. */
export const sendAgain: Handler<typeof sendFileAgain> = async (ctx, { params }) => {
  const run = await ctx.db
    .selectFrom('scheduled_file_run')
    .select(['id', 'scheduled_file_id', 'kept_path', 'sha256', 'period_start', 'period_end'])
    .where('id', '=', params.id)
    .executeTakeFirst();
  if (!run) throw new BusinessError('not_found');
  requireRights(ctx);
  if (run.sha256 !== null && run.kept_path === null) throw new BusinessError('scheduled_file_gone');
  await ctx.db
    .updateTable('scheduled_file_run')
    .set({ state: 'waiting', tries: 0, next_at: sql`now()`, error: null })
    .where('id', '=', run.id)
    .execute();
  const row = await find(ctx, run.scheduled_file_id);
  const file_name = fileName(run);
  await noted(ctx, row, 'file sent again', { file_name });
  return { message: translate(ctx.locale, 'scheduled_file.sent_again', { file: file_name }) };
};
