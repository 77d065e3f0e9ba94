/** Callback that must be sent now. */
export interface Due {
  id: number;
  callback_endpoint_id: number;
  event_id: number;
  /** Address that the message names; null for the endpoint's address. */
  url: string | null;
  body: string;
  /** Number of earlier tries. */
  tries: number;
  test: boolean;
}

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
  queue: Waiting[];
  /** Position in `queue` of the first call that has not begun. */
  head: number;
  running: number;
  /** Maximum calls at the same time. */
  limit: number;
  /** Calls done in this second and in the last one. */
  done: number;
  before: number;
}

const FIRST_LIMIT = 4;
const MOST_AT_ONCE = 64;
const QUICK_MS = 1_000;
const SLOW_MS = 5_000;
/** Maximum calls of all lanes at the same time. */
const MOST_OF_ALL = 1_000;
/** Seconds of calls that a lane takes in advance. */
const AHEAD_SECONDS = 3;
/** Callbacks that an endpoint may have in hand before its pace is known. */
export const FIRST_ROOM = 512;

/**
 * Calls many receivers so that a slow one does not delay the others. A receiver that answers quickly gets more calls at
 * the same time. If all lanes together have too many calls, they take turns.
 */
export class Lanes {
  readonly #call: (due: Due) => Promise<Pace>;
  readonly #heldMs: number;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes that have calls to begin, in the order of their turns. */
  readonly #wanting = new Set<Lane>();
  readonly #ofEndpoint = new Map<number, number>();
  #running = 0;
  #idle: (() => void)[] = [];
  #stopped = false;

  /** Each added call begins within `heldMs`, or is left to other workers. `call` never rejects. */
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

  /** Returns how many more callbacks of an endpoint should be taken now. */
  room(endpointId: number): number {
    const lane = this.#lanes.get(String(endpointId));
    const ahead = lane ? Math.max(FIRST_ROOM, AHEAD_SECONDS * Math.max(lane.done, lane.before)) : FIRST_ROOM;
    return Math.max(0, ahead - (this.#ofEndpoint.get(endpointId) ?? 0));
  }

  /** Returns the room of each endpoint that has calls. */
  rooms(): Map<number, number> {
    return new Map([...this.#ofEndpoint.keys()].map((id) => [id, this.room(id)]));
  }

  /** Number of calls that wait or are under way. */
  get size(): number {
    let size = 0;
    for (const count of this.#ofEndpoint.values()) size += count;
    return size;
  }

  add(dues: readonly Due[]): void {
    const until = performance.now() + this.#heldMs;
    for (const due of dues) {
      const { callback_endpoint_id: id, url } = due;
      // The addresses that messages name count as one receiver for each host.
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
      // If there is little room for all lanes, each turn begins one call. Otherwise a turn begins as many as the lane
      // may have.
      const most = this.#running + this.#wanting.size >= MOST_OF_ALL / 2 ? 1 : lane.limit;
      this.#wanting.delete(lane);
      for (let begun = 0; begun < most && lane.running < lane.limit; begun++) if (!this.#begin(lane)) break;
      if (lane.running < lane.limit && lane.head < lane.queue.length) this.#wanting.add(lane);
    }
  }

  /** Begins the next call of a lane. Returns false if none is left. */
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

  /** Must be called once a second. The calls of the last second decide how many a lane takes in advance. */
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

  /** Begins no more calls, and waits for those that are under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Returns the calls that were added but not begun, and that no other worker may take yet. */
  unbegun(): Due[] {
    const now = performance.now();
    return [...this.#lanes.values()].flatMap(({ queue, head }) =>
      queue.slice(head).flatMap(({ due, until }) => (until < now ? [] : [due])),
    );
  }
}
