import type { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Batches } from './batches.ts';
import { COMMAND_ID, type ResponseCommand, responseCommand } from './commands.ts';
import { Drain } from './drain.ts';
import { encodeAnswer, encodeInto } from './encode.ts';
import { Handshake } from './handshake.ts';
import { Inbound } from './inbound.ts';
import { LinkHealth } from './link-health.ts';
import { Outbound } from './outbound.ts';
import { OwedAnswers } from './owed-answers.ts';
import type { ApplicationRequest, MessageFields, PduFields } from './pdu.ts';
import {
  type BindCredentials,
  type Closing,
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
  /** True if the connection uses TLS. */
  readonly encrypted: boolean;
  state: SessionState;
  readonly #socket: Socket;
  readonly #handler: SessionHandler<Context>;
  readonly #out: Outbound<Context>;
  readonly #in: Inbound;
  readonly #handshake: Handshake<Context>;
  readonly #health: LinkHealth;
  readonly #drain: Drain;
  readonly #owed: OwedAnswers;
  readonly #batches: Batches<Context>;
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
    this.encrypted = socket instanceof TLSSocket;
    this.state = role === 'esme' ? 'connecting' : 'binding';
    this.#socket = socket;
    this.#handler = handler;
    const full = withDefaults(options);
    const { window, firstSequence, clock } = full;
    this.#out = new Outbound(socket, window, firstSequence, clock, () => this.#owed.resumeIfFew());
    this.#handshake = new Handshake(role, this.#out, {
      isBinding: () => this.state === 'binding',
      asked: (bind) => (handler.onBind ? handler.onBind(bind, this) : this.refuseBind(STATUS.RBINDFAIL)),
      bound: () => {
        this.state = 'bound';
        handler.onBound?.(this);
      },
      refused: (status) => this.#close({ reason: 'bind_refused', status }),
    });
    // An ESME always reads: if both sides waited for the other to read, neither would ever continue.
    const unread = role === 'smsc' ? () => this.#out.outbox.waiting : () => 0;
    this.#owed = new OwedAnswers(socket, full.maxUnanswered, unread);
    this.#in = new Inbound({
      closed: () => this.state === 'closed',
      response: (pdu) => this.#batches.response(pdu),
      request: (pdu, frame) => this.#batches.request(pdu, frame, this.#openMode),
      bind: (pdu) => this.#handshake.received(pdu),
      bindResp: (pdu) => this.#handshake.answered(pdu),
      nack: (pdu) => (this.state === 'binding' ? this.#handshake.answered(pdu) : this.#batches.response(pdu)),
      unbind: ({ sequence }) => this.#drain.peerUnbinds(sequence),
      unbindResp: () => this.#drain.peerAnswers(),
      answer: (commandId, sequence, status) => this.#out.bareResponse(commandId, sequence, status),
      fault: (fault) => this.#handler.onFault?.(fault, this),
    });
    this.#health = new LinkHealth(full, {
      connecting: () => this.state === 'connecting' || this.state === 'binding',
      paused: () => this.#owed.isPaused,
      unread: () => this.#out.outbox.waiting,
      taken: () => this.#out.outbox.taken,
      enquire: () => this.#out.control({ command: 'enquire_link' }),
      expire: (deadline) => this.#expire(deadline),
      close: (reason) => this.#close({ reason }),
    });
    this.#batches = new Batches(this, handler, this.#out, this.#owed, this.#health);
    this.#drain = new Drain(
      {
        isOpen: () => this.#isOpen,
        owed: () => this.#owed.count,
        inFlight: () => this.#out.inFlight,
        sendUnbind: () => void this.#out.control({ command: 'unbind' }),
        answerUnbind: (sequence) => this.#out.bareResponse(COMMAND_ID.unbind_resp, sequence, STATUS.ROK),
        ending: () => {
          if (this.state !== 'bound') return;
          this.state = 'draining';
          handler.onEnding?.(this);
        },
        giveUp: () => {
          this.#out.giveUp();
          this.#batches.passLost();
        },
        lost: () => this.#lost(),
        close: (reason) => this.#close({ reason }),
      },
      full,
    );
    socket.setNoDelay(true);
    socket.on('data', this.#onData);
    socket.on('error', (error) => this.#lost(error));
    socket.on('end', () => this.#drain.peerEnds());
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

  get #isOpen(): boolean {
    return this.state === 'bound' || this.state === 'draining';
  }

  /** Direction of the bind while the peer may send requests. */
  get #openMode(): BindCredentials['mode'] | undefined {
    return this.#isOpen && !this.#drain.isPeerDone ? this.mode : undefined;
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
    this.#handshake.accept(systemId);
  }

  /** SMSC role: refuses the bind and closes. */
  refuseBind(status: number): void {
    this.#handshake.refuse(status);
  }

  /** Stops taking requests, waits up to drainMs for open answers, unbinds and closes. Resolves when closed. */
  unbind(): Promise<void> {
    if (this.state === 'closed') return Promise.resolve();
    const closed = new Promise<void>((resolve) => this.#closedWaiters.push(resolve));
    if (this.#isOpen) {
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
    this.#batches.pass();
    this.#drain.check();
    this.#batches.passRoom();
    if (!framed) this.#close({ reason: 'framing_error' });
  };

  #expire(deadline: number): number {
    const lost = this.#out.expire(deadline);
    if (lost > 0) {
      this.#batches.passLost();
      this.#drain.check();
      this.#batches.passRoom();
    }
    return lost;
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
    this.#batches.drop();
    this.#out.abandon();
    if (isAway) this.#socket.destroy();
    else this.#drain.endSocket(this.#socket);
    this.#batches.passLost();
    this.#handler.onClose?.(closing, this);
    for (const resolve of this.#closedWaiters.splice(0)) resolve();
  }
}
