import type pg from 'pg';
import type { OwnNode } from '#modules/nodes';
import { failpoint } from '#platform/failpoints';
import { type Repeated, repeat } from '#platform/jobs/repeat';
import type { WorkWatch } from '#platform/jobs/work-watch';
import type { Logger } from '#platform/log';
import { balanceLinks } from './balance-links.ts';
import {
  type Fences,
  holdLanes,
  LEASE_MARGIN_MS,
  LEASE_MS,
  readStandings,
  releaseLanes,
  renewLanes,
  type Standings,
} from './lanes.ts';
import { keptLinks, type Link, sessionSettings } from './link.ts';
import { storeMinutes } from './link-minutes.ts';
import type { LinkSender } from './link-sender.ts';
import { endDrain, publishLinks } from './link-states.ts';
import { LinkStatus } from './link-status.ts';

const RENEW_EVERY_MS = 1_000;
const LOOK_EVERY_MS = 500;
/** Interval of looks while no message waits. */
const LOOK_AT_REST_MS = 2_500;
/** Interval of looks while a link changes its holder or settings, because nothing leaves meanwhile. */
const LOOK_SOON_MS = 50;
const EXPIRY_EVERY_MS = 100;
/** Time after the response timer; by then every answer has come or is given up. */
const DRAIN_MARGIN_MS = 5_000;

/** A sender of one link, as the link's holder uses it. */
export interface Feeding {
  sender: Pick<LinkSender, 'start' | 'lease' | 'drain' | 'isDrained' | 'inFlight' | 'stop' | 'told' | 'minutes'>;
  /** Called after the sender has stopped and before the lanes are returned. */
  end(): Promise<void>;
}

interface Held extends Feeding {
  /** Settings with which the sender began; other settings need a new sender. */
  settings: string;
  /** Time when the lease ends (performance.now()). */
  until: number;
  /**
   * Time when the drain of the window ends, answered or not (performance.now()); undefined while messages may leave.
   */
  drainBy: number | undefined;
}

export interface HeldLinksParts<F extends Feeding> {
  /** Node with one session only for its heartbeats and leases, so that they are in time however busy the others are. */
  node: OwnNode;
  /** Sessions for everything except the leases. */
  pool: pg.Pool;
  begin(link: Link): F;
  /** Called with all links, each time they are read. */
  know?(links: readonly Link[]): void;
  watch?: WorkWatch;
  log: Logger;
}

/**
 * Links of one sender. It takes its share of them, renews their leases, hands surplus links to others, and releases
 * links that are disabled, changed or lost.
 */
export class HeldLinks<F extends Feeding> {
  readonly #parts: HeldLinksParts<F>;
  readonly #held = new Map<number, Held & F>();
  /** Links that are being released; their lanes are renewed until they are returned. */
  readonly #leaving = new Map<number, { held: Held & F; gone: Promise<void> }>();
  readonly #leftOver = new LeftOverLinks();
  readonly #status: LinkStatus;
  #stopped = false;
  #renewing: Repeated | undefined;
  #looking: Repeated | undefined;
  #expiry: NodeJS.Timeout | undefined;
  #soonestExpiry = Number.POSITIVE_INFINITY;
  #renewedAt = performance.now();

  constructor(parts: HeldLinksParts<F>) {
    this.#parts = parts;
    this.#status = new LinkStatus(parts.pool, parts.node.name);
  }

  /** Starts it. Throws if the database cannot be reached. */
  async start(): Promise<void> {
    await this.#parts.node.begin();
    const failed = (message: string) => (error: unknown) => this.#parts.log.warn({ err: error }, message);
    this.#expiry = setInterval(() => this.#letGoExpired(), EXPIRY_EVERY_MS);
    this.#renewing = repeat(RENEW_EVERY_MS, () => this.#renew(), failed('could not renew lanes'));
    const looked = failed('could not read links; retrying');
    await this.#look().catch(looked);
    if (this.#stopped) return;
    const look = () => this.#look();
    this.#looking = repeat(() => this.#nextLookMs, look, looked);
  }

  /** Links on which messages leave. */
  get held(): ReadonlyMap<number, F> {
    return this.#held;
  }

  /** Time when all leases were last renewed (performance.now()). */
  get renewedAt(): number {
    return this.#renewedAt;
  }

  async #renew(): Promise<void> {
    const { node } = this.#parts;
    const begun = performance.now();
    const wasDraining = node.draining;
    const ids = [...this.#held.keys(), ...this.#leaving.keys()];
    failpoint('lanes.before-renewal');
    const fences = await renewLanes(node, ids);
    failpoint('lanes.after-renewal');
    this.#renewedAt = begun;
    for (const id of ids) {
      const held = this.#held.get(id) ?? this.#leaving.get(id)?.held;
      const renewed = fences.get(id);
      if (held && renewed) this.#leased(held, renewed, begun);
      else if (this.#held.has(id)) {
        this.#parts.log.warn({ link_id: id }, 'lanes of link taken over by another sender');
        void this.#letGo(id);
      }
    }
    if (node.draining !== wasDraining) this.look();
  }

  #leased(held: Held, fences: Fences, begun: number): void {
    held.until = begun + LEASE_MS;
    held.sender.lease(fences, held.until - LEASE_MARGIN_MS);
  }

  /**
   * Releases links after their lease ended. Their bytes stopped a little earlier; now another sender may take the
   * lanes, and bind.
   */
  #letGoExpired(): void {
    for (const [id, { until }] of this.#held) {
      if (performance.now() <= until) continue;
      this.#parts.log.warn({ link_id: id }, 'lanes of link expired');
      void this.#letGo(id);
    }
  }

  /** Looks now for links to take, to hand over and to release. */
  look(): void {
    this.#looking?.wake();
  }

  get #nextLookMs(): number {
    if (this.#isChanging) return LOOK_SOON_MS;
    const usual = this.#parts.watch?.isResting ? LOOK_AT_REST_MS : LOOK_EVERY_MS;
    return Math.min(usual, Math.max(10, this.#soonestExpiry + 5));
  }

  get #isChanging(): boolean {
    return this.#leaving.size > 0 || [...this.#held.values()].some(({ drainBy }) => drainBy !== undefined);
  }

  async #look(): Promise<void> {
    const { pool, node } = this.#parts;
    const links = await keptLinks(pool);
    this.#parts.know?.(links);
    for (const id of this.#held.keys()) if (!links.some((link) => link.id === id)) void this.#letGo(id);
    for (const link of links) this.#follow(link);
    if (node.draining) for (const link of links) this.#drain(link);
    else await this.#balance(links);
    await this.#status.publish(this.#held);
  }

  /** Drains a link if that is requested or its settings changed, and releases it once its window is empty. */
  #follow(link: Link): void {
    const held = this.#held.get(link.id);
    if (!held) return;
    if (link.draining || held.settings !== sessionSettings(link)) this.#drain(link);
    if (held.drainBy !== undefined && (held.sender.isDrained || performance.now() > held.drainBy))
      void this.#letGo(link.id);
  }

  /** Stops new messages on a link; segments in its window keep their session until they are answered. */
  #drain(link: Link): void {
    const held = this.#held.get(link.id);
    if (!held) return;
    held.sender.drain();
    held.drainBy ??= performance.now() + link.response_seconds * 1_000 + DRAIN_MARGIN_MS;
  }

  async #balance(links: readonly Link[]): Promise<void> {
    const { pool, node } = this.#parts;
    const standings = await readStandings(pool);
    const byId = new Map(links.map((link) => [link.id, link]));
    const { take, most, give } = balanceLinks(node.name, [...byId.keys()], standings);
    this.#soonestExpiry = Math.min(
      Number.POSITIVE_INFINITY,
      ...standings.leases.filter(({ holder }) => holder !== node.name).map(({ left_ms }) => left_ms),
    );
    const free = take.filter((id) => !this.#leaving.has(id) && !this.#held.has(id));
    const chosen = new Set([...free.slice(0, most), ...this.#leftOver.among(free)]);
    await Promise.all([...chosen].map((id) => this.#take(byId.get(id)!)));
    this.#handOver(give, byId, standings);
  }

  async #take(link: Link): Promise<void> {
    const { pool, node, begin } = this.#parts;
    const begun = performance.now();
    const fences = await holdLanes(pool, link.id, node.name);
    if (!fences) return;
    if (link.draining) {
      await endDrain(pool, link.id);
      await releaseLanes(pool, link.id, node.name);
      return;
    }
    if (this.#stopped || node.draining) {
      await releaseLanes(pool, link.id, node.name);
      return;
    }
    const settings = sessionSettings(link);
    const held = { ...begin(link), settings, until: 0, drainBy: undefined };
    this.#leased(held, fences, begun);
    this.#held.set(link.id, held);
    held.sender.start();
  }

  /** Hands over the links with the fewest segments in flight: they stand still for the shortest time. */
  #handOver(give: number, links: ReadonlyMap<number, Link>, { senders }: Standings): void {
    const going = [...this.#held.values()].filter(({ drainBy }) => drainBy !== undefined).length + this.#leaving.size;
    const staying = [...this.#held]
      .filter(([id, { drainBy }]) => drainBy === undefined && links.has(id))
      .sort(([, a], [, b]) => a.sender.inFlight - b.sender.inFlight);
    for (const [id] of staying.slice(0, Math.max(0, give - going))) {
      this.#parts.log.info({ link_id: id, senders: senders.length }, 'lanes of link handed over to another sender');
      this.#drain(links.get(id)!);
    }
  }

  /** Stops a link's sender and returns its lanes; others are renewed meanwhile. Never rejects. */
  #letGo(id: number): Promise<void> {
    const held = this.#held.get(id);
    if (!held) return this.#leaving.get(id)?.gone ?? Promise.resolve();
    this.#held.delete(id);
    const gone = this.#leave(id, held)
      .catch((error) => this.#parts.log.warn({ err: error }, 'could not release lanes; their lease will expire'))
      .finally(() => {
        this.#leaving.delete(id);
        this.look();
      });
    this.#leaving.set(id, { held, gone });
    return gone;
  }

  async #leave(id: number, held: Held): Promise<void> {
    const { pool, node, log } = this.#parts;
    await held.sender.stop();
    await held.end();
    await publishLinks(pool, node.name, [{ id, ...held.sender.told, state: 'down' }], { givenBack: true }).catch(
      (error) => log.warn({ err: error }, 'could not publish stopped link'),
    );
    await storeMinutes(pool, [{ id, minutes: held.sender.minutes }], true).catch((error) =>
      log.warn({ err: error }, 'could not store last minute of link'),
    );
    await releaseLanes(pool, id, node.name);
  }

  /** Drains and returns all links; others take each as soon as it is free. */
  async stop(): Promise<void> {
    const { node, log } = this.#parts;
    // Other senders stop counting this one first, or each link would be free for a moment longer.
    await node.leave().catch((error) => log.warn({ err: error }, 'could not publish stopping sender'));
    this.#stopped = true;
    await this.#looking?.stop();
    await Promise.all([...this.#held.keys()].map((id) => this.#letGo(id)));
    await Promise.all([...this.#leaving.values()].map(({ gone }) => gone));
    clearInterval(this.#expiry);
    await this.#renewing?.stop();
    await node.end().catch(() => undefined);
  }
}

/** Time after which any sender may take a free link, even beyond its share. */
const LEFT_OVER_MS = 2_000;

/** Free links that no sender took for a while, although one should have had room. */
class LeftOverLinks {
  readonly #freeSince = new Map<number, number>();

  /** Notes the ids of all links that are free now; answers those of the links that are left over. */
  among(free: readonly number[]): number[] {
    const now = performance.now();
    for (const id of this.#freeSince.keys()) if (!free.includes(id)) this.#freeSince.delete(id);
    for (const id of free) if (!this.#freeSince.has(id)) this.#freeSince.set(id, now);
    return free.filter((id) => now - this.#freeSince.get(id)! > LEFT_OVER_MS);
  }
}
