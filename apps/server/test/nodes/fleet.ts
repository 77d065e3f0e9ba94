import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CarrierLog,
  type CarrierSegment,
  type ChaosProxy,
  type Random,
  readCarrierLog,
  startVictim,
  type Victim,
} from '@heliograph/fault-kit';
import { prepareDatabase } from '../../src/processes/prepare-database.ts';
import { Stage } from '../delivery/stage.ts';
import { Truth } from '../faults/truth.ts';
import { Cluster } from '../operate/cluster.ts';
import { ownPort } from '../own-port.ts';
import { patiently } from '../patience.ts';
import type { NatsServer } from '../platform/nats-server.ts';
import { openDatabase, type Scope, testClusterHome } from '../template-database.ts';
import { addressOf, Network } from './network.ts';
import { type Busiest, busiestOf } from './rates.ts';

const PROCESSES = join(import.meta.dirname, '../../src/processes');
const SIMULATOR = join(import.meta.dirname, '../../../../packages/carrier-simulator/src/main.ts');
const HOST = join(import.meta.dirname, 'host.ts');
const SKEW = join(import.meta.dirname, 'skewed-clock.ts');

/** Time limit of any wait; a step that takes longer never ends, even on a slow machine. */
const JSON_TYPE = { 'content-type': 'application/json' };

export type Kind = 'sender' | 'worker' | 'api' | 'smpp-server';

/** A process of the fleet, the only one on its host. */
export interface Ship {
  kind: Kind;
  victim: Victim;
}

export interface Carrier {
  linkId: number;
  routeId: number;
  proxy: ChaosProxy;
  log: CarrierLog;
}

/**
 * Several processes of each kind, each on its own host (network.ts), over a primary with a synchronous standby and
 * several carriers. The carriers' files are the truth.
 */
export class Fleet {
  readonly random: Random;
  readonly rate: number;
  readonly ships: (Ship | undefined)[] = [];
  readonly carriers: Carrier[] = [];
  readonly network = new Network();
  /** Ports where programs of customers bind, by the place of the SMPP server. They stay the same at every restart. */
  readonly fronts = new Map<number, { port: number; behind: number }>();
  stage!: Stage;
  truth!: Truth;
  cluster!: Cluster;
  readonly #folder = mkdtempSync(join(testClusterHome(), 'heliograph-fleet-'));
  readonly #nats: NatsServer | undefined;
  #database!: ReturnType<typeof openDatabase>;
  readonly #ends: (() => Promise<unknown>)[] = [];
  readonly #submits: string;
  #natsUrl = '';
  #numbers = 0;

  private constructor(random: Random, rate: number, nats: NatsServer | undefined) {
    this.random = random;
    this.rate = rate;
    this.#nats = nats;
    this.#submits = join(this.#folder, 'submits');
  }

  /** Prepares a database, carriers and their links, each with this rate. No process of the platform runs yet. */
  static async open(
    t: Scope,
    options: { random: Random; carriers: number; rate: number; nats?: NatsServer | undefined },
  ): Promise<Fleet> {
    const fleet = new Fleet(options.random, options.rate, options.nats);
    t.after(() => fleet.#close());
    fleet.cluster = await Cluster.start(t, prepareDatabase);
    fleet.#database = openDatabase(fleet.cluster.url);
    fleet.stage = new Stage(fleet.#database, []);
    await fleet.stage.build(false);
    for (const { port } of [fleet.cluster.primary, fleet.cluster.standby]) await fleet.network.way(port, 'database');
    if (options.nats) fleet.#natsUrl = `nats://127.0.0.1:${(await fleet.network.way(options.nats.port)).port}`;
    await Promise.all(Array.from({ length: options.carriers }, (_, place) => fleet.#startCarrier(place)));
    fleet.truth = new Truth(fleet.#database.pool('owner'), joined(fleet.carriers));
    return fleet;
  }

  async #startCarrier(place: number): Promise<void> {
    const path = join(this.#folder, `carrier-${place}.ndjson`);
    const victim = await startVictim(SIMULATOR, {
      environment: {
        SIMULATOR_SMPP_PORT: String(await ownPort()),
        SIMULATOR_HTTP_PORT: '0',
        PAYMENT_SIMULATOR_PORT: '0',
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
    const proxy = await this.network.way(smppPort);
    const linkId = await this.stage.addLink({
      name: `Carrier ${place}`,
      port: proxy.port,
      rate: this.rate,
      binds: 2,
      window_size: 100,
      response_seconds: 5,
    });
    // A route with one link passes nothing to other links: its messages wait for the link's next sender.
    const { id: routeId } = await this.stage.one<{ id: number }>(
      `WITH route AS (INSERT INTO carrier_route (name, prefix) VALUES ($1, $2) RETURNING id), first AS (
         INSERT INTO carrier_route_link (carrier_route_id, link_id, position, weight) SELECT id, $3, 1, 1 FROM route)
       SELECT id FROM route`,
      [`Route ${place}`, programPrefix(place), linkId],
    );
    this.carriers[place] = { linkId, routeId, proxy, log: readCarrierLog(path) };
  }

  /** Starts a process. If `skewed`, the clock of its host is five minutes ahead. */
  async start(place: number, kind: Kind, skewed = false): Promise<Ship> {
    const url = new URL(this.cluster.urlOf(this.cluster.primary));
    const hosts = this.network.databases.map((port) => `127.0.0.1:${port}`).join();
    const address = addressOf(place);
    const victim = await startVictim(join(PROCESSES, `${kind}.ts`), {
      nodeOptions: ['--import', HOST, ...(skewed ? ['--import', SKEW] : [])],
      environment: {
        NODE_ENV: 'test',
        DATABASE_URL: `postgres://${url.username}:${url.password}@${hosts}${url.pathname}?target_session_attrs=read-write`,
        DATA_DIR: join(this.#folder, 'data'),
        LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
        HOST: address,
        PORT: '0',
        OPERATIONS_HOST: address,
        OPERATIONS_PORT: '0',
        SMPP_SERVER_PORT: kind === 'smpp-server' ? String((await this.#front(place)).behind) : '0',
        FLEET_ADDRESS: address,
        FLEET_CARRIERS: this.carriers.map(({ proxy }) => proxy.port).join(),
        FLEET_SUBMITS: this.#submits,
        ...(this.#nats && { NATS_URL: this.#natsUrl }),
      },
    });
    const ship = { kind, victim };
    this.ships[place] = ship;
    return ship;
  }

  /** Returns the public port of an SMPP server and the port on its host. Opens both at the first call. */
  async #front(place: number): Promise<{ port: number; behind: number }> {
    const present = this.fronts.get(place);
    if (present) return present;
    const behind = await ownPort();
    const { port } = await this.network.front(place, behind);
    const front = { port, behind };
    this.fronts.set(place, front);
    return front;
  }

  /** Ends a process by a kill or an orderly stop. */
  async sink(place: number, how: 'kill' | 'stop'): Promise<void> {
    const ship = this.ships[place];
    if (!ship) return;
    this.ships[place] = undefined;
    ship.victim.thaw();
    await ship.victim[how]();
  }

  /** Queues a campaign on each link, without the console. */
  async queue(count: number): Promise<void> {
    for (const { linkId, routeId } of this.carriers) {
      const messages = Array.from({ length: count }, () => ({ msisdn: this.#number() }));
      await patiently(() => this.stage.campaign(messages, { shared: { link_id: linkId, carrier_route_id: routeId } }));
    }
  }

  /** Returns a new number. A few numbers are refused or not delivered. */
  #number(): string {
    const next = String(this.#numbers++).padStart(7, '0');
    return this.random.chance(0.02) ? `63${next}${this.random.pick(['9904', '9903'])}` : `6391${next}1`;
  }

  /** Counts messages that wait to be handed over or to be tried again. */
  async waiting(): Promise<number> {
    const { count } = await patiently(() =>
      this.stage.one<{ count: number }>(
        `SELECT (SELECT coalesce(sum(size - cursor), 0)::bigint FROM chunk WHERE state = 'open')
           + (SELECT count(*) FROM retry) AS count`,
      ),
    );
    return count;
  }

  /** Returns the process that holds the lanes of each link, by name; null if no process does. */
  async holders(): Promise<ReadonlyMap<number, string | null>> {
    const { rows } = await patiently(() =>
      this.stage.owner.query<{ link_id: number; holder: string | null }>(
        `SELECT k.id AS link_id, l.holder FROM link k LEFT JOIN lane l
           ON l.link_id = k.id AND l.class = 'bulk' AND l.expires_at > now()`,
      ),
    );
    return new Map(rows.map(({ link_id, holder }) => [link_id, holder]));
  }

  /** Returns the highest share of its rate that any carrier received. */
  busiest(): Busiest {
    return busiestOf(this.carriers, this.#submits, this.rate);
  }

  async #close(): Promise<void> {
    for (const place of this.ships.keys()) await this.sink(place, 'kill');
    for (const end of this.#ends) await end();
    await this.network.stop();
    await this.#database?.end().catch(() => undefined);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Returns the first digits of the numbers in programs' messages to a carrier. */
export const programPrefix = (carrier: number): string => `6392${carrier}`;

/** Joins the files of several carriers into one log. */
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
        // Numbers are added one by one, because a call cannot take a million arguments.
        for (const segment of log.accepted.slice(places[place])) fresh.push(segment);
        places[place] = log.accepted.length;
        for (const id of log.acknowledged) acknowledged.add(id);
      }
      for (const segment of fresh) accepted.push(segment);
      return fresh;
    },
  };
}
