import { isAdministration } from '@heliograph/contract/kernel/scope';
import { isNumeric, type SenderState } from '@heliograph/contract/senders/sender-id';
import { type Kysely, type Selectable, sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError, fieldError } from '#platform/errors';
import { readSettings } from '#platform/operator/settings';

type SenderRow = Selectable<Database['sender_id']>;
export type Sender = Pick<
  SenderRow,
  'id' | 'corporation_id' | 'sender_id' | 'state' | 'requested_by' | 'held_name' | 'expires_on'
>;

/** Change of a sender ID's life. */
interface Step {
  to: SenderState;
  reason?: string | null;
  expires_on?: string | null;
}

/** Pauses the running campaigns of a sender ID, in the caller's transaction. */
export type PauseCampaigns = (db: Kysely<Database>, sender: Pick<Sender, 'id' | 'corporation_id'>) => Promise<void>;

/** Rules of the operator about sender IDs. */
export interface SenderRules {
  needApproval: boolean;
  fourEyes: boolean;
}

/** Reads the operator's rules about sender IDs. */
export async function readSenderRules(db: Kysely<Database>): Promise<SenderRules> {
  const settings = await readSettings(db, ['senders_need_approval', 'senders_four_eyes']);
  return {
    needApproval: settings.get('senders_need_approval') === 'true',
    fourEyes: settings.get('senders_four_eyes') === 'true',
  };
}

/**
 * Returns the state in which a person's new sender ID begins. Who decides about it decides with the request, unless a
 * second person must.
 */
export async function firstState(
  ctx: Context,
  asked: Pick<Sender, 'corporation_id' | 'sender_id' | 'held_name'> & { draft: boolean },
): Promise<SenderState> {
  if (asked.draft) return 'draft';
  const { needApproval, fourEyes } = await readSenderRules(ctx.db);
  if (!needApproval && !asked.held_name && !isAdministration(ctx.caller.scope_level)) return 'approved';
  return !fourEyes && mayDecide(await decidesFor(ctx), asked) ? 'approved' : 'submitted';
}

/** Locks a sender ID until the transaction ends, and returns it. Throws `not_found`. */
export async function lockSender(ctx: Pick<Context, 'db'>, id: number): Promise<Sender> {
  const row = await ctx.db
    .selectFrom('sender_id')
    .select(['id', 'corporation_id', 'sender_id', 'state', 'requested_by', 'held_name', 'expires_on'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new BusinessError('not_found');
  return row;
}

/** Returns the customers whose sender IDs a caller may decide about: `all`, or those of a reseller that may. */
export async function decidesFor(ctx: Context): Promise<'all' | ReadonlySet<number>> {
  const { caller, db } = ctx;
  if (!caller.permissions.has('sender-ids-decide')) return new Set();
  if (isAdministration(caller.scope_level)) return 'all';
  const { rows } = await sql<{
    id: number;
  }>`SELECT c.id FROM corporation c JOIN reseller r ON r.corporation_id = c.reseller_id
    WHERE c.reseller_id = ${caller.corporation_id} AND r.decides_senders`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Returns whether a caller may decide about a sender ID. Protected names and numbers are for the platform to decide. */
export const mayDecide = (
  decides: 'all' | ReadonlySet<number>,
  sender: Pick<Sender, 'corporation_id' | 'sender_id' | 'held_name'>,
): boolean =>
  decides === 'all' || (decides.has(sender.corporation_id) && !sender.held_name && !isNumeric(sender.sender_id));

/** Records a change of a sender ID in its history. */
export async function recordEvent(
  db: Kysely<Database>,
  sender: Pick<Sender, 'id' | 'corporation_id' | 'sender_id'>,
  event: {
    from: string | null;
    to: string;
    user_id: number | null;
    reason?: string | null;
    expires_on?: string | null;
    /** Link of an entry about a registration. */
    link_name?: string;
  },
): Promise<void> {
  await db
    .insertInto('sender_event')
    .values({
      corporation_id: sender.corporation_id,
      sender_id_id: sender.id,
      sender_id: sender.sender_id,
      from_state: event.from,
      to_state: event.to,
      actor_id: event.user_id,
      reason: event.reason || null,
      expires_on: event.expires_on ?? null,
      link_name: event.link_name ?? null,
    })
    .execute();
}

/** Moves a locked sender ID to another state, with its history and its entry in the log. */
export async function changeState(
  ctx: Context,
  sender: Sender,
  { to, reason = null, expires_on }: Step,
): Promise<void> {
  const set = {
    state: to,
    state_reason: reason || null,
    ...(expires_on !== undefined && { expires_on, reminded_at_days: null }),
    ...(to === 'submitted' && { requested_by: ctx.caller.user_id }),
    // A number or name that was taken away is given back by a decision of the platform.
    ...(to === 'approved' && isAdministration(ctx.caller.scope_level) && { withheld: false }),
  };
  await ctx.db.updateTable('sender_id').set(set).where('id', '=', sender.id).execute();
  await recordEvent(ctx.db, sender, {
    from: sender.state,
    to,
    user_id: ctx.caller.user_id,
    reason,
    expires_on: expires_on ?? null,
  });
  await audit(ctx, {
    name: 'sender-ids',
    description: to,
    subject_type: 'sender-ids',
    subject_id: sender.id,
    corporation_id: sender.corporation_id,
    before: { state: sender.state, expires_on: sender.expires_on },
    after: { state: to, expires_on: expires_on === undefined ? sender.expires_on : expires_on, reason },
  });
}

const FROM: Readonly<Record<'approve' | 'reject' | 'suspend', readonly string[]>> = {
  approve: ['submitted', 'approved', 'rejected', 'expired', 'suspended'],
  reject: ['submitted'],
  suspend: ['approved'],
};

/** Decision of a person about a sender ID. */
export interface Decision {
  decision: 'approve' | 'reject' | 'suspend';
  reason: string;
  expires_on: string | null;
}

/**
 * Applies a decision to one sender ID. Throws `sender_held`, `sender_four_eyes`, `invalid_transition` and what `check`
 * throws about an approval.
 */
export async function decide(
  ctx: Context,
  id: number,
  { decision, reason, expires_on }: Decision,
  by: {
    rules: SenderRules;
    decides: 'all' | ReadonlySet<number>;
    pauseCampaigns: PauseCampaigns;
    check(sender: Sender): Promise<void>;
  },
): Promise<void> {
  const sender = await lockSender(ctx, id);
  if (!mayDecide(by.decides, sender)) throw new BusinessError('sender_held');
  if (!FROM[decision].includes(sender.state)) throw new BusinessError('invalid_transition');
  if (decision !== 'suspend' && by.rules.fourEyes && sender.requested_by === ctx.caller.user_id)
    throw new BusinessError('sender_four_eyes');
  if (decision === 'approve') {
    await by.check(sender);
    await changeState(ctx, sender, { to: 'approved', reason, expires_on });
    return;
  }
  if (reason === '') throw fieldError('reason', 'required');
  await changeState(ctx, sender, { to: decision === 'reject' ? 'rejected' : 'suspended', reason });
  if (decision === 'suspend') await by.pauseCampaigns(ctx.db, sender);
}
