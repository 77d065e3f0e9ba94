import { setTimeout as sleep } from 'node:timers/promises';
import { OwnNode, punctualPool } from '#modules/nodes';
import type { ConnectedConfig } from '#platform/config/config';
import { connectionSettings, createPool } from '#platform/database/db';
import type { FanOut, FanOutState } from '#platform/fan-out/fan-out';
import { startFanOut } from '#platform/fan-out/tell';
import { WakeUps } from '#platform/fan-out/wake-ups';
import type { Repeated } from '#platform/jobs/repeat';
import { SOON, WORK, WorkWatch } from '#platform/jobs/work-watch';
import type { Logger } from '#platform/log';
import { open, secretKey } from '#platform/process/seal';
import { WAKE_SENDERS } from './enqueue.ts';
import { CallbackFeed } from './http-links/callback-feed.ts';
import { callbackAddresses } from './http-links/callbacks.ts';
import { INBOUND, type OnInbound, storeInbound } from './inbound/hand-on.ts';
import { InboundParts } from './inbound/inbound-parts.ts';
import { OutcomeWriter } from './outcomes/outcome-writer.ts';
import { PostgresSession } from './postgres-session.ts';
import { Progress } from './progress.ts';
import { Accounts } from './sending/account-ids.ts';
import { Failover } from './sending/failover.ts';
import { type Feeding, HeldLinks } from './sending/held-links.ts';
import { LANES_FREE } from './sending/lanes.ts';
import { type Link, networkOf, passwordContext } from './sending/link.ts';
import { LinkSender } from './sending/link-sender.ts';
import { keepIdRule } from './sending/link-states.ts';
import { LinkTests } from './sending/link-tests.ts';
import { OptOuts } from './sending/opt-outs.ts';
import { Rewriting } from './sending/rewriting.ts';
import { keepLimits, Throughput } from './sending/throughput.ts';
import { VendorParameters } from './sending/vendor-parameters.ts';
import { Sweeps } from './sweeps/sweeps.ts';

const CONTROL_SESSIONS = 2;
const FLUSH_MS = 2_500;
/** Maximum wait of a look at the links; after it the look starts again on another session. */
const LOOK_PATIENCE_MS = 5_000;

/**
 * Signs that something may leave, or wait for another link. Open chunks of campaigns that do not run are none. All are
 * first rows of short indexes.
 */
const WAITING = `EXISTS (SELECT FROM running_campaigns()) OR EXISTS (SELECT FROM retry) OR EXISTS (
  SELECT FROM link l CROSS JOIN unnest(enum_range(NULL::message_class)) AS lane(class) CROSS JOIN LATERAL (
    SELECT FROM chunk WHERE link_id = l.id AND class = lane.class AND campaign_id IS NULL AND state = 'open' LIMIT 1) k
) OR EXISTS (
  SELECT FROM carrier_callback) OR EXISTS (
  SELECT FROM sandbox_due WHERE due_at <= ${SOON}) OR EXISTS (
  SELECT FROM (SELECT FROM chunk WHERE state = 'held' AND not_before <= ${SOON} ORDER BY not_before LIMIT 1) h)`;
/** Least time in ms between two notifications of outcomes: workers that were woken do not rest for longer. */
const NEWS_APART_MS = 1_000;

interface Feed extends Feeding {
  sender: LinkSender;
}

/** Process that holds lanes and sends their messages, until it is stopped. */
export class Sender {
  readonly #config: ConnectedConfig;
  readonly #log: Logger;
  readonly #pool;
  readonly #settings;
  readonly #writer: OutcomeWriter;
  readonly #progress: Progress;
  readonly #sweeps: Sweeps;
  /** One session for routing and limits, so that lanes are renewed while messages move between links. */
  readonly #routingPool;
  readonly #failover: Failover;
  readonly #throughput = new Throughput();
  readonly #optOuts: OptOuts;
  readonly #watch: WorkWatch;
  #limits: Repeated | undefined;
  readonly #inbound: InboundParts;
  /** One session that reports in time that this process lives, and keeps its lanes. */
  readonly #leases;
  /** One session for work on links, independent of everything else. */
  readonly #linkPool;
  readonly #node: OwnNode;
  readonly #unreadable = new Set<string>();
  readonly #accounts = new Accounts();
  readonly #links: HeldLinks<Feed>;
  #fanOut: FanOut | undefined;

  /**
   * `onInbound` takes over messages from phones instead of the table that keeps them otherwise. While `able` answers
   * false, for example because the passwords of links cannot be opened, other senders hold the links.
   */
  constructor(config: ConnectedConfig, log: Logger, onInbound: OnInbound = storeInbound, able = () => true) {
    this.#config = config;
    this.#log = log;
    this.#settings = connectionSettings(config, 'sender');
    this.#pool = createPool(config, 'sender', { max: CONTROL_SESSIONS });
    this.#watch = new WorkWatch(this.#pool, () => this.fanOut);
    this.#watch.add({ sql: WAITING });
    this.#progress = new Progress(this.#pool, log);
    const onProgress = (campaigns: readonly number[]) => this.#progress.note(campaigns);
    const inbound = new WakeUps(this.#pool, INBOUND, log);
    this.#writer = new OutcomeWriter(new PostgresSession(this.#settings, 'writer'), log, onProgress);
    const news = new WakeUps(this.#pool, WORK, log, NEWS_APART_MS);
    this.#writer.onRecorded(() => {
      this.#watch.wake();
      news.wake();
    });
    this.#inbound = new InboundParts(new PostgresSession(this.#settings, 'inbound'), onInbound, log, () =>
      inbound.wake(),
    );
    this.#optOuts = new OptOuts(new PostgresSession(this.#settings, 'opt-outs'), log);
    this.#routingPool = createPool(config, 'sender', { max: 1 });
    this.#leases = punctualPool(config, 'sender');
    this.#linkPool = createPool(config, 'sender', { max: 1, query_timeout: LOOK_PATIENCE_MS });
    this.#node = new OwnNode(this.#leases, 'sender', able);
    this.#links = new HeldLinks({
      node: this.#node,
      pool: this.#linkPool,
      watch: this.#watch,
      begin: (link) => this.#begin(link),
      know: (links) => this.#accounts.know(links),
      log,
    });
    this.#failover = new Failover(
      this.#routingPool,
      this.#node.name,
      () => new Map([...this.#links.held].map(([id, { sender }]) => [id, sender.observe()])),
      log,
      this.#watch,
    );
    this.#sweeps = new Sweeps(
      this.#pool,
      config,
      new PostgresSession(this.#settings, 'sweeps'),
      this.#writer,
      log,
      onProgress,
      onInbound,
      this.#watch,
    );
  }

  /** Starts it. Throws if the database cannot be reached. */
  async start(): Promise<void> {
    await this.#pool.query('SELECT 1');
    this.#fanOut = await startFanOut(this.#config, 'sender', this.#log);
    await this.#fanOut.subscribe(
      WAKE_SENDERS,
      (what) => (what === LANES_FREE ? this.#links.look() : this.#wake()),
      () => this.#wake(),
    );
    this.#limits = await keepLimits(this.#throughput, this.#routingPool, this.#node.name, this.#log, this.#watch);
    this.#optOuts.start(this.#watch);
    this.#sweeps.start();
    this.#failover.start();
    await this.#links.start();
    await this.#watch.start();
  }

  /** State of wake-ups and live events; undefined before the start. */
  get fanOut(): FanOutState | undefined {
    return this.#fanOut?.state();
  }

  /** Time when all lanes were last renewed (performance.now()). */
  get renewedAt(): number {
    return this.#links.renewedAt;
  }

  /** Number of links that it holds. */
  get linkCount(): number {
    return this.#links.held.size;
  }

  /** Whether so many outcomes wait to be recorded that no new messages are sent. */
  get isBehind(): boolean {
    return this.#writer.full;
  }

  /** Names of the links with a password that this process cannot open; it does not bind them. */
  get unreadable(): readonly string[] {
    return [...this.#unreadable];
  }

  #wake(): void {
    const rested = this.#watch.isResting;
    this.#watch.wake();
    if (rested) return;
    for (const { sender } of this.#links.held.values()) sender.wake();
  }

  #begin(link: Link): Feed {
    const reading = new PostgresSession(this.#settings, `reading ${link.id}`);
    const intents = new PostgresSession(this.#settings, `intents ${link.id}`);
    const log = this.#log.child({ link: link.name });
    const callbacks = new PostgresSession(this.#settings, `callbacks ${link.id}`);
    const password = this.#password(link, log);
    const tests = LinkTests.of(link, this.#pool, log);
    const source = { ...link, vendor: VendorParameters.of(link), rewriting: Rewriting.of(link, networkOf) };
    const sender = new LinkSender({
      link,
      password,
      config: this.#config,
      holder: this.#node.name,
      reading,
      intents,
      writer: this.#writer,
      throughput: this.#throughput,
      optOuts: this.#optOuts,
      watch: this.#watch,
      http: {
        addresses: callbackAddresses(this.#config, link.callback_key),
        feed: new CallbackFeed(link.id, callbacks, log),
        session: callbacks,
      },
      log,
      onProgress: (campaigns) => this.#progress.note(campaigns),
      tests,
      ids: this.#accounts.idsOf(link),
      takeInbound: (pdu, bringer) => this.#inbound.take(pdu, source, bringer),
      onIdRule: (rule, receipts) => {
        keepIdRule(this.#pool, link.id, rule, receipts).catch((error) =>
          log.warn({ err: error }, 'could not save learned ID rule; it will be learned again'),
        );
      },
    });
    if (password === undefined) {
      sender.report.unreadable();
      this.#unreadable.add(link.name);
    }
    const end = async () => {
      this.#unreadable.delete(link.name);
      // The next holder treats submits that are not recorded by then as unanswered.
      await Promise.race([this.#writer.flushed(), sleep(FLUSH_MS, undefined, { ref: false })]);
      await Promise.all([reading.end(), intents.end(), callbacks.end(), tests?.end()]);
    };
    return { sender, end };
  }

  /** Opens the link's password; undefined if it cannot be opened. */
  #password(link: Link, log: Logger): string | undefined {
    if (link.password_sealed === '') return '';
    try {
      return open(secretKey(this.#config), link.password_sealed, passwordContext(link.id));
    } catch (error) {
      log.error({ err: error }, 'could not decrypt link password with this secret key; enter the password again');
      return undefined;
    }
  }

  /** Stops within 10 s: ends new claims, drains the windows, unbinds, records outcomes, returns the lanes. */
  async stop(): Promise<void> {
    await this.#links.stop();
    await this.#watch.stop();
    await this.#limits?.stop();
    await this.#failover.stop();
    await this.#sweeps.stop();
    await Promise.race([this.#writer.flushed(), sleep(FLUSH_MS, undefined, { ref: false })]);
    await this.#optOuts.stop();
    await this.#progress.stop();
    await this.#inbound.end();
    await this.#writer.end();
    await this.#fanOut?.stop();
    await this.#leases.end();
    await this.#linkPool.end();
    await this.#routingPool.end();
    await this.#pool.end();
  }
}
