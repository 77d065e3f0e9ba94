import { systemClock } from './clock.ts';
import type { ApplicationRequest, Bind, ResponsePdu } from './pdu.ts';
import type { Session } from './session.ts';

/** Source of time for sessions and reconnects, replaceable in tests. */
export interface Clock {
  /** Answers the milliseconds on a clock that never goes back. */
  now(): number;
  /** Calls back once after `milliseconds`; the returned function cancels it. */
  schedule(milliseconds: number, callback: () => void): () => void;
}

/** Timers are those of SMPP 3.4 §7.2; all times are milliseconds. */
export interface SessionOptions {
  /** Maximum requests in flight (1..16,384). Default 100. */
  window?: number;
  /** Response timer. A request without an answer after this time is reported `uncertain`. Default 30,000. */
  responseMs?: number;
  /** Silence after which enquire_link is sent; 0 switches it off. Default 30,000. */
  enquireLinkMs?: number;
  /** Session-init timer: connect and bind must be finished by then. Default 10,000. */
  bindMs?: number;
  /**
   * Inactivity timer: closes a session after this time without any request from either side; 0 (default) never does.
   */
  inactivityMs?: number;
  /** Time for which unbind waits for answers still in flight. Default 5,000. */
  drainMs?: number;
  /** Number of requests lost in a row that closes the session; 0 never does. Default 1,000. */
  maxConsecutiveTimeouts?: number;
  /** Number of unanswered requests of the peer above which reading pauses. Default 20,000. */
  maxUnanswered?: number;
  /** First sequence number. Default 1. */
  firstSequence?: number;
  clock?: Clock;
}

/** Status of an outcome that carries no answer. */
export const NO_STATUS = -1;

/**
 * Outcome of a request:
 * - answered: the peer answered in time (`status`, `message_id`, `pdu`).
 * - uncertain: no answer before the response timer ended, or the connection was lost after the bytes left; the peer may
 *   have it.
 * - late: an answer to a request already reported `uncertain`.
 * - unsent: the connection was lost before the bytes left; sending it again is safe.
 */
export interface Outcome<Context> {
  kind: 'answered' | 'uncertain' | 'late' | 'unsent';
  context: Context;
  sequence: number;
  /** command_status, or NO_STATUS for `uncertain` and `unsent`. */
  status: number;
  /** The carrier's id from submit_sm_resp or data_sm_resp; else ''. */
  message_id: string;
  pdu: ResponsePdu | undefined;
  /** Milliseconds from the request to its answer; 0 if there was none in time. */
  took: number;
}

export type CloseReason =
  | 'unbound'
  | 'peer_unbound'
  | 'peer_closed'
  | 'connect_failed'
  | 'bind_refused'
  | 'bind_timeout'
  | 'half_open'
  | 'inactive'
  | 'responses_lost'
  | 'framing_error'
  | 'peer_not_reading'
  | 'destroyed';

/** Reason of a session's end; `status` is the answer to a refused bind, `error` the socket's own error. */
export interface Closing {
  reason: CloseReason;
  status?: number;
  error?: Error;
}

/**
 * A faulty PDU of the peer. It was answered as the standard requires, and the session continued unless framing was
 * lost.
 */
export interface ProtocolFault {
  status: number;
  detail: string;
  commandId: number;
  sequence: number;
}

/** The received octets of one PDU: `buffer` from start to end. Keeping it keeps the whole buffer in memory. */
export interface PduFrame {
  buffer: Buffer;
  start: number;
  end: number;
}

/**
 * The application's side of a session. Calls come in batches, one for each chunk of bytes. Answers are passed on before
 * requests of the same chunk.
 */
export interface SessionHandler<Context> {
  /** Called when the bind succeeded (both roles). */
  onBound?(session: Session<Context>): void;
  /** SMSC role: answer the bind with `session.acceptBind()` or `session.refuseBind(status)`, now or later. */
  onBind?(bind: Bind, session: Session<Context>): void;
  onResponses?(outcomes: Outcome<Context>[], session: Session<Context>): void;
  /**
   * Each request must be answered once by `session.respond`, except alert_notification and outbind. `frames` are their
   * octets, in the same order.
   */
  onRequests?(requests: ApplicationRequest[], session: Session<Context>, frames: PduFrame[]): void;
  /** Called when there is room again after a request was refused for a full window. */
  onReady?(session: Session<Context>): void;
  /** Called when the peer unbinds or sends nothing more: no request can be sent any more, and onClose follows. */
  onEnding?(session: Session<Context>): void;
  onFault?(fault: ProtocolFault, session: Session<Context>): void;
  /** Last call; all open requests were reported before it. */
  onClose?(closing: Closing, session: Session<Context>): void;
}

/** Fields of an ESME's bind. */
export interface BindCredentials {
  mode: 'transmitter' | 'receiver' | 'transceiver';
  system_id: string;
  /** At most 8 octets (§4.1.1); longer ones, up to 64, are sent if the carrier accepts them. */
  password: string;
  system_type?: string;
  /** Default 0x34. */
  interface_version?: number;
  addr_ton?: number;
  addr_npi?: number;
  address_range?: string;
}

/** Fills in every default. */
export function withDefaults(options: SessionOptions): Required<SessionOptions> {
  return {
    window: options.window ?? 100,
    responseMs: options.responseMs ?? 30_000,
    enquireLinkMs: options.enquireLinkMs ?? 30_000,
    bindMs: options.bindMs ?? 10_000,
    inactivityMs: options.inactivityMs ?? 0,
    drainMs: options.drainMs ?? 5_000,
    maxConsecutiveTimeouts: options.maxConsecutiveTimeouts ?? 1_000,
    maxUnanswered: options.maxUnanswered ?? 20_000,
    firstSequence: options.firstSequence ?? 1,
    clock: options.clock ?? systemClock,
  };
}
