import * as contract from '@heliograph/contract/billing/rate-card';
import type { FileReading } from '@heliograph/contract/kernel/file-reading';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError, constraintError } from '#platform/errors';
import { newFile, removeFile, type StoredFile, storeFile } from '#platform/files/files';
import { type App, mount, mountFile, mountUpload } from '#platform/http/http';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import { emit } from '#platform/realtime/realtime';
import { checkFormat, digestOf } from '#platform/table/file-format';
import { attachRejects } from '#platform/tasks/reject-file';
import { cardTemplate, currentCard } from './card-file.ts';
import { cursorId } from './credit-change.ts';
import { ownsPlan } from './price-plan.ts';

/** Job that reads an uploaded card and finds its changes. */
export const checkCardJob = defineJob('check-card', z.object({ card_upload_id: z.int() }));
/** Job that applies a checked card. */
export const applyCardJob = defineJob('apply-card', z.object({ card_upload_id: z.int() }), { heartbeatSeconds: 60 });

/** Cards that wait for one of these jobs. Between the jobs a card waits for a person. */
export const cardWork = {
  table: 'card_upload',
  jobs: [checkCardJob, applyCardJob],
  field: 'card_upload_id',
  event: 'card.progress',
  states: ['checking', 'applying'],
} as const;

/** Maximum size of a card: half a million rows. */
const LIMIT_BYTES = 40 * 1024 * 1024;

type OnWire = z.input<typeof contract.cardUpload>;

/** Mounts the steps of a card from file to rates, the template and the current card. */
export function cardRoutes(app: App): void {
  mountFile(app, contract.cardTemplate, (ctx) => Promise.resolve(cardTemplate(ctx.clock)));
  mountFile(app, contract.currentCard, (ctx, { params }) => currentCard(ctx, params.id));
  mountUpload(app, contract.uploadCard, async (base, { params, query: reading, file }, run) => {
    const stored = await storeFile(base.config, file.stream, LIMIT_BYTES, (local) => checkFormat(local, reading));
    try {
      return await run((ctx) => queueCheck(ctx, params.id, file.file_name, stored, reading));
    } catch (error) {
      await removeFile(base.config, stored.path);
      throw error;
    }
  });
  mount(app, contract.cardUploads, async (ctx, { query }) => {
    const before = cursorId(query.cursor);
    const rows = await select(ctx.db)
      .$if(query.price_plan_id !== undefined, (q) => q.where('u.price_plan_id', '=', query.price_plan_id!))
      .$if(before !== null, (q) => q.where('u.id', '<', before!))
      .orderBy('u.id', 'desc')
      .limit(query.limit + 1)
      .execute();
    const data = rows.slice(0, query.limit).map(onWire);
    const has_more = rows.length > data.length;
    return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
  });
  mount(app, contract.getCardUpload, async (ctx, { params }) => ({ data: onWire(await find(ctx, params.id)) }));
  mountFile(app, contract.cardUploadErrors, async (ctx, { params, query }) => {
    const { file_name, error_path, state, rows_rejected } = await find(ctx, params.id);
    if (state === 'checking' || rows_rejected === 0) throw new BusinessError('not_found');
    return attachRejects(ctx.config, error_path, `${file_name.replace(/\.[^.]*$/, '')}-errors`, query.format);
  });
  mount(app, contract.applyCardUpload, async (ctx, { params, body }) => {
    const upload = await find(ctx, params.id);
    if (upload.state === 'ready' && upload.rows_rejected > 0 && !body.skip_errors)
      throw new BusinessError('card_has_errors');
    await move(ctx, params.id, 'ready', { state: 'applying', mode: body.mode });
    await enqueue(ctx.db, applyCardJob, { card_upload_id: params.id }, { tenant: upload.corporation_id });
    await logged(ctx, upload, 'card applied', {
      mode: body.mode,
      file_name: upload.file_name,
      rows_new: upload.rows_new,
      rows_changed: upload.rows_changed,
      rows_rejected: upload.rows_rejected,
    });
    return { data: onWire(await find(ctx, params.id)) };
  });
  mount(app, contract.discardCardUpload, async (ctx, { params }) => {
    const upload = await find(ctx, params.id);
    const finished_at = ctx.clock.now().toISOString();
    await move(ctx, params.id, upload.state === 'checking' ? 'checking' : 'ready', { state: 'discarded', finished_at });
    await logged(ctx, upload, 'card discarded', { file_name: upload.file_name });
    return { data: onWire(await find(ctx, params.id)) };
  });
}

const select = (db: Kysely<Database>) =>
  db
    .selectFrom('card_upload as u')
    .innerJoin('price_plan as p', 'p.id', 'u.price_plan_id')
    .leftJoin('user_account as a', 'a.id', 'u.user_id')
    .selectAll('u')
    .select(['p.name as price_plan_name', 'a.name as user_name']);
type Row = Awaited<ReturnType<typeof find>>;

async function find(ctx: Context, id: number) {
  const row = await select(ctx.db).where('u.id', '=', id).executeTakeFirst();
  if (!row) throw new BusinessError('not_found');
  return row;
}

async function move(
  ctx: Context,
  id: number,
  from: 'checking' | 'ready',
  set: { state: 'applying'; mode: 'merge' | 'replace' } | { state: 'discarded'; finished_at: string },
): Promise<void> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('card_upload')
    .set(set)
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new BusinessError('invalid_transition');
}

const logged = (ctx: Context, upload: Row, description: string, after: object) =>
  audit(ctx, {
    name: 'rates',
    description,
    subject_type: 'price-plans',
    subject_id: upload.price_plan_id,
    corporation_id: upload.corporation_id,
    after,
  });

async function queueCheck(ctx: Context, planId: number, file_name: string, stored: StoredFile, reading: FileReading) {
  const plan = await ctx.db
    .selectFrom('price_plan')
    .select(['id', 'corporation_id'])
    .where('id', '=', planId)
    .executeTakeFirst();
  if (!plan) throw new BusinessError('not_found');
  if (!ownsPlan(ctx.caller, plan)) throw new BusinessError('forbidden');
  const { id } = await ctx.db
    .insertInto('card_upload')
    .values({
      corporation_id: plan.corporation_id,
      price_plan_id: plan.id,
      user_id: ctx.caller.user_id,
      file_name: file_name.slice(0, 255),
      file_path: stored.path,
      file_sha256: digestOf(stored, reading),
      reading: JSON.stringify(reading),
      error_path: newFile('rejects', 'csv'),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw constraintError(error, { card_upload_price_plan_id_file_sha256: 'file_already_uploaded' }) ?? error;
    });
  await enqueue(ctx.db, checkCardJob, { card_upload_id: id }, { tenant: plan.corporation_id });
  return { data: onWire(await find(ctx, id)) };
}

function onWire(row: Row): OnWire {
  return {
    id: row.id,
    price_plan_id: row.price_plan_id,
    price_plan_name: row.price_plan_name,
    state: row.state as OnWire['state'],
    file_name: row.file_name,
    rows_read: row.rows_read,
    rows_rejected: row.rows_rejected,
    rows_new: row.rows_new,
    rows_changed: row.rows_changed,
    rows_same: row.rows_same,
    rates_missing: row.rates_missing,
    preview: row.preview as OnWire['preview'],
    faults: row.faults as OnWire['faults'],
    error_file: row.state !== 'checking' && row.rows_rejected > 0 ? contract.cardUploadErrorsPath(row.id) : null,
    error_code: row.error_code,
    error_params: row.error_params as OnWire['error_params'],
    read_as: row.read_as as OnWire['read_as'],
    user_name: row.user_name,
    created_at: row.created_at,
    finished_at: row.finished_at,
  };
}

/** Notifies the person who uploaded a card of its new state. */
export async function tellCard(db: Kysely<Database>, id: number): Promise<void> {
  const { rows } = await sql<{ user_id: number; state: string }>`
    SELECT user_id, state FROM card_upload WHERE id = ${id}`.execute(db);
  if (rows[0])
    await emit(db, `private-App.Models.User.${rows[0].user_id}`, 'card.progress', { id, state: rows[0].state });
}
