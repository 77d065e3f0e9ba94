import { brief, type Report, type ReportedMessage, receiptState, withParameters } from './reported-message.ts';

// Reports of outcomes as programs written for Jasmin expect them (Jasmin documentation, "Receiving DLR").

/** Form of callbacks that Jasmin's programs want: the level, and the method of the call. */
const FORM = /^jasmin:([123]):(GET|POST)$/;
/** Level that reports only whether the carrier took the message. */
const CARRIER = '1';
/** Name of the connector: the links of the platform have none that customers know. */
const CONNECTOR = 'heliograph';

/** Whether a carrier took the message; what ends before that has a reason of the platform. */
const wasTaken = (state: string) => state !== 'failed_submit' && state !== 'blocked';

/** Returns the call that reports an outcome, or undefined if the form is not Jasmin's. */
export function jasminReport(url: string, form: string, message: ReportedMessage): Report | undefined {
  const [, level, method] = FORM.exec(form) ?? [];
  if (level === undefined) return undefined;
  const { id, state, error_code, parts, created_at, done_at } = message;
  const values: Record<string, string> = {
    id,
    level,
    connector: CONNECTOR,
    message_status: level === CARRIER ? (wasTaken(state) ? 'ESME_ROK' : 'ESME_RSUBMITFAIL') : receiptState(state),
  };
  if (level !== CARRIER)
    Object.assign(values, {
      id_smsc: id,
      sub: String(parts ?? 1).padStart(3, '0'),
      dlvrd: String(state === 'delivered' ? (parts ?? 1) : 0).padStart(3, '0'),
      subdate: brief(created_at),
      donedate: brief(done_at),
      err: error_code ?? '000',
      text: '',
    });
  const encoded = new URLSearchParams(values).toString();
  if (method === 'POST') return { url, body: encoded };
  return { url: withParameters(url, encoded), body: '' };
}
