import type { CarrierLog, CarrierSegment } from '@heliograph/fault-kit';
import type pg from 'pg';
import { reconcile } from '#modules/billing';

// Rules that must hold at any moment, even after a kill, for messages of the class bulk only. They are checked against
// the carrier's own file and one snapshot of the database.

/** The final states of messages, each as often as it is recorded. */
const ENDS = `SELECT message_id, state FROM outcome UNION ALL SELECT message_id, 'delivered' FROM delivered_row`;

/** Queries for messages that contradict each other; each returns rows that must not exist. */
const IMPOSSIBLE: readonly [what: string, query: string][] = [
  ['outcomes of one message', `SELECT message_id FROM (${ENDS}) o GROUP BY message_id HAVING count(*) > 1`],
  [
    'answers to one segment',
    'SELECT message_id, part FROM submission_row GROUP BY message_id, part HAVING count(*) > 1',
  ],
  [
    'message whose octet says another end than its row, or its receipt',
    `SELECT m.id FROM message m LEFT JOIN chunk_state s ON s.chunk_id = m.id >> 10 LEFT JOIN (${ENDS}) o ON o.message_id = m.id
     WHERE end_of(flags_of(s.states, m.id & 1023)) IS DISTINCT FROM o.state`,
  ],
  [
    'message of one part whose octet says another answer than its row, or its pack',
    `SELECT m.id FROM message m LEFT JOIN chunk_state s ON s.chunk_id = m.id >> 10
       LEFT JOIN submission a ON a.message_id = m.id
       LEFT JOIN (SELECT message_id FROM submission_row EXCEPT ALL SELECT message_id FROM submission) p ON p.message_id = m.id
     WHERE m.parts = 1 AND (flags_of(s.states, m.id & 1023) & 48) IS DISTINCT FROM
       CASE WHEN p.message_id IS NOT NULL THEN 48 WHEN a.message_id IS NOT NULL THEN 16 ELSE 0 END`,
  ],
  [
    'outcome of a message that was never handed over',
    `SELECT o.message_id FROM (${ENDS}) o JOIN chunk k ON k.id = o.message_id >> 10 WHERE (o.message_id & 1023) >= k.cursor`,
  ],
  [
    'answer to a message that was never handed over',
    `SELECT s.message_id FROM submission_row s JOIN chunk k ON k.id = s.message_id >> 10 WHERE (s.message_id & 1023) >= k.cursor`,
  ],
  [
    'segment that is answered and to be tried again',
    'SELECT r.message_id FROM retry r JOIN submission_row s USING (message_id, part)',
  ],
  [
    'chunk with other messages than its size says',
    `SELECT k.id FROM chunk k LEFT JOIN message m ON m.id >= k.id << 10 AND m.id < (k.id + 1) << 10
     GROUP BY k.id, k.size HAVING count(m.id) <> k.size`,
  ],
  [
    'campaign whose recipients are not each in one state',
    `SELECT c.id FROM campaign c LEFT JOIN message_row m ON m.campaign_id = c.id
     WHERE c.state IN ('running', 'paused', 'completed', 'stopped')
       -- One of which parts are sent while others are written is not complete yet.
       AND NOT EXISTS (SELECT FROM campaign_part p WHERE p.campaign_id = c.id)
     GROUP BY c.id, c.state, c.total_count
     -- One that was stopped before it was prepared has none.
     HAVING (count(m.state) > 0 OR c.state <> 'stopped')
       AND (count(DISTINCT m.number) <> c.total_count OR count(m.state) <> c.total_count)`,
  ],
  [
    'campaign with messages before it runs',
    `SELECT c.id FROM campaign c WHERE c.state IN ('preparing', 'pending', 'rejected')
     AND EXISTS (SELECT FROM chunk k WHERE k.campaign_id = c.id)`,
  ],
  [
    'completed campaign with messages that wait',
    `SELECT c.id FROM campaign c JOIN chunk k ON k.campaign_id = c.id WHERE c.state = 'completed' AND k.state = 'open'`,
  ],
  ['quote with two campaigns', 'SELECT quote_id FROM campaign GROUP BY quote_id HAVING count(quote_id) > 1'],
  [
    'transfer that does not add up to nothing',
    'SELECT transfer_id FROM ledger_entry GROUP BY transfer_id HAVING sum(amount) <> 0',
  ],
  [
    'campaign charged for other parts than the carrier took',
    `SELECT c.id FROM campaign c
     CROSS JOIN LATERAL (SELECT coalesce(sum(-t.amount), 0) AS amount FROM ledger_transfer t
       WHERE t.campaign_id = c.id AND t.kind = 'charge') AS charged
     CROSS JOIN LATERAL (SELECT coalesce(sum(m.unit_price), 0) AS amount FROM message m
       JOIN submission_row s ON s.message_id = m.id AND s.command_status = 0 WHERE m.campaign_id = c.id) AS taken
     WHERE charged.amount <> taken.amount`,
  ],
  [
    'transfer of costs that does not add up to nothing',
    'SELECT transfer_id FROM cost_entry GROUP BY 1 HAVING sum(amount) <> 0',
  ],
  [
    'link whose costs are not those of the parts that its carrier took',
    `SELECT a.link_id, a.owed, n.cost, t.amount, b.cost FROM carrier_account a
     CROSS JOIN LATERAL (SELECT coalesce(sum(r.amount), 0) AS cost, count(*) AS parts FROM submission_row s
       JOIN message m ON m.id = s.message_id
       LEFT JOIN LATERAL (SELECT r.amount FROM carrier_rate r JOIN carrier_card c ON c.id = r.carrier_card_id
         WHERE c.link_id = s.link_id AND starts_with(m.msisdn, r.prefix) ORDER BY length(r.prefix) DESC LIMIT 1) r ON true
       WHERE s.link_id = a.link_id AND s.command_status = 0) n
     CROSS JOIN LATERAL (SELECT coalesce(sum(amount), 0) AS amount FROM cost_transfer WHERE link_id = a.link_id) t
     CROSS JOIN LATERAL (SELECT coalesce(sum(cost), 0) AS cost, coalesce(sum(parts), 0) AS parts FROM traffic_cost
       WHERE link_id = a.link_id) b
     WHERE a.owed <> n.cost OR t.amount <> n.cost OR b.cost <> n.cost OR b.parts <> n.parts`,
  ],
  [
    'campaign whose counters are not what its rows say',
    `SELECT n.campaign_id FROM campaign_counter n
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(CASE WHEN k.state IN ('cancelled', 'expired') THEN k.size ELSE k.cursor END), 0) AS processed,
         coalesce(sum(k.size - k.cursor) FILTER (WHERE k.state = 'cancelled'), 0) AS cancelled,
         coalesce(sum(k.size - k.cursor) FILTER (WHERE k.state = 'expired'), 0) AS expired
       FROM chunk k WHERE k.campaign_id = n.campaign_id) AS unsent
     CROSS JOIN LATERAL (
       SELECT count(s.message_id) FILTER (WHERE s.command_status = 0) AS submitted,
         count(o.message_id) FILTER (WHERE o.state = 'delivered') AS delivered,
         count(o.message_id) FILTER (WHERE o.state::text LIKE 'failed%') AS failed,
         count(o.message_id) FILTER (WHERE o.state = 'expired') AS expired,
         count(o.message_id) FILTER (WHERE o.state = 'cancelled') AS cancelled
       FROM message m LEFT JOIN submission_row s ON s.message_id = m.id AND s.part = 1
       LEFT JOIN (${ENDS}) o ON o.message_id = m.id WHERE m.campaign_id = n.campaign_id) AS sent
     WHERE n.processed <> unsent.processed OR n.submitted <> sent.submitted OR n.delivered <> sent.delivered
       OR n.failed <> sent.failed OR n.expired <> unsent.expired + sent.expired
       OR n.cancelled <> unsent.cancelled + sent.cancelled`,
  ],
];

/** Numbers from the given list that nobody was meant to hand over, although the carrier accepted a segment to them. */
const UNINTENDED = `
  SELECT w.msisdn FROM unnest($1::text[]) AS w(msisdn)
  WHERE NOT EXISTS (SELECT FROM message m JOIN chunk k ON k.id = m.id >> 10
    WHERE m.msisdn = w.msisdn AND (m.id & 1023) < k.cursor)`;

const UNSTORED = `
  SELECT w.id FROM unnest($1::text[]) AS w(id)
  WHERE NOT EXISTS (SELECT FROM receipt_row r WHERE r.carrier_id = w.id)
    AND NOT EXISTS (SELECT FROM set_aside a WHERE a.record->>'carrier_id' = w.id)
    -- A receipt by HTTP is first stored as it came.
    AND NOT EXISTS (SELECT FROM carrier_callback c WHERE position(convert_to(w.id, 'UTF8') IN c.pdu) > 0)`;

// Sets are hashed. Tables without statistics would otherwise be searched row by row.
const UNCERTAIN = `
  SELECT count(*) AS count FROM (
    SELECT m.id, p.part FROM message m JOIN chunk k ON k.id = m.id >> 10 AND (m.id & 1023) < k.cursor
    CROSS JOIN generate_series(1, m.parts) AS p(part)
    EXCEPT SELECT message_id, part FROM submission_row
    EXCEPT SELECT message_id, part FROM retry) AS unknown`;

const SHOWN = 5;

/** Compares the carrier's file with the database, repeatedly. */
export class Truth {
  readonly #pool: pg.Pool;
  readonly #log: CarrierLog;
  readonly #taken = new Map<string, CarrierSegment>();
  readonly #ids = new Set<string>();
  readonly #twice: string[] = [];
  /** Number of segments of the file read until now, and of those found to be intended. */
  #read = 0;
  #intended = 0;
  readonly #stored = new Set<string>();

  /** `pool` must be the owner's. */
  constructor(pool: pg.Pool, log: CarrierLog) {
    this.#pool = pool;
    this.#log = log;
  }

  /** Counts segments that were handed over without a known result. Call it only while nobody sends. */
  async uncertain(): Promise<number> {
    const { rows } = await this.#pool.query<{ count: number }>(UNCERTAIN);
    return rows[0]!.count;
  }

  /** Returns every contradiction found now, as sentences. A correct system has none at any moment. */
  async contradictions(): Promise<string[]> {
    const found: string[] = [];
    const say = (what: string, which: readonly unknown[]) => {
      if (which.length > 0) found.push(`${which.length} × ${what}: ${which.slice(0, SHOWN).map(String).join(', ')}`);
    };
    // The intent precedes each segment at the carrier, so the carrier's file is read before the snapshot ...
    this.#readLog();
    const [fresh, upTo] = [this.#log.accepted.slice(this.#intended), this.#read];
    const receipts = [...this.#log.acknowledged].filter((id) => !this.#stored.has(id));
    const client = await this.#pool.connect();
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const column = async (query: string, values: unknown[] = []) =>
        (await client.query({ text: query, values, rowMode: 'array' })).rows.map((row: unknown[]) => row.join('/'));
      say('sent and never intended', await column(UNINTENDED, [fresh.map(({ to }) => to)]));
      say('receipt acknowledged and not stored', await column(UNSTORED, [receipts]));
      for (const [what, query] of IMPOSSIBLE) say(what, await column(query));
      say(
        'contradiction in the books',
        (await reconcile(client)).map((finding) => JSON.stringify(finding)),
      );
      const known = await column('SELECT carrier_id FROM submission_row WHERE carrier_id IS NOT NULL');
      await client.query('COMMIT');
      // Only now: if the database died during a look, the next one must check everything again.
      for (const id of receipts) this.#stored.add(id);
      this.#intended = upTo;
      // ... and every segment known as accepted is in the carrier's file by now.
      this.#readLog();
      say(
        'answer that the carrier never gave',
        known.filter((id) => !this.#ids.has(id)),
      );
    } catch (error) {
      // The session's state is unknown, so the pool must not use it again.
      client.release(true);
      throw error;
    }
    client.release();
    say('sent twice', this.#twice);
    return found;
  }

  #readLog(): void {
    this.#log.read();
    const fresh = this.#log.accepted.slice(this.#read);
    this.#read = this.#log.accepted.length;
    for (const segment of fresh) {
      const key = `${segment.to}/${segment.part?.number ?? 1}`;
      if (this.#taken.has(key)) this.#twice.push(key);
      this.#taken.set(key, segment);
      this.#ids.add(segment.id);
    }
  }
}
