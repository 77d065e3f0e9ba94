import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type ApplicationRequest,
  concatenationOf,
  type DeliverSm,
  decodePdu,
  decodeShortMessage,
  encodeShortMessage,
  isGsm,
  NO_STATUS,
  parseReceipt,
  STATUS,
  type SubmitSm,
  splitUdh,
} from '@heliograph/smpp';
import type { CarrierSession, InFlight } from './account.ts';
import type { Carrier } from './carrier.ts';
import type { HttpCall, HttpDialect, HttpMessage, HttpVerdict } from './http-dialect.ts';

/** Maximum callbacks under way for one customer, and their time limit. */
const MOST_CALLS = 64;
const CALL_MS = 10_000;
/** Messages whose receipts find their callback; the oldest are dropped first. */
const MOST_KNOWN = 500_000;

/** A request whose messages wait for their answers. */
interface Pending {
  response: ServerResponse;
  verdicts: (HttpVerdict | undefined)[];
  unanswered: boolean;
}

interface Place {
  pending: Pending;
  index: number;
  message: HttpMessage;
}

/** A receipt or reply that a customer asks for. */
export interface Pollable {
  value: Record<string, string>;
  contexts: InFlight[];
}

/** Receipts or replies for a customer who asks for them: each page follows a cursor. */
export class PollList {
  readonly #items: Pollable[] = [];
  #taken = 0;

  add(item: Pollable): void {
    this.#items.push(item);
  }

  /** Returns a page after a position, and the contexts that the position acknowledges. */
  page(after: number, limit: number): { values: Record<string, string>[]; next: number; acknowledged: InFlight[] } {
    const acknowledged = this.#items.slice(this.#taken, after).flatMap(({ contexts }) => contexts);
    this.#taken = Math.max(this.#taken, Math.min(after, this.#items.length));
    const page = this.#items.slice(after, after + limit);
    return { values: page.map(({ value }) => value), next: after + page.length, acknowledged };
  }
}

/**
 * A customer of the simulated carrier who speaks HTTP. To the carrier it is one more session: messages go in as
 * submit_sm, and receipts and replies come out as deliver_sm, which become calls to the customer.
 */
export class HttpSession implements CarrierSession {
  readonly systemId: string;
  readonly mode = 'transceiver';
  state: CarrierSession['state'] = 'bound';
  readonly receipts = new PollList();
  readonly replies = new PollList();
  readonly #carrier: Carrier;
  readonly #dialect: HttpDialect;
  readonly #places = new Map<number, Place>();
  readonly #pending = new Set<Pending>();
  /** Messages by their position in the log. */
  readonly #messages = new Map<number, HttpMessage>();
  /** Parts of replies that wait for the others. */
  readonly #parts = new Map<string, { texts: (string | undefined)[]; contexts: InFlight[] }>();
  #sequence = 0;
  #calls = 0;
  #callback = '';
  #replyNumber = Date.now();

  constructor(systemId: string, dialect: HttpDialect, carrier: Carrier) {
    this.systemId = systemId;
    this.#dialect = dialect;
    this.#carrier = carrier;
  }

  /** Takes the messages of a request; the answer follows when all of them have theirs. */
  submit(messages: readonly HttpMessage[], response: ServerResponse): void {
    const pending: Pending = { response, verdicts: messages.map(() => undefined), unanswered: false };
    this.#pending.add(pending);
    response.once('close', () => this.#pending.delete(pending));
    for (const [index, message] of messages.entries()) {
      if (message.callback !== '') this.#callback = message.callback;
      const sequence = ++this.#sequence;
      this.#places.set(sequence, { pending, index, message });
      this.#carrier.onRequests([submitOf(message, sequence)], this);
      this.#messages.set(this.#carrier.log.total, message);
    }
    if (messages.length === 0) this.#finish(pending);
    if (this.#messages.size > MOST_KNOWN) this.#messages.delete(this.#messages.keys().next().value!);
  }

  respond({ sequence }: Pick<ApplicationRequest, 'sequence'>, status: number, id = ''): boolean {
    const place = this.#places.get(sequence);
    if (!place) return false;
    this.#places.delete(sequence);
    place.pending.verdicts[place.index] = { message: place.message, status, id };
    // The log is written at the end of the carrier's turn, and no answer leaves before it.
    queueMicrotask(() => this.#finish(place.pending));
    return true;
  }

  /** The whole request stays without an answer. */
  leaveUnanswered(): void {
    const place = this.#places.get(this.#sequence);
    if (place) place.pending.unanswered = true;
  }

  #finish(pending: Pending): void {
    const { verdicts, response, unanswered } = pending;
    if (unanswered || verdicts.includes(undefined) || response.writableEnded) return;
    const answer = this.#dialect.answer(verdicts as HttpVerdict[]);
    response.writeHead(answer.status, { 'content-type': answer.type ?? 'text/plain', ...answer.headers });
    response.end(answer.body);
  }

  /** Cuts the connections of all requests that wait. */
  destroy(): void {
    for (const { response } of this.#pending) response.destroy();
    this.#pending.clear();
    this.#places.clear();
  }

  requestEncoded(frames: Buffer, start: number, end: number, context: InFlight): boolean {
    if (this.#calls >= MOST_CALLS) return false;
    let pdu: DeliverSm;
    try {
      pdu = decodePdu(Buffer.from(frames.subarray(start, end))) as DeliverSm;
    } catch {
      return true;
    }
    const receipt = parseReceipt(pdu);
    if (!receipt) {
      this.#reply(pdu, context);
      return true;
    }
    const message = this.#messages.get(context.batch.seqs[context.index]!);
    if (!message) {
      queueMicrotask(() => this.#acknowledge([context], STATUS.ROK));
      return true;
    }
    const { id, word: state, error } = receipt;
    if (message.callback !== '')
      this.#call(this.#dialect.receipt({ id, message, state, error: error || '000' }), [context]);
    else {
      const value = { id, ref: message.reference, state, error, to: message.to };
      this.receipts.add({ value, contexts: [context] });
    }
    return true;
  }

  /** Joins the parts of a reply: carriers bring them whole. */
  #reply(pdu: DeliverSm, context: InFlight): void {
    const part = concatenationOf(pdu);
    const { body } = splitUdh(pdu.short_message, pdu.esm_class);
    const text = decodeShortMessage(body, pdu.data_coding);
    const key = `${pdu.source_addr}/${pdu.destination_addr}/${part?.ref}`;
    const joined = this.#parts.get(key) ?? { texts: Array.from({ length: part?.total ?? 1 }), contexts: [] };
    joined.texts[(part?.number ?? 1) - 1] = text;
    joined.contexts.push(context);
    this.#parts.set(key, joined);
    if (joined.texts.includes(undefined)) return;
    this.#parts.delete(key);
    const reply = {
      id: `r${++this.#replyNumber}`,
      from: pdu.source_addr,
      to: pdu.destination_addr,
      text: joined.texts.join(''),
    };
    // A customer's address for replies is that for receipts with another last word.
    const url = this.#callback.replace(/\?.*$/, '').replace(/\/receipts$/, '/replies');
    if (url === '') this.replies.add({ value: reply, contexts: joined.contexts });
    else this.#call(this.#dialect.reply(url, reply), joined.contexts);
  }

  #call({ url, method, type, body }: HttpCall, contexts: readonly InFlight[]): void {
    this.#calls++;
    fetch(url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(CALL_MS),
      ...(method === 'POST' && { body, headers: { 'content-type': type } }),
    })
      .then(async (response) => {
        await response.arrayBuffer();
        return response.ok ? STATUS.ROK : STATUS.RX_T_APPN;
      })
      .catch(() => STATUS.RX_T_APPN)
      .then((status) => {
        this.#calls--;
        this.#acknowledge(contexts, status);
        this.#carrier.onReady(this);
      });
  }

  #acknowledge(contexts: readonly InFlight[], status: number): void {
    this.#carrier.onResponses(
      contexts.map((context) => ({
        kind: status === NO_STATUS ? 'uncertain' : 'answered',
        context,
        sequence: 0,
        status,
        message_id: '',
        pdu: undefined,
        took: 0,
      })),
      this,
    );
  }

  /** Answers a customer who asks for receipts or replies after a cursor; the cursor acknowledges those before it. */
  poll(
    list: 'receipts' | 'replies',
    cursor: number,
    limit: number,
  ): { results: Record<string, string>[]; cursor: string } {
    const { values, next, acknowledged } = this[list].page(cursor, limit);
    if (acknowledged.length > 0) this.#acknowledge(acknowledged, STATUS.ROK);
    return { results: values, cursor: String(next) };
  }
}

/** Octets that the log keeps of a text; the rest of a long one is of no use here. */
const MOST_OCTETS = 4_000;

/** Builds the submit_sm of a message, so that the log and the handsets show it as any other. */
function submitOf({ to, from, text, udh }: HttpMessage, sequence: number): SubmitSm {
  const gsm = isGsm(text);
  const header = Buffer.from(udh, 'hex');
  const content = Buffer.from(encodeShortMessage(text, gsm ? 'gsm' : 'ucs2')).subarray(0, MOST_OCTETS);
  return {
    command: 'submit_sm',
    status: 0,
    sequence,
    service_type: '',
    source_addr_ton: 0,
    source_addr_npi: 0,
    source_addr: from.slice(0, 20),
    dest_addr_ton: 1,
    dest_addr_npi: 1,
    destination_addr: to.slice(0, 20),
    esm_class: header.length > 0 ? 0x40 : 0,
    protocol_id: 0,
    priority_flag: 0,
    schedule_delivery_time: '',
    validity_period: '',
    registered_delivery: 1,
    replace_if_present_flag: 0,
    data_coding: gsm ? 0 : 8,
    sm_default_msg_id: 0,
    short_message: Buffer.concat([header, content]),
    tlvs: undefined,
  };
}

/** Reads a request's body as text, at most a megabyte. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > 1_048_576) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
