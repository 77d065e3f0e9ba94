import type { Logger } from '../log.ts';
import type { Line, Transport } from './transport.ts';

/** State of this process's fan-out, for its health checks. */
export interface FanOutState {
  transport: Transport['name'];
  connected: boolean;
  /** Time since when the state holds, RFC 3339. */
  since: string;
}

/** Subscription to a subject, until it is stopped. */
export interface Hearing {
  stop(): Promise<void>;
}

interface Ear {
  onMessage(payload: string): void;
  onGap(): void;
}

interface Heard {
  ears: Set<Ear>;
  /** Resolves once the line listens; never rejects. */
  ready: Promise<void>;
}

const CHECK_MS = 10_000;
/** Pause before a new connection: processes that lost the same server must not come back in the same moment. */
const AGAIN_MS = { least: 250, spread: 1_000 };

/**
 * Messages that this process gets from the others: one connection for all subjects, which is opened again whenever it
 * is lost. A message is a hint. `onGap` reports that some may have been missed, so the listener must read again.
 */
export class FanOut {
  readonly #transport: Transport;
  readonly #log: Logger;
  readonly #checkMs: number;
  readonly #heard = new Map<string, Heard>();
  #line: Line | undefined;
  #since = new Date();
  #again: NodeJS.Timeout | undefined;
  #checking: NodeJS.Timeout | undefined;
  #opening: Promise<void> | undefined;
  #stopped = false;

  /** Checks every `checkMs` whether the other side is still there. */
  constructor(transport: Transport, log: Logger, checkMs = CHECK_MS) {
    this.#transport = transport;
    this.#checkMs = checkMs;
    this.#log = log.child({ transport: transport.name });
  }

  /** Connects. Throws if a required transport cannot be reached; another one is tried again and again. */
  async start(): Promise<void> {
    try {
      await this.#open();
    } catch (error) {
      if (this.#transport.required) throw error;
      this.#log.warn({ err: error }, 'fan-out unreachable; polling until it is back');
      this.#plan();
    }
  }

  /**
   * Subscribes to a subject, named by lower-case letters, digits and underscores, from when this resolves. `onGap` is
   * called whenever messages may have been missed, and never otherwise. An error of a listener is logged and harms no
   * other listener.
   */
  async subscribe(subject: string, onMessage: (payload: string) => void, onGap = () => {}): Promise<Hearing> {
    if (!/^[a-z][a-z0-9_]{0,39}$/.test(subject)) throw new RangeError(`"${subject}" is no subject`);
    if (this.#stopped) throw new Error('the fan-out has stopped');
    const ear = { onMessage, onGap };
    const line = this.#line;
    const heard = this.#heard.get(subject) ?? {
      ears: new Set(),
      // If the connection breaks meanwhile, the next one listens and reports the gap.
      ready: line?.listen(subject).catch(() => this.#lost(line)) ?? Promise.resolve(),
    };
    heard.ears.add(ear);
    this.#heard.set(subject, heard);
    await heard.ready;
    return {
      stop: async () => {
        if (!heard.ears.delete(ear) || heard.ears.size > 0 || this.#heard.get(subject) !== heard) return;
        this.#heard.delete(subject);
        await this.#line?.unlisten(subject).catch(() => undefined);
      },
    };
  }

  state(): FanOutState {
    return {
      transport: this.#transport.name,
      connected: this.#line !== undefined,
      since: this.#since.toISOString(),
    };
  }

  async #open(): Promise<void> {
    const line = await this.#transport.open(
      (subject, payload) => this.#each(subject, (ear) => ear.onMessage(payload)),
      (subject) => this.#each(subject, (ear) => ear.onGap()),
    );
    try {
      // This includes subjects that are added meanwhile.
      for (const subject of this.#heard.keys()) await line.listen(subject);
    } catch (error) {
      await line.close();
      throw error;
    }
    if (this.#stopped) {
      await line.close();
      return;
    }
    this.#line = line;
    this.#since = new Date();
    void line.lost.then(() => this.#lost(line));
    this.#check(line);
  }

  /** Asks the peer for an answer: a peer that has vanished is found only in this way. */
  #check(line: Line): void {
    this.#checking = setTimeout(() => {
      line.check().then(
        () => this.#line === line && this.#check(line),
        () => this.#lost(line),
      );
    }, this.#checkMs);
    this.#checking.unref();
  }

  #lost(line: Line): void {
    if (this.#line !== line) return;
    this.#line = undefined;
    this.#since = new Date();
    clearTimeout(this.#checking);
    void line.close().catch(() => undefined);
    if (this.#stopped) return;
    this.#log.warn('fan-out connection lost; polling until it is back');
    this.#plan();
  }

  #plan(): void {
    if (this.#stopped) return;
    this.#again = setTimeout(
      () => {
        this.#opening = this.#open().then(
          () => {
            if (this.#stopped) return;
            this.#log.info('fan-out connection restored');
            for (const subject of [...this.#heard.keys()]) this.#each(subject, (ear) => ear.onGap());
          },
          () => this.#plan(),
        );
      },
      AGAIN_MS.least + Math.random() * AGAIN_MS.spread,
    );
  }

  #each(subject: string, say: (ear: Ear) => void): void {
    if (this.#stopped) return;
    for (const ear of [...(this.#heard.get(subject)?.ears ?? [])]) {
      try {
        say(ear);
      } catch (error) {
        this.#log.error({ err: error, subject }, 'listener failed');
      }
    }
  }

  /** Stops listening. May be called again. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#again);
    clearTimeout(this.#checking);
    await this.#opening;
    const line = this.#line;
    this.#line = undefined;
    await line?.close().catch(() => undefined);
  }
}
