import { Backoff, type BackoffOptions } from './backoff.ts';
import { type ClientOptions, openSession } from './client.ts';
import { systemClock } from './clock.ts';
import type { Session } from './session.ts';
import type { Closing, SessionHandler } from './session-options.ts';
import { isPermanentBindRefusal, statusName } from './status.ts';

export interface ConnectionOptions extends ClientOptions, BackoffOptions {}

/** A refusal that repeats until a person acts. */
export interface LinkAlarm {
  status: number;
  /** The name of the status, such as ESME_RINVPASWD. */
  name: string;
  /** Milliseconds until the next attempt. */
  retryInMs: number;
}

export interface ConnectionHandler<Context> extends Omit<SessionHandler<Context>, 'onBind' | 'onBound' | 'onClose'> {
  /** Called when it is bound, for the first time or again. */
  onUp?(session: Session<Context>): void;
  /**
   * Called when the session ended or could not be opened. The next attempt follows by itself; `retryInMs` is undefined
   * once stopped.
   */
  onDown?(closing: Closing, retryInMs: number | undefined): void;
  onAlarm?(alarm: LinkAlarm): void;
}

/** A link to a carrier that stays connected: when its ESME session ends, the next one is opened. */
export class Connection<Context> {
  readonly #options: ConnectionOptions;
  readonly #handler: ConnectionHandler<Context>;
  readonly #backoff: Backoff;
  #opened: Session<Context> | undefined;
  #boundAt: number | undefined;
  #cancelRetry: (() => void) | undefined;
  #stopped = true;

  constructor(options: ConnectionOptions, handler: ConnectionHandler<Context>) {
    this.#options = options;
    this.#handler = handler;
    this.#backoff = new Backoff(options);
  }

  /** The session while it is bound. */
  get session(): Session<Context> | undefined {
    return this.#opened?.state === 'bound' ? this.#opened : undefined;
  }

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#open();
  }

  /** Ends the attempts; drains, unbinds and closes an open session. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelRetry?.();
    await this.#opened?.unbind();
  }

  #open(): void {
    const handler = this.#handler;
    const clock = this.#options.clock ?? systemClock;
    this.#boundAt = undefined;
    this.#opened = openSession<Context>(this.#options, {
      onResponses: (outcomes, session) => handler.onResponses?.(outcomes, session),
      onRequests: (requests, session, frames) => handler.onRequests?.(requests, session, frames),
      onReady: (session) => handler.onReady?.(session),
      onEnding: (session) => handler.onEnding?.(session),
      onFault: (fault, session) => handler.onFault?.(fault, session),
      onBound: (session) => {
        this.#boundAt = clock.now();
        handler.onUp?.(session);
      },
      onClose: (closing) =>
        this.#closed(closing, this.#boundAt === undefined ? undefined : clock.now() - this.#boundAt),
    });
  }

  #closed(closing: Closing, boundForMs: number | undefined): void {
    this.#opened = undefined;
    if (this.#stopped) {
      this.#handler.onDown?.(closing, undefined);
      return;
    }
    const refused =
      closing.reason === 'bind_refused' && closing.status !== undefined && isPermanentBindRefusal(closing.status);
    const retryInMs = refused ? this.#backoff.afterRefusal() : this.#backoff.next(boundForMs);
    const clock = this.#options.clock ?? systemClock;
    this.#cancelRetry = clock.schedule(retryInMs, () => {
      if (!this.#stopped) this.#open();
    });
    this.#handler.onDown?.(closing, retryInMs);
    if (refused) this.#handler.onAlarm?.({ status: closing.status!, name: statusName(closing.status!), retryInMs });
  }
}
