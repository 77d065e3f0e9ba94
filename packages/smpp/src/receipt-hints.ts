import type { DataSm, DeliverSm } from './pdu.ts';
import { contentOf } from './receipt.ts';
import { parseReceiptText, quotedText } from './receipt-text.ts';

/** Details in a receipt that identify its message if the carrier's id is missing or unknown. */
export interface ReceiptHints {
  /** user_message_reference of the submit_sm, repeated by the carrier (§5.3.2.17). */
  reference: number | undefined;
  /** Digits of the recipient's number. */
  msisdn: string;
  /**
   * Time at which the carrier took the message, as the carrier wrote it; only the carrier knows its time zone; '' if
   * absent.
   */
  submit_date: string;
  /** First characters of the message, usually 20; '' if absent. */
  text: string;
}

/** Reads the hints in a receipt. Never throws. */
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
/** Step and limit of time zones: whole quarters of an hour, at most 14 hours away from UTC. */
const QUARTER = 15 * MINUTE;
const FARTHEST = 14 * 60 * MINUTE;
/** Tolerance, because carriers' clocks differ and many write no seconds. */
const TOLERANCE = MINUTE;

/**
 * Answers whether a receipt's date may lie between `from` and `to` (epoch milliseconds) in some time zone. The date is
 * YYMMDDhhmm, optionally with seconds or the century. False for anything that is no date.
 */
export function dateMayLieBetween(date: string, from: number, to: number): boolean {
  const fields = DATE.exec(date)
    ?.slice(1)
    .map((field) => Number(field ?? 0));
  if (!fields) return false;
  const [year, month, day, hour, minute, second] = fields as [number, number, number, number, number, number];
  const written = Date.UTC(2000 + year, month - 1, day, hour, minute, second);
  const last = Math.min(to + TOLERANCE, written + FARTHEST);
  // The time zone that brings the date nearest to the end of the span, but not after it.
  const nearest = written + Math.floor((last - written) / QUARTER) * QUARTER;
  return nearest >= from - TOLERANCE && nearest >= written - FARTHEST;
}

/** Answers whether the quoted text is the start of `text`; a quote that is too short proves nothing. */
export function quotes(quoted: string, text: string): boolean {
  const start = text.slice(0, QUOTED).trim();
  const kept = quoted.slice(0, QUOTED).trim();
  return kept.length >= Math.min(TELLING, start.length) && kept.length > 0 && start.startsWith(kept);
}

const QUOTED = 20;
const TELLING = 8;
