import { FairQueue } from '#platform/structures/fair-queue';
import type { DeliveryKind, Due } from './kind.ts';

/** Result of a call, as far as it changes the pace of its lane. */
export interface Pace {
  ms: number;
  /** True if the receiver answered with success. */
  good: boolean;
}

interface Waiting {
  due: Due;
  /** Value of performance.now() after which another worker may take it. */
  until: number;
}

/** Calls to one receiver. */
interface Lane {
  kind: DeliveryKind;
  running: number;
  /** Maximum calls at the same time. */
  limit: number;
  /** Calls done in this second and in the last one. */
  done: number;
  before: number;
}

const MOST_AT_ONCE = 64;
const QUICK_MS = 1_000;
const SLOW_MS = 5_000;
/** Maximum calls of all lanes at the same time. */
const MOST_OF_ALL = 1_000;
/** A lane has at most this share of the free places, so that slow receivers leave room for the others. */
const SHARE = 1 / 8;
/** Seconds of calls that a lane takes in advance. */
const AHEAD_SECONDS = 3;
/** Deliveries that a target may have in hand before its pace is known. */
export const FIRST_ROOM = 512;

/**
 * Calls many receivers so that a slow one does not delay the others. A receiver that answers quickly gets more calls at
 * the same time. If all lanes together have too many calls, they take turns.
 */
export class Lanes {
  readonly #call: (kind: DeliveryKind, due: Due) => Promise<Pace>;
  readonly #heldMs: number;
  readonly #most: number;
  readonly #lanes = new Map<string, Lane>();
  /** Calls that have not begun. A lane that may begin no more calls rests. */
  readonly #waiting = new FairQueue<Lane, Waiting>();
  /** Deliveries in hand, by kind and target. */
  readonly #inHand = new Map<DeliveryKind, Map<number, number>>();
  #running = 0;
  #idle: (() => void)[] = [];
  #stopped = false;

  /** Each added call begins within `heldMs`, or is left to other workers. `call` never rejects. */
  constructor(call: (kind: DeliveryKind, due: Due) => Promise<Pace>, heldMs: number, most = MOST_OF_ALL) {
    this.#call = call;
    this.#heldMs = heldMs;
    this.#most = most;
  }

  #lane(key: string, kind: DeliveryKind): Lane {
    const present = this.#lanes.get(key);
    if (present) return present;
    const made: Lane = { kind, running: 0, limit: kind.calls.first, done: 0, before: 0 };
    this.#lanes.set(key, made);
    return made;
  }

  #targets(kind: DeliveryKind): Map<number, number> {
    const present = this.#inHand.get(kind);
    if (present) return present;
    const made = new Map<number, number>();
    this.#inHand.set(kind, made);
    return made;
  }

  /** Returns how many more deliveries to a target should be taken now. */
  room(kind: DeliveryKind, target: number): number {
    const lane = this.#lanes.get(`${kind.name} ${target}`);
    const ahead = lane ? Math.max(FIRST_ROOM, AHEAD_SECONDS * Math.max(lane.done, lane.before)) : FIRST_ROOM;
    return Math.max(0, ahead - (this.#targets(kind).get(target) ?? 0));
  }

  /** Returns the room of each target of a kind that has calls. */
  rooms(kind: DeliveryKind): Map<number, number> {
    return new Map([...this.#targets(kind).keys()].map((id) => [id, this.room(kind, id)]));
  }

  /** Number of calls that wait or are under way. */
  get size(): number {
    let size = 0;
    for (const targets of this.#inHand.values()) for (const count of targets.values()) size += count;
    return size;
  }

  add(kind: DeliveryKind, dues: readonly Due[]): void {
    const until = performance.now() + this.#heldMs;
    const targets = this.#targets(kind);
    for (const due of dues) {
      const { target, url } = due;
      // The addresses that messages name count as one receiver for each host.
      const host = url === null ? '' : ` ${URL.canParse(url) ? new URL(url).host : ''}`;
      const lane = this.#lane(`${kind.name} ${target}${host}`, kind);
      this.#waiting.wake(lane);
      this.#waiting.push(lane, { due, until });
      targets.set(target, (targets.get(target) ?? 0) + 1);
    }
    this.#run();
  }

  #mayBegin(lane: Lane): boolean {
    return lane.running < Math.min(lane.limit, Math.max(1, (this.#most - this.#running) * SHARE));
  }

  #run(): void {
    while (this.#running < this.#most && !this.#stopped) {
      const lane = this.#waiting.turn;
      if (!lane) return;
      if (!this.#mayBegin(lane)) {
        this.#waiting.rest(lane);
        continue;
      }
      const { due, until } = this.#waiting.next()!;
      if (until < performance.now()) {
        this.#leave(lane, due);
        continue;
      }
      lane.running++;
      this.#running++;
      void this.#call(lane.kind, due).then((pace) => this.#ended(lane, due, pace));
    }
  }

  #ended(lane: Lane, due: Due, { ms, good }: Pace): void {
    lane.running--;
    this.#running--;
    lane.done++;
    this.#leave(lane, due);
    if (ms > SLOW_MS) lane.limit = Math.max(lane.kind.calls.least, lane.limit >> 1);
    else if (good && ms < QUICK_MS) lane.limit = Math.min(MOST_AT_ONCE, lane.limit + 1);
    this.#waiting.wake(lane);
    this.#run();
    if (this.#running === 0) for (const done of this.#idle.splice(0)) done();
  }

  #leave({ kind }: Lane, { target }: Due): void {
    const targets = this.#targets(kind);
    const left = targets.get(target)! - 1;
    if (left === 0) targets.delete(target);
    else targets.set(target, left);
  }

  /** Must be called once a second. The calls of the last second decide how many a lane takes in advance. */
  tick(): void {
    for (const [key, lane] of this.#lanes) {
      // A lane that had its share may have more of the places that others gave back.
      this.#waiting.wake(lane);
      if (lane.running === 0 && this.#waiting.sizeOf(lane) === 0 && lane.done === 0 && lane.before === 0) {
        this.#lanes.delete(key);
        continue;
      }
      lane.before = lane.done;
      lane.done = 0;
    }
    this.#run();
  }

  /** Begins no more calls, and waits for those that are under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Returns the deliveries of a kind that were added but not begun, and that no other worker may take yet. */
  unbegun(kind: DeliveryKind): Due[] {
    const now = performance.now();
    return [...this.#lanes.values()]
      .filter((lane) => lane.kind === kind)
      .flatMap((lane) => this.#waiting.itemsOf(lane))
      .flatMap(({ due, until }) => (until < now ? [] : [due]));
  }
}
