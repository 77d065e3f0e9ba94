import {
  type Closing,
  Connection,
  type ConnectionOptions,
  type Outcome,
  type Session,
  STATUS,
  statusName,
} from '@heliograph/smpp';
import type { Logger } from '#platform/log';
import type { CarrierConfig } from '#platform/outbound/outbound';
import type { Segment } from '../segment.ts';
import type { CarrierSessions, SessionsHandler } from './carrier-sessions.ts';
import { connectionOptions } from './connection-options.ts';
import type { Link } from './link.ts';
import type { LinkReport } from './link-report.ts';

/** A link, and what its sessions need to be opened. */
interface BindsParts {
  link: Link;
  /** Undefined if it cannot be opened with this server's key. */
  password: string | undefined;
  config: CarrierConfig;
  log: Logger;
}

/** Submits a segment; false if the window is full. Throws for a segment that cannot be written as a PDU. */
export type Submit = (session: Session<Segment>, segment: Segment) => boolean;

/** A session that may submit, with the segments that are committed to it and wait for room. */
interface Transmitter {
  session: Session<Segment>;
  backlog: Segment[];
}

const MODES = {
  transceiver: ['transceiver'],
  transmitter_receiver: ['transmitter', 'receiver'],
  transmitter: ['transmitter'],
} as const satisfies Record<Link['bind_mode'], readonly ConnectionOptions['bind']['mode'][]>;

/** All SMPP sessions of one link; they bind and rebind by themselves. */
export class Binds implements CarrierSessions {
  readonly #connections: Connection<Segment>[];
  readonly #transmitters = new Map<Session<Segment>, Transmitter>();
  readonly #handler: SessionsHandler;
  readonly #write: Submit;
  readonly #report: LinkReport;

  /** Binds no session without a password: a wrong one would lock the account at the carrier. */
  constructor(
    { link, password, config, log }: BindsParts,
    write: Submit,
    handler: SessionsHandler,
    report: LinkReport,
  ) {
    this.#handler = handler;
    this.#write = write;
    this.#report = report;
    const modes = Array.from({ length: link.binds }, () => MODES[link.bind_mode]).flat();
    this.#connections = (password === undefined ? [] : modes).map((mode) => {
      const options = connectionOptions(link, password ?? '', mode, config);
      return new Connection<Segment>(options, this.#connectionHandler(mode !== 'receiver', log));
    });
    report.wanted = modes.length;
  }

  #connectionHandler(transmits: boolean, log: Logger): ConstructorParameters<typeof Connection<Segment>>[1] {
    const report = this.#report;
    let told = false;
    let up = false;
    return {
      onUp: (session) => {
        told = false;
        up = true;
        report.bound(transmits);
        log.info({ system: session.systemId }, 'bound to carrier');
        if (transmits) this.#transmitters.set(session, { session, backlog: [] });
        this.#handler.onRoom();
      },
      onReady: () => this.#handler.onRoom(),
      onResponses: (outcomes, session) => {
        report.responses(outcomes);
        this.#handler.onResponses(session.state === 'draining' ? outcomes.map(notTaken) : outcomes);
        const transmitter = this.#transmitters.get(session);
        if (transmitter) this.#drain(transmitter);
        this.#handler.onRoom();
      },
      onRequests: (requests, session, frames) => this.#handler.onRequests(requests, session, frames),
      onEnding: (session) => {
        // The carrier still answers submitted segments; the others need not wait for that.
        const backlog = this.#transmitters.get(session)?.backlog.splice(0) ?? [];
        if (backlog.length > 0) this.#handler.onUnsent(backlog);
      },
      onDown: (closing, retryInMs) => {
        if (up) report.unbound(transmits);
        up = false;
        if (retryInMs !== undefined) report.closed(closing, retryInMs);
        this.#forgetClosed();
        // A carrier that is away is tried again and again; it is logged only once.
        if (!told && retryInMs !== undefined)
          log.warn({ ...describe(closing), retryInMs }, 'not bound to carrier; retrying');
        told = true;
      },
      onAlarm: (alarm) => log.error({ ...alarm }, 'carrier refused bind; check the link settings'),
      onFault: (fault) => log.warn({ ...fault }, 'invalid PDU from carrier'),
    };
  }

  #forgetClosed(): void {
    for (const [session, { backlog }] of this.#transmitters) {
      if (session.state === 'bound' || session.state === 'draining') continue;
      this.#transmitters.delete(session);
      if (backlog.length > 0) this.#handler.onUnsent(backlog);
    }
  }

  start(): void {
    for (const connection of this.#connections) connection.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.stop()));
    this.#forgetClosed();
  }

  /** Does nothing: over SMPP everything comes through the sessions. */
  look(): void {}

  get isUp(): boolean {
    for (const { session } of this.#transmitters.values()) if (session.state === 'bound') return true;
    return false;
  }

  get free(): number {
    let free = 0;
    for (const { session, backlog } of this.#transmitters.values()) free += session.free - backlog.length;
    return Math.max(0, free);
  }

  get inFlight(): number {
    let open = 0;
    for (const { session, backlog } of this.#transmitters.values()) open += session.inFlight + backlog.length;
    return open;
  }

  /** Sends segments, all on the session with the most room; those without room wait there. */
  send(segments: readonly Segment[]): void {
    let best: Transmitter | undefined;
    for (const each of this.#transmitters.values()) {
      if (each.session.state !== 'bound') continue;
      if (!best || each.session.free - each.backlog.length > best.session.free - best.backlog.length) best = each;
    }
    if (!best || !this.#handler.maySend()) {
      this.#handler.onUnsent(segments);
      return;
    }
    for (const segment of segments)
      if (best.backlog.length > 0 || !this.#submit(best, segment)) best.backlog.push(segment);
  }

  #drain({ backlog, session }: Transmitter): void {
    if (backlog.length > 0 && !this.#handler.maySend()) {
      this.#handler.onUnsent(backlog.splice(0));
      return;
    }
    let sent = 0;
    while (sent < backlog.length && this.#submit({ session, backlog }, backlog[sent]!)) sent++;
    if (sent > 0) backlog.splice(0, sent);
  }

  /** Submits a segment; false if the window is full. */
  #submit({ session }: Transmitter, segment: Segment): boolean {
    if (session.free === 0) return false;
    try {
      const sent = this.#write(session, segment);
      if (sent) this.#report.count('submitted');
      return sent;
    } catch (error) {
      this.#handler.onUnfit(segment, error as Error);
      return true;
    }
  }
}

/**
 * Turns an answer "not bound" at the end of a session into unsent: the segment came too late, and the link is not at
 * fault.
 */
const notTaken = (outcome: Outcome<Segment>): Outcome<Segment> =>
  outcome.kind === 'answered' && outcome.status === STATUS.RINVBNDSTS ? { ...outcome, kind: 'unsent' } : outcome;

/** Describes the end of a session, without addresses. */
function describe({ reason, status, error }: Closing): Record<string, unknown> {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return { reason, ...(status !== undefined && { status: statusName(status) }), ...(code && { code }) };
}
