import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { repeat } from '#platform/jobs/repeat';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { type Counts, ENOUGH, ENOUGH_HISTORY, judge, type Present, percentile, type Usual, usualOf } from './judge.ts';
import { FOLDS, SLOT_MS, SUMMED_LATENCIES } from './quality-sums.ts';

const EVERY_MS = 60_000;
/** Interval in ms at which the history of a week is read again, and slots are folded. */
const USUAL_EVERY_MS = 10 * 60_000;
const MINUTE_MS = 60_000;
/** Time after its submit from which a message without a receipt counts as unreported: bounds, and for a new link. */
const LEAST_MATURE_MS = 2 * MINUTE_MS;
const MOST_MATURE_MS = 30 * MINUTE_MS;
const USUAL_MATURE_MS = 10 * MINUTE_MS;
/** Number of messages after which no older slot is looked at, and the time in ms that is as good as now if there are fewer. */
const RECENT = 200;
const LATELY_MS = 30 * MINUTE_MS;

const KEY = 'link_id, network_id, sender_kind';
const SUMS = `sum(q.accepted)::float8 AS accepted, sum(q.refused)::float8 AS refused, sum(q.delivered)::float8 AS delivered,
  sum(q.undelivered)::float8 AS undelivered, ${SUMMED_LATENCIES}::float8[] AS latencies`;
// Messages of the last hour may still get their receipts.
const READ_USUAL = `
  SELECT ${KEY}, ${SUMS} FROM carrier_quality q JOIN link k ON k.id = q.link_id
  WHERE slot >= $1::timestamptz - interval '7 days' AND slot < $1::timestamptz - interval '1 hour' GROUP BY ${KEY}`;
const READ_RECENT = `
  SELECT ${KEY}, extract(epoch FROM slot)::float8 * 1000 AS slot, accepted::float8, refused::float8, delivered::float8,
    undelivered::float8, latencies::float8[]
  FROM carrier_quality q JOIN link k ON k.id = q.link_id WHERE slot >= $1::timestamptz - interval '4 hours' ORDER BY slot DESC`;
const READ_NOW = `
  SELECT ${KEY}, state, extract(epoch FROM since)::float8 * 1000 AS since, cause, setbacks, rate, usual_rate, usual_p95_ms
  FROM carrier_quality_now`;
const WRITE_NOW = `
  INSERT INTO carrier_quality_now (${KEY}, messages, rate, usual_rate, p50_ms, p95_ms, usual_p95_ms, unreported, refused,
    state, since, declined_at, cause, setbacks, judged_at)
  SELECT ${KEY}, messages, rate, usual_rate, p50_ms, p95_ms, usual_p95_ms, unreported, refused, state,
    to_timestamp(since / 1000), CASE WHEN state <> 'good' THEN to_timestamp(since / 1000) END, cause, setbacks, $2
  FROM jsonb_to_recordset($1) AS r(link_id bigint, network_id bigint, sender_kind text, messages bigint, rate integer,
    usual_rate integer, p50_ms integer, p95_ms integer, usual_p95_ms integer, unreported integer, refused integer,
    state text, since float8, cause text, setbacks integer)
  ON CONFLICT (${KEY}) DO UPDATE SET messages = excluded.messages, rate = excluded.rate, usual_rate = excluded.usual_rate,
    p50_ms = excluded.p50_ms, p95_ms = excluded.p95_ms, usual_p95_ms = excluded.usual_p95_ms,
    unreported = excluded.unreported, refused = excluded.refused, state = excluded.state, since = excluded.since,
    declined_at = CASE WHEN excluded.state <> 'good' THEN coalesce(carrier_quality_now.declined_at, excluded.declined_at) END,
    cause = excluded.cause, setbacks = excluded.setbacks, judged_at = excluded.judged_at`;
const FORGET = `DELETE FROM carrier_quality_now WHERE judged_at < $1 AND state = 'good' RETURNING link_id`;
const NOTE = `
  WITH d AS (
    INSERT INTO carrier_quality_decision (decided_at, ${KEY}, state, cause, messages, rate, usual_rate, p95_ms, usual_p95_ms)
    SELECT $2, ${KEY}, state, cause, tried, rate, usual_rate, p95_ms, usual_p95_ms
    FROM jsonb_to_recordset($1) AS r(link_id bigint, network_id bigint, sender_kind text, state text, cause text, tried bigint,
      rate integer, usual_rate integer, p95_ms integer, usual_p95_ms integer) RETURNING *
  )
  INSERT INTO activity_log (name, description, subject_type, subject_id, causer_type, properties, created_at)
  SELECT 'carrier-quality', 'quality ' || state, 'links', link_id, 'system',
    jsonb_build_object('before', NULL, 'after', jsonb_build_object('network_id', network_id, 'sender_kind', sender_kind,
      'state', state, 'cause', cause, 'messages', messages, 'rate', rate, 'usual_rate', usual_rate)), $2 FROM d`;

interface Key {
  link_id: number;
  network_id: number;
  sender_kind: string;
}
type Slot = Key & Counts & { slot: number };
type NowRow = Key & Present & { rate: number; usual_rate: number; usual_p95_ms: number | null };

/** Message counts that are judged: of late, and of those since the state began. */
interface Judged {
  recent: Counts;
  tried: Counts;
}

const keyOf = ({ link_id, network_id, sender_kind }: Key): string => `${link_id}/${network_id}/${sender_kind}`;
const NONE: Counts = { accepted: 0, refused: 0, delivered: 0, undelivered: 0, latencies: [] };
const tenThousandths = (share: number): number => Math.round(share * 10_000);
const totalOf = ({ accepted, refused }: Counts): number => accepted + refused;

const plus = (a: Counts, b: Counts): Counts => ({
  accepted: a.accepted + b.accepted,
  refused: a.refused + b.refused,
  delivered: a.delivered + b.delivered,
  undelivered: a.undelivered + b.undelivered,
  latencies: b.latencies.map((count, bucket) => count + (a.latencies[bucket] ?? 0)),
});

/** Adds up the newest slots that are old enough to be judged, and of these the ones since the state began. */
function judgedOf(slots: readonly Slot[], usual: Usual, present: Present, now: number): Judged {
  const wanted = usual.p95_ms === null ? USUAL_MATURE_MS : Math.max(LEAST_MATURE_MS, usual.p95_ms * 1.5);
  const until = now - Math.min(MOST_MATURE_MS, wanted) - SLOT_MS;
  let recent = NONE;
  let tried = NONE;
  for (const slot of slots) {
    if (slot.slot > until) continue;
    const total = totalOf(recent);
    if (total < ENOUGH || (total < RECENT && slot.slot > until - LATELY_MS)) recent = plus(recent, slot);
    // A slot in which the state began has messages from before.
    if (slot.slot >= present.since) tried = plus(tried, slot);
  }
  return { recent, tried };
}

/** Returns the quality that a link is compared with: that before its decline while it lasts. */
const frozen = (usual: Usual, now: NowRow): Usual =>
  now.state === 'good' ? usual : { ...usual, rate: now.usual_rate / 10_000, p95_ms: now.usual_p95_ms };

/** Judge of the quality of links. It writes what routes go by, and every decision with its evidence. */
export class QualityJudge {
  readonly #worker: Pick<WorkerContext, 'database' | 'log' | 'clock' | 'watch'>;
  #usual: ReadonlyMap<string, Key & Counts> = new Map();
  #usualReadAt = Number.NEGATIVE_INFINITY;
  #judging: { stop(): Promise<void> } | undefined;

  constructor(worker: Pick<WorkerContext, 'database' | 'log' | 'clock' | 'watch'>) {
    this.#worker = worker;
  }

  start(): void {
    this.#judging = repeat(
      EVERY_MS,
      () => this.judge(),
      (error) => this.#worker.log.warn({ err: error }, 'could not judge quality of links; retrying'),
    );
  }

  async stop(): Promise<void> {
    await this.#judging?.stop();
  }

  /** Judges all links once. Of several workers one does it. */
  async judge(): Promise<void> {
    const { database, clock } = this.#worker;
    await database.transaction().execute(async (db) => {
      const [lock] = await rowsOf<{ taken: boolean }>(
        db,
        `SELECT pg_try_advisory_xact_lock(hashtext('judge_quality')) AS taken`,
      );
      if (lock!.taken) await this.#judge(db, clock.now());
    });
  }

  async #judge(db: Kysely<Database>, now: Date): Promise<void> {
    const at = now.toISOString();
    if (now.getTime() - this.#usualReadAt >= USUAL_EVERY_MS) {
      for (const fold of FOLDS) await rowsOf(db, fold);
      // Counts of tomorrow are there before it begins.
      await rowsOf(db, 'SELECT prepare_link_days()');
      this.#usual = new Map((await rowsOf<Key & Counts>(db, READ_USUAL, [at])).map((row) => [keyOf(row), row]));
      this.#usualReadAt = now.getTime();
    }
    const slots = Map.groupBy(await rowsOf<Slot>(db, READ_RECENT, [at]), keyOf);
    const present = new Map((await rowsOf<NowRow>(db, READ_NOW)).map((row) => [keyOf(row), row]));
    const keys = new Set([...slots.keys(), ...this.#usual.keys()]);
    for (const [key, { state }] of present) if (state !== 'good') keys.add(key);
    const rows = [...keys].map((key) =>
      judgedRow(this.#usual.get(key), slots.get(key) ?? [], present.get(key), now.getTime()),
    );
    await rowsOf(db, WRITE_NOW, [JSON.stringify(rows), at]);
    const gone = await rowsOf(db, FORGET, [at]);
    const decided = rows.filter((row) => row.state !== (present.get(keyOf(row))?.state ?? 'good'));
    if (decided.length > 0) await rowsOf(db, NOTE, [JSON.stringify(decided), at]);
    const moved = rows.some((row) => {
      const before = present.get(keyOf(row));
      return !before || before.state !== row.state || before.rate !== row.rate;
    });
    if (moved || gone.length > 0) await rowsOf(db, 'UPDATE carrier_quality_version SET version = gen_random_uuid()');
    for (const { link_id, network_id, sender_kind, state, cause } of decided)
      this.#worker.log.warn({ link_id, network_id, sender_kind, state, cause }, 'quality of link changed');
  }
}

function judgedRow(
  history: (Key & Counts) | undefined,
  slots: readonly Slot[],
  before: NowRow | undefined,
  now: number,
) {
  const { link_id, network_id, sender_kind } = (history ?? slots[0] ?? before)!;
  const present: NowRow = before ?? {
    ...{ link_id, network_id, sender_kind, state: 'good', since: now, cause: null, setbacks: 0 },
    ...{ rate: 0, usual_rate: 0, usual_p95_ms: null },
  };
  const usual = frozen(usualOf(history ?? NONE), present);
  const { recent, tried } = judgedOf(slots, usual, present, now);
  const next = judge(present, recent, tried, usual, now);
  const shown = totalOf(recent) > 0 ? recent : (history ?? NONE);
  const lately = usualOf(shown);
  return {
    ...{ link_id, network_id, sender_kind },
    messages: Math.round(usual.messages + (history ? 0 : totalOf(recent))),
    rate: tenThousandths(lately.rate),
    usual_rate: tenThousandths(usual.messages >= ENOUGH_HISTORY || present.state !== 'good' ? usual.rate : lately.rate),
    p50_ms: percentile(shown.latencies, 0.5),
    p95_ms: lately.p95_ms,
    usual_p95_ms: usual.p95_ms ?? lately.p95_ms,
    unreported: tenThousandths(lately.unreported),
    refused: tenThousandths(lately.refused),
    ...{ state: next.state, since: next.since, cause: next.cause, setbacks: next.setbacks },
    tried: totalOf(present.state === 'good' ? recent : tried),
  };
}
