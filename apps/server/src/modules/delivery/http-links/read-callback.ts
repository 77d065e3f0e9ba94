import { createHash } from 'node:crypto';
import type { HttpMapping } from '@heliograph/contract/links/http-mapping';
import { buildReceipt, encodePdu, encodeShortMessage } from '@heliograph/smpp';
import { referenceNumber, storedId } from './reference.ts';
import { listAt, type Said, textAt } from './selectors.ts';

export const CALLBACK_KINDS = ['receipts', 'replies'] as const;
export type CallbackKind = (typeof CALLBACK_KINDS)[number];

/** A receipt or a reply as the platform keeps it: the octets of a deliver_sm. */
export interface Brought {
  pdu: Buffer;
  /** Identity of a reply, by which a repeated one is found; null without an ID, and for receipts. */
  digest: Buffer | null;
  /** Values that were read, for a person who tries a mapping. */
  read: Readonly<Record<string, string>>;
}

/** Maximum items of one callback or page, and characters of a reply. */
const MOST_ITEMS = 1_000;
const LONGEST_TEXT = 10_000;
/** Maximum octets of short_message (SMPP 3.4 §5.2.22). */
const SHORT = 254;
/** Maximum characters of an address (SMPP 3.4 §5.2.8). */
const LONGEST_ADDRESS = 20;

/** Reads the query and the body of a callback, whatever its type, as one document. */
export function documentOf(query: string, type: string, body: string): Said {
  const values: Record<string, unknown> = Object.fromEntries(new URLSearchParams(query));
  const trimmed = body.trim();
  if (/json/i.test(type) || /^[[{]/.test(trimmed)) {
    try {
      const json = JSON.parse(trimmed) as unknown;
      if (Array.isArray(json)) return { text: body, value: json };
      if (typeof json === 'object' && json !== null) Object.assign(values, json);
    } catch {
      // The selectors of expressions may still read it.
    }
  } else if (trimmed !== '') Object.assign(values, Object.fromEntries(new URLSearchParams(trimmed)));
  return { text: trimmed === '' ? query : body, value: values };
}

/** Reads a mapping's lines `name=place`. */
const placesOf = (lines: readonly string[]): Map<string, string> =>
  new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));

/** Reads the receipts or replies of a document; empty if the mapping finds none. */
export function readCallback(mapping: HttpMapping, kind: CallbackKind, document: Said, now: number): Brought[] {
  const places = placesOf(mapping[kind]);
  const list = places.get('list');
  const items = (list === undefined ? undefined : listAt(document, list)) ?? listAt(document, '') ?? [document];
  return items.slice(0, MOST_ITEMS).flatMap((item) => {
    const read: Record<string, string> = {};
    for (const [name, place] of places) {
      const value = name === 'list' ? undefined : textAt(item, place);
      if (value !== undefined) read[name] = value;
    }
    const brought = kind === 'receipts' ? receiptOf(read, now) : replyOf(read);
    return brought ? [{ ...brought, read }] : [];
  });
}

const digits = (text = ''): string => text.replace(/\D/g, '').slice(0, LONGEST_ADDRESS);
/** A sender or recipient: a number without its plus, or a name in ASCII. */
const address = (text = ''): string =>
  /^\+?[\d\s().-]+$/.test(text) ? digits(text) : text.replace(/[^\x21-\x7e]/g, '').slice(0, LONGEST_ADDRESS);
/** A word of a carrier without the characters that separate the fields of a receipt. */
const word = (text = ''): string => text.replace(/[^\x21-\x7e]|[,;|:=]/g, '_').slice(0, 40);

function receiptOf(read: Readonly<Record<string, string>>, now: number): Omit<Brought, 'read'> | undefined {
  const own = read['reference'] ?? read['id'];
  const id = storedId(read['id'] ?? read['reference'] ?? '');
  if (id === '' || !read['state']) return undefined;
  const { esm_class } = buildReceipt({ id, state: 'delivered', submitted: now, done: now });
  const reference = referenceNumber(own);
  const text = `id:${id} sub:001 dlvrd:000 submit date: done date: stat:${word(read['state'])} err:${word(read['error']) || '000'} text:`;
  const pdu = encodePdu({
    command: 'deliver_sm',
    sequence: 1,
    source_addr: digits(read['to']),
    esm_class,
    short_message: Buffer.from(text, 'latin1'),
    tlvs: { receipted_message_id: id, ...(reference !== undefined && { user_message_reference: reference }) },
  });
  return { pdu: Buffer.from(pdu), digest: null };
}

function replyOf(read: Readonly<Record<string, string>>): Omit<Brought, 'read'> | undefined {
  const from = address(read['from']);
  const to = address(read['to']);
  if (from === '' || to === '' || read['text'] === undefined) return undefined;
  const octets = encodeShortMessage(read['text'].slice(0, LONGEST_TEXT), 'ucs2');
  const parts = Number(read['parts'] ?? 1);
  const part = Number(read['part'] ?? 1);
  const isPart = parts > 1 && parts < 256 && part > 0 && part <= parts;
  const pdu = encodePdu({
    command: 'deliver_sm',
    sequence: 1,
    source_addr: from,
    destination_addr: to,
    data_coding: 8,
    short_message: octets.length <= SHORT ? octets : Buffer.alloc(0),
    tlvs: {
      ...(octets.length > SHORT && { message_payload: octets }),
      ...(isPart && {
        sar_msg_ref_num: partReference(read['part_reference']),
        sar_total_segments: parts,
        sar_segment_seqnum: part,
      }),
    },
  });
  const { id } = read;
  const digest = id
    ? createHash('sha256')
        .update(JSON.stringify([id, isPart ? part : 1]))
        .digest()
        .subarray(0, 16)
    : null;
  return { pdu: Buffer.from(pdu), digest };
}

/** Answers the 16 bits of a carrier's reference of a long reply, which may be any text. */
function partReference(text = ''): number {
  if (/^\d{1,5}$/.test(text)) return Number(text) & 0xffff;
  return createHash('sha256').update(text).digest().readUInt16BE(0);
}
