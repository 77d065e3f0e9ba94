import { booleanArray, numberArray, plainArray, textArray } from '#platform/array-literal';
import { failpoint } from '#platform/failpoints';
import { type Queryable, rowsOf } from '#platform/queryable';
import { type ChunkShared, insertChunk, type NewMessage } from './enqueue.ts';

/** A chunk that is to be written. */
export interface PlannedChunk {
  shared: ChunkShared;
  messages: readonly NewMessage[];
}

/** A chunk of so many messages is worth a statement of its own. */
const LARGE = 100;

// The ids are drawn first, so that the messages of all chunks can go in the same statement.
const INSERT_CHUNKS = `
  WITH n AS MATERIALIZED (
    SELECT next_chunk_id() AS id, c.*
    FROM jsonb_to_recordset($1) AS c(nth integer, corporation_id bigint, department_id bigint, user_id bigint,
      billing_account_id bigint, campaign_id bigint, link_id bigint, class message_class, sender_id text, flash boolean,
      charge_on_delivery boolean, common_text text, expires_at timestamptz, size integer, carrier_route_id bigint, channel text,
      reseller_account_id bigint, reseller_corporation_id bigint, reseller_unit_price bigint, reseller_charge_on_delivery boolean,
      quiet_zone text, after_canary boolean, confirms_opt_out boolean, tells boolean, not_before timestamptz)
  ), k AS (
    INSERT INTO chunk (id, corporation_id, department_id, user_id, billing_account_id, campaign_id, link_id, class, sender_id,
      flash, charge_on_delivery, common_text, expires_at, size, carrier_route_id, channel, reseller_account_id,
      reseller_corporation_id, reseller_unit_price, reseller_charge_on_delivery, quiet_zone, after_canary, confirms_opt_out,
      tells, not_before, state)
    SELECT id, corporation_id, department_id, user_id, billing_account_id, campaign_id, link_id, class, sender_id, flash,
      charge_on_delivery, common_text, expires_at, size, carrier_route_id, channel, reseller_account_id, reseller_corporation_id,
      reseller_unit_price, reseller_charge_on_delivery, quiet_zone, after_canary, confirms_opt_out,
      coalesce(tells, anybody_is_told(corporation_id, department_id)), not_before,
      CASE WHEN not_before IS NULL THEN 'open' ELSE 'held' END
    FROM n
  ), inserted AS (
    INSERT INTO message (id, corporation_id, campaign_id, unit_price, parts, unicode, msisdn, name, text)
    SELECT (n.id << 10) + m.place, n.corporation_id, n.campaign_id, m.unit_price, m.parts, m.unicode, m.msisdn, m.name, m.text
    FROM n JOIN (
      SELECT unnest($2::integer[]) AS nth, unnest($3::integer[]) AS place, unnest($4::bigint[]) AS unit_price,
        unnest($5::smallint[]) AS parts, unnest($6::boolean[]) AS unicode, unnest($7::text[]) AS msisdn,
        unnest($8::text[]) AS name, unnest($9::text[]) AS text
    ) m USING (nth)
  )
  SELECT id FROM n ORDER BY nth`;

const rowOf = ({ shared, messages }: PlannedChunk, nth: number) => ({
  nth,
  corporation_id: shared.corporation_id,
  department_id: shared.department_id,
  user_id: shared.user_id,
  billing_account_id: shared.billing_account_id,
  campaign_id: shared.campaign_id,
  link_id: shared.link_id,
  class: shared.class,
  sender_id: shared.sender_id,
  flash: shared.flash,
  charge_on_delivery: shared.charge_on_delivery,
  common_text: shared.common_text,
  expires_at: shared.expires_at ?? null,
  size: messages.length,
  carrier_route_id: shared.carrier_route_id ?? null,
  channel: shared.channel ?? 'console',
  reseller_account_id: shared.reseller?.billing_account_id ?? null,
  reseller_corporation_id: shared.reseller?.corporation_id ?? null,
  reseller_unit_price: shared.reseller?.unit_price ?? null,
  reseller_charge_on_delivery: shared.reseller?.charge_on_delivery ?? null,
  quiet_zone: shared.quiet_zone ?? null,
  after_canary: shared.after_canary ?? false,
  confirms_opt_out: shared.confirms_opt_out ?? false,
  tells: shared.tells ?? null,
  not_before: shared.not_before ?? null,
});

/** Writes chunks within the caller's transaction, small ones in one statement together; answers their ids in their order. */
export async function insertChunks(db: Queryable, chunks: readonly PlannedChunk[]): Promise<number[]> {
  const ids: number[] = new Array(chunks.length);
  const small = [...chunks.keys()].filter((place) => chunks[place]!.messages.length < LARGE);
  const together = small.length > 1 ? small : [];
  const apart = new Set(chunks.keys()).difference(new Set(together));
  for (const place of apart) ids[place] = await insertChunk(db, chunks[place]!.shared, chunks[place]!.messages);
  if (together.length === 0) return ids;
  const rows = await insertTogether(
    db,
    together.map((place) => chunks[place]!),
  );
  for (const [index, place] of together.entries()) ids[place] = rows[index]!;
  return ids;
}

async function insertTogether(db: Queryable, chunks: readonly PlannedChunk[]): Promise<number[]> {
  const all = chunks.flatMap(({ messages }, nth) => messages.map((message, place) => ({ nth, place, ...message })));
  const rows = await rowsOf<{ id: number | string }>(db, INSERT_CHUNKS, [
    JSON.stringify(chunks.map(rowOf)),
    numberArray(all.map((m) => m.nth)),
    numberArray(all.map((m) => m.place)),
    numberArray(all.map((m) => m.unit_price)),
    numberArray(all.map((m) => m.parts)),
    booleanArray(all.map((m) => m.unicode)),
    plainArray(all.map((m) => m.msisdn)),
    textArray(all.map((m) => m.name)),
    textArray(all.map((m) => m.text)),
  ]);
  failpoint('chunk.written');
  return rows.map(({ id }) => Number(id));
}
