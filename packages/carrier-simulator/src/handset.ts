import { Buffer } from 'node:buffer';
import {
  concatenationUdh,
  DATA_CODING,
  encodeShortMessage,
  gsmUnits,
  isGsm,
  type MessageFields,
} from '@heliograph/smpp';
import type { Carrier } from './carrier.ts';
import { arrives, type Outcome } from './outcome.ts';
import type { AcceptedSegment } from './segment-log.ts';

/** One message as a handset shows it: all its parts joined. */
export interface HandsetMessage {
  direction: 'received' | 'sent';
  from: string;
  to: string;
  text: string;
  at: string;
  /** Number of received parts, and of all parts. */
  parts: { received: number; total: number };
  outcome: Outcome | null;
  /** True if the message reached the handset. */
  arrived: boolean;
  seqs: number[];
}

interface Joining {
  message: HandsetMessage;
  texts: (string | undefined)[];
}

/**
 * Joins the segments to one number into messages. Parts may come in any order. A part that is already there begins the
 * next message with the same reference; so does any part after the message is complete.
 */
export function joinSegments(segments: AcceptedSegment[]): HandsetMessage[] {
  const messages: HandsetMessage[] = [];
  const open = new Map<string, Joining>();
  for (const segment of segments) {
    const { part } = segment;
    const key = `${segment.from} ${part?.ref} ${part?.total}`;
    let joining = part ? open.get(key) : undefined;
    if (joining === undefined || joining.texts[part!.number - 1] !== undefined) {
      const message: HandsetMessage = {
        direction: 'received',
        from: segment.from,
        to: segment.to,
        text: '',
        at: segment.received_at,
        parts: { received: 0, total: part?.total ?? 1 },
        outcome: segment.outcome,
        arrived: arrives(segment.outcome),
        seqs: [],
      };
      messages.push(message);
      joining = { message, texts: new Array<string | undefined>(message.parts.total).fill(undefined) };
      if (part) open.set(key, joining);
    }
    joining.texts[(part?.number ?? 1) - 1] = segment.text;
    joining.message.seqs.push(segment.seq);
    joining.message.parts.received++;
    joining.message.text = joining.texts.map((text) => text ?? '…').join('');
    if (joining.message.parts.received === joining.message.parts.total) open.delete(key);
  }
  return messages;
}

const MAX_SENT = 10_000;

/** The phones behind the simulated carrier: messages that each received, and messages sent from them. */
export class Handsets {
  readonly #carrier: Carrier;
  readonly #sent: HandsetMessage[] = [];
  #ref = 0;

  constructor(carrier: Carrier) {
    this.#carrier = carrier;
  }

  /** Returns the segments to one number that are still in memory. */
  segmentsTo(msisdn: string): AcceptedSegment[] {
    const { log } = this.#carrier;
    return log.positionsTo(msisdn).map((seq) => log.read(seq)!);
  }

  /** Returns the newest messages of one number, oldest first. */
  messagesOf(msisdn: string, limit = 200): HandsetMessage[] {
    const { log } = this.#carrier;
    // Parts of a message are close together, so a few more segments than the shown messages are enough.
    const segments = log
      .positionsTo(msisdn)
      .slice(-limit * 2)
      .map((seq) => log.read(seq)!);
    const taken = segments.filter((segment) => segment.status === 0 || segment.status === null);
    const own = this.#sent.filter((message) => message.from === msisdn);
    return [...joinSegments(taken), ...own].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).slice(-limit);
  }

  /** Returns numbers with their newest segment, newest first. */
  recent(search: string, limit: number): { number: string; last: AcceptedSegment }[] {
    const { log } = this.#carrier;
    return log.recent(search, limit).map((seq) => {
      const last = log.read(seq)!;
      return { number: last.to, last };
    });
  }

  /**
   * Sends a mobile-originated message, in parts if it is long. Returns the number of parts, or 0 without a bound
   * receiver.
   */
  send(message: { from: string; to: string; text: string; system_id?: string | undefined }): number {
    const account = this.#carrier.accounts.receiver(message.system_id);
    if (account === undefined) return 0;
    this.#ref = (this.#ref + 1) & 0xff;
    const pdus = moSegments(message, this.#ref);
    this.#carrier.deliverNow(account, pdus);
    this.#carrier.counts.mo_sent += pdus.length;
    const parts = { received: pdus.length, total: pdus.length };
    const { from, to, text } = message;
    const at = new Date().toISOString();
    this.#sent.push({ direction: 'sent', from, to, text, at, parts, outcome: null, arrived: true, seqs: [] });
    if (this.#sent.length > MAX_SENT) this.#sent.splice(0, MAX_SENT / 2);
    return pdus.length;
  }

  clear(): void {
    this.#sent.length = 0;
  }
}

/**
 * Returns the deliver_sm fields of a subscriber's text. A single part has up to 160 GSM or 70 UCS-2 characters, one of
 * several has up to 153 or 67. No character is cut in two.
 */
export function moSegments(message: { from: string; to: string; text: string }, ref: number): MessageFields[] {
  const gsm = isGsm(message.text);
  const cost = (character: string): number => (gsm ? gsmUnits(character) : character.length);
  const [single, multi] = gsm ? [160, 153] : [70, 67];
  const characters = [...message.text];
  const parts: string[] = [''];
  const limit = characters.reduce((sum, character) => sum + cost(character), 0) <= single ? single : multi;
  let units = 0;
  for (const character of characters) {
    if (units + cost(character) > limit) {
      parts.push('');
      units = 0;
    }
    parts[parts.length - 1] += character;
    units += cost(character);
  }
  return parts.map((text, index) => {
    const udh = parts.length > 1 ? concatenationUdh({ ref, total: parts.length, number: index + 1 }) : undefined;
    return {
      source_addr_ton: 1,
      source_addr_npi: 1,
      source_addr: message.from,
      destination_addr: message.to,
      esm_class: udh ? 0x40 : 0,
      data_coding: gsm ? DATA_CODING.smscDefault : DATA_CODING.ucs2,
      short_message: Buffer.from(encodeShortMessage(text, gsm ? 'gsm' : 'ucs2', udh)),
    };
  });
}
