import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import {
  downloadFile,
  openDownload,
  queueDownloadNotify,
  readDownloads,
} from '@heliograph/contract/notifications/download';
import { sql } from 'kysely';
import { keepAllowed } from '#platform/access/keep-allowed';
import type { Caller, Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { readFile } from '#platform/files/files';
import { type App, mount, parseCall } from '#platform/http/http';
import { sendFile } from '#platform/http/mount-file';
import type { Retention } from '#platform/jobs/retention';
import { secretKey } from '#platform/process/seal';
import { downloadTask } from '#platform/tasks/downloads';
import { findTask, requireTask } from '#platform/tasks/task';
import { translate } from '#platform/text/i18n';
import { type Opened, signAddress, verifyAddress } from './signed-address.ts';

type DownloadRow = ReplyOf<typeof queueDownloadNotify>[number];

/** Days for which a file is kept and shown. */
const KEPT_DAYS = 7;
const DAY_MS = 86_400_000;

/** Retention of requests for files, with their files. */
export const downloadRetention: Retention = {
  table: 'task',
  days: KEPT_DAYS,
  since: 'created_at',
  when: sql`type = 'download'`,
  order: ['created_at'],
  rows: 200,
  file: 'file_path',
};

/** Answers the earliest request time of files that are still kept. */
const keptSince = (now: Date): string => new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString();

/** Lists the caller's files, the newest first. Row level security shows people only their own. */
async function recentDownloads(ctx: Context): Promise<DownloadRow[]> {
  const rows = await ctx.db
    .selectFrom('task')
    .select(['id', 'download_file', 'state', 'rows', 'size', 'downloaded_at', 'created_at'])
    .where('type', '=', downloadTask.type)
    .where('user_id', '=', ctx.caller.user_id)
    .where('created_at', '>=', keptSince(ctx.clock.now()))
    .orderBy('id', 'desc')
    .execute();
  return rows as DownloadRow[];
}

/**
 * Marks a file read and answers the address to fetch it from. If the file is not there, a sentence says so; no error is
 * thrown.
 */
async function open(ctx: Context, id: number, key: Buffer): Promise<ReplyOf<typeof openDownload>> {
  const file = await requireTask(ctx, downloadTask, id);
  const say = (what: string) => translate(ctx.locale, keyIn('downloads', what), { name: file.download_file! });
  const now = ctx.clock.now();
  const refused = (what: string) => ({ success: false, message: say(what), data: null });
  if (file.state === 'failed') return refused('failed');
  if (file.created_at < keptSince(now)) return refused('gone');
  if (file.state !== 'done') return refused('not_ready');
  if (file.numbers_visible && !ctx.caller.numbers_visible) return refused('numbers_hidden');
  await ctx.db
    .updateTable('task')
    .set({ downloaded_at: now.toISOString() })
    .where('type', '=', downloadTask.type)
    .where('id', '=', id)
    .where('downloaded_at', 'is', null)
    .execute();
  return {
    success: true,
    message: say('ready'),
    data: {
      download_list: await recentDownloads(ctx),
      fileName: file.download_file!,
      path: signAddress(key, { id, user: ctx.caller.user_id, session: ctx.caller.session_id }, now),
    },
  };
}

async function readAll(ctx: Context): Promise<DownloadRow[]> {
  await ctx.db
    .updateTable('task')
    .set({ downloaded_at: ctx.clock.now().toISOString() })
    .where('type', '=', downloadTask.type)
    .where('user_id', '=', ctx.caller.user_id)
    .where('state', '=', 'done')
    .where('downloaded_at', 'is', null)
    .execute();
  return recentDownloads(ctx);
}

/**
 * Finds the finished file of a person, authorized only by a signed address. Row level security opens the table for that
 * person's id only.
 */
async function findFile(app: App, { id, user }: Opened, caller: Caller): Promise<{ path: string; name: string }> {
  const file = await app.database.transaction().execute(async (db) => {
    await sql`SELECT set_config('app.user', ${String(user)}, true)`.execute(db);
    return findTask(db, downloadTask, id);
  });
  const path = file?.file_path;
  if (!path || file.state !== 'done') throw new BusinessError('not_found');
  if (file.numbers_visible && !caller.numbers_visible) throw new BusinessError('numbers_hidden');
  return { path, name: file.download_file! };
}

const typeOf = (path: string) =>
  path.endsWith('.xlsx')
    ? 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    : 'text/csv; charset=utf-8';

/** Mounts the list in the bell, the opening of an entry, and the download of its file. */
export function downloadRoutes(app: App): void {
  const key = secretKey(app.config);
  mount(app, queueDownloadNotify, (ctx) => recentDownloads(ctx));
  mount(app, readDownloads, readAll);
  mount(app, openDownload, (ctx, { params }) => open(ctx, params.id, key));
  app.server.route({
    method: downloadFile.method,
    url: downloadFile.path,
    handler: async (request, reply) => {
      const { params, query } = parseCall(downloadFile, request);
      const opened = { id: params.id, ...query };
      const signed = verifyAddress(key, opened, app.clock.now());
      const caller = signed ? await app.sessionWatch?.callerOf(query.session) : null;
      if (!caller) throw new BusinessError('not_found');
      keepAllowed(app.sessionWatch, reply, caller, downloadFile);
      const { path, name } = await findFile(app, opened, caller);
      reply.header('cache-control', 'private, no-store');
      return sendFile(reply, { stream: await readFile(app.config, path), name, type: typeOf(path) });
    },
  });
}
