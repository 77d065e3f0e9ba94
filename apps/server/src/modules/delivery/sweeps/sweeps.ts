import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { failpoint } from '#platform/failpoints';
import { type Repeated, repeat } from '#platform/jobs/repeat';
import { repeatWhileWork, type WorkWatch } from '#platform/jobs/work-watch';
import type { Logger } from '#platform/log';
import { emit } from '#platform/realtime/realtime';
import type { KeyConfig } from '#platform/text/text-keys';
import type { OnInbound } from '../inbound/hand-on.ts';
import type { OutcomeWriter } from '../outcomes/outcome-writer.ts';
import type { PostgresSession } from '../postgres-session.ts';
import { adoptReceipts } from './adopt-receipts.ts';
import { EXPIRED, expireChunks } from './expire-chunks.ts';
import { expireInbound } from './expire-inbound.ts';
import { holdSwitchedOff, openDueChunks } from './held-chunks.ts';
import { countForgotten, resolveOrphans } from './resolve-orphans.ts';
import { settleUnanswered } from './settle-unanswered.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const RECENT_SECONDS = 600;
/**
 * Time for which receipts wait for their message, as long as a message may wait for its receipt: the longest validity
 * and 72 hours.
 */
const PATIENCE_SECONDS = 4 * 86_400;
/** Time that the usual ways get to find a receipt's message before it is matched by other signs than its id. */
const ORPHAN_SECONDS = 15;
const PARTITIONS = `SELECT ensure_partitions((now() AT TIME ZONE 'UTC')::date - 1, (now() AT TIME ZONE 'UTC')::date + 7)`;

/** Periodic work of senders. Any number of processes may run it side by side. */
export class Sweeps {
  readonly #pool: pg.Pool;
  readonly #config: KeyConfig;
  readonly #session: PostgresSession;
  readonly #writer: OutcomeWriter;
  readonly #log: Logger;
  readonly #onProgress: (campaigns: readonly number[]) => void;
  readonly #onInbound: OnInbound;
  readonly #sweeps: Repeated[] = [];
  readonly #watch: WorkWatch | undefined;
  #stopped = false;

  constructor(
    pool: pg.Pool,
    config: KeyConfig,
    session: PostgresSession,
    writer: OutcomeWriter,
    log: Logger,
    onProgress: (campaigns: readonly number[]) => void,
    onInbound: OnInbound,
    watch?: WorkWatch,
  ) {
    this.#watch = watch;
    this.#pool = pool;
    this.#config = config;
    this.#session = session;
    this.#writer = writer;
    this.#log = log;
    this.#onProgress = onProgress;
    this.#onInbound = onInbound;
  }

  start(): void {
    this.#watch?.add({ sql: EXPIRED });
    this.#whileWork('expire chunks', async () => this.#onProgress(await expireChunks(this.#pool)));
    this.#whileWork('hold switched off', () => holdSwitchedOff(this.#pool));
    this.#whileWork('open due chunks', () => openDueChunks(this.#pool));
    this.#whileWork('complete campaigns', () => this.#complete());
    this.#every(10 * SECOND, 'adopt new receipts', () => this.#adopt(RECENT_SECONDS));
    this.#every(5 * MINUTE, 'adopt receipts', () => this.#adopt(PATIENCE_SECONDS));
    this.#every(30 * SECOND, 'expire inbound', () => expireInbound(this.#pool, this.#onInbound));
    this.#every(HOUR, 'count orphans', () => this.#countOrphans());
    this.#every(MINUTE, 'settle unanswered', () => this.#settle());
    this.#every(HOUR, 'partitions', async () => void (await this.#pool.query(PARTITIONS)));
  }

  #every(milliseconds: number, name: string, work: () => Promise<void>): void {
    this.#begin(repeat(milliseconds, work, this.#failed(name)));
  }

  /** Sweeps each second while messages wait or campaigns run. */
  #whileWork(name: string, work: () => Promise<void>): void {
    this.#begin(repeatWhileWork(this.#watch, SECOND, work, this.#failed(name)));
  }

  #begin(sweep: Repeated): void {
    sweep.wake();
    this.#sweeps.push(sweep);
  }

  #failed(name: string): (error: unknown) => void {
    return (error) => this.#log.warn({ err: error, sweep: name }, 'sweep failed; retrying later');
  }

  async #adopt(seconds: number): Promise<void> {
    await adoptReceipts(this.#pool, this.#writer, seconds);
    await resolveOrphans(this.#pool, this.#config, this.#writer, {
      oldestSeconds: seconds,
      youngestSeconds: ORPHAN_SECONDS,
    });
  }

  async #countOrphans(): Promise<void> {
    for (const { link_id, receipts } of await countForgotten(this.#pool, PATIENCE_SECONDS)) {
      this.#log.warn({ link_id, receipts }, 'receipts match no message; check the ID rule of the link');
    }
  }

  async #complete(): Promise<void> {
    for (const id of await completeCampaigns(this.#pool)) {
      await emit(this.#pool, `private-campaign.${id}`, 'campaign.progress', { id, state: 'completed' });
    }
  }

  async #settle(): Promise<void> {
    const client = await this.#session.client();
    while (!this.#stopped && (await settleUnanswered(client, `unanswered:${randomUUID()}`)) > 0);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#sweeps.map((sweep) => sweep.stop()));
    await this.#session.end();
  }
}

// The campaign is locked before its figures are trusted, as when a person stops it. Segments that a carrier refused for
// now have not left, so a campaign that waits for them can still be paused and stopped.
const COMPLETE = `
  WITH ready AS (
    SELECT c.id FROM running_campaigns() r JOIN campaign c ON c.id = r.campaign_id
    JOIN campaign_figure n ON n.campaign_id = c.id
    WHERE c.state = 'running' AND c.total_count > 0 AND n.processed >= c.total_count
      AND NOT EXISTS (SELECT FROM chunk k WHERE k.campaign_id = c.id AND k.state = 'open')
    ORDER BY c.id FOR NO KEY UPDATE OF c
  ), completed AS (
    UPDATE campaign c SET state = 'completed', finished_at = now() FROM ready
    WHERE c.id = ready.id AND c.state = 'running' RETURNING c.id, c.corporation_id
  ), logged AS (
    INSERT INTO campaign_transition (campaign_id, corporation_id, from_state, to_state)
    SELECT id, corporation_id, 'running', 'completed' FROM completed
  )
  SELECT id FROM completed`;

/** Completes the campaigns with no message left to hand over or to end; answers their ids. */
async function completeCampaigns(pool: pg.Pool): Promise<number[]> {
  failpoint('completion.before-commit');
  const { rows } = await pool.query<{ id: number }>(COMPLETE);
  if (rows.length > 0) failpoint('completion.after-commit');
  return rows.map(({ id }) => id);
}
