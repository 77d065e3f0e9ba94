import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectedConfig } from '#platform/config';
import { secretKey } from '#platform/data-folder';
import { connectionSettings, createPool } from '#platform/db';
import { listen } from '#platform/listen';
import type { Logger } from '#platform/log';
import { open } from '#platform/seal';
import { WAKE_CHANNEL } from './enqueue.ts';
import type { CampaignCounters } from './outcomes/apply-deltas.ts';
import { Journal } from './outcomes/journal.ts';
import { PostgresSession } from './postgres-session.ts';
import { Progress } from './progress.ts';
import type { OnInbound } from './sending/inbound.ts';
import { holdLanes, LEASE_MS, releaseLanes } from './sending/lanes.ts';
import { enabledLinks, type Link, passwordContext } from './sending/link.ts';
import { LinkSender } from './sending/link-sender.ts';
import { Sweeps } from './sweeps/sweeps.ts';

const WRITERS = 2;
const CONTROL_SESSIONS = 2;
const LANES_EVERY_MS = 2_000;
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
  readonly #held = new Map<number, Held>();
  #ears: { stop(): Promise<void> } | undefined;
  #stopped = false;
  #laneWork: Promise<void> = Promise.resolve();
  #laneTimer: NodeJS.Timeout | undefined;

  constructor(config: ConnectedConfig, log: Logger) {
    this.#config = config;
    this.#log = log;
    this.#settings = connectionSettings(config, 'sender');
    this.#pool = createPool(config, 'sender', { max: CONTROL_SESSIONS });
    this.#progress = new Progress(this.#pool, log);
    const writers = Array.from({ length: WRITERS }, (_, i) => new PostgresSession(this.#settings, `writer ${i + 1}`));
    const onCounters = (counters: readonly CampaignCounters[]) => this.#progress.note(counters);
    this.#journal = new Journal(writers, log, onCounters);
    this.#sweeps = new Sweeps(
      this.#pool,
      new PostgresSession(this.#settings, 'sweeps'),
      this.#journal,
      log,
      onCounters,
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
    this.#sweeps.start();
    this.#keepLanes();
    await this.#laneWork;
  }

  #wake(): void {
    for (const { sender } of this.#held.values()) sender.wake();
  }

  #keepLanes(): void {
    if (this.#stopped) return;
    this.#laneWork = this.#renewLanes().catch((error) => this.#log.warn({ err: error }, 'lanes could not be renewed'));
    this.#laneTimer = setTimeout(() => void this.#laneWork.then(() => this.#keepLanes()), LANES_EVERY_MS);
  }

  async #renewLanes(): Promise<void> {
    try {
      const links = await enabledLinks(this.#pool);
      for (const id of this.#held.keys()) if (!links.some((link) => link.id === id)) await this.#letGo(id);
      for (const link of links) if (!this.#stopped) await this.#renew(link);
    } finally {
      for (const [id, { until }] of this.#held) if (performance.now() > until) await this.#letGo(id);
    }
  }

  async #renew(link: Link): Promise<void> {
    const until = performance.now() + LEASE_MS - LEASE_MARGIN_MS;
    const settings = JSON.stringify(link);
    if (this.#held.has(link.id) && this.#held.get(link.id)?.settings !== settings) await this.#letGo(link.id);
    const fences = await holdLanes(this.#pool, link.id, this.#holder);
    let held = this.#held.get(link.id);
    if (!fences) {
      if (held) await this.#letGo(link.id);
      return;
    }
    const isNew = !held;
    held ??= this.#begin(link, settings, until);
    held.until = until;
    held.sender.lease(fences, until);
    if (isNew) held.sender.start();
  }

  #begin(link: Link, settings: string, until: number): Held {
    const reading = new PostgresSession(this.#settings, `reading ${link.id}`);
    const intents = new PostgresSession(this.#settings, `intents ${link.id}`);
    const log = this.#log.child({ link: link.name });
    const onInbound: OnInbound = async ({ pdu }) => {
      log.info({ command: pdu.command }, 'a message from a phone was taken; nothing is routed for it');
    };
    const sender = new LinkSender({
      link,
      password: this.#password(link, log),
      holder: this.#holder,
      reading,
      intents,
      journal: this.#journal,
      log,
      onCounters: (counters) => this.#progress.note(counters),
      onInbound,
    });
    const held = { sender, reading, intents, settings, until };
    this.#held.set(link.id, held);
    return held;
  }

  #password(link: Link, log: Logger): string {
    if (link.password_sealed === '') return '';
    try {
      return open(secretKey(this.#config), link.password_sealed, passwordContext(link.id));
    } catch (error) {
      log.error({ err: error }, "the link's password cannot be opened with this server's key: enter it again");
      return '';
    }
  }

  /** Stops a link's sender and gives its lanes back. */
  async #letGo(linkId: number): Promise<void> {
    const held = this.#held.get(linkId);
    if (!held) return;
    this.#held.delete(linkId);
    await held.sender.stop();
    await Promise.all([held.reading.end(), held.intents.end()]);
    await releaseLanes(this.#pool, linkId, this.#holder);
  }

  /** No new claims, then the windows drain, sessions unbind, outcomes are recorded, lanes are given back: 10 s at most. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#laneTimer);
    await this.#laneWork;
    await this.#ears?.stop();
    await this.#sweeps.stop();
    const links = [...this.#held.keys()];
    await Promise.all([...this.#held.values()].map(({ sender }) => sender.stop()));
    await Promise.race([this.#journal.flushed(), sleep(FLUSH_MS, undefined, { ref: false })]);
    await Promise.allSettled(links.map((id) => this.#letGo(id)));
    await this.#progress.stop();
    await this.#journal.end();
    await this.#pool.end();
  }
}
