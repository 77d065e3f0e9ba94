import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { askedOfMe } from '@heliograph/contract/notifications/asked';
import * as contract from '@heliograph/contract/privacy/person-request';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { enqueue } from '#platform/jobs/jobs';
import { readSettings } from '#platform/operator/settings';
import { erasePersonJob } from './erase-person.ts';
import { readPattern } from './person.ts';
import { findRequest, onWire, requireWholeCorporation } from './request-rows.ts';
import { tellConfirmersJob } from './tell-confirmers.ts';

type Row = Awaited<ReturnType<typeof findRequest>>;

/** Mounts the calls that ask for an erasure, confirm it and withdraw it. */
export function erasureRoutes(app: App): void {
  mount(app, contract.erasePerson, async (ctx, { params, body }) => {
    const row = await changeable(ctx, params.id, 'found');
    const number = await requireEnded(ctx, row);
    // The reason is kept and logged: the number must not stay in it.
    const reason = body.reason.replace(new RegExp(await readPattern(ctx.db, number), 'g'), '[removed]');
    const needsOther = (await readSettings(ctx.db, ['erasures_four_eyes'])).get('erasures_four_eyes') !== 'false';
    const asked = { reason, erased_by: ctx.caller.user_id, asked_at: ctx.clock.now().toISOString() };
    await change(ctx, row, { state: needsOther ? 'asked' : 'erasing', ...asked });
    await log(ctx, row, 'erasure requested', { reason });
    if (needsOther)
      await enqueue(ctx.db, tellConfirmersJob, { person_request_id: row.id! }, { tenant: row.corporation_id });
    else await begin(ctx, row);
    return shown(ctx, row);
  });
  mount(app, contract.confirmErasure, async (ctx, { params }) => {
    const row = await changeable(ctx, params.id, 'asked');
    if (row.erased_by === ctx.caller.user_id) throw new BusinessError('erasure_four_eyes');
    await requireEnded(ctx, row);
    const confirmed = { confirmed_by: ctx.caller.user_id, confirmed_at: ctx.clock.now().toISOString() };
    await change(ctx, row, { state: 'erasing', ...confirmed });
    await log(ctx, row, 'erasure confirmed');
    await begin(ctx, row);
    return shown(ctx, row);
  });
  mount(app, contract.withdrawErasure, async (ctx, { params }) => {
    const row = await changeable(ctx, params.id, 'asked');
    await change(ctx, row, { state: 'found', reason: null, erased_by: null, asked_at: null });
    await log(ctx, row, 'erasure withdrawn');
    return shown(ctx, row);
  });
}

/** Finds a request that the caller may change; throws `forbidden` or, in another state, `invalid_transition`. */
async function changeable(ctx: Context, id: number, state: Row['state']): Promise<Row> {
  const row = await findRequest(ctx, id);
  requireWholeCorporation(ctx);
  if (row.state !== state) throw new BusinessError('invalid_transition');
  return row;
}

/** Returns the number of a request; throws while messages to it wait or are on their way. */
async function requireEnded(ctx: Context, row: Row): Promise<string> {
  const { number } = onWire(ctx, row);
  if (number === null) throw new BusinessError('invalid_transition');
  const waiting = await ctx.db
    .selectFrom('message_row')
    .select('id')
    .where('number', '=', number)
    .where('state', 'in', ['pending', 'submitted'])
    .$if(row.corporation_id !== null, (q) => q.where('corporation_id', 'in', covered(row.corporation_id!)))
    .limit(1)
    .executeTakeFirst();
  if (waiting) throw fieldError('number', 'person_has_messages');
  return number;
}

/** Changes a request that is still in the state that was read; throws `invalid_transition` if somebody was faster. */
async function change(
  { db }: Context,
  row: Row,
  changes: {
    state: 'found' | 'asked' | 'erasing';
    reason?: string | null;
    erased_by?: number | null;
    asked_at?: string | null;
    confirmed_by?: number;
    confirmed_at?: string;
  },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('person_request')
    .set(changes)
    .where('id', '=', row.id)
    .where('state', '=', row.state)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new BusinessError('invalid_transition');
}

const log = (ctx: Context, row: Row, description: string, after: object | null = null) =>
  audit(ctx, {
    name: 'privacy',
    description,
    subject_type: 'privacy',
    subject_id: row.id,
    corporation_id: row.corporation_id,
    after,
  });

const begin = (ctx: Context, row: Row) =>
  enqueue(ctx.db, erasePersonJob, { person_request_id: row.id! }, { tenant: row.corporation_id });

const shown = async (ctx: Context, row: Row) => ({ data: onWire(ctx, await findRequest(ctx, row.id!)) });

/** Lists the erasures that the caller may confirm, in the words of the bell. */
export async function erasuresAskedOf({
  db,
  caller,
}: Pick<Context, 'db' | 'caller'>): Promise<ReplyOf<typeof askedOfMe>> {
  if (!caller.permissions.has('privacy-erase') || caller.scope_level > 2) return [];
  const rows = await db
    .selectFrom('person_request_row')
    .select(['id', 'corporation_name as name', 'erased_by_name as by', 'asked_at as at'])
    .where('state', '=', 'asked')
    .where('erased_by', 'is distinct from', caller.user_id)
    .orderBy('asked_at', 'desc')
    .limit(100)
    .execute();
  return rows.map(({ id, name, by, at }) => ({ kind: 'erasure', id: id!, name, by, at: at!, place: `/privacy/${id}` }));
}

/** Query for the corporations that a request covers: one with its customers. */
const covered = (id: number) =>
  sql<number>`(SELECT c.id FROM corporation c JOIN corporation own ON own.id = ${id}
    WHERE c.id = own.id OR (own.is_reseller AND c.reseller_id = own.id))`;
