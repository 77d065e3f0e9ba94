/** A callback that is to be sent now. */
export interface Due {
  id: number;
  callback_endpoint_id: number;
  event_id: number;
  /** Where the message itself names it; null for the endpoint's address. */
  url: string | null;
  body: string;
  /** Tries before this one. */
  tries: number;
  test: boolean;
}

/** How a call went, as far as the pace of its lane depends on it. */
export interface Pace {
  ms: number;
  /** It was answered as it should be. */
  good: boolean;
}

interface Waiting {
  due: Due;
  /** performance.now() after which somebody else may have it. */
  until: number;
}

/** The calls of one receiver. */
interface Lane {
  queue: Waiting[];
  /** Of `queue`, those that were begun. */
  head: number;
  running: number;
  /** Calls at once. */
  limit: number;
  /** Calls done in this and the last second. */
  done: number;
  before: number;
}

const FIRST_LIMIT = 4;
const MOST_AT_ONCE = 64;
const QUICK_MS = 1_000;
const SLOW_MS = 5_000;
/** Calls of all lanes at once. */
const MOST_OF_ALL = 1_000;
/** How many seconds' worth of calls a lane takes ahead. */
const AHEAD_SECONDS = 3;
/** What an endpoint may be given at once before anything is known of its pace. */
export const FIRST_ROOM = 512;

/**
 * Makes calls to many receivers, so that a slow one delays no other: each has so many calls at once as it answers
 * quickly, and where all have too many together they take turns.
 */
export class Lanes {
  readonly #call: (due: Due) => Promise<Pace>;
  readonly #heldMs: number;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes that want to call, in the order in which it is their turn. */
  readonly #wanting = new Set<Lane>();
  readonly #ofEndpoint = new Map<number, number>();
  #running = 0;
  #idle: (() => void)[] = [];
  #stopped = false;

  /** What is added is begun within `heldMs`, or left to others. `call` never rejects. */
  constructor(call: (due: Due) => Promise<Pace>, heldMs: number) {
    this.#call = call;
    this.#heldMs = heldMs;
  }

  #lane(key: string): Lane {
    const present = this.#lanes.get(key);
    if (present) return present;
    const made: Lane = { queue: [], head: 0, running: 0, limit: FIRST_LIMIT, done: 0, before: 0 };
    this.#lanes.set(key, made);
    return made;
  }

  /** How many more of an endpoint's callbacks should be taken now. */
  room(endpointId: number): number {
    const lane = this.#lanes.get(String(endpointId));
    const ahead = lane ? Math.max(FIRST_ROOM, AHEAD_SECONDS * Math.max(lane.done, lane.before)) : FIRST_ROOM;
    return Math.max(0, ahead - (this.#ofEndpoint.get(endpointId) ?? 0));
  }

  /** The room of every endpoint that has calls. */
  rooms(): Map<number, number> {
    return new Map([...this.#ofEndpoint.keys()].map((id) => [id, this.room(id)]));
  }

  /** Calls that wait or are under way. */
  get size(): number {
    let size = 0;
    for (const count of this.#ofEndpoint.values()) size += count;
    return size;
  }

  add(dues: readonly Due[]): void {
    const until = performance.now() + this.#heldMs;
    for (const due of dues) {
      const { callback_endpoint_id: id, url } = due;
      // The addresses that messages name are as many receivers as they have hosts.
      const lane = this.#lane(url === null ? String(id) : `${id} ${URL.canParse(url) ? new URL(url).host : ''}`);
      lane.queue.push({ due, until });
      this.#ofEndpoint.set(id, (this.#ofEndpoint.get(id) ?? 0) + 1);
      this.#wanting.add(lane);
    }
    this.#run();
  }

  #run(): void {
    for (const lane of this.#wanting) {
      if (this.#running >= MOST_OF_ALL || this.#stopped) return;
      // One call a turn where there is not enough room for all, as many as it may otherwise.
      const most = this.#running + this.#wanting.size >= MOST_OF_ALL / 2 ? 1 : lane.limit;
      this.#wanting.delete(lane);
      for (let begun = 0; begun < most && lane.running < lane.limit; begun++) if (!this.#begin(lane)) break;
      if (lane.running < lane.limit && lane.head < lane.queue.length) this.#wanting.add(lane);
    }
  }

  /** Begins the lane's next call; false where nothing is left. */
  #begin(lane: Lane): boolean {
    for (;;) {
      const next = lane.queue[lane.head];
      if (!next) {
        lane.queue = [];
        lane.head = 0;
        return false;
      }
      if (++lane.head >= 1_024) {
        lane.queue = lane.queue.slice(lane.head);
        lane.head = 0;
      }
      if (next.until < performance.now()) {
        this.#leave(next.due);
        continue;
      }
      lane.running++;
      this.#running++;
      void this.#call(next.due).then((pace) => this.#ended(lane, next.due, pace));
      return true;
    }
  }

  #ended(lane: Lane, due: Due, { ms, good }: Pace): void {
    lane.running--;
    this.#running--;
    lane.done++;
    this.#leave(due);
    if (ms > SLOW_MS) lane.limit = Math.max(1, lane.limit >> 1);
    else if (good && ms < QUICK_MS) lane.limit = Math.min(MOST_AT_ONCE, lane.limit + 1);
    if (lane.head < lane.queue.length) this.#wanting.add(lane);
    this.#run();
    if (this.#running === 0) for (const done of this.#idle.splice(0)) done();
  }

  #leave({ callback_endpoint_id: id }: Due): void {
    const left = this.#ofEndpoint.get(id)! - 1;
    if (left === 0) this.#ofEndpoint.delete(id);
    else this.#ofEndpoint.set(id, left);
  }

  /** To be called once a second: what lanes did in the last one decides how much they take ahead. */
  tick(): void {
    for (const [key, lane] of this.#lanes) {
      if (lane.running === 0 && lane.queue.length === lane.head && lane.done === 0 && lane.before === 0) {
        this.#lanes.delete(key);
        continue;
      }
      lane.before = lane.done;
      lane.done = 0;
    }
  }

  /** Begins no more calls, and waits for those under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** What was added and not begun, and is not others' yet. */
  unbegun(): Due[] {
    const now = performance.now();
    return [...this.#lanes.values()].flatMap(({ queue, head }) =>
      queue.slice(head).flatMap(({ due, until }) => (until < now ? [] : [due])),
    );
  }
}
