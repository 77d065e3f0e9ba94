import type { decideRegistrations } from '@heliograph/contract/senders/sender-registration';
import { senderRegistration } from '@heliograph/contract/senders/sender-registration';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { fieldError } from '#platform/errors';
import type { Handler, ResourceHandlers } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { readSettings } from '#platform/operator/settings';
import { tableStore } from '#platform/records/table-store';
import { recordEvent } from './life.ts';

/**
 * Moves what waits for a link under sender IDs that its carrier does not know, in the transaction that ends their
 * registrations.
 */
export type MoveWaiting = (db: Kysely<Database>, linkId: number, corporationId: number | null) => Promise<void>;

const stored = tableStore(senderRegistration, {
  table: 'sender_registration',
  from: 'sender_registration_row',
  searched: ['sender_id_name', 'corporation_name', 'reference'],
});
type Row = Awaited<ReturnType<typeof stored.get>>['data'];
type Details = z.output<typeof senderRegistration.update>;

/** Returns the present day in the platform's time zone. */
export async function todayOf(db: Kysely<Database>, now: Date): Promise<string> {
  const timeZone = (await readSettings(db, ['timezone'])).get('timezone') ?? 'UTC';
  return now.toLocaleDateString('sv-SE', { timeZone });
}

/** Completes the fields of a change. Throws if the carrier's refusal, or the end, has no reason. */
async function complete(
  ctx: Context,
  change: Details,
  present: Details = {},
): Promise<Details & { changed_by: number }> {
  const next = { ...present, ...change };
  if ((next.state === 'rejected' || next.state === 'ended') && !next.reason) throw fieldError('reason', 'required');
  const today = await todayOf(ctx.db, ctx.clock.now());
  if (next.state === 'registered' && next.expires_on && next.expires_on < today)
    throw fieldError('expires_on', 'registration_over');
  const begins = next.state === 'registered' && present.state !== 'registered';
  return {
    ...change,
    ...(begins && { registered_on: change.registered_on ?? today, reason: change.reason ?? null }),
    ...(change.expires_on !== undefined && { reminded_at_days: null }),
    changed_by: ctx.caller.user_id,
    changed_at: ctx.clock.now().toISOString(),
  } as Details & { changed_by: number };
}

/** Throws unless all networks exist. */
async function requireNetworks(ctx: Context, ids: readonly number[] = []): Promise<void> {
  for (const id of ids) await requireVisible(ctx, 'network', id, 'network_ids');
}

/** Returns whether a change takes networks from a registration. An empty list stands for all. */
const isNarrower = (before: Pick<Row, 'network_ids'>, after: Pick<Row, 'network_ids'>): boolean =>
  after.network_ids.length > 0 &&
  (before.network_ids.length === 0 || before.network_ids.some((id) => !after.network_ids.includes(id)));

const ownerOf = async (db: Kysely<Database>, senderId: number): Promise<number> =>
  (await db.selectFrom('sender_id').select('corporation_id').where('id', '=', senderId).executeTakeFirstOrThrow())
    .corporation_id;

/** Records a step of a registration in the history of its sender ID, and returns the owner of the sender ID. */
export async function recordStep(
  db: Kysely<Database>,
  row: Pick<Row, 'sender_id_id' | 'link_id' | 'state' | 'reason' | 'expires_on'>,
  user_id: number | null,
): Promise<number> {
  const sender = await db
    .selectFrom('sender_id')
    .select(['id', 'corporation_id', 'sender_id'])
    .where('id', '=', row.sender_id_id)
    .executeTakeFirstOrThrow();
  const link = await db.selectFrom('link').select('name').where('id', '=', row.link_id).executeTakeFirstOrThrow();
  await recordEvent(db, sender, {
    from: null,
    to: `registration_${row.state}`,
    user_id,
    reason: row.reason,
    expires_on: row.expires_on,
    link_name: link.name,
  });
  return sender.corporation_id;
}

/** Returns the handlers of registrations of sender IDs with carriers, and of the carrier's answers about several. */
export function senderRegistrations(moveWaiting: MoveWaiting): {
  record: ResourceHandlers<typeof senderRegistration>;
  decide: Handler<typeof decideRegistrations>;
} {
  async function change(ctx: Context, id: number, details: Details) {
    const at = { params: { id }, query: {}, body: {} };
    // Two people who decide at the same time take turns.
    await sql`SELECT FROM sender_registration WHERE id = ${id} FOR UPDATE`.execute(ctx.db);
    const { data: before } = await stored.get(ctx, at);
    const body: Details = Object.keys(details).length > 0 ? await complete(ctx, details, before) : {};
    const saved = await stored.update(ctx, { ...at, body });
    // Only people who may change the record learn which networks exist.
    await requireNetworks(ctx, details.network_ids);
    const { data: after } = saved;
    const isSame = after.state === before.state && after.expires_on === before.expires_on;
    const corporation = isSame
      ? await ownerOf(ctx.db, after.sender_id_id)
      : await recordStep(ctx.db, after, ctx.caller.user_id);
    if (before.state === 'registered' && (after.state !== 'registered' || isNarrower(before, after)))
      await moveWaiting(ctx.db, after.link_id, corporation);
    return saved;
  }

  const record: ResourceHandlers<typeof senderRegistration> = {
    ...stored,
    async create(ctx, call) {
      const { sender_id_ids, ...rest } = call.body;
      await requireVisible(ctx, 'link', rest.link_id, 'link_id');
      await requireNetworks(ctx, rest.network_ids);
      const details = await complete(ctx, rest);
      const replies = [];
      for (const sender_id_id of [...new Set(sender_id_ids)].sort((a, b) => a - b)) {
        await requireVisible(ctx, 'sender_id', sender_id_id, 'sender_id_ids');
        const body = { ...rest, ...details, sender_id_id } as unknown as typeof call.body;
        const made = await stored.create(ctx, { ...call, body });
        await recordStep(ctx.db, made.data, ctx.caller.user_id);
        replies.push(made);
      }
      return replies[0]!;
    },
    update: (ctx, { params, body }) => change(ctx, params.id, body),
    async remove(ctx, call) {
      const { data } = await stored.get(ctx, call);
      const removed = await stored.remove(ctx, call);
      const corporation = await recordStep(ctx.db, { ...data, state: 'ended' }, ctx.caller.user_id);
      if (data.state === 'registered') await moveWaiting(ctx.db, data.link_id, corporation);
      return removed;
    },
  };
  return {
    record,
    async decide(ctx, { body: { ids, state, ...details } }) {
      // Empty details stay as they were; without a last day, a registration has no end.
      const given = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null));
      if (state === 'registered') given['expires_on'] = details.expires_on;
      const all = [...new Set(ids)].sort((a, b) => a - b);
      for (const id of all) await change(ctx, id, { ...given, state });
      return { data: { changed: all.length } };
    },
  };
}

/** Ends the registrations whose last day is over in the platform's time zone, and moves what waits for their links. */
export async function endRegistrations(
  { database, clock }: Pick<WorkerContext, 'database' | 'clock'>,
  moveWaiting: MoveWaiting,
): Promise<void> {
  const today = await todayOf(database, clock.now());
  const due = await database
    .selectFrom('sender_registration')
    .select('id')
    .where('state', '=', 'registered')
    .where('expires_on', '<', today)
    .orderBy('id')
    .execute();
  for (const { id } of due)
    await database.transaction().execute(async (db) => {
      const { rows } = await sql<{ sender_id_id: number; link_id: number; expires_on: string }>`
        UPDATE sender_registration SET state = 'ended', changed_by = NULL, changed_at = now()
        WHERE id = ${id} AND state = 'registered' AND expires_on < ${today}
        RETURNING sender_id_id, link_id, expires_on`.execute(db);
      const [row] = rows;
      if (!row) return;
      const corporation = await recordStep(db, { ...row, state: 'ended', reason: null }, null);
      await moveWaiting(db, row.link_id, corporation);
    });
}
