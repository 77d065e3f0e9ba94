// Reports of outcomes as programs written for Kannel expect them: a GET of the address that the message named, with its
// escapes replaced (Kannel User Guide, chapter "Delivery reports", and table of parameters of `sms-service`).

/** Values of a report, and the bit of `dlr-mask` that asks for it. */
export const KANNEL_REPORTS = { delivered: 1, undelivered: 2, refused: 16 } as const;

/** Form of callbacks that Kannel's programs want, with the mask of wanted reports. */
const FORM = /^kannel:(\d+)$/;

/** Message whose outcome is told. Times are RFC 3339. */
export interface ReportedMessage {
  id: string;
  state: string;
  error_code: string | null;
  from: string | null;
  to: string | null;
  created_at: string | null;
  done_at: string;
  /** Value of `account` that the program gave. */
  account: string | null;
}

const reportValue = (state: string): number => {
  if (state === 'delivered') return KANNEL_REPORTS.delivered;
  return state === 'failed_submit' || state === 'blocked' ? KANNEL_REPORTS.refused : KANNEL_REPORTS.undelivered;
};
const STATES: Readonly<Record<string, string>> = { delivered: 'DELIVRD', expired: 'EXPIRED', blocked: 'REJECTD' };

const minutes = (time: string | null) =>
  time === null ? '' : new Date(time).toISOString().slice(0, 16).replace('T', ' ');
/** A time as receipts write it: YYMMDDhhmm. */
const brief = (time: string | null) => minutes(time).replace(/\D/g, '').slice(2);

/** Returns the receipt of the message in the form of appendix B of SMPP 3.4. */
function receiptOf({ id, state, error_code, created_at, done_at }: ReportedMessage): string {
  const delivered = state === 'delivered' ? '001' : '000';
  const times = `submit date:${brief(created_at)} done date:${brief(done_at)}`;
  return `id:${id} sub:001 dlvrd:${delivered} ${times} stat:${STATES[state] ?? 'UNDELIV'} err:${error_code ?? '000'} text:`;
}

/**
 * Returns the address to call for an outcome, or undefined if the mask does not ask for it, or the form is not Kannel's.
 * Unknown escapes stay as they are, as with Kannel.
 */
export function kannelReport(url: string, form: string, message: ReportedMessage): string | undefined {
  const mask = Number(FORM.exec(form)?.[1] ?? 0);
  const value = reportValue(message.state);
  if ((mask & value) === 0) return undefined;
  const receipt = receiptOf(message);
  const international = (number: string | null) => (number ?? '').replace(/^00/, '+');
  const values: Readonly<Record<string, string>> = {
    a: receipt,
    A: receipt,
    b: receipt,
    B: '',
    c: '0',
    C: 'UTF-8',
    d: String(value),
    D: '',
    F: message.id,
    i: '',
    I: message.id,
    k: receipt.split(' ')[0]!,
    m: '',
    n: '',
    o: message.account ?? '',
    p: message.from ?? '',
    P: message.to ?? '',
    q: international(message.from),
    Q: international(message.to),
    r: receipt,
    s: receipt.split(' ')[1]!,
    S: receipt.split(' ')[1]!,
    t: minutes(message.done_at),
    T: String(Math.floor(Date.parse(message.done_at) / 1_000)),
    u: '',
    '%': '%',
  };
  return url.replace(/%([\w%])/g, (whole, letter: string) => {
    const put = values[letter];
    return put === undefined ? whole : letter === '%' ? '%' : encodeURIComponent(put).replaceAll('%20', '+');
  });
}
