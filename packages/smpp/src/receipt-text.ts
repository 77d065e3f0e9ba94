import type { MessageState } from './commands.ts';
import type { ReceiptFields } from './receipt.ts';

/** Fields of a receipt's text form (SMPP 3.4 Appendix B), which every vendor writes a little differently. */
export interface ReceiptText {
  id: string;
  stat: string | undefined;
  err: string;
  submitDate: string;
  doneDate: string;
}

/** Maximum characters of a message_id (SMPP 3.4 §5.2.23); anything longer is damage. */
const MAX_ID = 64;

/**
 * Reads the fields of a receipt's text in any order and case; undefined if there is neither an id nor a state. The
 * subscriber's own message follows `text:`. It is not read, so that nobody can forge a field by texting it.
 */
export function parseReceiptText(text: string): ReceiptText | undefined {
  if (text === '') return undefined;
  return parseUsual(text) ?? parseAny(text);
}

/** Reads the order and spelling of Appendix B itself, which nearly all traffic uses. */
function parseUsual(text: string): ReceiptText | undefined {
  if (!text.startsWith('id:')) return undefined;
  const sub = text.indexOf(' sub:', 3);
  const submit = text.indexOf(' submit date:', sub);
  const done = text.indexOf(' done date:', submit);
  const stat = text.indexOf(' stat:', done);
  const err = text.indexOf(' err:', stat);
  if (sub < 4 || submit < sub || done < submit || stat < done || err < stat) return undefined;
  const end = text.indexOf(' ', err + 5);
  const id = text.slice(3, sub);
  if (id.length > MAX_ID || id.includes(' ') || id.includes(':')) return undefined;
  const head = text.slice(sub, err);
  if (head.includes('ext:')) return undefined;
  return {
    id,
    stat: text.slice(stat + 6, err),
    err: text.slice(err + 5, end < 0 ? text.length : end),
    submitDate: text.slice(submit + 13, done),
    doneDate: text.slice(done + 11, stat),
  };
}

const TEXT = /(?:^|[\s,;|])text\s*[:=]/i;
// A field may be empty; the name of the next field then follows it.
const NEXT = '(?:sub|dlvrd|submit[ _]?date|done[ _]?date|stat|status|err|error|text)\\s*[:=]';
const FIELD = new RegExp(
  `(?:^|[\\s,;|])(id|stat|status|err|error|submit[ _]?date|done[ _]?date)\\s*[:=]\\s*(?!${NEXT})([^\\s,;|]*)`,
  'gi',
);

function parseAny(text: string): ReceiptText | undefined {
  const ends = text.search(TEXT);
  const head = ends < 0 ? text : text.slice(0, ends);
  const found = new Map<string, string>();
  for (const match of head.matchAll(FIELD)) {
    const name = match[1]!.toLowerCase().replace(/[ _]/, '');
    if (!found.has(name)) found.set(name, match[2]!);
  }
  const id = found.get('id') ?? '';
  const stat = found.get('stat') ?? found.get('status');
  if ((id === '' || id.length > MAX_ID) && stat === undefined) return undefined;
  return {
    id: id.length > MAX_ID ? '' : id,
    stat,
    err: found.get('err') ?? found.get('error') ?? '',
    submitDate: found.get('submitdate') ?? '',
    doneDate: found.get('donedate') ?? '',
  };
}

/** Answers the text behind `text:`, the first characters of the message as the carrier kept them; '' if absent. */
export function quotedText(text: string): string {
  const found = TEXT.exec(text);
  return found ? text.slice(found.index + found[0].length).trimStart() : '';
}

/** States by the start of the carrier's word: the seven letters of Appendix B, and the longer spellings in use. */
const WORDS: [prefix: string, state: MessageState][] = [
  ['DELIV', 'delivered'],
  ['EXPIR', 'expired'],
  ['DELET', 'deleted'],
  ['UNDEL', 'undeliverable'],
  ['FAIL', 'undeliverable'],
  ['ACCEP', 'accepted'],
  ['UNKNO', 'unknown'],
  ['REJEC', 'rejected'],
  ['ENROU', 'enroute'],
  ['EN_ROU', 'enroute'],
  ['BUFFER', 'enroute'],
  ['SCHED', 'scheduled'],
  ['SKIPP', 'skipped'],
];

/** Answers the state that a carrier's word means; undefined for an unknown word. */
export function stateOfWord(word: string): MessageState | undefined {
  if (word === 'DELIVRD') return 'delivered';
  const upper = word.toUpperCase();
  return WORDS.find(([prefix]) => upper.startsWith(prefix))?.[1];
}

const WORD: Record<MessageState, string> = {
  scheduled: 'SCHEDUL',
  enroute: 'ENROUTE',
  delivered: 'DELIVRD',
  expired: 'EXPIRED',
  deleted: 'DELETED',
  undeliverable: 'UNDELIV',
  accepted: 'ACCEPTD',
  unknown: 'UNKNOWN',
  rejected: 'REJECTD',
  skipped: 'SKIPPED',
};

/** Writes the text of Appendix B; dates are UTC to the minute. */
export function receiptText(fields: ReceiptFields): string {
  const delivered = fields.state === 'delivered' ? '001' : '000';
  const dates = `submit date:${minute(fields.submitted)} done date:${minute(fields.done)}`;
  const text = (fields.text ?? '').slice(0, 20);
  return `id:${fields.id} sub:001 dlvrd:${delivered} ${dates} stat:${WORD[fields.state]} err:${fields.error ?? '000'} text:${text}`;
}

let lastMinute = -1;
let lastText = '';

/** Formats a time as YYMMDDhhmm. Most receipts of a second share it, so the last result is kept. */
function minute(epochMs: number): string {
  const current = Math.floor(epochMs / 60_000);
  if (current !== lastMinute) {
    const iso = new Date(current * 60_000).toISOString();
    lastMinute = current;
    lastText = iso.slice(2, 16).replace(/[-T:]/g, '');
  }
  return lastText;
}
