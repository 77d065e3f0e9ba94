import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import {
  assignNumber,
  moveNumber,
  numberAssignments,
  takeBackNumber,
} from '@heliograph/contract/senders/number-assignment';
import { sql } from 'kysely';
import { holderOf } from '#modules/inbound-routing';
import { audit } from '#platform/access/audit';
import { requireVisible } from '#platform/access/visible';
import { type Context, requirePlatform } from '#platform/context';
import { containing } from '#platform/database/like';
import { BusinessError, fieldError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { translate } from '#platform/text/i18n';
import { type PauseCampaigns, recordEvent, type Sender } from './life.ts';
import { requireUnheld } from './names.ts';

type Row = ReplyOf<typeof numberAssignments>['data'][number];

interface Held {
  number: string;
  corporation_id: number;
}

/** Tells the database the reason of the changes that this transaction makes to assignments. */
const because = ({ db }: Context, reason: string) => sql`SELECT set_config('app.reason', ${reason}, true)`.execute(db);

/** Finds the sender IDs that are a number, in both ways in which it can be written. */
const sendersOf = ({ db }: Context, { number, corporation_id }: Held) =>
  db
    .selectFrom('sender_id')
    .select(['id', 'corporation_id', 'sender_id', 'state', 'requested_by', 'held_name', 'expires_on', 'withheld'])
    .where('corporation_id', '=', corporation_id)
    .where('sender_id', 'in', [number, `00${number}`])
    .orderBy('id')
    .forUpdate()
    .execute();

const log = (ctx: Context, description: string, { number, corporation_id }: Held, after: object) =>
  audit(ctx, {
    name: 'number-assignments',
    description,
    subject_type: 'number-assignments',
    subject_id: null,
    corporation_id,
    after: { number, ...after },
  });

/** Gives a number that nobody else has to a corporation: its sender ID of before, or a new one. */
async function give(ctx: Context, held: Held, reason: string): Promise<void> {
  await requireUnheld(ctx, held.corporation_id, held.number);
  const present = await sendersOf(ctx, held);
  if (present.some(({ withheld }) => !withheld)) throw new BusinessError('sender_ids_already_exist');
  const [before] = present;
  const event = { from: before?.state ?? null, to: 'assigned', user_id: ctx.caller.user_id, reason };
  if (before) {
    // A suspension is a decision of its own, and stays.
    const state = before.state === 'suspended' ? before.state : 'approved';
    await ctx.db.updateTable('sender_id').set({ withheld: false, state }).where('id', '=', before.id).execute();
    await recordEvent(ctx.db, before, event);
  } else {
    const made: Sender = await ctx.db
      .insertInto('sender_id')
      .values({ corporation_id: held.corporation_id, sender_id: held.number, requested_by: ctx.caller.user_id })
      .returning(['id', 'corporation_id', 'sender_id', 'state', 'requested_by', 'held_name', 'expires_on'])
      .executeTakeFirstOrThrow();
    await recordEvent(ctx.db, made, event);
  }
  await log(ctx, 'assigned', held, { reason });
}

/** Takes a number from a corporation: its sender IDs and keywords stay, without effect. */
async function take(ctx: Context, held: Held, reason: string, pauseCampaigns: PauseCampaigns): Promise<void> {
  // Routings first: as long as the sender ID is there, the number belongs to nobody else.
  const { numUpdatedRows: routings } = await ctx.db
    .updateTable('routing')
    .set({ withheld: true })
    .where('corporation_id', '=', held.corporation_id)
    .where('number', '=', held.number)
    .where('withheld', '=', false)
    .executeTakeFirstOrThrow();
  for (const sender of await sendersOf(ctx, held)) {
    if (sender.withheld) continue;
    await ctx.db.updateTable('sender_id').set({ withheld: true }).where('id', '=', sender.id).execute();
    await pauseCampaigns(ctx.db, sender);
    await recordEvent(ctx.db, sender, { from: sender.state, to: 'taken_back', user_id: ctx.caller.user_id, reason });
  }
  await log(ctx, 'taken back', held, { reason, routings: Number(routings) });
}

/** Finds a present assignment and locks its number. Throws `not_found`, `forbidden` and `number_not_held`. */
async function lockHeld(ctx: Context, id: number, reason: string): Promise<Held> {
  const find = () =>
    ctx.db
      .selectFrom('number_assignment')
      .select(['number', 'corporation_id', 'until_at'])
      .where('id', '=', id)
      .executeTakeFirst();
  const found = await find();
  if (!found) throw new BusinessError('not_found');
  requirePlatform(ctx.caller);
  if (reason === '') throw fieldError('reason', 'required');
  await holderOf(ctx, found.number);
  if ((await find())?.until_at !== null) throw new BusinessError('number_not_held');
  return found;
}

/** Mounts the assignments of numbers with their history. */
export function mountNumbers(app: App, pauseCampaigns: PauseCampaigns): void {
  mount(app, numberAssignments, async (ctx, { query }) => {
    const { limit, cursor, search = '', present = null, number = null, corporation_id = null } = query;
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw new BusinessError('malformed_request');
    const pattern = containing(search);
    const { rows } = await sql<Row>`
      SELECT a.id, a.number, a.corporation_id, c.name AS corporation_name, a.shared, a.given_at, a.reason, a.until_at,
        a.taken_reason, g.name AS given_by_name, t.name AS taken_by_name, (SELECT s.id FROM sender_id s
          WHERE s.corporation_id = a.corporation_id AND s.sender_id IN (a.number, '00' || a.number)
          ORDER BY s.id LIMIT 1) AS sender_id_id
      FROM number_assignment a JOIN corporation c ON c.id = a.corporation_id
      LEFT JOIN user_account g ON g.id = a.given_by LEFT JOIN user_account t ON t.id = a.taken_by
      WHERE (${cursor ?? null}::bigint IS NULL OR a.id < ${cursor ?? null}::bigint)
        AND (${present}::boolean IS NULL OR (a.until_at IS NULL) = ${present})
        AND (${number}::text IS NULL OR a.number = sender_written(${number}))
        AND (${corporation_id}::bigint IS NULL OR a.corporation_id = ${corporation_id})
        AND (a.number ILIKE ${pattern} OR c.name ILIKE ${pattern})
      ORDER BY a.id DESC LIMIT ${limit + 1}`.execute(ctx.db);
    const data = rows.slice(0, limit);
    const has_more = rows.length > limit;
    return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
  });
  const visible = (ctx: Context, id: number) => requireVisible(ctx, 'corporation', id, 'corporation_id');
  mount(app, assignNumber, async (ctx, { body: { number, corporation_id, reason } }) => {
    await visible(ctx, corporation_id);
    requirePlatform(ctx.caller);
    await because(ctx, reason);
    await give(ctx, { number, corporation_id }, reason);
    return { message: translate(ctx.locale, 'number.assigned', { number }) };
  });
  mount(app, takeBackNumber, async (ctx, { params, body: { reason } }) => {
    const held = await lockHeld(ctx, params.id, reason);
    await because(ctx, reason);
    await take(ctx, held, reason, pauseCampaigns);
    return { message: translate(ctx.locale, 'number.taken', { number: held.number }) };
  });
  mount(app, moveNumber, async (ctx, { params, body: { corporation_id, reason } }) => {
    await visible(ctx, corporation_id);
    const held = await lockHeld(ctx, params.id, reason);
    if (corporation_id === held.corporation_id) throw fieldError('corporation_id', 'number_same_holder');
    await because(ctx, reason);
    await take(ctx, held, reason, pauseCampaigns);
    await give(ctx, { number: held.number, corporation_id }, reason);
    return { message: translate(ctx.locale, 'number.moved', { number: held.number }) };
  });
}
