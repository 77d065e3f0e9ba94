import { COMMAND_ID, type Command, responseCommand } from './commands.ts';
import type { LinkHealth } from './link-health.ts';
import type { Outbound } from './outbound.ts';
import type { OwedAnswers } from './owed-answers.ts';
import type { ApplicationRequest, ResponsePdu } from './pdu.ts';
import type { Session } from './session.ts';
import type { BindCredentials, PduFrame, SessionHandler } from './session-options.ts';
import { STATUS } from './status.ts';

/** Passes outcomes and the peer's requests to the application, in one batch for each chunk of bytes. */
export class Batches<Context> {
  readonly #session: Session<Context>;
  readonly #handler: SessionHandler<Context>;
  readonly #out: Outbound<Context>;
  readonly #owed: OwedAnswers;
  readonly #health: LinkHealth;
  #requests: ApplicationRequest[] = [];
  #frames: PduFrame[] = [];

  constructor(
    session: Session<Context>,
    handler: SessionHandler<Context>,
    out: Outbound<Context>,
    owed: OwedAnswers,
    health: LinkHealth,
  ) {
    this.#session = session;
    this.#handler = handler;
    this.#out = out;
    this.#owed = owed;
    this.#health = health;
  }

  /** Adds a request to the next batch, or refuses it under this bind; `mode` is undefined while nothing is bound. */
  request(request: ApplicationRequest, frame: PduFrame, mode: BindCredentials['mode'] | undefined): void {
    const answer = responseCommand(request.command);
    if (mayReceive(this.#session.role, request.command, mode)) {
      if (answer !== undefined) this.#owed.count++;
      this.#requests.push(request);
      this.#frames.push(frame);
    } else if (answer !== undefined) {
      this.#out.bareResponse(COMMAND_ID[answer], request.sequence, STATUS.RINVBNDSTS);
    }
  }

  /** Settles the request that a response answers; a response to nothing that is open is reported as a fault. */
  response(pdu: ResponsePdu): void {
    if (this.#out.settle(pdu)) return;
    const detail = `${pdu.command} answers nothing that is open`;
    const commandId = COMMAND_ID[pdu.command];
    this.#handler.onFault?.({ status: pdu.status, detail, commandId, sequence: pdu.sequence }, this.#session);
  }

  /** Passes on answers first: they free slots and settle messages, while requests may keep the application busy. */
  pass(): void {
    const outcomes = this.#out.takeOutcomes();
    if (outcomes !== undefined) {
      this.#health.answered();
      this.#handler.onResponses?.(outcomes, this.#session);
    }
    if (this.#requests.length === 0) return;
    const requests = this.#requests;
    const frames = this.#frames;
    this.drop();
    this.#health.worked();
    this.#handler.onRequests?.(requests, this.#session, frames);
    this.#owed.pauseIfMany();
  }

  /** Passes on the outcomes of requests that were given up. */
  passLost(): void {
    const outcomes = this.#out.takeOutcomes();
    if (outcomes !== undefined) this.#handler.onResponses?.(outcomes, this.#session);
  }

  /** Calls onReady once there is room again for requests of a bound session. */
  passRoom(): void {
    if (this.#session.state === 'bound' && this.#out.becameReady()) this.#handler.onReady?.(this.#session);
  }

  /** Drops the requests that were not passed on. */
  drop(): void {
    this.#requests = [];
    this.#frames = [];
  }
}

type Direction = 'transmitter' | 'receiver';

/** Bind that each role needs to receive a request (§2.2, table 2-1); a request missing here is never allowed. */
const NEEDS: Record<'esme' | 'smsc', Partial<Record<Command, Direction>>> = {
  smsc: {
    submit_sm: 'transmitter',
    submit_multi: 'transmitter',
    data_sm: 'transmitter',
    query_sm: 'transmitter',
    cancel_sm: 'transmitter',
    replace_sm: 'transmitter',
  },
  esme: { deliver_sm: 'receiver', data_sm: 'receiver', alert_notification: 'receiver' },
};

/** Answers whether a role may receive a request under a bind; `mode` is undefined while nothing is bound. */
function mayReceive(role: 'esme' | 'smsc', command: Command, mode: BindCredentials['mode'] | undefined): boolean {
  if (command === 'outbind') return role === 'esme' && mode === undefined;
  const needs = NEEDS[role][command];
  return needs !== undefined && mode !== undefined && (mode === 'transceiver' || mode === needs);
}
