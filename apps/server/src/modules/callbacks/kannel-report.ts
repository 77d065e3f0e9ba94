import { brief, type Report, type ReportedMessage, receiptState, seconds } from './reported-message.ts';

// Reports of outcomes as programs written for Kannel expect them: a GET of the address that the message named, with its
// escapes replaced (Kannel User Guide, chapter "Delivery reports", and table of parameters of `sms-service`).

/** Values of a report, and the bit of `dlr-mask` that asks for it. */
export const KANNEL_REPORTS = { delivered: 1, undelivered: 2, refused: 16 } as const;

/** Form of callbacks that Kannel's programs want, with the mask of wanted reports. */
const FORM = /^kannel:(\d+)$/;

const reportValue = (state: string): number => {
  if (state === 'delivered') return KANNEL_REPORTS.delivered;
  return state === 'failed_submit' || state === 'blocked' ? KANNEL_REPORTS.refused : KANNEL_REPORTS.undelivered;
};
/** Returns the receipt of the message in the form of appendix B of SMPP 3.4. */
function receiptOf({ id, state, error_code, created_at, done_at }: ReportedMessage): string {
  const delivered = state === 'delivered' ? '001' : '000';
  const times = `submit date:${brief(created_at)} done date:${brief(done_at)}`;
  return `id:${id} sub:001 dlvrd:${delivered} ${times} stat:${receiptState(state)} err:${error_code ?? '000'} text:`;
}

/**
 * Returns the call that reports an outcome, or undefined if the mask does not ask for it, or the form is not Kannel's.
 * Unknown escapes stay as they are, as with Kannel.
 */
export function kannelReport(url: string, form: string, message: ReportedMessage): Report | undefined {
  const mask = Number(FORM.exec(form)?.[1] ?? 0);
  const value = reportValue(message.state);
  if ((mask & value) === 0) return undefined;
  const receipt = receiptOf(message);
  const words = receipt.split(' ');
  let used = 1;
  const international = (number: string | null) => (number ?? '').replace(/^00/, '+');
  const values: Readonly<Record<string, () => string>> = {
    a: () => receipt,
    A: () => receipt,
    b: () => receipt,
    B: () => '',
    c: () => '-1',
    C: () => 'UTF-8',
    d: () => String(value),
    D: () => '',
    f: () => '',
    F: () => message.id,
    i: () => '',
    I: () => message.id,
    k: () => words[0]!,
    m: () => '-1',
    M: () => '-1',
    n: () => '',
    o: () => message.account ?? '',
    O: () => '00',
    // A report comes from the phone: its sender is the recipient of the message.
    p: () => message.to ?? '',
    P: () => message.from ?? '',
    q: () => international(message.to),
    Q: () => international(message.from),
    r: () => words.slice(used).join(' '),
    R: () => url,
    s: () => words[used++] ?? '',
    S: () => words[used++] ?? '',
    t: () => seconds(message.done_at),
    T: () => String(Math.floor(Date.parse(message.done_at) / 1_000)),
    u: () => '',
    v: () => '',
  };
  const address = url.replace(/%([a-zA-Z%])/g, (whole, letter: string) => {
    const put = values[letter]?.();
    if (put === undefined) return letter === '%' ? '%' : whole;
    // The next words and the time stay as they are.
    return 'St'.includes(letter) ? put.replaceAll(' ', '+') : encodeURIComponent(put).replaceAll('%20', '+');
  });
  return { url: address, body: '' };
}
