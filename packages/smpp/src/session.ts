import type { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { mayReceive } from './bind-rules.ts';
import { COMMAND_ID, type ResponseCommand, responseCommand } from './commands.ts';
import { Drain } from './drain.ts';
import { encodeAnswer, encodeInto } from './encode.ts';
import { Handshake } from './handshake.ts';
import { Inbound } from './inbound.ts';
import { LinkHealth } from './link-health.ts';
import { Outbound } from './outbound.ts';
import { OwedAnswers } from './owed-answers.ts';
import type { ApplicationRequest, Bare, Bind, BindResp, MessageFields, PduFields, ResponsePdu } from './pdu.ts';
import {
  type BindCredentials,
  type Closing,
  type PduFrame,
  type SessionHandler,
  type SessionOptions,
  withDefaults,
} from './session-options.ts';
import { STATUS } from './status.ts';
import type { SubmitTemplate } from './submit-template.ts';

export type SessionState = 'connecting' | 'binding' | 'bound' | 'draining' | 'closed';

/**
 * One SMPP connection in either role: bind, bounded window, response timer, enquire_link, unbind. Nothing is thrown,
 * whatever the peer sends. Faults are answered and reported; only lost framing ends the session.
 */
export class Session<Context> {
  readonly role: 'esme' | 'smsc';
  readonly remoteAddress: string | undefined;
  state: SessionState;
  readonly #socket: Socket;
  readonly #handler: SessionHandler<Context>;
  readonly #options: Required<SessionOptions>;
  readonly #out: Outbound<Context>;
  readonly #in: Inbound;
  readonly #handshake: Handshake<Context>;
  readonly #health: LinkHealth;
  readonly #drain: Drain;
  readonly #owed: OwedAnswers;
  #requests: ApplicationRequest[] = [];
  #frames: PduFrame[] = [];
  readonly #closedWaiters: (() => void)[] = [];

  /** `remoteAddress` is the client's address behind a proxy. */
  constructor(
    socket: Socket,
    role: 'esme' | 'smsc',
    options: SessionOptions,
    handler: SessionHandler<Context>,
    remoteAddress = socket.remoteAddress,
  ) {
    this.role = role;
    this.remoteAddress = remoteAddress;
    this.state = role === 'esme' ? 'connecting' : 'binding';
    this.#socket = socket;
    this.#handler = handler;
    this.#options = withDefaults(options);
    const { window, firstSequence, clock } = this.#options;
    this.#out = new Outbound(socket, window, firstSequence, clock, () => this.#owed.resumeIfFew());
    this.#handshake = new Handshake(this.#out);
    // An ESME always reads: if both sides waited for the other to read, neither would ever continue.
    const unread = role === 'smsc' ? () => this.#out.outbox.waiting : () => 0;
    this.#owed = new OwedAnswers(socket, this.#options.maxUnanswered, unread);
    this.#in = new Inbound({
      closed: () => this.state === 'closed',
      response: (pdu) => this.#onResponse(pdu),
      request: (pdu, frame) => this.#onRequest(pdu, frame),
      bind: (pdu) => this.#onBind(pdu),
      bindResp: (pdu) => this.#onBindResp(pdu),
      nack: (pdu) => (this.state === 'binding' ? this.#onBindResp(pdu) : this.#onResponse(pdu)),
      unbind: (pdu) => this.#onUnbind(pdu),
      unbindResp: () => this.#drain.peerAnswers(),
      answer: (commandId, sequence, status) => this.#out.bareResponse(commandId, sequence, status),
      fault: (fault) => this.#handler.onFault?.(fault, this),
    });
    this.#health = new LinkHealth(this.#options, {
      connecting: () => this.state === 'connecting' || this.state === 'binding',
      paused: () => this.#owed.isPaused,
      unread: () => this.#out.outbox.waiting,
      taken: () => this.#out.outbox.taken,
      enquire: () => this.#out.control({ command: 'enquire_link' }),
      expire: (deadline) => this.#expire(deadline),
      close: (reason) => this.#close({ reason }),
    });
    this.#drain = new Drain(
      {
        owed: () => this.#owed.count,
        inFlight: () => this.#out.inFlight,
        sendUnbind: () => void this.#out.control({ command: 'unbind' }),
        answerUnbind: (sequence) => this.#out.bareResponse(COMMAND_ID.unbind_resp, sequence, STATUS.ROK),
        close: (reason) => this.#close({ reason }),
      },
      this.#options,
    );
    socket.setNoDelay(true);
    socket.on('data', this.#onData);
    socket.on('error', (error) => this.#lost(error));
    socket.on('end', () => this.#onEnd());
    socket.on('close', () => this.#lost());
  }

  /** Direction that the bind allows. */
  get mode(): BindCredentials['mode'] {
    return this.#handshake.mode;
  }

  /** The peer's system_id. */
  get systemId(): string {
    return this.#handshake.systemId;
  }

  /** Number of requests that may be sent now. */
  get free(): number {
    return this.state === 'bound' ? this.#out.free : 0;
  }

  get inFlight(): number {
    return this.#out.inFlight;
  }

  /**
   * Sends one submit_sm with the next batch. False if the window is full (onReady follows) or the session is not bound.
   * Throws PduError for a field that the standard does not allow, and then sends nothing.
   */
  submit(fields: MessageFields, context: Context): boolean {
    if (this.state !== 'bound' || !this.#out.hasRoom()) return false;
    this.#out.message(COMMAND_ID.submit_sm, fields, context);
    return true;
  }

  /** Sends the submit_sm of a template to one destination, like submit. */
  submitLike(template: SubmitTemplate, destination: string, reference: number | undefined, context: Context): boolean {
    if (this.state !== 'bound' || !this.#out.hasRoom()) return false;
    this.#out.like(template, destination, reference, context);
    return true;
  }

  /** Sends one deliver_sm (SMSC role), like submit. */
  deliver(fields: MessageFields, context: Context): boolean {
    if (this.state !== 'bound' || !this.#out.hasRoom()) return false;
    this.#out.message(COMMAND_ID.deliver_sm, fields, context);
    return true;
  }

  /**
   * Sends the PDU encoded earlier in `frames` from start to end, under a new sequence number; otherwise like submit.
   */
  requestEncoded(frames: Buffer, start: number, end: number, context: Context): boolean {
    if (this.state !== 'bound' || !this.#out.hasRoom()) return false;
    this.#out.encoded(frames, start, end, context);
    return true;
  }

  /** Sends any other request, like submit; outbind and alert_notification take no slot and have no outcome. */
  request(pdu: PduFields, context: Context): boolean {
    if (pdu.command === 'outbind') {
      if (this.state === 'closed') return false;
    } else if (this.state !== 'bound' || (responseCommand(pdu.command) && !this.#out.hasRoom())) return false;
    this.#out.request(pdu, context);
    return true;
  }

  /** Answers one request of onRequests; false if the session has ended, and the peer will send it again. */
  respond(request: Pick<ApplicationRequest, 'command' | 'sequence'>, status: number, messageId = ''): boolean {
    if (this.state === 'closed') return false;
    if (encodeAnswer(this.#out.outbox.writer, request, status, messageId)) this.#answered();
    return true;
  }

  /** Answers query_sm or submit_multi with all the fields of the response; `sequence` is the request's. */
  respondWith(pdu: PduFields & { command: ResponseCommand | 'generic_nack'; sequence: number }): boolean {
    if (this.state === 'closed') return false;
    encodeInto(this.#out.outbox.writer, pdu, this.#out.withTlvs);
    this.#answered();
    return true;
  }

  /** Leaves one request of onRequests unanswered, like a carrier that loses a response. */
  leaveUnanswered(): void {
    this.#answered();
  }

  #answered(): void {
    this.#out.outbox.added();
    this.#owed.answered();
    this.#drain.check();
  }

  /** ESME role: sends the bind; call it when the socket is connected. */
  startBind(bind: BindCredentials): void {
    this.state = 'binding';
    this.#handshake.request(bind);
  }

  /** SMSC role: accepts the bind of onBind under this SMSC's own system_id. */
  acceptBind(systemId = ''): void {
    if (this.state === 'binding' && this.#handshake.answer(STATUS.ROK, systemId)) this.#bound();
  }

  /** SMSC role: refuses the bind and closes. */
  refuseBind(status: number): void {
    if (this.state === 'binding' && this.#handshake.answer(status)) this.#close({ reason: 'bind_refused', status });
  }

  #bound(): void {
    this.state = 'bound';
    this.#handler.onBound?.(this);
  }

  /** Stops taking requests, waits up to drainMs for open answers, unbinds and closes. Resolves when closed. */
  unbind(): Promise<void> {
    if (this.state === 'closed') return Promise.resolve();
    const closed = new Promise<void>((resolve) => this.#closedWaiters.push(resolve));
    if (this.state === 'bound' || this.state === 'draining') {
      this.state = 'draining';
      this.#drain.begin();
    } else this.destroy();
    return closed;
  }

  /** Closes immediately; requests in flight are reported uncertain. */
  destroy(): void {
    this.#close({ reason: 'destroyed' });
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.state === 'closed') return;
    const before = this.#in.count;
    const framed = this.#in.push(chunk);
    this.#health.heard(this.#in.count - before, this.#in.pending);
    this.#dispatch();
    if (!framed) this.#close({ reason: 'framing_error' });
  };

  /** Passes on answers first: they free slots and settle messages, while requests may keep the application busy. */
  #dispatch(): void {
    const outcomes = this.#out.takeOutcomes();
    if (outcomes !== undefined) {
      this.#health.answered();
      this.#handler.onResponses?.(outcomes, this);
    }
    if (this.#requests.length > 0) {
      const requests = this.#requests;
      const frames = this.#frames;
      this.#requests = [];
      this.#frames = [];
      this.#health.worked();
      this.#handler.onRequests?.(requests, this, frames);
      this.#owed.pauseIfMany();
    }
    this.#drain.check();
    if (this.state === 'bound' && this.#out.becameReady()) this.#handler.onReady?.(this);
  }

  #expire(deadline: number): number {
    const lost = this.#out.expire(deadline);
    if (lost > 0) {
      this.#handler.onResponses?.(this.#out.takeOutcomes()!, this);
      this.#drain.check();
      if (this.state === 'bound' && this.#out.becameReady()) this.#handler.onReady?.(this);
    }
    return lost;
  }

  /** Ends the session once both sides have the answers they are owed; later requests are refused. */
  #onUnbind(pdu: Bare): void {
    if (this.state === 'bound' || this.state === 'draining') {
      this.#drain.peerUnbinds(pdu.sequence);
      this.#endsByPeer();
      return;
    }
    this.#out.bareResponse(COMMAND_ID.unbind_resp, pdu.sequence, STATUS.ROK);
    this.#close({ reason: 'peer_unbound' });
  }

  /**
   * Handles the peer's end of sending: its requests are still answered, and its own missing answers will never come.
   */
  #onEnd(): void {
    const isOpen = this.state === 'bound' || this.state === 'draining';
    if (!isOpen || (this.#owed.count === 0 && !this.#drain.isPeerDone)) {
      this.#lost();
      return;
    }
    this.#endsByPeer();
    this.#out.giveUp();
    const outcomes = this.#out.takeOutcomes();
    if (outcomes !== undefined) this.#handler.onResponses?.(outcomes, this);
    this.#drain.halfClosed();
  }

  #endsByPeer(): void {
    if (this.state !== 'bound') return;
    this.state = 'draining';
    this.#handler.onEnding?.(this);
  }

  #onResponse(pdu: ResponsePdu): void {
    if (this.#out.settle(pdu)) return;
    const detail = `${pdu.command} answers nothing that is open`;
    const commandId = COMMAND_ID[pdu.command];
    this.#handler.onFault?.({ status: pdu.status, detail, commandId, sequence: pdu.sequence }, this);
  }

  #onRequest(request: ApplicationRequest, frame: PduFrame): void {
    const open = this.state === 'bound' || this.state === 'draining';
    const answer = responseCommand(request.command);
    if (mayReceive(this.role, request.command, open && !this.#drain.isPeerDone ? this.mode : undefined)) {
      if (answer !== undefined) this.#owed.count++;
      this.#requests.push(request);
      this.#frames.push(frame);
    } else if (answer !== undefined) {
      this.#out.bareResponse(COMMAND_ID[answer], request.sequence, STATUS.RINVBNDSTS);
    }
  }

  #onBind(bind: Bind): void {
    const outOfTurn = this.role === 'esme' ? STATUS.RINVBNDSTS : STATUS.RALYBND;
    const inTurn = this.role === 'smsc' && this.state === 'binding';
    if (!this.#handshake.received(bind, inTurn, outOfTurn)) return;
    if (this.#handler.onBind) this.#handler.onBind(bind, this);
    else this.refuseBind(STATUS.RBINDFAIL);
  }

  #onBindResp(pdu: BindResp | Bare): void {
    if (this.state !== 'binding' || this.role === 'smsc') return;
    const status = this.#handshake.answered(pdu);
    if (status === STATUS.ROK) this.#bound();
    else if (status !== undefined) this.#close({ reason: 'bind_refused', status });
  }

  #lost(error?: Error): void {
    const reason = this.state === 'connecting' ? 'connect_failed' : this.#drain.reason;
    this.#close(error ? { reason, error } : { reason });
  }

  #close(closing: Closing): void {
    if (this.state === 'closed') return;
    const isAway = ['destroyed', 'half_open', 'peer_not_reading'].includes(closing.reason);
    const isCutOff = isAway || closing.error !== undefined;
    // If requests wait, nothing is flushed to a closed peer, because they may go elsewhere. Without requests, answers
    // are flushed: the peer may still read.
    if (!isCutOff && (closing.reason !== 'peer_closed' || !this.#out.hasUnsent)) this.#out.outbox.flush();
    this.state = 'closed';
    this.#health.stop();
    this.#drain.stop();
    this.#requests = [];
    this.#frames = [];
    this.#out.abandon();
    if (isAway) this.#socket.destroy();
    else this.#endSocket();
    const outcomes = this.#out.takeOutcomes();
    if (outcomes !== undefined) this.#handler.onResponses?.(outcomes, this);
    this.#handler.onClose?.(closing, this);
    for (const resolve of this.#closedWaiters.splice(0)) resolve();
  }

  /** Closes the socket once its last octets are written, or after drainMs if the peer does not take them. */
  #endSocket(): void {
    const socket = this.#socket;
    const { clock, drainMs } = this.#options;
    const cancel = clock.schedule(drainMs, () => socket.destroy());
    socket.once('close', cancel);
    socket.destroySoon();
  }
}
