import type pg from 'pg';
import { addCampaign, type BenchTenant, PRICE } from './tenant.ts';

const CHUNK = 1_000;
/** Number of chunks that a statement loads: few enough for a short statement, so that Ctrl-C works soon. */
const CHUNKS_AT_ONCE = 100;

// The chunks go to today's partitions, where the next messages go as well. The ids come from the queue's own sequence.
const LOAD_CHUNKS = `
  INSERT INTO chunk (corporation_id, user_id, billing_account_id, campaign_id, link_id, class, sender_id, common_text,
    size, cursor, state)
  SELECT $1, $2, $3, $4, $5, 'bulk', 'Bench', 'Your order is on its way.', ${CHUNK}, ${CHUNK}, 'done'
  FROM generate_series(1, $6::integer) RETURNING id`;
const PLACES = `unnest($1::bigint[]) AS k(id) CROSS JOIN generate_series(0, ${CHUNK - 1}) AS place`;
const LOAD_MESSAGES = `
  INSERT INTO message (id, corporation_id, campaign_id, unit_price, parts, unicode, msisdn)
  SELECT (k.id << 10) + place, $2, $3, ${PRICE}, 1, false, '63918' || lpad(((k.id * 1000 + place) % 10000000)::text, 7, '0')
  FROM ${PLACES}`;
/** Number of messages in a pack: about as many as a batch of the sender has of one chunk. */
const PACK = 200;
const PACKS = `unnest($1::bigint[]) AS k(id) CROSS JOIN generate_series(0, ${CHUNK - 1}, ${PACK}) AS first
  CROSS JOIN LATERAL (
    SELECT string_agg(place::text, ',' ORDER BY place) AS places, string_agg('0', ',') AS delays,
      string_agg('done' || ((k.id << 10) + place), E'\\x1f' ORDER BY place) AS carrier_ids,
      array_agg(id_hash('done' || ((k.id << 10) + place)) ORDER BY place) AS id_hashes, string_agg('160', ',') AS sizes
    FROM generate_series(first, first + ${PACK - 1}) AS place
  ) e`;
const LOAD_ANSWERS = `
  INSERT INTO answer_pack (chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, id_hashes)
  SELECT k.id, $2, $3, now(), places, delays, carrier_ids, id_hashes FROM ${PACKS}`;
const LOAD_RECEIPTS = `
  INSERT INTO receipt_pack (chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, sizes, raw)
  SELECT k.id, $2, $3, now(), places, delays, carrier_ids, sizes, decode(repeat('3a', ${PACK} * 160), 'hex') FROM ${PACKS}`;
const LOAD_STATES = `
  INSERT INTO chunk_state (chunk_id, corporation_id, states)
  SELECT id, $2, decode(repeat('31', ${CHUNK}), 'hex') FROM unnest($1::bigint[]) AS k(id)`;

/**
 * Loads `count` messages (rounded up to whole chunks) that were delivered earlier today: every row that they leave
 * behind, except in the ledger. The sessions share the work. Calls `onLoaded` with the number that are loaded.
 */
export async function loadFinished(
  tenant: BenchTenant,
  sessions: readonly pg.Client[],
  count: number,
  onLoaded: (loaded: number) => void,
): Promise<void> {
  const { client } = tenant;
  const campaign = await addCampaign(tenant, count);
  await client.query(`UPDATE campaign SET state = 'completed', started_at = now(), finished_at = now() WHERE id = $1`, [
    campaign,
  ]);
  const all = Math.ceil(count / CHUNK);
  let [begun, loaded] = [0, 0];
  const load = async (session: pg.Client) => {
    await session.query('SET synchronous_commit = off');
    while (begun < all) {
      const chunks = Math.min(CHUNKS_AT_ONCE, all - begun);
      begun += chunks;
      await loadChunks(tenant, session, campaign, chunks);
      loaded += chunks * CHUNK;
      onLoaded(loaded);
    }
  };
  await Promise.all(sessions.map(load));
  await client.query(
    `UPDATE campaign_counter SET processed = $2::bigint, submitted = $2::bigint, delivered = $2::bigint,
       charged = $2::bigint * ${PRICE}
     WHERE campaign_id = $1`,
    [campaign, count],
  );
  // Autovacuum would have done this work hours ago; it does not belong to what is measured next.
  await client.query('VACUUM (ANALYZE) chunk, message, chunk_state, answer_pack, receipt_pack');
}

async function loadChunks(tenant: BenchTenant, session: pg.Client, campaign: number, chunks: number): Promise<void> {
  const { corporation_id, user_id, billing_account_id, link_id } = tenant;
  const shared = [corporation_id, user_id, billing_account_id, campaign, link_id];
  const { rows } = await session.query<{ id: number }>(LOAD_CHUNKS, [...shared, chunks]);
  const ids = `{${rows.map(({ id }) => id).join()}}`;
  await session.query(LOAD_MESSAGES, [ids, corporation_id, campaign]);
  await session.query(LOAD_ANSWERS, [ids, corporation_id, link_id]);
  await session.query(LOAD_RECEIPTS, [ids, corporation_id, link_id]);
  await session.query(LOAD_STATES, [ids, corporation_id]);
}
