import { ALARM_CHANNEL, ALARM_EVENT } from '@heliograph/contract/alarms/alarm';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { repeat } from '#platform/jobs/repeat';
import type { Retention } from '#platform/jobs/retention';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { readSettings } from '#platform/operator/settings';
import { emit } from '#platform/realtime/realtime';
import { CONDITIONS, type Limits } from './conditions.ts';
import { tellAlarms } from './tell-alarms.ts';

/** Default times in seconds; the operator's settings replace them. */
const USUAL: Limits = { link: 30, queue: 120 };
/** Least interval of looks in ms; a slow look is followed by a longer pause, so that looking takes a twentieth of the time. */
const EVERY_MS = 1_500;
const REST = 20;
/** Interval of looks in ms while nothing is wrong and nothing is to be sent. */
const EVERY_AT_REST_MS = 5_000;
/** Intervals without a condition after which it counts as away. */
const MISSED = 3;

/** Alarms that are over are kept for thirty days. */
export const alarmRetention: Retention = {
  table: 'alarm',
  days: 30,
  since: 'ended_at',
  order: ['ended_at'],
  rows: 1_000,
};

/** Minutes of links are kept for eight days: the charts show seven. */
export const linkMinuteRetention: Retention = {
  table: 'link_minute',
  days: 8,
  since: 'minute',
  order: ['minute'],
  rows: 10_000,
};

const NOTE = `
  INSERT INTO alarm (condition, subject, name, link_id, detail, since)
  SELECT condition, subject, name, link_id, detail, least(since, now())
  FROM jsonb_to_recordset($1::jsonb)
    AS f(condition text, subject text, name text, link_id bigint, detail jsonb, since timestamptz)
  ON CONFLICT (condition, subject) WHERE ended_at IS NULL
  DO UPDATE SET seen_at = now(), name = excluded.name, detail = excluded.detail`;

const LASTS = `
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS l(condition text, seconds integer)`;
const RAISE = `
  UPDATE alarm a SET raised_at = now() FROM (${LASTS}) l
  WHERE l.condition = a.condition AND a.ended_at IS NULL AND a.raised_at IS NULL
    AND a.seen_at >= now() AND a.noticed_at <= now() - l.seconds * interval '1 second' RETURNING a.id`;
const END = `
  UPDATE alarm a SET ended_at = a.seen_at FROM (${LASTS}) l
  WHERE l.condition = a.condition AND a.ended_at IS NULL AND a.raised_at IS NOT NULL
    AND a.seen_at < now() - greatest(l.seconds, $2::float8) * interval '1 second' RETURNING a.id`;
// Sends nothing and locks nothing while no alarm is open, and none is to be told.
const OPEN = `
  SELECT FROM alarm WHERE ended_at IS NULL OR (raised_at IS NOT NULL AND (told_at IS NULL OR end_told_at IS NULL)) LIMIT 1`;
const FORGET = `
  DELETE FROM alarm
  WHERE ended_at IS NULL AND raised_at IS NULL AND seen_at < now() - $1::float8 * interval '1 second'`;

/** Reads the operator's limits. */
async function limitsOf(db: Kysely<Database>): Promise<Limits> {
  const settings = await readSettings(db, ['alarm_link_seconds', 'alarm_queue_seconds']);
  return {
    link: Number(settings.get('alarm_link_seconds') ?? USUAL.link),
    queue: Number(settings.get('alarm_queue_seconds') ?? USUAL.queue),
  };
}

/**
 * Watch of all conditions that tells people which began and which are over. A condition is raised when it has lasted, and
 * over when it has been away for as long: one that comes and goes is told once. Several workers may watch at the same
 * time.
 */
export class AlarmWatch {
  readonly #worker: Pick<WorkerContext, 'database' | 'config' | 'log' | 'clock' | 'watch'>;
  #pauseMs = EVERY_MS;
  #looking: { stop(): Promise<void> } | undefined;

  constructor(worker: Pick<WorkerContext, 'database' | 'config' | 'log' | 'clock' | 'watch'>) {
    this.#worker = worker;
  }

  start(): void {
    this.#looking = repeat(
      () => this.#pauseMs,
      () => this.look(),
      (error) => this.#worker.log.warn({ err: error }, 'could not look for alarms; retrying'),
    );
  }

  /** Looks once. */
  async look(): Promise<void> {
    const { database: db, config, clock } = this.#worker;
    const began = performance.now();
    const limits = await limitsOf(db);
    const found: object[] = [];
    for (const { name, find } of CONDITIONS)
      for (const finding of await find({ db, config, limits, now: clock.now() }))
        found.push({ condition: name, ...finding });
    const lasts = JSON.stringify(CONDITIONS.map(({ name, lasts: of }) => ({ condition: name, seconds: of(limits) })));
    this.#pauseMs = Math.max(EVERY_MS, (performance.now() - began) * REST);
    const isOpen = found.length > 0 || (await rowsOf(db, OPEN, [])).length > 0;
    if (!isOpen && this.#worker.watch?.isResting) this.#pauseMs = Math.max(EVERY_AT_REST_MS, this.#pauseMs);
    if (!isOpen) return;
    const missed = (MISSED * this.#pauseMs) / 1_000;
    await db.transaction().execute(async (tx) => {
      await rowsOf(tx, NOTE, [JSON.stringify(found)]);
      const raised = await rowsOf(tx, RAISE, [lasts]);
      const ended = await rowsOf(tx, END, [lasts, missed]);
      await rowsOf(tx, FORGET, [missed]);
      if (raised.length + ended.length > 0) await emit(tx, `private-${ALARM_CHANNEL}`, ALARM_EVENT, {});
    });
    await tellAlarms(db);
  }

  async stop(): Promise<void> {
    await this.#looking?.stop();
  }
}
