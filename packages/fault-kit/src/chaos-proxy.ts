import { connect, createServer, type Socket } from 'node:net';
import { type Random, seededRandom } from './random.ts';

/** Faults applied to the bytes of one direction. The order of the bytes never changes. */
export interface Chaos {
  /** Time for which every chunk is held; up to `jitterMs` is added to it. */
  latencyMs?: number;
  jitterMs?: number;
  /** Share of chunks that are cut in two at a random place. The second half gets its own delay. */
  split?: number;
  /** Share of chunks that wait to be written together with the next. */
  merge?: number;
  /** Share of chunks before which the direction stops for `stallMs`. */
  stall?: number;
  stallMs?: number;
  /** Number of bytes after which the connection is reset. */
  resetAtByte?: number;
  /** True: bytes are received and discarded. */
  lose?: boolean;
}

export type Direction = 'toServer' | 'toClient';

interface ChaosProxyOptions {
  to: { host?: string; port: number };
  seed: number;
  toServer?: Chaos;
  toClient?: Chaos;
  /** True: connections are accepted, but no byte passes in either direction. */
  blackHole?: boolean;
}

export interface ChaosProxy {
  readonly port: number;
  /** Number of open connections. */
  readonly open: number;
  /** Changes the faults of one direction, also for open connections. */
  set(direction: Direction, chaos: Chaos): void;
  /**
   * Blocks all bytes from now on, or lets them pass again; blocked bytes stay lost. `from` limits it to one address.
   */
  blackHole(on: boolean, from?: string): void;
  /** Resets every open connection, or those from one address. */
  resetAll(from?: string): void;
  stop(): Promise<void>;
}

/** Key that stands for all addresses. */
const EVERYBODY = '*';
/** Maximum time that a chunk waits for the next one. */
const MERGE_MS = 20;

/** One direction of one connection. Chunks leave in the order they came, each when it is due or later. */
class Lane {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #random: Random;
  readonly #chaos: () => Chaos;
  readonly #reset: () => void;
  readonly #waiting: { due: number; work: () => void }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #mergeTimer: NodeJS.Timeout | undefined;
  #passed = 0;
  #lastDue = 0;
  #held: Buffer | undefined;

  constructor(from: Socket, to: Socket, random: Random, chaos: () => Chaos, reset: () => void) {
    this.#from = from;
    this.#to = to;
    this.#random = random;
    this.#chaos = chaos;
    this.#reset = reset;
    from.on('data', (chunk: Buffer) => this.#take(chunk));
    from.on('end', () => this.#end());
  }

  #take(chunk: Buffer): void {
    const chaos = this.#chaos();
    if (chaos.lose) return;
    const { resetAtByte } = chaos;
    if (resetAtByte !== undefined && this.#passed + chunk.length >= resetAtByte) {
      this.#write(chunk.subarray(0, Math.max(0, resetAtByte - this.#passed)), 0);
      this.#then(0, this.#reset);
      return;
    }
    this.#passed += chunk.length;
    const whole = this.#held ? Buffer.concat([this.#held, chunk]) : chunk;
    this.#held = undefined;
    if (this.#random.chance(chaos.merge ?? 0)) {
      this.#held = Buffer.from(whole);
      clearTimeout(this.#mergeTimer);
      this.#mergeTimer = setTimeout(() => this.#letGo(), MERGE_MS);
      return;
    }
    if (whole.length > 1 && this.#random.chance(chaos.split ?? 0)) {
      const cut = 1 + this.#random.below(whole.length - 1);
      this.#write(whole.subarray(0, cut), this.#delay(chaos));
      this.#write(whole.subarray(cut), this.#delay(chaos) + 1);
    } else this.#write(whole, this.#delay(chaos));
  }

  #letGo(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held) this.#write(held, 0);
  }

  #delay({ latencyMs = 0, jitterMs = 0, stall = 0, stallMs = 0 }: Chaos): number {
    const stalled = this.#random.chance(stall) ? stallMs : 0;
    return latencyMs + stalled + (jitterMs > 0 ? this.#random.next() * jitterMs : 0);
  }

  #write(chunk: Buffer, delayMs: number): void {
    if (chunk.length > 0) this.#then(delayMs, () => this.#pass(chunk));
  }

  #pass(chunk: Buffer): void {
    if (this.#to.writable && !this.#to.write(chunk)) {
      this.#from.pause();
      this.#to.once('drain', () => this.#from.resume());
    }
  }

  #end(): void {
    this.#letGo();
    this.#then(0, () => this.#to.end());
  }

  /** Runs the work after the delay, and never before work that was added earlier. */
  #then(delayMs: number, work: () => void): void {
    const now = performance.now();
    this.#lastDue = Math.max(this.#lastDue, now + delayMs);
    if (this.#waiting.length === 0 && this.#lastDue <= now) work();
    else {
      this.#waiting.push({ due: this.#lastDue, work });
      this.#arm();
    }
  }

  #arm(): void {
    const [next] = this.#waiting;
    if (!next || this.#timer) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        const now = performance.now();
        while (this.#waiting[0] && this.#waiting[0].due <= now) this.#waiting.shift()?.work();
        this.#arm();
      },
      Math.max(1, next.due - performance.now()),
    );
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#mergeTimer);
    this.#waiting.length = 0;
  }
}

/**
 * Resets a connection. One that is still connecting or already ending is destroyed instead. A reset would leave its
 * system handle open, and the process could not end.
 */
function cut(socket: Socket): void {
  if (socket.connecting || socket.writableEnded || socket.destroyed) socket.destroy();
  else socket.resetAndDestroy();
}

/** Starts a proxy on a free port of 127.0.0.1; `set` changes the faults of each direction. */
export async function startChaosProxy(options: ChaosProxyOptions): Promise<ChaosProxy> {
  const random = seededRandom(options.seed);
  const chaos: Record<Direction, Chaos> = { toServer: options.toServer ?? {}, toClient: options.toClient ?? {} };
  /** Blocked addresses; EVERYBODY blocks all of them. */
  const black = new Set<string>(options.blackHole ? [EVERYBODY] : []);
  const isBlack = (address: string) => black.size > 0 && (black.has(EVERYBODY) || black.has(address));
  /** Reset functions of the open connections, with the client's address. */
  const resets = new Map<() => void, string>();

  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host: options.to.host ?? '127.0.0.1', port: options.to.port, noDelay: true });
    const address = client.remoteAddress ?? '';
    const of = (direction: Direction) => (): Chaos => (isBlack(address) ? { lose: true } : chaos[direction]);
    const reset = (): void => {
      cut(client);
      cut(upstream);
    };
    const lanes = [
      new Lane(client, upstream, random, of('toServer'), reset),
      new Lane(upstream, client, random, of('toClient'), reset),
    ];
    resets.set(reset, address);
    const over = (): void => {
      resets.delete(reset);
      for (const lane of lanes) lane.stop();
      client.destroy();
      upstream.destroy();
    };
    client.on('error', over);
    upstream.on('error', over);
    // Held bytes for the other side leave first: the lanes pass on an orderly end.
    const closed = (): void => {
      if (client.destroyed && upstream.destroyed) over();
    };
    client.on('close', closed);
    upstream.on('close', closed);
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', listening);
  });
  const { port } = server.address() as { port: number };
  return {
    port,
    get open() {
      return resets.size;
    },
    set: (direction, next) => {
      chaos[direction] = next;
    },
    blackHole: (on, from = EVERYBODY) => {
      if (on) black.add(from);
      else black.delete(from);
    },
    resetAll: (from) => {
      for (const [reset, address] of [...resets]) if (from === undefined || from === address) reset();
    },
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped());
        for (const reset of [...resets.keys()]) reset();
      }),
  };
}
