import type { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { COMMAND_ID, responseCommand } from './commands.ts';
import { encodeBare, encodeInto, encodeMessage } from './encode.ts';
import { Outbox } from './outbox.ts';
import type { MessageFields, PduFields, ResponsePdu } from './pdu.ts';
import { type Clock, NO_STATUS, type Outcome } from './session-options.ts';
import type { SubmitTemplate } from './submit-template.ts';
import { Window } from './window.ts';
import { readU32, writeU32 } from './wire.ts';

/** Requests that a session sends, and their outcomes. */
export class Outbound<Context> {
  readonly outbox: Outbox;
  /** False towards peers below SMPP 3.4, which get no optional parameters (§3.4). */
  withTlvs = true;
  readonly #window: Window<Context>;
  readonly #clock: Clock;
  #outcomes: Outcome<Context>[] = [];
  #refused = false;
  /** Batch of the last request. */
  #requestBatch = 0;

  constructor(socket: Socket, window: number, firstSequence: number, clock: Clock, onTaken: () => void) {
    this.outbox = new Outbox(socket, onTaken);
    this.#window = new Window(window, firstSequence);
    this.#clock = clock;
  }

  get inFlight(): number {
    return this.#window.inFlight;
  }

  get free(): number {
    return this.#window.limit - this.#window.inFlight;
  }

  /** Answers whether a slot is free; a refusal is remembered for becameReady. */
  hasRoom(): boolean {
    if (this.#window.inFlight < this.#window.limit) return true;
    this.#refused = true;
    return false;
  }

  /** Answers true once after a request was refused for a full window and there is room again. */
  becameReady(): boolean {
    if (!this.#refused || this.free === 0) return false;
    this.#refused = false;
    return true;
  }

  message(commandId: number, fields: MessageFields, context: Context): void {
    const sequence = this.#window.nextSequence();
    encodeMessage(this.outbox.writer, commandId, sequence, fields, this.withTlvs);
    this.#sent(sequence, commandId, context);
  }

  /** Sends the submit_sm of a template; towards peers below SMPP 3.4 without the reference. */
  like(template: SubmitTemplate, destination: string, reference: number | undefined, context: Context): void {
    const sequence = this.#window.nextSequence();
    template.write(this.outbox.writer, sequence, destination, this.withTlvs ? reference : undefined);
    this.#sent(sequence, COMMAND_ID.submit_sm, context);
  }

  encoded(frames: Buffer, start: number, end: number, context: Context): void {
    const sequence = this.#window.nextSequence();
    const { writer } = this.outbox;
    writer.ensure(end - start);
    frames.copy(writer.buffer, writer.length, start, end);
    writeU32(writer.buffer, writer.length + 12, sequence);
    writer.length += end - start;
    this.#sent(sequence, readU32(frames, start + 4), context);
  }

  request(pdu: PduFields, context: Context): void {
    const sequence = this.#window.nextSequence();
    encodeInto(this.outbox.writer, { ...pdu, sequence }, this.withTlvs);
    if (responseCommand(pdu.command) === undefined) this.outbox.added();
    else this.#sent(sequence, COMMAND_ID[pdu.command], context);
  }

  #sent(sequence: number, commandId: number, context: Context): void {
    this.#requestBatch = this.outbox.batch;
    this.#window.open(sequence, commandId, context, this.#clock.now(), this.#requestBatch);
    this.outbox.added();
  }

  /** Sends one of the session's own requests outside the window; answers its sequence number. */
  control(pdu: PduFields): number {
    const sequence = this.#window.nextSequence();
    encodeInto(this.outbox.writer, { ...pdu, sequence });
    this.outbox.added();
    return sequence;
  }

  /** Sends an answer that is only a header. */
  bareResponse(commandId: number, sequence: number, status: number): void {
    encodeBare(this.outbox.writer, commandId, sequence, status);
    this.outbox.added();
  }

  /** Records the answer to a request, in flight or given up; false if there is no such request. */
  settle(pdu: ResponsePdu): boolean {
    const { sequence } = pdu;
    const commandId = pdu.command === 'generic_nack' ? undefined : COMMAND_ID[pdu.command] & 0x7fffffff;
    if (this.#window.has(sequence, commandId)) {
      const took = this.#clock.now() - this.#window.sentAt(sequence);
      this.#record('answered', this.#window.close(sequence), sequence, pdu, took);
      return true;
    }
    const late = this.#window.late(sequence, commandId);
    if (late === undefined) return false;
    this.#record('late', late.context, sequence, pdu);
    return true;
  }

  /** Gives up requests sent before `deadline`; answers their number. */
  expire(deadline: number): number {
    let count = 0;
    this.#window.expire(deadline, (sequence, context) => {
      count++;
      this.#record('uncertain', context, sequence, undefined);
    });
    return count;
  }

  /** Whether requests wait to be written to the socket. */
  get hasUnsent(): boolean {
    return this.#requestBatch === this.outbox.batch;
  }

  /**
   * Reports all open requests after the connection was lost: those that never left as unsent, the rest as uncertain.
   */
  abandon(): void {
    this.#clear();
    this.outbox.discard();
  }

  /**
   * Reports all open requests when no more answers can come, though the peer may still read. Works like abandon, but
   * waiting answers still leave.
   */
  giveUp(): void {
    if (this.hasUnsent) this.abandon();
    else this.#clear();
  }

  #clear(): void {
    this.#window.clear(this.outbox.batch, (sequence, context, sent) =>
      this.#record(sent ? 'uncertain' : 'unsent', context, sequence, undefined),
    );
  }

  #record(
    kind: Outcome<Context>['kind'],
    context: Context,
    sequence: number,
    pdu: ResponsePdu | undefined,
    took = 0,
  ): void {
    const message_id = pdu !== undefined && 'message_id' in pdu ? pdu.message_id : '';
    this.#outcomes.push({ kind, context, sequence, status: pdu?.status ?? NO_STATUS, message_id, pdu, took });
  }

  /** Answers the outcomes since the last call, or undefined if there are none. */
  takeOutcomes(): Outcome<Context>[] | undefined {
    if (this.#outcomes.length === 0) return undefined;
    const taken = this.#outcomes;
    this.#outcomes = [];
    return taken;
  }
}
