import type pg from 'pg';
import { ownerTransaction } from './owner-transaction.ts';

/** Owner of the messages. */
export interface MadeTenant {
  corporation_id: number;
  department_id: number | null;
  user_id: number | null;
  billing_account_id: number;
  sender_id: string;
}

interface Options {
  tenants: readonly MadeTenant[];
  link_id: number;
  messages: number;
  /** Number of days, back from today, over which the messages are spread. */
  days: number;
  onLoaded?: (loaded: number) => void;
}

const CHUNK = 1_000;
const PRICE = 350;
const DAY_MS = 86_400_000;
/** States of a chunk as octets (ADR 13): of 50 messages one is refused and one expires. */
const STATES = `decode(repeat('1432' || repeat('31', 48), ${CHUNK / 50}), 'hex')`;
const PLACES = `unnest($1::bigint[]) AS k(id) CROSS JOIN generate_series(0, ${CHUNK - 1}) AS place`;
const packOf = (condition: string) => `unnest($1::bigint[]) AS k(id) CROSS JOIN LATERAL (
    SELECT string_agg(place::text, ',' ORDER BY place) AS places, string_agg('900', ',') AS delays,
      string_agg('made' || ((k.id << 10) + place), E'\\x1f' ORDER BY place) AS carrier_ids,
      array_agg(id_hash('made' || ((k.id << 10) + place)) ORDER BY place) AS id_hashes, string_agg('16', ',') AS sizes,
      count(*) AS n
    FROM generate_series(0, ${CHUNK - 1}) AS place WHERE ${condition}) e`;

/**
 * Statements that each write one kind of the rows that finished chunks leave behind: `$1` their ids, `$2` corporation,
 * `$3` campaign, `$4` link, `$5` time.
 */
const ROWS = [
  `INSERT INTO message (id, corporation_id, campaign_id, unit_price, parts, unicode, msisdn)
   SELECT (k.id << 10) + place, $2, $3, ${PRICE}, 1, false, '63917' || lpad(((k.id * 7919 + place) % 10000000)::text, 7, '0')
   FROM ${PLACES}`,
  `INSERT INTO chunk_state (chunk_id, corporation_id, states) SELECT id, $2, ${STATES} FROM unnest($1::bigint[]) AS k(id)`,
  `INSERT INTO answer_pack (chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, id_hashes)
   SELECT k.id, $2, $4, $5, places, delays, carrier_ids, id_hashes FROM ${packOf('place % 50 <> 0')}`,
  `INSERT INTO receipt_pack (chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, sizes, raw)
   SELECT k.id, $2, $4, $5, places, delays, carrier_ids, sizes, decode(repeat('3a', 16 * e.n::integer), 'hex')
   FROM ${packOf('place % 50 > 1')}`,
  `INSERT INTO submission (message_id, part, corporation_id, link_id, carrier_id, command_status, answered_at)
   SELECT (k.id << 10) + place, 1, $2, $4, NULL, 69, $5 FROM ${PLACES} WHERE place % 50 = 0`,
  `INSERT INTO outcome (message_id, corporation_id, campaign_id, state, error_code, done_at)
   SELECT (k.id << 10) + place, $2, $3, CASE place % 50 WHEN 0 THEN 'failed_submit' ELSE 'expired' END::message_state,
     CASE place % 50 WHEN 0 THEN 'ESME_RSUBMITFAIL' ELSE 'expired' END, $5 FROM ${PLACES} WHERE place % 50 < 2`,
];

/**
 * Writes finished messages as the pipeline leaves them, except in the ledger. They are spread over the last days and
 * the tenants, with one campaign per tenant and day. Rounds up to whole chunks; returns the number of messages.
 */
export async function makeMessages(client: pg.Client, options: Options): Promise<number> {
  const { tenants, messages, days } = options;
  await client.query('SET synchronous_commit = off');
  const chunks = Math.ceil(messages / CHUNK);
  const today = Math.floor(Date.now() / DAY_MS);
  let [asked, loaded] = [0, 0];
  for (let at = 0; at < days; at++) {
    const day = today - days + 1 + at;
    const upTo = Math.round((chunks * (at + 1)) / days);
    const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
    if (upTo > asked) await client.query('SELECT ensure_partitions($1::date, $1::date)', [date]);
    for (const [place, tenant] of tenants.entries()) {
      const own =
        Math.floor(((upTo - asked) * (place + 1)) / tenants.length) -
        Math.floor(((upTo - asked) * place) / tenants.length);
      if (own > 0) await ownerTransaction(client, () => makeDay(client, tenant, options.link_id, day, own));
      loaded += own * CHUNK;
      options.onLoaded?.(loaded);
    }
    asked = upTo;
  }
  await client.query('ANALYZE');
  return loaded;
}

async function makeDay(
  client: pg.Client,
  tenant: MadeTenant,
  link: number,
  day: number,
  chunks: number,
): Promise<void> {
  const { corporation_id, department_id, user_id, billing_account_id, sender_id } = tenant;
  // Messages made for today get a time in the past.
  const morning = new Date(Math.min(day * DAY_MS + DAY_MS / 4, Date.now() - DAY_MS / 4)).toISOString();
  const content = { content_type: 'single', content: 'Made text', flash: false, sms_validity: 12, sender_id: 1 };
  const { rows: campaigns } = await client.query<{ id: number }>(
    `INSERT INTO campaign (corporation_id, department_id, created_by, billing_account_id, name, content, sender_id, state,
       total_count, total_sms, gsm_count, created_at, started_at, finished_at)
     VALUES ($1, $2, coalesce($3, (SELECT min(id) FROM user_account)), $4, 'Made ' || $5::text, $6, $7, 'completed', $8, $8, $8,
       $9, $9, $9) RETURNING id`,
    [
      corporation_id,
      department_id,
      user_id,
      billing_account_id,
      morning.slice(0, 10),
      JSON.stringify(content),
      sender_id,
      chunks * CHUNK,
      morning,
    ],
  );
  const campaign = campaigns[0]!.id;
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO chunk (id, corporation_id, department_id, user_id, billing_account_id, campaign_id, link_id, class, sender_id,
       common_text, size, cursor, state, settled, created_at)
     SELECT ($1::bigint << 28) | (nextval('chunk_sequence') & 268435455), $2, $3, $4, $5, $6, $7, 'bulk', $8, 'Made text',
       ${CHUNK}, ${CHUNK}, 'done', true, $9::timestamptz + i * interval '14 seconds'
     FROM generate_series(1, $10::integer) i RETURNING id`,
    [
      Math.floor(Date.parse(morning) / DAY_MS),
      corporation_id,
      department_id,
      user_id,
      billing_account_id,
      campaign,
      link,
      sender_id,
      morning,
      chunks,
    ],
  );
  const ids = `{${rows.map(({ id }) => id).join()}}`;
  const values = [ids, corporation_id, campaign, link, morning];
  for (const statement of ROWS) {
    const used = values
      .map((value, i) => ({ value, name: i + 1 }))
      .filter(({ name }) => statement.includes(`$${name}`));
    // A statement takes only the parameters that it names.
    const text = used.reduce((all, { name }, i) => all.replaceAll(`$${name}`, `$${i + 1}`), statement);
    await client.query(
      text,
      used.map(({ value }) => value),
    );
  }
  await client.query(
    `INSERT INTO campaign_counter (campaign_id, corporation_id, processed, submitted, delivered, failed, expired, charged)
     VALUES ($1, $2, $3::bigint, $3::bigint * 98 / 100, $3::bigint * 96 / 100, $3::bigint * 2 / 100, $3::bigint * 2 / 100,
       $3::bigint * 98 / 100 * ${PRICE})`,
    [campaign, corporation_id, chunks * CHUNK],
  );
  await client.query(
    `INSERT INTO traffic_quarter (quarter, corporation_id, department_id, user_id, campaign_id, sender_id, messages, parts,
       delivered, failed, failed_submit, expired, spend)
     SELECT date_bin('15 minutes', created_at, 'epoch'), corporation_id, coalesce(department_id, 0), coalesce(user_id, 0),
       campaign_id, sender_id, count(*) * 980, count(*) * 980, count(*) * 960, count(*) * 20, count(*) * 20, count(*) * 20,
       count(*) * 980 * ${PRICE}
     FROM chunk WHERE id = ANY ($1::bigint[]) GROUP BY 1, 2, 3, 4, 5, 6`,
    [ids],
  );
  await client.query(
    `INSERT INTO traffic_destination (quarter, corporation_id, department_id, user_id, link_id, destination, messages,
       delivered, failed, blocked, expired)
     SELECT date_bin('15 minutes', created_at, 'epoch'), corporation_id, coalesce(department_id, 0), coalesce(user_id, 0),
       link_id, '63', count(*) * 980, count(*) * 960, count(*) * 20, 0, count(*) * 20
     FROM chunk WHERE id = ANY ($1::bigint[]) GROUP BY 1, 2, 3, 4, 5`,
    [ids],
  );
}
