import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { cutOff } from '../driver/internals.ts';
import type { DatabaseUrl } from './url.ts';

/**
 * Query for the timeline of a server that can be written to, and 0 for any other. Each promotion begins a timeline with
 * a higher number. If two servers can be written to, the one with the lower number was given up.
 */
export const TIMELINE = `SELECT CASE WHEN pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean THEN 0
  ELSE ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer END AS timeline`;

const LOOK_EACH_MS = 1_000;
/** Interval of looks in ms while no server can be written to. */
const LOOK_HASTILY_MS = 200;
/** Time in ms after which a server that does not answer counts as away. */
const LOOK_WITHIN_MS = 2_000;
/** Number of looks in a row without an answer, about seven seconds, after which callers stop waiting for the server. */
const SILENT_LOOKS = 3;
/**
 * Time in ms that the first look waits for servers that do not answer. Without it an old primary could be taken for the
 * new one.
 */
const FIRST_LOOK_MS = 1_000;
/** Maximum time in ms that a new session waits for a primary. */
const PRIMARY_WITHIN_MS = 3_000;

/** Session that can be cut off when its primary turns out to be replaced or frozen. */
interface Session {
  cut(): void;
}

/** Address of a server. */
interface Host {
  readonly host: string;
  readonly port: number;
}

/** Errors by which the network reports a machine that does not answer. */
const NO_WORD = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Tells whether a look failed without an answer from the server: a server that refuses a session lives. */
function isSilence(error: unknown): boolean {
  const { code, message = '' } = error as { code?: string; message?: string };
  return code === undefined ? /timeout/i.test(message) : NO_WORD.has(code);
}

/** Makes the error for the time when no server can be written to; a retry may well succeed. */
export function noPrimary(message: string): Error {
  // This is the code of a server that accepts no sessions at the moment.
  return Object.assign(new Error(message), { code: '57P03' });
}

/** Looks at one server each second, over its own session. */
class Lookout implements Host {
  readonly host: string;
  readonly port: number;
  /** Undefined while it is not reached. */
  timeline: number | undefined;
  /** Whether it was looked at since the start. */
  looked = false;
  /** Looks in a row without an answer from it. */
  silent = 0;
  readonly #settings: pg.ClientConfig;
  readonly #changed: () => void;
  #run: AbortController | undefined;

  constructor(connectionString: string, changed: () => void) {
    this.#settings = {
      connectionString,
      application_name: 'heliograph watch',
      connectionTimeoutMillis: LOOK_WITHIN_MS,
      query_timeout: LOOK_WITHIN_MS,
      keepAlive: true,
    };
    const { host, port } = new pg.Client(this.#settings);
    this.host = host;
    this.port = port;
    this.#changed = changed;
  }

  start(): void {
    if (this.#run) return;
    this.#run = new AbortController();
    void this.#watch(this.#run.signal);
  }

  stop(): void {
    this.#run?.abort();
    this.#run = undefined;
    this.looked = false;
    this.silent = 0;
    this.timeline = undefined;
  }

  async #watch(stopped: AbortSignal): Promise<void> {
    const says = (timeline: number | undefined, silent = 0) => {
      if (stopped.aborted) return;
      this.timeline = timeline;
      this.silent = silent;
      this.looked = true;
      this.#changed();
    };
    let client: pg.Client | undefined;
    const forget = () => {
      const lost = client;
      client = undefined;
      if (lost) cutOff(lost);
    };
    stopped.addEventListener('abort', forget);
    while (!stopped.aborted) {
      try {
        client ??= await this.#connect((lost) => {
          if (client !== lost) return;
          client = undefined;
          says(undefined);
        });
        says((await client.query<{ timeline: number }>(TIMELINE)).rows[0]?.timeline);
      } catch (error) {
        forget();
        says(undefined, isSilence(error) ? this.silent + 1 : 0);
      }
      await sleep(this.timeline ? LOOK_EACH_MS : LOOK_HASTILY_MS, undefined, { ref: false });
    }
    forget();
  }

  async #connect(onEnd: (client: pg.Client) => void): Promise<pg.Client> {
    const client = new pg.Client(this.#settings);
    client.on('error', () => undefined);
    await client.connect();
    client.on('end', () => onEnd(client));
    return client;
  }
}

/**
 * Servers that a URL names; one of them is the primary. While sessions are open, each server is looked at. A session on
 * a primary of an older timeline than the newest one seen is cut off, and none is opened to it. Sessions of a server
 * that does not answer any more are cut off too: its machine may be frozen for hours, and no caller must wait for it.
 */
export class DatabaseHosts {
  readonly #lookouts: readonly Lookout[];
  readonly #sessions = new Map<Session, { host: Host; timeline: number }>();
  readonly #waiting = new Set<() => void>();
  /** The highest timeline seen since this process began. */
  #newest = 0;
  #startedAt = 0;

  constructor({ hosts }: DatabaseUrl) {
    this.#lookouts = hosts.map((url) => new Lookout(url, () => this.#changed()));
  }

  /**
   * Finds the primary for a session that is to be opened: it must be `opening`, and `join` or `leave` afterwards. Waits
   * some seconds for one; throws a transient error if there is none.
   */
  async primary(): Promise<Host> {
    let wake: () => void = () => undefined;
    const mine = () => wake();
    this.#waiting.add(mine);
    this.#start();
    const deadline = performance.now() + PRIMARY_WITHIN_MS;
    try {
      for (;;) {
        const found = this.#choose();
        if (found) return found;
        const left = deadline - performance.now();
        if (left <= 0) throw noPrimary('no server of the database can be written to now');
        await new Promise<void>((done) => {
          const timer = setTimeout(done, Math.min(left, LOOK_HASTILY_MS));
          wake = () => {
            clearTimeout(timer);
            done();
          };
        });
      }
    } finally {
      this.#waiting.delete(mine);
    }
  }

  /** Notes a session that is being opened to a `primary`, which may be frozen. */
  opening(session: Session, host: Host): void {
    this.#sessions.set(session, { host, timeline: Number.POSITIVE_INFINITY });
  }

  /** Counts a session to a `primary` among those that are watched. Throws if that primary was given up meanwhile. */
  join(session: Session, host: Host, timeline: number): void {
    if (timeline === 0) throw noPrimary('the server cannot be written to any more');
    if (timeline < this.#newest) throw noPrimary('the server is a primary that was given up');
    this.#sessions.set(session, { host, timeline });
    this.#saw(timeline);
    this.#start();
  }

  /** Removes a session; the watch ends when the last one has left. */
  leave(session: Session): void {
    this.#sessions.delete(session);
    this.#stopIfIdle();
  }

  #start(): void {
    if (this.#startedAt === 0) this.#startedAt = performance.now();
    for (const lookout of this.#lookouts) lookout.start();
  }

  #stopIfIdle(): void {
    if (this.#sessions.size > 0 || this.#waiting.size > 0) return;
    this.#startedAt = 0;
    for (const lookout of this.#lookouts) lookout.stop();
  }

  #choose(): Lookout | undefined {
    const settled = performance.now() - this.#startedAt > FIRST_LOOK_MS || this.#lookouts.every(({ looked }) => looked);
    if (!settled) return undefined;
    return this.#lookouts.find(({ timeline }) => timeline !== undefined && timeline > 0 && timeline >= this.#newest);
  }

  #changed(): void {
    for (const lookout of this.#lookouts) {
      this.#saw(lookout.timeline ?? 0);
      if (lookout.silent >= SILENT_LOOKS) this.#cut(({ host }) => host === lookout);
    }
    for (const wake of this.#waiting) wake();
  }

  #saw(timeline: number): void {
    if (timeline <= this.#newest) return;
    this.#newest = timeline;
    this.#cut((session) => session.timeline < timeline);
  }

  #cut(which: (speaksWith: { host: Host; timeline: number }) => boolean): void {
    for (const [session, speaksWith] of this.#sessions) if (which(speaksWith)) session.cut();
  }
}
