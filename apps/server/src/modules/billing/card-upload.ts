import * as contract from '@heliograph/contract/billing/rate-card';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { audit } from '#platform/access/audit';
import { type Context, requirePermission } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { mountFile } from '#platform/http/mount-file';
import { defineJob } from '#platform/jobs/jobs';
import { errorFile, queueJob, requireTask, type Task } from '#platform/tasks/task';
import { attachErrors, mountTaskUpload, type UploadKind } from '#platform/tasks/uploaded-file';
import { cardTemplate, currentCard } from './card-file.ts';
import { cursorId } from './credit-change.ts';
import { requireOwnPrices } from './own-prices.ts';
import { ownsPlan } from './price-plan.ts';

/** Job that reads an uploaded card and finds its changes. */
export const checkCardJob = defineJob('check-card', z.object({ card_upload_id: z.int() }));
/** Job that applies a checked card. */
export const applyCardJob = defineJob('apply-card', z.object({ card_upload_id: z.int() }), { heartbeatSeconds: 60 });

/** Maximum size of a card: half a million rows. */
const LIMIT_BYTES = 40 * 1024 * 1024;

/** Rate cards as tasks. Between its two jobs, a card waits for a person. */
export const cardTask: UploadKind<'card_upload'> = {
  type: 'card_upload',
  job: checkCardJob,
  limitBytes: LIMIT_BYTES,
  event: { name: 'card.progress', onWire: ({ id, state }) => ({ id, state }) },
  errorsPath: contract.cardUploadErrorsPath,
  cancel: (ctx, row) => discard(ctx, row),
};

type OnWire = z.input<typeof contract.cardUpload>;

/** Mounts the steps of a card from file to rates, the template and the current card. */
export function cardRoutes(app: App): void {
  mountFile(app, contract.cardTemplate, 'none', (ctx) => Promise.resolve(cardTemplate(ctx.clock)));
  mountFile(app, contract.currentCard, 'none', (ctx, { params }) => currentCard(ctx, params.id));
  mountTaskUpload(
    app,
    contract.uploadCard,
    cardTask,
    async (ctx, { params }) => {
      const plan = await findPlan(ctx, params.id);
      await requireOwnPrices(ctx, [plan.id]);
      return { kind: 'rate-cards', state: 'checking', corporation_id: plan.corporation_id, price_plan_id: plan.id };
    },
    async (ctx, { id }) => ({ data: onWire(await find(ctx, id)) }),
  );
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
  mountFile(app, contract.cardUploadErrors, 'none', async (ctx, { params, query }) =>
    attachErrors(ctx.config, cardTask, await requireTask(ctx, cardTask, params.id), query.format),
  );
  mount(app, contract.applyCardUpload, async (ctx, { params, body }) => {
    const upload = await find(ctx, params.id);
    if (upload.state === 'ready' && upload.rows_rejected > 0 && !body.skip_errors)
      throw new BusinessError('card_has_errors');
    await requireOwnPrices(ctx, [upload.price_plan_id!]);
    await move(ctx, params.id, 'ready', { state: 'applying', mode: body.mode });
    await queueJob(ctx.db, cardTask, applyCardJob, upload);
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
    await discard(ctx, await requireTask(ctx, cardTask, params.id));
    return { data: onWire(await find(ctx, params.id)) };
  });
}

async function discard(ctx: Context, upload: Task): Promise<void> {
  requirePermission(ctx.caller, 'rates-upload');
  const finished_at = ctx.clock.now().toISOString();
  const from = upload.state === 'checking' ? 'checking' : 'ready';
  await move(ctx, upload.id, from, { state: 'discarded', finished_at });
  await logged(ctx, upload, 'card discarded', { file_name: upload.file_name });
}

const select = (db: Kysely<Database>) =>
  db
    .selectFrom('task as u')
    .where('u.type', '=', cardTask.type)
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
    .updateTable('task')
    .set(set)
    .where('type', '=', cardTask.type)
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new BusinessError('invalid_transition');
}

const logged = (ctx: Context, upload: Task, description: string, after: object) =>
  audit(ctx, {
    name: 'rates',
    description,
    subject_type: 'price-plans',
    subject_id: upload.price_plan_id,
    corporation_id: upload.corporation_id,
    after,
  });

async function findPlan(ctx: Context, id: number) {
  const plan = await ctx.db
    .selectFrom('price_plan')
    .select(['id', 'corporation_id'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!plan) throw new BusinessError('not_found');
  if (!ownsPlan(ctx.caller, plan)) throw new BusinessError('forbidden');
  return plan;
}

function onWire(row: Row): OnWire {
  return {
    id: row.id,
    price_plan_id: row.price_plan_id!,
    price_plan_name: row.price_plan_name,
    state: row.state as OnWire['state'],
    file_name: row.file_name!,
    rows_read: row.rows_read,
    rows_rejected: row.rows_rejected,
    rows_new: row.rows_new,
    rows_changed: row.rows_changed,
    rows_same: row.rows_same,
    rates_missing: row.rates_missing,
    preview: row.preview as OnWire['preview'],
    faults: row.faults as OnWire['faults'],
    error_file: errorFile(cardTask, row),
    error_code: row.error_code,
    error_params: row.error_params as OnWire['error_params'],
    read_as: row.read_as as OnWire['read_as'],
    user_name: row.user_name,
    created_at: row.created_at,
    finished_at: row.finished_at,
  };
}
