import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import { addCounts, type Count, type Counted, lockCounts, OpenLimits, readLimits } from './limits.ts';
import { firstDayOf } from './period.ts';

/** Limits that decide about single recipients of a campaign. */
export interface AudienceLimits {
  /** Maximum cost of a message in thousandths; null for none. */
  max_price: number | null;
  /** Finds the numbers that get no more messages in the present period; null if no limit counts recipients. */
  exhausted: ((db: Kysely<Database>, numbers: readonly string[]) => Promise<ReadonlySet<string>>) | null;
}

/** Limit of messages per recipient, in the period of a moment. */
interface RecipientLimit {
  limit_id: number;
  starts_on: string;
  messages: number;
}

async function recipientLimits(db: Kysely<Database>, corporationId: number, now: Date) {
  const limits = (await readLimits(db, [corporationId])).filter((each) => each.class === null || each.class === 'bulk');
  const prices = limits.flatMap(({ kind, spend }) => (kind === 'message' && spend !== null ? [spend] : []));
  const counted = limits.flatMap(({ id, kind, messages, period, timezone }): RecipientLimit[] =>
    kind === 'recipient' && messages !== null
      ? [{ limit_id: id, messages, starts_on: firstDayOf(period as 'day' | 'week' | 'month', now, timezone) }]
      : [],
  );
  return { counted, max_price: prices.length === 0 ? null : Math.min(...prices) };
}

/** Reads the limits that decide about single recipients of a corporation's campaigns. */
export async function audienceLimits(db: Kysely<Database>, corporationId: number, now: Date): Promise<AudienceLimits> {
  const { counted, max_price } = await recipientLimits(db, corporationId, now);
  if (counted.length === 0) return { max_price, exhausted: null };
  return {
    max_price,
    async exhausted(on, numbers) {
      const { rows } = await sql<{ subject: number }>`
        SELECT DISTINCT u.subject FROM sending_limit_use u
        JOIN unnest(${counted.map((each) => each.limit_id)}::bigint[], ${counted.map((each) => each.starts_on)}::date[],
          ${counted.map((each) => each.messages)}::bigint[]) AS k(limit_id, starts_on, messages) USING (limit_id, starts_on)
        WHERE u.subject = ANY (${numbers}::bigint[]) AND u.used >= k.messages`.execute(on);
      return new Set(rows.map(({ subject }) => String(subject)));
    },
  };
}

/**
 * Counts a campaign's messages and cost for its corporation, user and sender ID, in the transaction that reserves the
 * cost. Throws the refusal of the limit that has too little left, after which nothing is counted.
 */
export async function countCampaign(db: Kysely<Database>, id: number, entry: Counted, now: Date): Promise<void> {
  const limits = await OpenLimits.of(db, [entry], now);
  const refused = limits.take(entry);
  if (refused) throw refused;
  const counted = await limits.write();
  if (counted.length === 0) return;
  await db
    .insertInto('campaign_limit_count')
    .values({ campaign_id: id, corporation_id: entry.corporation_id, counted: JSON.stringify(counted) })
    .execute();
}

/**
 * Counts one message for each recipient of a campaign, in the transaction that writes its messages. Returns false if
 * other messages have used up the limit of a recipient meanwhile; then the transaction must not commit.
 */
export async function countRecipients(
  db: Kysely<Database>,
  campaign: { id: number; corporation_id: number; total_count: number },
  now: Date,
): Promise<boolean> {
  const { counted } = await recipientLimits(db, campaign.corporation_id, now);
  for (const { limit_id, starts_on, messages } of counted) {
    const { numAffectedRows } = await sql`
      INSERT INTO sending_limit_use AS u (limit_id, corporation_id, starts_on, subject, used)
      SELECT ${limit_id}, ${campaign.corporation_id}, ${starts_on}::date, msisdn::bigint, 1 FROM message
      WHERE campaign_id = ${campaign.id} ORDER BY msisdn::bigint
      ON CONFLICT (limit_id, starts_on, subject) DO UPDATE SET used = u.used + 1 WHERE u.used < ${messages}`.execute(
      db,
    );
    if (Number(numAffectedRows ?? 0) < campaign.total_count) return false;
  }
  if (counted.length === 0) return true;
  const recipients = JSON.stringify(counted.map(({ limit_id, starts_on }) => ({ limit_id, starts_on })));
  await db
    .insertInto('campaign_limit_count')
    .values({ campaign_id: campaign.id, corporation_id: campaign.corporation_id, recipients })
    .onConflict((conflict) => conflict.column('campaign_id').doUpdateSet({ recipients }))
    .execute();
  return true;
}

/** Gives back everything that was counted for a campaign from which no message has left. */
export async function giveBackCampaign(db: Kysely<Database>, campaignId: number): Promise<void> {
  const count = await db
    .deleteFrom('campaign_limit_count')
    .where('campaign_id', '=', campaignId)
    .returning(['counted', 'recipients'])
    .executeTakeFirst();
  if (!count) return;
  const counted = count.counted as unknown as Count[];
  await lockCounts(db, counted);
  await addCounts(
    db,
    counted.map((each) => ({ ...each, amount: -each.amount })),
  );
  for (const { limit_id, starts_on } of count.recipients as unknown as RecipientLimit[]) {
    await sql`WITH k AS MATERIALIZED (
        SELECT id << 10 AS first, (id + 1) << 10 AS past FROM chunk WHERE campaign_id = ${campaignId}
      ), locked AS (
        SELECT limit_id, starts_on, subject FROM sending_limit_use
        WHERE limit_id = ${limit_id} AND starts_on = ${starts_on}::date
          AND subject IN (SELECT m.msisdn::bigint FROM k JOIN message m ON m.id >= k.first AND m.id < k.past)
        ORDER BY subject FOR UPDATE
      ) UPDATE sending_limit_use u SET used = greatest(0, u.used - 1) FROM locked k
      WHERE u.limit_id = k.limit_id AND u.starts_on = k.starts_on AND u.subject = k.subject`.execute(db);
  }
}
