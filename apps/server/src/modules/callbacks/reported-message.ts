/** Message whose outcome is reported in the form of another gateway. Times are RFC 3339. */
export interface ReportedMessage {
  id: string;
  state: string;
  error_code: string | null;
  from: string | null;
  to: string | null;
  parts: number | null;
  /** Decimal string. */
  price: string | null;
  client_ref: string | null;
  created_at: string | null;
  done_at: string;
  /** Value of `account` that the program gave. */
  account: string | null;
}

/** Call that reports an outcome: a GET without a body, otherwise a POST of a form. */
export interface Report {
  url: string;
  body: string;
}

const STATES: Readonly<Record<string, string>> = { delivered: 'DELIVRD', expired: 'EXPIRED', blocked: 'REJECTD' };

/** Returns the state of a message as receipts write it (SMPP 3.4, appendix B). */
export const receiptState = (state: string): string => STATES[state] ?? 'UNDELIV';

/** A time in UTC such as 2026-11-29 12:00:19; empty without one. */
export const seconds = (time: string | null): string =>
  time === null ? '' : new Date(time).toISOString().slice(0, 19).replace('T', ' ');
/** A time as receipts write it: YYMMDDhhmm. */
export const brief = (time: string | null): string => seconds(time).replace(/\D/g, '').slice(2, 12);

/** Returns an address with more parameters, before its fragment. */
export function withParameters(url: string, encoded: string): string {
  const [address, fragment] = url.split('#', 2) as [string, string?];
  const full = `${address}${address.includes('?') ? '&' : '?'}${encoded}`;
  return fragment === undefined ? full : `${full}#${fragment}`;
}
