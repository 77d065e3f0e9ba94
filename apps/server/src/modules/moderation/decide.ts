import type { decideModeration } from '@heliograph/contract/moderation/moderation';
import { type Kysely, type Selectable, sql } from 'kysely';
import { audit } from '#platform/access/audit';
import { requireFreshProof } from '#platform/access/fresh-proof';
import { type Context, requirePlatform } from '#platform/context';
import type { Database } from '#platform/database/db';
import { fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { translate } from '#platform/text/i18n';

export type ModerationItem = Selectable<Database['moderation_item']>;

/** Effects of a decision about a campaign and on the senders, which belong to other modules. */
export interface Deciding {
  /** Lets a held campaign run, in the caller's transaction. Does nothing if it does not wait any more. */
  letGo(ctx: Context, campaignId: number): Promise<void>;
  /** Stops a held campaign and tells its owner the reason, in the caller's transaction. */
  end(ctx: Context, campaignId: number, reason: string): Promise<void>;
  /** Returns the first moment at which the messages of a chunk may leave by the hours; null for now. */
  firstAllowed(db: Kysely<Database>, chunkId: number, now: Date): Promise<Date | null>;
  wakeSenders(db: Kysely<Database>): Promise<void>;
  /** Hosts of the platform's own short links. */
  ownHosts: readonly string[];
}

/** Opens a held chunk, or holds it until its time: the one that its program asked for, or the next open hours. */
async function open(ctx: Context, deciding: Deciding, { chunk_id, not_before }: ModerationItem): Promise<void> {
  const now = ctx.clock.now();
  const asked = not_before === null ? now : new Date(Math.max(Date.parse(not_before), now.getTime()));
  const leaves = (await deciding.firstAllowed(ctx.db, chunk_id!, asked)) ?? asked;
  const time = leaves > now ? leaves.toISOString() : null;
  await sql`UPDATE chunk SET not_before = ${time}, state = CASE WHEN ${time}::timestamptz IS NULL THEN 'open' ELSE 'held' END
    WHERE id = ${chunk_id} AND state = 'held'`.execute(ctx.db);
}

/**
 * Makes the handler that decides about held campaigns and messages, all in one transaction. Messages of a rejected
 * chunk expire: their reserve is released, and the program is told.
 */
export const decide =
  (deciding: Deciding): Handler<typeof decideModeration> =>
  async (ctx, { body }) => {
    requirePlatform(ctx.caller);
    const { ids, decision, reason, remember } = body;
    if (decision === 'approved') requireFreshProof(ctx);
    if (decision === 'rejected' && reason === '') throw fieldError('reason', 'required');
    const items = await ctx.db
      .selectFrom('moderation_item')
      .selectAll()
      .where('id', 'in', ids)
      .where('state', '=', 'waiting')
      // Chunks are locked in the order of their ids everywhere.
      .orderBy('chunk_id')
      .orderBy('id')
      .forUpdate()
      .execute();
    for (const item of items) await decideOne(ctx, deciding, item, decision, reason);
    if (remember) for (const item of distinct(items)) await rememberRule(ctx, item, decision);
    if (items.some(({ chunk_id }) => chunk_id !== null)) await deciding.wakeSenders(ctx.db);
    return {
      data: { decided: items.length },
      message: translate(ctx.locale, `moderation.${decision}_done`, { count: items.length }),
    };
  };

async function decideOne(
  ctx: Context,
  deciding: Deciding,
  item: ModerationItem,
  decision: 'approved' | 'rejected',
  reason: string,
): Promise<void> {
  const { campaign_id } = item;
  const now = ctx.clock.now().toISOString();
  const set = { state: decision, reason: reason || null, decided_by: ctx.caller.user_id, decided_at: now };
  const ends = decision === 'rejected' && campaign_id === null ? { expires_at: now } : {};
  await ctx.db
    .updateTable('moderation_item')
    .set({ ...set, ...ends })
    .where('id', '=', item.id)
    .execute();
  if (campaign_id === null) {
    if (decision === 'approved') await open(ctx, deciding, item);
  } else if (decision === 'approved') await deciding.letGo(ctx, campaign_id);
  else await deciding.end(ctx, campaign_id, reason);
  await audit(ctx, {
    name: 'moderation',
    description: decision,
    subject_type: 'moderation',
    subject_id: item.id,
    corporation_id: item.corporation_id,
    before: { state: 'waiting' },
    after: { state: decision, sender_id: item.sender_id, rule: item.rule_name, messages: item.messages, reason },
  });
}

/** Returns one item for each sender ID. */
const distinct = (items: readonly ModerationItem[]) => [
  ...new Map(items.map((item) => [`${item.corporation_id} ${item.sender_id}`, item])).values(),
];

/** Adds a rule for the sender ID of an item: its texts pass from now on, or wait. */
async function rememberRule(
  ctx: Context,
  { corporation_id, sender_id, id }: ModerationItem,
  decision: 'approved' | 'rejected',
): Promise<void> {
  const action = decision === 'approved' ? 'pass' : 'hold';
  const rule = await ctx.db
    .insertInto('moderation_rule')
    .values({ name: `${sender_id} (${id})`, action, corporation_id, sender: sender_id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!rule) return;
  await audit(ctx, {
    name: 'moderation-rules',
    description: 'created',
    subject_type: 'moderation-rules',
    subject_id: Number(rule.id),
    corporation_id,
    after: { action, sender: sender_id },
  });
}
