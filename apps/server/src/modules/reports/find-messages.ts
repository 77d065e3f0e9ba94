import type { MessageState } from '@heliograph/contract/kernel/states';
import { stateOfMessage } from '#modules/delivery';
import { numberKey } from '#modules/networks';
import { maskedIn, maskedNumber } from '#platform/database/masked-number';
import type { Selection } from './selection.ts';

// Messages are found through their chunks. A chunk is one row for up to 1,000 messages. It holds their shared data, and
// row level security knows departments and users there. The step from chunk to messages uses a range of ids, with
// bounds that are first made columns. Under row level security an index serves only conditions that cannot leak data.
// Comparisons of columns are such conditions; the arithmetic of `m.id >> 10` is not.

/** Runs a statement with `$1…` placeholders in a caller's transaction, under their scope, and returns its rows. */
export type Query = (text: string, values: unknown[]) => Promise<unknown[]>;

/** Chunks with messages that are read together. */
export interface Batch {
  /** Chunk ids, the newest first. */
  chunks: number[];
  /** Maximum number of messages in them. */
  size: number;
  /**
   * Lowest message id that the batch covers. It covers all messages of the selection from here up to the requested id.
   */
  reached: number;
}

/** Writes a value into a statement: as a parameter, or as a literal if the statement takes no parameters. */
export type Bind = (value: string | number | boolean | readonly (number | bigint)[]) => string;

/** Collects the parameters of a statement while it is built. */
export function parameters(): { values: unknown[]; bind: Bind } {
  const values: unknown[] = [];
  return {
    values,
    bind: (value) => {
      values.push(Array.isArray(value) ? `{${value.join()}}` : value);
      return `$${values.length}`;
    },
  };
}

/** Minimum digits for a direct search by number. Fewer digits match too many. */
const SELECTIVE_DIGITS = 7;
/** Most digits of a calling code, which is no secret: the dashboard leads from a country to its messages. */
const CALLING_CODE = 3;
/** Expression for the state flags of message `m`, an octet of its chunk's states. */
const FLAGS = 'f.flags';
/** States with a row of their own for each message. The few messages in them can be found from there. */
const DECIDED: ReadonlySet<MessageState> = new Set([
  'failed_internal',
  'failed_billing',
  'failed_submit',
  'failed_other',
  'blocked',
]);
const PLACES = 1024;
const NUMBERS_AT_ONCE = 1_000;
const MAX_CHUNKS = 1_000;

/**
 * Finds the next chunks below message id `before`, back in time, until they hold about `wanted` messages. Returns null
 * if none are left. Reads only indexes, in their order.
 */
export async function nextBatch(query: Query, s: Selection, before: number, wanted: number): Promise<Batch | null> {
  if (before <= s.first) return null;
  if (s.prefix && s.prefix.length >= SELECTIVE_DIGITS) return batchByNumber(query, s, before);
  const { values, bind } = parameters();
  // The chunk that contains `before` is read again, for its older messages.
  const newest = Math.ceil(Math.min(before, s.past) / PLACES) - 1;
  const limit = Math.min(MAX_CHUNKS, wanted);
  const chunks = `SELECT id, size FROM chunk
    WHERE id BETWEEN ${bind(s.first / PLACES)} AND ${bind(newest)} AND ${fits(s, bind)}`;
  const order = `ORDER BY id DESC LIMIT ${bind(limit)}`;
  const found = (await query(
    s.corporations === null
      ? `${chunks} ${order}`
      : `SELECT k.id, k.size FROM unnest(${bind(s.corporations)}::bigint[]) AS c(id)
         CROSS JOIN LATERAL (${chunks} AND corporation_id = c.id ${order}) k ${order}`,
    values,
  )) as { id: number; size: number }[];
  const batch: Batch = { chunks: [], size: 0, reached: s.first };
  for (const { id, size } of found) {
    batch.chunks.push(id);
    batch.size += size;
    if (batch.size >= wanted) break;
  }
  if (batch.chunks.length === 0) return null;
  if (batch.chunks.length < found.length || found.length === limit) batch.reached = batch.chunks.at(-1)! * PLACES;
  return batch;
}

/** Finds the chunks of the next messages to numbers with a prefix, by the index on the numbers. */
async function batchByNumber(query: Query, s: Selection, before: number): Promise<Batch | null> {
  const { values, bind } = parameters();
  const found = (await query(
    `SELECT id FROM message WHERE id >= ${bind(s.first)} AND id < ${bind(Math.min(before, s.past))} AND ${begins(s, bind)}
     ORDER BY id DESC LIMIT ${bind(NUMBERS_AT_ONCE)}`,
    values,
  )) as { id: number }[];
  if (found.length === 0) return null;
  return {
    chunks: [...new Set(found.map(({ id }) => Math.floor(id / PLACES)))],
    size: found.length,
    reached: found.length < NUMBERS_AT_ONCE ? s.first : found.at(-1)!.id,
  };
}

/** Builds the conditions on a chunk of the selection, including its time and its corporation. */
function fits(s: Selection, bind: Bind, of = ''): string {
  const conditions = [`${of}created_at >= ${bind(s.start)} AND ${of}created_at < ${bind(s.end)}`];
  if (s.corporations !== null) conditions.push(`${of}corporation_id = ANY (${bind(s.corporations)}::bigint[])`);
  if (s.campaign_id !== undefined) conditions.push(`${of}campaign_id = ${bind(s.campaign_id)}`);
  if (s.link_id !== undefined) conditions.push(`${of}link_id = ${bind(s.link_id)}`);
  if (s.sender_id !== undefined) conditions.push(`${of}sender_id = ${bind(s.sender_id)}`);
  return conditions.join(' AND ');
}

/**
 * Builds a range for a prefix; for a caller who may not see numbers, only the whole number or a calling code. LIKE
 * cannot use the index. Digits sort the same in every collation, and no number has more than 15.
 */
const begins = ({ prefix, numbers_visible }: Selection, bind: Bind): string =>
  numbers_visible || prefix!.length <= CALLING_CODE
    ? `msisdn >= ${bind(prefix!)} AND msisdn <= ${bind(prefix!.padEnd(15, '9'))}`
    : `msisdn = ${bind(prefix!)}`;

/** Builds the place of a chunk's time among the times between versions of a network's prefixes, counted from 0. */
const versionOf = ({ ranges }: NonNullable<Selection['network']>, bind: Bind): string =>
  ranges.length < 2
    ? '0'
    : `width_bucket(k.created_at, ARRAY[${ranges.slice(1).map(({ from }) => `${bind(from)}::timestamptz`)}])`;

/** Builds the condition that a message is in a network: by the lookup that its chunk recorded, else by its prefix. */
function isIn({ id, ranges }: NonNullable<Selection['network']>, bind: Bind): string {
  const places = ranges.map(
    ({ bounds }, place) => `WHEN ${place} THEN width_bucket(${numberKey('m.msisdn')}, ${bind(bounds)}::bigint[])`,
  );
  return `coalesce(
    (SELECT k.ported[i + 1] = ${bind(id)} FROM generate_subscripts(k.ported, 1) i WHERE i % 2 = 1 AND k.ported[i] = (m.id & 1023)),
    CASE k.version ${places.join(' ')} ${places.length === 0 ? 'WHEN 0 THEN 0 ' : ''}END % 2 = 1)`;
}

/** Format of texts and times in a statement's result. Values of a chunk are formatted once for all its messages. */
export interface Shape {
  text(column: string): string;
  time(column: string): string;
  /**
   * Customers whose messages get a `cost` in thousandths of `cost_currency`: the charge to their reseller; null for all.
   * Only without a limit.
   */
  resold?: readonly number[] | null;
  /** True for files: numbers are masked here if the caller may not see them. Answers are masked as a whole. */
  ofFile?: true;
}

/** Leaves texts and times unchanged. */
const PLAIN: Shape = { text: (column) => column, time: (column) => column };

/** Builds the charge to the reseller of a message, as the statistics count it. */
function resale(customers: readonly number[] | null, accepted: string, bind: Bind) {
  const sold = `k.reseller_corporation_id IS NOT NULL${
    customers === null ? '' : ` AND k.corporation_id = ANY (${bind(customers)}::bigint[])`
  }`;
  return {
    ofChunk: `, ${sold} AS resold, k.reseller_unit_price, k.reseller_charge_on_delivery,
        CASE WHEN ${sold} THEN (SELECT r.currency FROM corporation r WHERE r.id = k.reseller_corporation_id) END AS cost_currency`,
    passed: ', k.resold, k.reseller_unit_price, k.reseller_charge_on_delivery, k.cost_currency',
    columns: `, m.cost_currency, CASE WHEN m.resold THEN
        charge_of_message(m.reseller_charge_on_delivery, m.reseller_unit_price, m.parts, m.outcome, ${accepted})
        + CASE WHEN NOT m.reseller_charge_on_delivery OR c.state IS NULL THEN 0 WHEN c.state = 'delivered' THEN m.parts
          ELSE -m.parts END * m.reseller_unit_price END AS cost`,
  };
}

/**
 * Builds the statement for the messages of a batch in the selection, newest first, with the columns of `MessageRow`.
 * They lie below the id `before`. A `limit` of null takes all.
 */
export function messagesOf(
  s: Selection,
  batch: Pick<Batch, 'chunks' | 'reached'>,
  before: number,
  limit: number | null,
  bind: Bind,
  { text, time, resold, ofFile }: Shape = PLAIN,
): string {
  const below = Math.min(before, s.past, (batch.chunks[0]! + 1) * PLACES);
  const from = Math.max(batch.reached, s.first, batch.chunks.at(-1)! * PLACES);
  // Bounds known before planning exclude the partitions of all other days.
  const range = (column: string) => `${column} >= ${bind(from)} AND ${column} < ${bind(below)}`;
  const inChunk = (column: string) => `${column} >= k.first AND ${column} < k.past`;
  const cut = limit === null ? '' : `ORDER BY m.id DESC LIMIT ${bind(limit)}`;
  // For a few messages, each is looked up. For a whole chunk, all submissions are read together.
  const accepted =
    limit === null
      ? {
          join: `LEFT JOIN (
            SELECT x.message_id, count(*) AS parts FROM submission x
            WHERE ${range('x.message_id')} AND ${inChunk('x.message_id')} AND x.command_status = 0
            GROUP BY x.message_id
          ) a ON a.message_id = m.id`,
          column: `, CASE WHEN is_packed(${FLAGS}) THEN 1 ELSE coalesce(a.parts, 0) END AS accepted`,
          value: 'm.accepted',
        }
      : {
          join: '',
          column: `, is_packed(${FLAGS}) AS packed`,
          value: `CASE WHEN m.packed THEN 1 ELSE (SELECT count(*) FROM submission x
            WHERE x.message_id = m.id AND ${range('x.message_id')} AND x.command_status = 0) END`,
        };
  // Many messages have only a few corrections, so all of these are read together.
  const corrected =
    limit === null
      ? {
          with: `, c AS MATERIALIZED (SELECT x.message_id, x.amount, x.state FROM correction x WHERE ${range('x.message_id')})`,
          join: 'LEFT JOIN c ON c.message_id = m.id AND m.outcome IS NOT NULL',
          value: 'c.amount',
        }
      : {
          with: '',
          join: '',
          value: '(SELECT x.amount FROM correction x WHERE x.message_id = m.id AND m.outcome IS NOT NULL)',
        };
  const state = stateOfMessage(FLAGS);
  const masks = ofFile === true && !s.numbers_visible;
  const shown = (column: string) => (masks ? maskedIn(column, 'm.msisdn') : column);
  // An encrypted text is opened, and then masked, by who reads the rows. That of a chunk has its place already.
  const placed = (
    own: string,
    common: string,
  ) => `CASE WHEN ${own} IS NULL THEN ${masks ? `CASE WHEN is_sealed_text(${common}) THEN ${common} ELSE ${shown(common)} END` : common}
        WHEN is_sealed_text(${own}) THEN placed_text(${own}, m.corporation_id, 'm' || m.id) ELSE ${shown(text(own))} END`;
  const sold = resold === undefined ? null : resale(resold, accepted.value, bind);
  return `
    WITH d AS MATERIALIZED (
      SELECT (p.chunk_id << 10) + e.place::bigint AS message_id, p.at + e.delay::float8 * interval '1 microsecond' AS received_at
      FROM receipt_pack p CROSS JOIN LATERAL ROWS FROM (
        string_to_table(p.places, ','), string_to_table(p.delays, ',')
      ) AS e(place, delay) WHERE p.chunk_id = ANY (${bind(batch.chunks)}::bigint[])
    )${corrected.with}, k AS MATERIALIZED (
      SELECT k.id << 10 AS first, (k.id + 1) << 10 AS past, k.cursor, k.state, s.states, k.charge_on_delivery, k.corporation_id,
        placed_text(${text('k.common_text')}, k.corporation_id, 'c' || k.id) AS common_text,
        ${time('k.created_at')} AS created_at, ${text('k.sender_id')} AS sender_id, ${text('ca.name')} AS campaign_name,
        ${text('co.name')} AS corporation_name, ${text('u.name')} AS user_name, co.currency, ${bind(s.content_visible)}::boolean AND coalesce(b.content_visible, false) AS readable${s.network ? `, k.ported, ${versionOf(s.network, bind)} AS version` : ''}${sold?.ofChunk ?? ''}
      FROM chunk k
      LEFT JOIN chunk_state s ON s.chunk_id = k.id
      JOIN traffic_owner co ON co.id = k.corporation_id
      LEFT JOIN billing_account b ON b.id = k.billing_account_id
      LEFT JOIN campaign ca ON ca.id = k.campaign_id
      LEFT JOIN user_account u ON u.id = k.user_id
      WHERE k.id = ANY (${bind(batch.chunks)}::bigint[]) AND ${fits(s, bind, 'k.')}
    ), page AS (
      SELECT m.*, k.created_at, k.sender_id, k.charge_on_delivery, k.campaign_name, k.corporation_name, k.currency,
        k.user_name, k.common_text, k.corporation_id, k.readable${sold?.passed ?? ''}
      FROM k CROSS JOIN LATERAL (
        SELECT m.id, m.campaign_id, m.unit_price, m.parts, m.unicode, m.msisdn, m.number_cut, m.name, m.text,
          ${state} AS state, end_of(${FLAGS}) AS outcome, o.error_code, o.done_at${accepted.column}
        FROM message m
        CROSS JOIN LATERAL (SELECT flags_of(k.states, m.id & 1023) AS flags) f
        ${s.state && DECIDED.has(s.state) ? 'JOIN' : 'LEFT JOIN'} outcome o ON o.message_id = m.id AND ${range('o.message_id')} AND ${inChunk('o.message_id')}
        ${accepted.join}
        WHERE ${range('m.id')} AND ${inChunk('m.id')}
          ${s.network ? `AND ${isIn(s.network, bind)}` : ''}
          ${s.prefix ? `AND ${begins(s, bind)}` : ''}
          ${s.state ? `AND ${DECIDED.has(s.state) ? 'o.state' : state} = ${bind(s.state)}::message_state` : ''}
        ${cut}
      ) m
      ${cut}
    )
    SELECT m.id, m.created_at, m.campaign_id, m.campaign_name, m.corporation_name, m.user_name, m.sender_id,
      ${masks ? maskedNumber('m.msisdn') : 'm.msisdn'} AS number, m.number_cut IS TRUE AS number_cut, ${shown(text('m.name'))} AS name,
      CASE WHEN m.readable THEN ${placed('m.text', 'm.common_text')} END AS text,
      CASE WHEN m.unicode THEN 'ucs2' ELSE 'gsm' END AS encoding, m.parts, m.state,
      ${text('m.error_code')} AS error_code,
      charge_of_message(m.charge_on_delivery, m.unit_price, m.parts, m.outcome, ${accepted.value})
        + coalesce(${corrected.value}, 0) AS charge,
      m.currency, ${time('coalesce(m.done_at, d.received_at)')} AS done_at${sold?.columns ?? ''}
    FROM page m LEFT JOIN d ON d.message_id = m.id ${corrected.join}
    ORDER BY m.id DESC`;
}
