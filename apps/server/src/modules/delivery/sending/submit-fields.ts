import { segment as segmentText } from '@heliograph/contract/kernel/segments';
import {
  concatenationUdh,
  type Encoding,
  ESM_CLASS,
  encodeShortMessage,
  formatAbsoluteTime,
  formatRelativeTime,
  type MessageFields,
  REGISTERED_DELIVERY,
  type Session,
  SubmitTemplate,
  type Tlvs,
} from '@heliograph/smpp';
import { type ChunkContext, type Message, type Segment, WHOLE } from '../segment.ts';
import { alphabetOf } from './alphabet.ts';
import type { Link } from './link.ts';
import { messageReference } from './message-reference.ts';
import { cutInto, type NetworkOf, Rewriting } from './rewriting.ts';
import { VendorParameters } from './vendor-parameters.ts';

/** Value of dest_addr_subunit (§5.3.2.1) for the display. */
const MOBILE_DISPLAY = 0x01;

const RECEIPTS = {
  none: REGISTERED_DELIVERY.none,
  final: REGISTERED_DELIVERY.final,
  failure: REGISTERED_DELIVERY.failureOnly,
  final_and_intermediate: REGISTERED_DELIVERY.final | REGISTERED_DELIVERY.intermediate,
} as const satisfies Record<Link['registered_delivery'], number>;

/** Maximum digits of a short code; longer numeric senders are international numbers. */
const SHORT_CODE_DIGITS = 6;
/** Septets or UTF-16 units that a 16-bit reference takes from each part, compared with an 8-bit one. */
const WIDER = 1;
const REFERENCES = 256;

type How = 'single' | Link['long_messages'];

interface Encoded {
  dataCoding: number;
  how: How;
  /** Texts of the parts without UDH; for a payload, one part with the whole text. */
  parts: Buffer[];
}

interface Address {
  ton: number;
  npi: number;
  address: string;
}

/**
 * Template for messages with a chunk's common text, valid for one second of the clock because their validity shrinks.
 */
interface Template {
  second: number;
  template: SubmitTemplate;
}

/** Error for a text with other parts than were counted and priced; it must not leave. */
export class PartsMismatch extends Error {
  override name = 'parts_mismatch';
}

function tonNpi(setting: string): { ton: number; npi: number } {
  const [ton, npi] = setting.split('/').map(Number);
  return { ton: ton!, npi: npi! };
}

/** Writes messages in the form that one link's carrier requires. */
export class SubmitFields {
  readonly #link: Link;
  readonly #texts = new WeakMap<ChunkContext, Encoded>();
  readonly #senders = new WeakMap<ChunkContext, Address>();
  readonly #templates = new WeakMap<ChunkContext, Template>();
  readonly #parameters: VendorParameters | undefined;
  readonly #rewriting: Rewriting | undefined;
  readonly #alphanumeric: { ton: number; npi: number };
  readonly #shortCode: { ton: number; npi: number };
  readonly #number: { ton: number; npi: number };
  readonly #destination: { ton: number; npi: number };

  /** Settings are compiled here, once; what a link does not use costs its messages nothing. */
  constructor(link: Link, networkOf: NetworkOf = () => null) {
    this.#link = link;
    this.#parameters = VendorParameters.of(link);
    this.#rewriting = Rewriting.of(link, networkOf);
    this.#alphanumeric = tonNpi(link.alphanumeric_ton_npi);
    this.#shortCode = tonNpi(link.short_code_ton_npi);
    this.#number = tonNpi(link.number_ton_npi);
    this.#destination = tonNpi(link.destination_ton_npi);
  }

  /**
   * Answers the segments of a message that was not tried before. If the link takes long texts as a payload, there is
   * one, and the message is marked as WHOLE.
   */
  segmentsOf(message: Message): Segment[] {
    if (message.parts === 1) return [{ message, part: 1, tries: 0 }];
    if (this.#link.long_messages === 'payload') {
      message.reference = WHOLE;
      return [{ message, part: 1, tries: 0 }];
    }
    return Array.from({ length: message.parts }, (_, index) => ({ message, part: index + 1, tries: 0 }));
  }

  /**
   * Answers the segments to try again, perhaps after another link with another form for long texts. A whole message
   * becomes one segment if this link takes payloads, else its parts.
   */
  again(segments: readonly Segment[]): Segment[] {
    return segments.filter((segment) => {
      const { message } = segment;
      if (message.reference !== WHOLE) return true;
      if (this.#link.long_messages === 'payload') return segment.part === 1;
      // Every part must get the same reference, although each has its own message object by now.
      message.reference = message.id % REFERENCES;
      return true;
    });
  }

  /** Submits a segment on a session at a time in epoch milliseconds; false if its window is full. Throws like `of`. */
  submit(session: Session<Segment>, segment: Segment, now: number): boolean {
    const { message } = segment;
    if (message.text !== null || message.parts > 1 || this.#differIn(message.chunk))
      return session.submit(this.of(segment, now), segment);
    const second = Math.floor(now / 1_000);
    let like = this.#templates.get(message.chunk);
    if (like?.second !== second) {
      const { tlvs, ...fields } = this.of(segment, now);
      const { user_message_reference: _own, ...others } = tlvs ?? {};
      like = { second, template: new SubmitTemplate({ ...fields, tlvs: others }) };
      this.#templates.set(message.chunk, like);
    }
    const reference = this.#link.message_reference ? messageReference(message.id, segment.part) : undefined;
    return session.submitLike(like.template, this.#destinationOf(message), reference, segment);
  }

  /** Whether sender or parameters differ between the messages of a chunk. */
  #differIn(chunk: ChunkContext): boolean {
    return this.#rewriting?.hasSenders === true || this.#parameters?.differIn(chunk) === true;
  }

  #destinationOf({ msisdn }: Message): string {
    return this.#rewriting === undefined ? msisdn : this.#rewriting.number(msisdn).number;
  }

  /**
   * Builds the submit_sm of one segment at a time in epoch milliseconds. Throws PartsMismatch, AlphabetMismatch,
   * ParameterMismatch, and PduError for a field that SMPP does not allow.
   */
  of(segment: Segment, now: number): MessageFields {
    const { message, part } = segment;
    const { chunk } = message;
    const { dataCoding, how, parts } = this.#encoded(message);
    const text = parts[how === 'payload' ? 0 : part - 1];
    if (!text) throw new PartsMismatch('the text has other parts than were counted');
    const sender = this.#senderOf(message);
    const position = { ref: message.reference, total: parts.length, number: part };
    const udh = how === 'udh_8' || how === 'udh_16' ? concatenationUdh(position, how === 'udh_16') : undefined;
    const tlvs = this.#tlvs(message, how, position, text);
    const fields: MessageFields = {
      source_addr_ton: sender.ton,
      source_addr_npi: sender.npi,
      source_addr: sender.address,
      dest_addr_ton: this.#destination.ton,
      dest_addr_npi: this.#destination.npi,
      destination_addr: this.#destinationOf(message),
      esm_class: udh ? ESM_CLASS.udhi : 0,
      validity_period: this.#validity(chunk, now),
      registered_delivery: RECEIPTS[this.#link.registered_delivery],
      data_coding: dataCoding,
      short_message: how === 'payload' ? NOTHING : udh ? Buffer.concat([udh, text]) : text,
      ...(tlvs && { tlvs }),
    };
    return this.#parameters === undefined ? fields : this.#parameters.addTo(fields, segment);
  }

  #tlvs(
    { id, chunk }: Message,
    how: How,
    position: { ref: number; total: number; number: number },
    text: Buffer,
  ): Tlvs | undefined {
    const { message_reference, flash_dialect } = this.#link;
    const subunit = chunk.flash && flash_dialect === 'subunit';
    const reference = message_reference && { user_message_reference: messageReference(id, position.number) };
    if (how !== 'sar' && how !== 'payload' && !subunit) return reference || undefined;
    return {
      ...reference,
      ...(subunit && { dest_addr_subunit: MOBILE_DISPLAY }),
      ...(how === 'sar' && {
        sar_msg_ref_num: position.ref,
        sar_total_segments: position.total,
        sar_segment_seqnum: position.number,
      }),
      ...(how === 'payload' && { message_payload: text }),
    };
  }

  #encoded(message: Message): Encoded {
    const { chunk } = message;
    // A link that takes payloads may get single parts of messages begun elsewhere.
    const whole = message.reference === WHOLE;
    if (message.text !== null) return this.#encode(message.text, chunk.flash, message.parts, whole);
    let common = this.#texts.get(chunk);
    if (!common || (common.how === 'payload') !== whole) {
      common = this.#encode(chunk.common_text ?? '', chunk.flash, message.parts, whole);
      this.#texts.set(chunk, common);
    }
    return common;
  }

  #encode(given: string, flash: boolean, counted: number, whole: boolean): Encoded {
    const text = this.#rewriting === undefined ? given : this.#rewriting.text(given, counted);
    const { encoding, parts: counts } = segmentText(text);
    const parts = text === given ? counts : cutInto(text, counted);
    if (parts.length !== counted) throw new PartsMismatch('the text has other parts than were counted');
    const { alphabet, dataCoding } = alphabetOf(this.#link, text, encoding === 'ucs2', flash, parts.length);
    if (parts.length === 1) return { dataCoding, how: 'single', parts: [encodeShortMessage(text, alphabet)] };
    if (whole) return { dataCoding, how: 'payload', parts: [encodeShortMessage(text, alphabet)] };
    const [how, cut] = this.#cut(text, parts);
    const headerOctets = how === 'udh_8' ? 6 : how === 'udh_16' ? 7 : 0;
    return { dataCoding, how, parts: cut.map((part) => encodedBehind(part, alphabet, headerOctets)) };
  }

  /**
   * Cuts a text into parts. A 16-bit reference leaves less room in each part; if that would make more parts than were
   * priced, 8 bits are used.
   */
  #cut(text: string, parts: string[]): [How, string[]] {
    const { long_messages } = this.#link;
    if (long_messages === 'sar') return ['sar', parts];
    if (long_messages !== 'udh_16') return ['udh_8', parts];
    const shorter = segmentText(text, WIDER).parts;
    return shorter.length === parts.length ? ['udh_16', shorter] : ['udh_8', parts];
  }

  #senderOf({ chunk, msisdn }: Message): Address {
    if (this.#rewriting?.hasSenders) return this.#addressOf(this.#rewriting.sender(chunk.sender_id, msisdn).sender);
    let sender = this.#senders.get(chunk);
    if (!sender) {
      sender = this.#addressOf(chunk.sender_id);
      this.#senders.set(chunk, sender);
    }
    return sender;
  }

  /** Answers type and plan of a sender ID: a name, a short code, or an international number, which loses its plus. */
  #addressOf(senderId: string): Address {
    const numeric = /^\+?\d+$/.test(senderId);
    const address = numeric ? senderId.replace('+', '') : senderId;
    const short = address.length <= SHORT_CODE_DIGITS;
    return { address, ...(!numeric ? this.#alphanumeric : short ? this.#shortCode : this.#number) };
  }

  /**
   * Answers the validity_period (§7.1.1) of a message that leaves now: the rest of the chunk's validity; '' without an
   * end.
   */
  #validity({ expires_at }: ChunkContext, now: number): string {
    const { validity_format } = this.#link;
    if (expires_at === null || validity_format === 'none') return '';
    return validity_format === 'absolute'
      ? formatAbsoluteTime(expires_at)
      : formatRelativeTime((expires_at - now) / 1_000);
  }
}

const NOTHING = Buffer.alloc(0);

/**
 * Encodes a part's text for its place behind a header of `headerOctets` octets: packed septets begin on a septet
 * boundary.
 */
function encodedBehind(text: string, alphabet: Encoding, headerOctets: number): Buffer {
  if (alphabet !== 'gsm_packed' || headerOctets === 0) return encodeShortMessage(text, alphabet);
  return encodeShortMessage(text, alphabet, Buffer.alloc(headerOctets)).subarray(headerOctets);
}
