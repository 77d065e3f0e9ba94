import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CarrierLog,
  type CarrierSegment,
  type ChaosProxy,
  type Random,
  readCarrierLog,
  startChaosProxy,
  startVictim,
  type Victim,
} from '@heliograph/fault-kit';
import type pg from 'pg';
import { createDatabase, createPool, type DatabaseRole } from '#platform/db';
import { isTransient } from '#platform/transient-error';
import { prepareDatabase } from '../../src/processes/prepare-database.ts';
import { Stage } from '../delivery/stage.ts';
import { Truth } from '../faults/truth.ts';
import { Cluster } from '../operate/cluster.ts';
import { ownPort } from '../own-port.ts';
import type { NatsServer } from '../platform/nats-server.ts';
import { type Scope, testClusterHome } from '../template-database.ts';

const PROCESSES = join(import.meta.dirname, '../../src/processes');
const SIMULATOR = join(import.meta.dirname, '../../../../packages/carrier-simulator/src/main.ts');
const SKEW = join(import.meta.dirname, 'skewed-clock.ts');

/** What may take so long takes for ever, on any machine. */
const PATIENCE_MS = 180_000;
const JSON_TYPE = { 'content-type': 'application/json' };

type Kind = 'sender' | 'worker' | 'api';

/** A process of the fleet with its own way to the database, which can be cut. */
export interface Ship {
  kind: Kind;
  victim: Victim;
  proxies: readonly ChaosProxy[];
}

interface Carrier {
  linkId: number;
  routeId: number;
  proxy: ChaosProxy;
  log: CarrierLog;
}

/**
 * Several processes of each kind over a primary with a synchronous standby, each reaching it by proxies of its own, and
 * several carriers behind proxies. What the carriers' files say is the truth.
 */
export class Fleet {
  readonly random: Random;
  readonly rate: number;
  readonly ships: (Ship | undefined)[] = [];
  readonly carriers: Carrier[] = [];
  stage!: Stage;
  truth!: Truth;
  cluster!: Cluster;
  readonly #folder = mkdtempSync(join(testClusterHome(), 'heliograph-fleet-'));
  readonly #nats: NatsServer | undefined;
  readonly #pools = new Map<DatabaseRole, pg.Pool>();
  readonly #ends: (() => Promise<unknown>)[] = [];
  #numbers = 0;

  private constructor(random: Random, rate: number, nats: NatsServer | undefined) {
    this.random = random;
    this.rate = rate;
    this.#nats = nats;
  }

  /** A database, carriers and their links, each with this rate; no process of the platform runs yet. */
  static async open(
    t: Scope,
    options: { random: Random; carriers: number; rate: number; nats?: NatsServer | undefined },
  ): Promise<Fleet> {
    const fleet = new Fleet(options.random, options.rate, options.nats);
    t.after(() => fleet.#close());
    fleet.cluster = await Cluster.start(t, prepareDatabase);
    const pool = (role: DatabaseRole) => fleet.#pool(role);
    fleet.stage = new Stage({ url: fleet.cluster.url, pool, db: (role) => createDatabase(pool(role)) }, []);
    await fleet.stage.build(false);
    await Promise.all(Array.from({ length: options.carriers }, (_, place) => fleet.#startCarrier(place)));
    fleet.truth = new Truth(pool('owner'), joined(fleet.carriers));
    return fleet;
  }

  #pool(role: DatabaseRole): pg.Pool {
    const present = this.#pools.get(role) ?? createPool({ DATABASE_URL: this.cluster.url }, role, { max: 4 });
    this.#pools.set(role, present);
    return present;
  }

  async #startCarrier(place: number): Promise<void> {
    const path = join(this.#folder, `carrier-${place}.ndjson`);
    const victim = await startVictim(SIMULATOR, {
      environment: {
        SIMULATOR_SMPP_PORT: String(await ownPort()),
        SIMULATOR_HTTP_PORT: '0',
        SIMULATOR_LOG_FILE: path,
        SIMULATOR_SEED: String(place + 1),
      },
    });
    this.#ends.push(() => victim.kill());
    const { smppPort, httpPort } = victim.ready as { smppPort: number; httpPort: number };
    await fetch(`http://127.0.0.1:${httpPort}/api/settings`, {
      method: 'PATCH',
      headers: JSON_TYPE,
      body: JSON.stringify({ receipt_delay_ms: 30, receipt_jitter_ms: 200 }),
    });
    const proxy = await startChaosProxy({ to: { port: smppPort }, seed: place + 1 });
    this.#ends.push(() => proxy.stop());
    const linkId = await this.stage.addLink({
      name: `Carrier ${place}`,
      port: proxy.port,
      rate: this.rate,
      binds: 2,
      window_size: 100,
      response_seconds: 5,
    });
    // Of a route with one link nothing is given to other links: its messages wait for its next sender.
    const { id: routeId } = await this.stage.one<{ id: number }>(
      `WITH route AS (INSERT INTO carrier_route (name, prefix) VALUES ($1, $2) RETURNING id), first AS (
         INSERT INTO carrier_route_link (carrier_route_id, link_id, position, weight) SELECT id, $3, 1, 1 FROM route)
       SELECT id FROM route`,
      [`Route ${place}`, `99${place}`, linkId],
    );
    this.carriers[place] = { linkId, routeId, proxy, log: readCarrierLog(path) };
  }

  /** Starts a process; `skewed`: the clock of its host is five minutes ahead. */
  async start(place: number, kind: Kind, skewed = false): Promise<Ship> {
    const proxies = await Promise.all(
      [this.cluster.primary, this.cluster.standby].map(({ port }) =>
        startChaosProxy({ to: { port }, seed: place + 1 }),
      ),
    );
    const url = new URL(this.cluster.urlOf(this.cluster.primary));
    const hosts = proxies.map(({ port }) => `127.0.0.1:${port}`).join();
    const victim = await startVictim(join(PROCESSES, `${kind}.ts`), {
      nodeOptions: skewed ? ['--import', SKEW] : [],
      environment: {
        NODE_ENV: 'test',
        NODE_COMPILE_CACHE: join(this.#folder, 'compiled'),
        DATABASE_URL: `postgres://${url.username}:${url.password}@${hosts}${url.pathname}?target_session_attrs=read-write`,
        DATA_DIR: join(this.#folder, 'data'),
        LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
        PORT: '0',
        OPERATIONS_PORT: '0',
        ...(this.#nats && { NATS_URL: this.#nats.url }),
      },
    });
    const ship = { kind, victim, proxies };
    this.ships[place] = ship;
    return ship;
  }

  /** Ends a process in one way or another, and its way to the database with it. */
  async sink(place: number, how: 'kill' | 'stop'): Promise<void> {
    const ship = this.ships[place];
    if (!ship) return;
    this.ships[place] = undefined;
    ship.victim.thaw();
    await ship.victim[how]();
    await Promise.all(ship.proxies.map((proxy) => proxy.stop()));
  }

  /** Queues a campaign on each link, past the console. */
  async queue(count: number): Promise<void> {
    for (const { linkId, routeId } of this.carriers) {
      const messages = Array.from({ length: count }, () => ({ msisdn: this.#number() }));
      await this.patiently(() =>
        this.stage.campaign(messages, { shared: { link_id: linkId, carrier_route_id: routeId } }),
      );
    }
  }

  /** A few are refused or not delivered. */
  #number(): string {
    const next = String(this.#numbers++).padStart(7, '0');
    return this.random.chance(0.02) ? `63${next}${this.random.pick(['9904', '9903'])}` : `6391${next}1`;
  }

  /** Does what may fail while the database is away. */
  async patiently<T>(work: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isTransient(error) || performance.now() > deadline) throw error;
        await sleep(50);
      }
    }
  }

  /** Looks again and again, also while the database is away. */
  async until(what: string, look: () => Promise<boolean>, within = PATIENCE_MS): Promise<void> {
    const deadline = performance.now() + within;
    while (!(await this.patiently(look))) {
      if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
      await sleep(50);
    }
  }

  /** Messages that wait to be handed over or to be tried again. */
  async waiting(): Promise<number> {
    const { count } = await this.patiently(() =>
      this.stage.one<{ count: number }>(
        `SELECT (SELECT coalesce(sum(size - cursor), 0)::bigint FROM chunk WHERE state = 'open')
           + (SELECT count(*) FROM retry) AS count`,
      ),
    );
    return count;
  }

  /** Who holds the lanes of each link, by the name of its process; null for nobody. */
  async holders(): Promise<ReadonlyMap<number, string | null>> {
    const { rows } = await this.patiently(() =>
      this.stage.owner.query<{ link_id: number; holder: string | null }>(
        `SELECT k.id AS link_id, l.holder FROM link k LEFT JOIN lane l
           ON l.link_id = k.id AND l.class = 'bulk' AND l.expires_at > now()`,
      ),
    );
    return new Map(rows.map(({ link_id, holder }) => [link_id, holder]));
  }

  /** The most segments that a carrier took within so many seconds, as a share of what its rate allows. */
  busiest(seconds: number): number {
    const most = this.rate * seconds;
    let busiest = 0;
    for (const { log } of this.carriers) {
      const times = log.accepted.map(({ received_at }) => Date.parse(received_at)).sort((a, b) => a - b);
      let from = 0;
      for (let to = 0; to < times.length; to++) {
        while (times[to]! - times[from]! >= seconds * 1_000) from++;
        busiest = Math.max(busiest, (to - from + 1) / most);
      }
    }
    return busiest;
  }

  async #close(): Promise<void> {
    for (const place of this.ships.keys()) await this.sink(place, 'kill');
    for (const end of this.#ends) await end();
    for (const pool of this.#pools.values()) await pool.end().catch(() => undefined);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The files of several carriers as one. */
function joined(carriers: readonly Carrier[]): CarrierLog {
  const accepted: CarrierSegment[] = [];
  const acknowledged = new Set<string>();
  const places = carriers.map(() => 0);
  return {
    accepted,
    acknowledged,
    read() {
      const fresh: CarrierSegment[] = [];
      for (const [place, { log }] of carriers.entries()) {
        log.read();
        // One by one: a million arguments are too many for a call.
        for (const segment of log.accepted.slice(places[place])) fresh.push(segment);
        places[place] = log.accepted.length;
        for (const id of log.acknowledged) acknowledged.add(id);
      }
      for (const segment of fresh) accepted.push(segment);
      return fresh;
    },
  };
}
