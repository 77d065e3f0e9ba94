import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsServer } from '../platform/nats-server.ts';
import type { Fleet } from './fleet.ts';

const SENDERS = 4;
/** Longer than a lease: another has the lanes when the victim goes on. */
const BEYOND_LEASE_MS = 4_500;
const BREATH_MS = 500;

type Counters = Record<'processed' | 'submitted' | 'delivered' | 'failed', number>;

/** What happens to a fleet while it works, and what of it was done. */
export class Storm {
  readonly #fleet: Fleet;
  readonly #nats: NatsServer | undefined;
  /** Workers, and APIs as many. */
  readonly #others: number;
  /** Senders that are frozen or cut off at the moment, and when they go on. */
  readonly #away = new Map<number, Promise<void>>();
  /** Faults so far. */
  readonly done: string[] = [];

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

  #crew(): ('sender' | 'worker' | 'api')[] {
    return [
      ...Array.from({ length: SENDERS }, () => 'sender' as const),
      ...Array.from({ length: this.#others }, () => 'worker' as const),
      ...Array.from({ length: this.#others }, () => 'api' as const),
    ];
  }

  #isSkewed = (place: number): boolean => place === 0 || place === SENDERS;

  /** So many faults, one after another, with the promotions spread evenly among them. */
  async rage(faults: number, promotions: number): Promise<void> {
    const { random } = this.#fleet;
    const every = Math.max(1, Math.floor(faults / (promotions + 1)));
    let promoted = 0;
    // Each kind comes once before chance decides.
    const first = ['kill', 'freeze', 'cutOff', 'loseCarrier', 'roll', 'killWorker', 'loseNats'] as const;
    for (let fault = 0; fault < faults; fault++) {
      if (promoted < promotions && fault >= every * (promoted + 1)) {
        promoted++;
        await this.#say('promotion', () => this.#promote());
        continue;
      }
      const kind = first[fault] ?? random.pick(first);
      const place = random.pick([...Array(SENDERS).keys()].filter((each) => !this.#away.has(each)));
      await this.#say(kind, () => this[kind](place));
      await sleep(random.below(BREATH_MS));
      // At least two are always there; all others may be away.
      if (this.#away.size >= SENDERS - 2) await Promise.race(this.#away.values());
    }
    await Promise.all(this.#away.values());
  }

  /** A sender is away for longer than its lease, while other things happen. */
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

  /** A sender dies; another is started a moment later. */
  async kill(place: number): Promise<void> {
    await this.#fleet.sink(place, 'kill');
    await sleep(BREATH_MS);
    await this.#fleet.start(place, 'sender', this.#isSkewed(place));
  }

  /** A sender stands still for longer than its lease, and goes on. */
  async freeze(place: number): Promise<void> {
    const { victim } = this.#fleet.ships[place]!;
    victim.freeze();
    this.#leaveFor(place, () => victim.thaw());
  }

  /** A sender reaches the database no more, and then again. */
  async cutOff(place: number): Promise<void> {
    const { proxies } = this.#fleet.ships[place]!;
    for (const proxy of proxies) proxy.blackHole(true);
    this.#leaveFor(place, () => {
      for (const proxy of proxies) {
        proxy.blackHole(false);
        proxy.resetAll();
      }
    });
  }

  /** The sessions with a carrier break. */
  async loseCarrier(): Promise<void> {
    this.#fleet.random.pick(this.#fleet.carriers).proxy.resetAll();
  }

  /** A sender is stopped in order, as a new release does, and started again. */
  async roll(place: number): Promise<void> {
    await this.#fleet.sink(place, 'stop');
    await this.#fleet.start(place, 'sender', this.#isSkewed(place));
  }

  /** A worker or an API dies and is started again. */
  async killWorker(): Promise<void> {
    const place = SENDERS + this.#fleet.random.below(2 * this.#others);
    await this.#fleet.sink(place, 'kill');
    await this.#fleet.start(place, this.#crew()[place]!, this.#isSkewed(place));
  }

  /** The broker dies, and is there again a second later. */
  async loseNats(): Promise<void> {
    await this.#nats?.kill();
    await sleep(1_000);
    await this.#nats?.start();
  }

  /** The primary's machine dies, and the standby takes its place. */
  async #promote(): Promise<void> {
    const { cluster } = this.#fleet;
    await cluster.kill();
    await cluster.promote();
    await cluster.rejoinOldPrimaryAsStandby();
  }

  /** Whoever died by itself is started again. */
  async calm(): Promise<void> {
    for (const [place, kind] of this.#crew().entries()) {
      if (this.#fleet.ships[place]?.victim.alive) continue;
      await this.#fleet.sink(place, 'kill');
      await this.#fleet.start(place, kind, this.#isSkewed(place));
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

  /** Looks at the counters of all campaigns all the time; answers what ever became less. */
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
