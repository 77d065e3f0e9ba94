import type { DataSm, DeliverSm } from './pdu.ts';
import { contentOf } from './receipt.ts';
import { parseReceiptText, quotedText } from './receipt-text.ts';

/** What a receipt tells of its message besides the carrier's id, which may be missing or unknown. */
export interface ReceiptHints {
  /** user_message_reference of the submit_sm, which the carrier repeats (§5.3.2.17). */
  reference: number | undefined;
  /** Digits of the phone the message went to. */
  msisdn: string;
  /** When the carrier took it, as it was written and in a time zone only the carrier knows; '' when absent. */
  submit_date: string;
  /** The first characters of the message, 20 as a rule; '' when absent. */
  text: string;
}

/** The hints in a receipt. Never throws. */
export function receiptHints(pdu: DeliverSm | DataSm): ReceiptHints {
  const content = contentOf(pdu);
  return {
    reference: pdu.tlvs?.user_message_reference,
    msisdn: pdu.source_addr.replace(/\D/g, ''),
    submit_date: parseReceiptText(content)?.submitDate ?? '',
    text: quotedText(content),
  };
}

const DATE = /^(?:20)?(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?$/;
const MINUTE = 60_000;
/** Time zones are whole quarters of an hour away from UTC, and none is farther than 14 hours. */
const QUARTER = 15 * MINUTE;
const FARTHEST = 14 * 60 * MINUTE;
/** Clocks of carriers differ, and many write no seconds. */
const TOLERANCE = MINUTE;

/**
 * Whether a receipt's date (YYMMDDhhmm, with seconds or with the century) may be a moment between `from` and `to`, epoch
 * milliseconds, in some time zone. False for what is no date.
 */
export function dateMayLieBetween(date: string, from: number, to: number): boolean {
  const fields = DATE.exec(date)
    ?.slice(1)
    .map((field) => Number(field ?? 0));
  if (!fields) return false;
  const [year, month, day, hour, minute, second] = fields as [number, number, number, number, number, number];
  const written = Date.UTC(2000 + year, month - 1, day, hour, minute, second);
  const last = Math.min(to + TOLERANCE, written + FARTHEST);
  // The zone that brings it nearest before the end of the span.
  const nearest = written + Math.floor((last - written) / QUARTER) * QUARTER;
  return nearest >= from - TOLERANCE && nearest >= written - FARTHEST;
}

/** Whether what a receipt quotes is the start of a text; too little quoted tells nothing. */
export function quotes(quoted: string, text: string): boolean {
  const start = text.slice(0, QUOTED).trim();
  const kept = quoted.slice(0, QUOTED).trim();
  return kept.length >= Math.min(TELLING, start.length) && kept.length > 0 && start.startsWith(kept);
}

const QUOTED = 20;
const TELLING = 8;
