import type { Caller } from '../context.ts';
import { repeat } from '../jobs/repeat.ts';
import type { Logger } from '../log.ts';

/**
 * Interval in ms of looks: when a right ends, everything it opened ends within a second (this time, and that of two
 * short statements).
 */
const LOOK_MS = 400;
/**
 * Interval in ms at which something that a session opened is checked again without a change of its rights: its object
 * may have changed.
 */
const AGAIN_MS = 30_000;

/** Stamp of a session that has ended. */
const ENDED = '';

/**
 * Function that decides about something that a session opened, by its caller's present rights; null once the session
 * has ended.
 */
type Look = (caller: Caller | null) => Promise<void> | void;

interface Watched {
  /** Rights of the session when each was asked last; undefined before. */
  looks: Map<Look, string | undefined>;
  askedAt: number;
}

/** Functions that read sessions. */
export interface SessionReader {
  /** Loads the caller behind an open session; null once it has ended. */
  callerOf(sessionId: string): Promise<Caller | null>;
  /**
   * Reads the data that decides the rights of open sessions, as a text that changes with them; ended sessions are
   * missing.
   */
  stampsOf(sessionIds: readonly string[]): Promise<Map<string, string>>;
}

/**
 * Notifies everything that a session opened, such as live channels and downloads, when the session or its rights end.
 */
export class SessionWatch {
  readonly #reader: SessionReader;
  readonly #watched = new Map<string, Watched>();
  readonly #looking: { stop(): Promise<void> };
  #stopped = false;

  constructor(reader: SessionReader, log: Logger) {
    this.#reader = reader;
    this.#looking = repeat(
      LOOK_MS,
      () => this.#lookAtAll(),
      (error) => log.warn({ err: error }, 'could not check open sessions'),
    );
  }

  /** Loads the caller behind an open session; null once it has ended. */
  callerOf(sessionId: string): Promise<Caller | null> {
    return this.#reader.callerOf(sessionId);
  }

  /** Calls `look` soon, and whenever the session or its rights have changed, until the returned function is called. */
  watch(sessionId: string, look: Look): () => void {
    const watched = this.#watched.get(sessionId) ?? { looks: new Map(), askedAt: performance.now() };
    this.#watched.set(sessionId, watched);
    // Rights may have changed between the check that allowed it and now.
    watched.looks.set(look, undefined);
    return () => {
      watched.looks.delete(look);
      if (watched.looks.size === 0 && this.#watched.get(sessionId) === watched) this.#watched.delete(sessionId);
    };
  }

  async #lookAtAll(): Promise<void> {
    if (this.#watched.size === 0) return;
    const watched = [...this.#watched].map(([id, { looks }]) => ({ id, looks: [...looks.keys()] }));
    const stamps = await this.#reader.stampsOf(watched.map(({ id }) => id));
    for (const { id, looks } of watched) await this.#lookAt(id, looks, stamps.get(id) ?? ENDED);
  }

  async #lookAt(id: string, looks: readonly Look[], stamp: string): Promise<void> {
    const watched = this.#watched.get(id);
    if (!watched) return;
    const again = performance.now() - watched.askedAt > AGAIN_MS;
    const due = looks.filter((look) => watched.looks.has(look) && (again || watched.looks.get(look) !== stamp));
    if (due.length === 0) return;
    const caller = stamp === ENDED ? null : await this.#reader.callerOf(id);
    for (const look of due) {
      if (this.#stopped) return;
      await look(caller);
      if (watched.looks.has(look)) watched.looks.set(look, stamp);
    }
    if (again) watched.askedAt = performance.now();
  }

  /** Stops looking. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#looking.stop();
  }
}
