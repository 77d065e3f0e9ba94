import type pg from 'pg';
import { type LinkNow, mayTake, type Routing, readRouting } from '#modules/carrier-routes';
import { numberArray, plainArray } from '#platform/database/array-literal';
import { rowsOf } from '#platform/database/queryable';
import type { MessageClass } from '#platform/database/schema';
import { type Repeated, repeat } from '#platform/jobs/repeat';
import type { WorkWatch } from '#platform/jobs/work-watch';
import type { Logger } from '#platform/log';
import { handOver } from './hand-over-link.ts';
import type { HeldState } from './link-health.ts';
import { CLASSES } from './message-class.ts';

const EVERY_MS = 500;
/** Interval in ms of looks for messages that wait for links whose quality has declined. */
const DECLINED_EVERY_MS = 5_000;
const NONE: ReadonlySet<number> = new Set();
/** Interval in ms at which unchanged states are stored while nothing waits; they count for four seconds. */
const TELL_AT_REST_MS = 2_000;

// A state counts only from the holder of the link's lanes. It starts again if the previous holder has died.
const TELL = `
  INSERT INTO link_health AS h (link_id, state, since, seen_at)
  SELECT w.link_id, w.state, now(), now() FROM unnest($1::bigint[], $2::text[]) AS w(link_id, state)
  WHERE EXISTS (SELECT FROM lane l WHERE l.link_id = w.link_id AND l.holder = $3 AND l.expires_at > now())
  ON CONFLICT (link_id) DO UPDATE SET state = excluded.state, seen_at = excluded.seen_at,
    since = CASE WHEN h.state = excluded.state AND h.seen_at > now() - interval '4 s' THEN h.since ELSE excluded.since END`;

const FIND_WAITING = `
  SELECT l.link_id, c.class FROM unnest($1::bigint[]) AS l(link_id) CROSS JOIN unnest($2::message_class[]) AS c(class)
  WHERE EXISTS (SELECT FROM chunk k WHERE k.link_id = l.link_id AND k.class = c.class AND k.state = 'open')
    OR EXISTS (SELECT FROM retry r WHERE r.link_id = l.link_id AND r.class = c.class)`;

/**
 * Stores the state of this process's links, and moves messages that wait for ill links, of any holder, to healthy
 * links. Any number of processes may run it side by side.
 */
export class Failover {
  readonly #pool: pg.Pool;
  readonly #holder: string;
  readonly #held: () => ReadonlyMap<number, HeldState>;
  readonly #log: Logger;
  #looking: Repeated | undefined;
  readonly #watch: WorkWatch | undefined;
  #told = { states: '', at: Number.NEGATIVE_INFINITY };
  #declinedAt = Number.NEGATIVE_INFINITY;
  #stopped = false;

  /**
   * `held` answers the state of each link that this process holds. While `watch` rests, no message waits: only states
   * are stored.
   */
  constructor(
    pool: pg.Pool,
    holder: string,
    held: () => ReadonlyMap<number, HeldState>,
    log: Logger,
    watch?: WorkWatch,
  ) {
    this.#watch = watch;
    this.#pool = pool;
    this.#holder = holder;
    this.#held = held;
    this.#log = log;
  }

  start(): void {
    this.#looking = repeat(
      EVERY_MS,
      () => this.#look(),
      (error) => this.#log.warn({ err: error }, 'could not check links for failover; retrying'),
    );
  }

  async #look(): Promise<void> {
    const held = [...this.#held()];
    const isResting = this.#watch?.isResting ?? false;
    const told = { states: JSON.stringify(held), at: performance.now() };
    if (isResting && told.states === this.#told.states && told.at - this.#told.at < TELL_AT_REST_MS) return;
    if (held.length > 0) {
      const states = plainArray(held.map(([, state]) => state));
      await this.#pool.query(TELL, [numberArray(held.map(([id]) => id)), states, this.#holder]);
    }
    this.#told = told;
    if (isResting) return;
    const routing = await readRouting((text, values) => rowsOf(this.#pool, text, values), null);
    const declined = this.#declinedIn(routing);
    const ill = [...routing.links.values()].filter(
      (link) => declined.has(link.link_id) || CLASSES.some((each) => !mayTake(link, each)),
    );
    if (ill.length === 0) return;
    const { rows } = await this.#pool.query<{ link_id: number; class: MessageClass }>(FIND_WAITING, [
      numberArray(ill.map(({ link_id }) => link_id)),
      [...CLASSES],
    ]);
    for (const row of rows) {
      const link = routing.links.get(row.link_id)!;
      const isWell = mayTake(link, row.class);
      if (this.#stopped || (isWell && !declined.has(link.link_id))) continue;
      const handed = await handOver(this.#pool, routing, link.link_id, row.class, isWell);
      if (handed.messages + handed.segments > 0) this.#tell(link, row.class, handed);
    }
  }

  /** Returns the links whose quality has declined, at most every few seconds: what waits there stays if nothing changed. */
  #declinedIn({ quality }: Routing): ReadonlySet<number> {
    const now = performance.now();
    if (quality.declined.size === 0 || now - this.#declinedAt < DECLINED_EVERY_MS) return NONE;
    this.#declinedAt = now;
    return quality.declined;
  }

  #tell(
    { link_name, state }: LinkNow,
    messageClass: MessageClass,
    handed: { messages: number; segments: number },
  ): void {
    this.#log.warn({ link: link_name, state, class: messageClass, ...handed }, 'waiting messages moved to other links');
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#looking?.stop();
  }
}
