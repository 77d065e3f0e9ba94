import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsServer } from '../platform/nats-server.ts';
import type { Fleet, Kind } from './fleet.ts';

const SENDERS = 4;
const SMPP_SERVERS = 2;
/** Longer than a lease: another sender holds the lanes when the victim continues. */
const BEYOND_LEASE_MS = 4_500;
const BREATH_MS = 500;

const KINDS = [
  'kill',
  'freeze',
  'strikeServer',
  'cutOff',
  'loseCarrier',
  'strikeServer',
  'cutFromDatabase',
  'killWorker',
  'roll',
  'loseNats',
] as const;
const STRIKES = ['kill', 'freeze', 'cutOff', 'roll'] as const;

type Counters = Record<'processed' | 'submitted' | 'delivered' | 'failed', number>;

/** Faults that strike a fleet while it works, and a record of them. */
export class Storm {
  readonly #fleet: Fleet;
  readonly #nats: NatsServer | undefined;
  /** Number of workers, and number of APIs. */
  readonly #others: number;
  /** Processes that are frozen or cut off now, by place, and when each continues. */
  readonly #away = new Map<number, Promise<void>>();
  /** Faults until now. */
  readonly done: string[] = [];
  #strikes = 0;

  constructor(fleet: Fleet, options: { nats: NatsServer | undefined; others: number }) {
    this.#fleet = fleet;
    this.#nats = options.nats;
    this.#others = options.others;
  }

  /** Starts all processes; the clock of one sender and of one worker is five minutes ahead. */
  async launch(): Promise<void> {
    const fleet = this.#fleet;
    await Promise.all(
      [...this.#crew().entries()].map(([place, kind]) => fleet.start(place, kind, this.#isSkewed(place))),
    );
  }

  #crew(): Kind[] {
    return [
      ...Array.from({ length: SENDERS }, () => 'sender' as const),
      ...Array.from({ length: SMPP_SERVERS }, () => 'smpp-server' as const),
      ...Array.from({ length: this.#others }, () => 'worker' as const),
      ...Array.from({ length: this.#others }, () => 'api' as const),
    ];
  }

  #isSkewed = (place: number): boolean => place === 0 || place === SENDERS + SMPP_SERVERS;

  /**
   * Runs `faults` faults one by one, with up to `breathMs` between them, and spreads the promotions evenly among them.
   */
  async rage(faults: number, promotions: number, breathMs = BREATH_MS): Promise<void> {
    const { random } = this.#fleet;
    const every = Math.max(1, Math.floor(faults / (promotions + 1)));
    let promoted = 0;
    // Each kind comes once before chance decides.
    const first = [...KINDS];
    for (let fault = 0; fault < faults; fault++) {
      if (promoted < promotions && fault >= every * (promoted + 1)) {
        promoted++;
        await this.#say('promotion', () => this.#promote());
        continue;
      }
      const kind = first.shift() ?? random.pick(KINDS);
      await this.#say(kind, () => this[kind](random.pick(this.#present(0, SENDERS))));
      await sleep(random.below(breathMs));
      // At least two senders are always present; all others may be away.
      while (this.#present(0, SENDERS).length <= 2) await Promise.race(this.#away.values());
    }
    await Promise.all(this.#away.values());
  }

  /** Lists the places from `from` on that are not away. */
  #present(from: number, count: number): number[] {
    return Array.from({ length: count }, (_, place) => from + place).filter((place) => !this.#away.has(place));
  }

  /** Keeps a process away for longer than its lease, while other things happen. */
  #leaveFor(place: number, goOn: () => void): void {
    const back = sleep(BEYOND_LEASE_MS).then(() => {
      goOn();
      this.#away.delete(place);
    });
    this.#away.set(place, back);
  }

  async #say(what: string, work: () => Promise<void>): Promise<void> {
    this.done.push(what);
    const begun = performance.now();
    await work();
    if (process.env.FAULT_TRACE)
      process.stderr.write(`${(begun / 1_000).toFixed(1)} ${what} ${Math.round(performance.now() - begun)} ms\n`);
  }

  /** Kills a sender, and starts another a moment later. */
  async kill(place: number): Promise<void> {
    await this.#fleet.sink(place, 'kill');
    await sleep(BREATH_MS);
    await this.#startAgain(place);
  }

  async #startAgain(place: number): Promise<void> {
    await this.#fleet.start(place, this.#crew()[place]!, this.#isSkewed(place));
  }

  /** Freezes a sender for longer than its lease, then lets it continue. */
  async freeze(place: number): Promise<void> {
    const { victim } = this.#fleet.ships[place]!;
    victim.freeze();
    this.#leaveFor(place, () => victim.thaw());
  }

  /** Cuts a sender's host off from everything, then connects it again. */
  async cutOff(place: number, from: 'all' | 'database' = 'all'): Promise<void> {
    const { network } = this.#fleet;
    network.cutOff(place, from);
    this.#leaveFor(place, () => network.heal(place, from));
  }

  /** Cuts a sender off from the database, but not from its carriers. */
  cutFromDatabase(place: number): Promise<void> {
    return this.cutOff(place, 'database');
  }

  /** Breaks the sessions with a carrier. */
  async loseCarrier(): Promise<void> {
    this.#fleet.random.pick(this.#fleet.carriers).proxy.resetAll();
  }

  /** Stops a sender in order, as a new release does, and starts it again. */
  async roll(place: number): Promise<void> {
    await this.#fleet.sink(place, 'stop');
    await this.#startAgain(place);
  }

  /** Strikes an SMPP server in one of the ways that senders are struck, in turn. */
  async strikeServer(): Promise<void> {
    while (this.#present(SENDERS, SMPP_SERVERS).length === 0) await Promise.race(this.#away.values());
    const how = STRIKES[this.#strikes++ % STRIKES.length]!;
    this.done.push(`${this.done.pop()}: ${how}`);
    await this[how](this.#fleet.random.pick(this.#present(SENDERS, SMPP_SERVERS)));
  }

  /** Kills a worker or an API and starts it again. */
  async killWorker(): Promise<void> {
    const place = SENDERS + SMPP_SERVERS + this.#fleet.random.below(2 * this.#others);
    await this.#fleet.sink(place, 'kill');
    await this.#startAgain(place);
  }

  /** Kills the broker, and starts it again a second later. */
  async loseNats(): Promise<void> {
    await this.#nats?.kill();
    await sleep(1_000);
    await this.#nats?.start();
  }

  /** Kills the primary's machine, and promotes the standby. */
  async #promote(): Promise<void> {
    const { cluster } = this.#fleet;
    await cluster.kill();
    await cluster.promote();
    await cluster.rejoinOldPrimaryAsStandby();
  }

  /** Starts every process again that died by itself. */
  async calm(): Promise<void> {
    for (const place of this.#crew().keys()) {
      if (this.#fleet.ships[place]?.victim.alive) continue;
      await this.#fleet.sink(place, 'kill');
      await this.#startAgain(place);
    }
  }

  #tracedAt = 0;

  async #trace(): Promise<void> {
    if (performance.now() - this.#tracedAt < 2_000) return;
    this.#tracedAt = performance.now();
    const { rows } = await this.#fleet.stage.owner.query(
      `SELECT l.link_id, l.holder, s.state, (SELECT sum(size - cursor) FROM chunk k WHERE k.link_id = l.link_id AND k.state = 'open') AS waiting,
         (SELECT count(*) FROM retry r WHERE r.link_id = l.link_id) AS again
       FROM lane l LEFT JOIN link_state s USING (link_id) WHERE l.class = 'bulk' ORDER BY 1`,
    );
    const said = rows.map(
      (row) => `${row.link_id}:${row.holder?.split(':')[1] ?? '-'} ${row.state} ${row.waiting}+${row.again}`,
    );
    process.stderr.write(`${(performance.now() / 1_000).toFixed(1)} ${said.join(' | ')}\n`);
  }

  /** Watches the counters of all campaigns continuously; its `stop` returns every decrease. */
  watchProgress(): { stop(): Promise<string[]> } {
    const seen = new Map<number, Counters>();
    const backwards: string[] = [];
    let stopped = false;
    const look = async () => {
      const { rows } = await this.#fleet.stage.owner.query<Counters & { campaign_id: number }>(
        'SELECT campaign_id, processed, submitted, delivered, failed FROM campaign_counter',
      );
      for (const { campaign_id, ...now } of rows) {
        const before = seen.get(campaign_id);
        for (const field of ['processed', 'submitted', 'delivered', 'failed'] as const)
          if (before && now[field] < before[field])
            backwards.push(`campaign ${campaign_id}: ${field} from ${before[field]} to ${now[field]}`);
        seen.set(campaign_id, now);
      }
    };
    const running = (async () => {
      while (!stopped) {
        await look().catch(() => undefined);
        if (process.env.FAULT_TRACE) await this.#trace();
        await sleep(200);
      }
    })();
    return {
      async stop() {
        stopped = true;
        await running;
        return backwards;
      },
    };
  }
}
