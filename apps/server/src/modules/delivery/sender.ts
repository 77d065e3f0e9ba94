import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectedConfig } from '#platform/config';
import { secretKey } from '#platform/data-folder';
import { connectionSettings, createPool } from '#platform/db';
import { failpoint } from '#platform/failpoints';
import { listen } from '#platform/listen';
import type { Logger } from '#platform/log';
import { open } from '#platform/seal';
import { WAKE_CHANNEL } from './enqueue.ts';
import { type OnInbound, storeInbound } from './inbound/hand-on.ts';
import { InboundParts } from './inbound/inbound-parts.ts';
import type { CampaignCounters } from './outcomes/apply-deltas.ts';
import { Journal } from './outcomes/journal.ts';
import { PostgresSession } from './postgres-session.ts';
import { Progress } from './progress.ts';
import { Failover } from './sending/failover.ts';
import { holdLanes, LEASE_MS, releaseLanes } from './sending/lanes.ts';
import { keptLinks, type Link, passwordContext, sessionSettings } from './sending/link.ts';
import { LinkSender } from './sending/link-sender.ts';
import { endDrain, keepIdRule, tellLinks } from './sending/link-states.ts';
import { OptOuts } from './sending/opt-outs.ts';
import { keepLimits, Throughput } from './sending/throughput.ts';
import { Sweeps } from './sweeps/sweeps.ts';

const CONTROL_SESSIONS = 2;
const LANES_EVERY_MS = 2_000;
/** While a link changes hands or settings, every moment is one in which nothing leaves. */
const LANES_SOON_MS = 100;
const TELL_EVERY_MS = 2_000;
/** A word that has not changed is repeated, or its readers would take the holder for dead. */
const REPEAT_MS = 5_000;
/** Beyond the response timer, by which every answer is in or given up. */
const DRAIN_MARGIN_MS = 5_000;
/** Less than the lease, so that we stop before another may begin. */
const LEASE_MARGIN_MS = 1_500;
const FLUSH_MS = 2_500;

interface Held {
  sender: LinkSender;
  reading: PostgresSession;
  intents: PostgresSession;
  /** The link's settings as they were; others mean a new sender. */
  settings: string;
  until: number;
  /** When waiting for the window ends, answered or not (performance.now()); undefined while messages may leave. */
  drainBy: number | undefined;
  /** What was last told of the link, and when. */
  told: { text: string; at: number };
}

/** Holds lanes and sends their messages, until it is stopped. */
export class Sender {
  readonly #config: ConnectedConfig;
  readonly #log: Logger;
  readonly #holder = `${hostname()}:${process.pid}:${randomUUID()}`;
  readonly #pool;
  readonly #settings;
  readonly #journal: Journal;
  readonly #progress: Progress;
  readonly #sweeps: Sweeps;
  /** One session for routing, so that lanes are renewed whatever is moved between links. */
  readonly #routingPool;
  readonly #failover: Failover;
  readonly #throughput = new Throughput();
  readonly #optOuts: OptOuts;
  #stopLimits: (() => void) | undefined;
  readonly #inbound: InboundParts;
  readonly #held = new Map<number, Held>();
  /** Links that are being let go. */
  readonly #leaving = new Map<number, Promise<void>>();
  #tellAt = 0;
  #ears: { stop(): Promise<void> } | undefined;
  #stopped = false;
  #laneWork: Promise<void> = Promise.resolve();
  #laneTimer: NodeJS.Timeout | undefined;
  #renewedAt = performance.now();

  /** `onInbound` takes over messages from phones, in place of the table that keeps them otherwise. */
  constructor(config: ConnectedConfig, log: Logger, onInbound: OnInbound = storeInbound) {
    this.#config = config;
    this.#log = log;
    this.#settings = connectionSettings(config, 'sender');
    this.#pool = createPool(config, 'sender', { max: CONTROL_SESSIONS });
    this.#progress = new Progress(this.#pool, log);
    const onCounters = (counters: readonly CampaignCounters[]) => this.#progress.note(counters);
    this.#journal = new Journal(new PostgresSession(this.#settings, 'writer'), log, onCounters);
    this.#inbound = new InboundParts(new PostgresSession(this.#settings, 'inbound'), onInbound, log);
    this.#optOuts = new OptOuts(new PostgresSession(this.#settings, 'opt-outs'), this.#settings, log);
    this.#routingPool = createPool(config, 'sender', { max: 1 });
    this.#failover = new Failover(
      this.#routingPool,
      this.#holder,
      () => new Map([...this.#held].map(([id, { sender }]) => [id, sender.observe()])),
      log,
    );
    this.#sweeps = new Sweeps(
      this.#pool,
      new PostgresSession(this.#settings, 'sweeps'),
      this.#journal,
      log,
      onCounters,
      onInbound,
    );
  }

  /** Throws where the database cannot be reached. */
  async start(): Promise<void> {
    await this.#pool.query('SELECT 1');
    this.#ears = await listen(
      this.#settings,
      WAKE_CHANNEL,
      () => this.#wake(),
      this.#log,
      () => this.#wake(),
    );
    this.#stopLimits = await keepLimits(this.#throughput, this.#routingPool, this.#log);
    await this.#optOuts.start();
    this.#sweeps.start();
    this.#failover.start();
    this.#keepLanes();
    await this.#laneWork;
  }

  /** When all lanes were last renewed, or found with another (performance.now()). */
  get renewedAt(): number {
    return this.#renewedAt;
  }

  /** Whether so many outcomes wait to be recorded that nothing new is sent. */
  get isBehind(): boolean {
    return this.#journal.full;
  }

  #wake(): void {
    for (const { sender } of this.#held.values()) sender.wake();
  }

  #keepLanes(): void {
    if (this.#stopped) return;
    this.#laneWork = this.#renewLanes().catch((error) => this.#log.warn({ err: error }, 'lanes could not be renewed'));
    void this.#laneWork.then(() => {
      const wait = this.#isChanging ? LANES_SOON_MS : LANES_EVERY_MS;
      if (!this.#stopped) this.#laneTimer = setTimeout(() => this.#keepLanes(), wait);
    });
  }

  get #isChanging(): boolean {
    return this.#leaving.size > 0 || [...this.#held.values()].some(({ drainBy }) => drainBy !== undefined);
  }

  async #renewLanes(): Promise<void> {
    try {
      const links = await keptLinks(this.#pool);
      for (const id of this.#held.keys()) if (!links.some((link) => link.id === id)) void this.#letGo(id);
      const renewed = await Promise.allSettled(links.map((link) => this.#renew(link)));
      for (const each of renewed) if (each.status === 'rejected') throw each.reason;
      this.#renewedAt = performance.now();
    } finally {
      for (const [id, { until }] of this.#held) if (performance.now() > until) void this.#letGo(id);
    }
    await this.#tell();
  }

  async #renew(link: Link): Promise<void> {
    if (this.#stopped || this.#leaving.has(link.id)) return;
    const until = performance.now() + LEASE_MS - LEASE_MARGIN_MS;
    const settings = sessionSettings(link);
    let held = this.#held.get(link.id);
    if (held && (link.draining || held.settings !== settings)) this.#drain(held, link);
    failpoint('lanes.before-renewal');
    const fences = await holdLanes(this.#pool, link.id, this.#holder);
    failpoint('lanes.after-renewal');
    if (!fences) {
      void this.#letGo(link.id);
      return;
    }
    if (!held && link.draining) {
      await endDrain(this.#pool, link.id);
      await releaseLanes(this.#pool, link.id, this.#holder);
      return;
    }
    const isNew = !held;
    held ??= this.#begin(link, settings, until);
    held.until = until;
    held.sender.lease(fences, until);
    if (isNew) held.sender.start();
    const { drainBy } = held;
    // The next renewal begins anew with the new settings, or ends the drain.
    if (drainBy !== undefined && (held.sender.isDrained || performance.now() > drainBy)) void this.#letGo(link.id);
  }

  /** Takes nothing new; what is in the window keeps its session until it is answered. */
  #drain(held: Held, link: Link): void {
    held.sender.drain();
    held.drainBy ??= performance.now() + link.response_seconds * 1_000 + DRAIN_MARGIN_MS;
  }

  async #tell(): Promise<void> {
    const now = performance.now();
    if (now < this.#tellAt) return;
    this.#tellAt = now + TELL_EVERY_MS - LANES_SOON_MS;
    const due = [...this.#held].flatMap(([id, held]) => {
      const link = { id, ...held.sender.told };
      const text = JSON.stringify(link);
      if (text === held.told.text && now - held.told.at < REPEAT_MS) return [];
      held.told = { text, at: now };
      return [link];
    });
    await tellLinks(this.#pool, this.#holder, due);
  }

  #begin(link: Link, settings: string, until: number): Held {
    const reading = new PostgresSession(this.#settings, `reading ${link.id}`);
    const intents = new PostgresSession(this.#settings, `intents ${link.id}`);
    const log = this.#log.child({ link: link.name });
    const password = this.#password(link, log);
    const sender = new LinkSender({
      link,
      password: password ?? '',
      holder: this.#holder,
      reading,
      intents,
      journal: this.#journal,
      throughput: this.#throughput,
      optOuts: this.#optOuts,
      log,
      onCounters: (counters) => this.#progress.note(counters),
      takeInbound: (pdu, session) => this.#inbound.take(pdu, link, session),
      onIdRule: (rule, receipts) => {
        keepIdRule(this.#pool, link.id, rule, receipts).catch((error) =>
          log.warn({ err: error }, 'the id rule that was learned could not be kept: it will be learned again'),
        );
      },
    });
    if (password === undefined) sender.report.fault('password_unreadable');
    const told = { text: '', at: 0 };
    const held: Held = { sender, reading, intents, settings, until, drainBy: undefined, told };
    this.#held.set(link.id, held);
    return held;
  }

  /** Undefined where it cannot be opened. */
  #password(link: Link, log: Logger): string | undefined {
    if (link.password_sealed === '') return '';
    try {
      return open(secretKey(this.#config), link.password_sealed, passwordContext(link.id));
    } catch (error) {
      log.error({ err: error }, "the link's password cannot be opened with this server's key: enter it again");
      return undefined;
    }
  }

  /** Stops a link's sender and gives its lanes back; others are renewed meanwhile. Never rejects. */
  #letGo(linkId: number): Promise<void> {
    const held = this.#held.get(linkId);
    if (!held) return this.#leaving.get(linkId) ?? Promise.resolve();
    this.#held.delete(linkId);
    const leaving = this.#leave(linkId, held)
      .catch((error) => this.#log.warn({ err: error }, 'lanes could not be given back: their lease will end'))
      .finally(() => this.#leaving.delete(linkId));
    this.#leaving.set(linkId, leaving);
    return leaving;
  }

  async #leave(linkId: number, held: Held): Promise<void> {
    await held.sender.stop();
    await Promise.all([held.reading.end(), held.intents.end()]);
    await tellLinks(this.#pool, null, [{ id: linkId, ...held.sender.told, state: 'down' }]).catch((error) =>
      this.#log.warn({ err: error }, 'nobody could be told that a link was let go'),
    );
    await releaseLanes(this.#pool, linkId, this.#holder);
  }

  /** No new claims, then the windows drain, sessions unbind, outcomes are recorded, lanes are given back: 10 s at most. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#laneTimer);
    await this.#laneWork;
    await this.#ears?.stop();
    this.#stopLimits?.();
    await this.#failover.stop();
    await this.#sweeps.stop();
    const links = [...this.#held.keys()];
    await Promise.all([...this.#held.values()].map(({ sender }) => sender.stop()));
    await Promise.race([this.#journal.flushed(), sleep(FLUSH_MS, undefined, { ref: false })]);
    await Promise.all(links.map((id) => this.#letGo(id)));
    await Promise.all(this.#leaving.values());
    await this.#optOuts.stop();
    await this.#progress.stop();
    await this.#inbound.end();
    await this.#journal.end();
    await this.#routingPool.end();
    await this.#pool.end();
  }
}
