import type { BodyOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { segment as segmentText } from '@heliograph/contract/kernel/segments';
import type { tryMapping } from '@heliograph/contract/links/http-calls';
import { type DeliverSm, decodePdu, parseReceipt } from '@heliograph/smpp';
import type { Message, Segment } from '../segment.ts';
import { WHOLE } from '../segment.ts';
import { receiptStates } from '../sending/inbound.ts';
import { AnswerReader } from './read-answer.ts';
import { documentOf, readCallback } from './read-callback.ts';
import { type CallbackAddresses, RequestForm } from './request-form.ts';

type Try = BodyOf<typeof tryMapping>;
type Tried = ReplyOf<typeof tryMapping>['data'];

/** Text in place of the password. */
const HIDDEN = 'PASSWORD';
const SAMPLE_ID = 7_340_032_001;
const VALID_MS = 3_600_000;

/** Shows the requests of a message, and what the mapping reads in a pasted text. Nobody is called. */
export function tryHttpMapping(asked: Try, addresses: CallbackAddresses, now: number): Tried {
  const form = new RequestForm(asked.http, HIDDEN, addresses);
  const requests = segmentsOf(asked, now).map((segment) => {
    const { method, url, headers, body = '' } = form.of([segment], now);
    const shown = Object.entries(headers).map(([name, value]) => ({
      name,
      value: name === 'authorization' && value.startsWith('Basic ') ? `Basic ${HIDDEN}` : value,
    }));
    return { method, url, headers: shown, body };
  });
  return { requests, answer: answerOf(asked), read: readOf(asked, now) };
}

function segmentsOf({ text, to, sender, long_messages }: Try, now: number): Segment[] {
  const { parts } = segmentText(text);
  const whole = long_messages === 'payload' || parts.length === 1;
  const message = {
    id: SAMPLE_ID,
    chunk: { sender_id: sender, flash: false, expires_at: now + VALID_MS, common_text: null },
    msisdn: to,
    text,
    parts: parts.length,
    reference: whole ? WHOLE : 1,
  } as unknown as Message;
  return Array.from({ length: whole ? 1 : parts.length }, (_, place) => ({ message, part: place + 1, tries: 0 }));
}

function answerOf({ http, kind, said, status, to }: Try): Tried['answer'] {
  if (kind !== 'answer' || said === '') return null;
  const [first] = new AnswerReader(http).read(status, said, [to]);
  return first ? { means: first.means, id: first.id ?? '' } : null;
}

function readOf({ http, kind, said, receipt_words }: Try, now: number): Tried['read'] {
  if (kind === 'answer' || said === '') return null;
  const stateOf = receiptStates(receipt_words);
  const query = /^[\w%.~+-]+=/.test(said.trim()) ? said.trim().replace(/^\?/, '') : '';
  const document = documentOf(query, '', query === '' ? said : '');
  return readCallback(http, kind, document, now).map(({ pdu, read }) => {
    const receipt = kind === 'receipts' ? parseReceipt(decodePdu(pdu) as DeliverSm) : undefined;
    return { ...read, ...(receipt && { state: `${read['state']} → ${stateOf(receipt)}` }) };
  });
}
