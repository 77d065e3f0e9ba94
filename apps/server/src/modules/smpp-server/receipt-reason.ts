import { type MessageState, STATUS } from '@heliograph/smpp';

/** Code of a message's outcome, in the three forms that SMPP has for it. */
export interface ReceiptCode {
  /** Value of `err:` in a receipt's text: at least three characters. */
  err: string;
  /** network_error_code (§5.3.2.31); undefined if the carrier gave no code that fits. */
  network: { type: number; code: number } | undefined;
  /** error_code of query_sm_resp: one octet. */
  octet: number;
}

/** Network types of network_error_code; those above 3 are of SMPP 5.0. */
const NETWORK = { gsm: 3, smpp: 7, carrier: 8 } as const;
/** Code if the carrier gave none. */
const NO_CODE = '000';
/** Code if the platform ended the message itself. */
const OWN = '001';
/** Octet for a reason that does not fit into one octet. */
const TOO_LARGE = 255;
const LARGEST_CODE = 0xffff;

/** SMPP states of messages that have ended; SMPP has no others for them. */
const STATES: Readonly<Record<string, MessageState>> = {
  delivered: 'delivered',
  expired: 'expired',
  cancelled: 'deleted',
  blocked: 'rejected',
  failed_submit: 'rejected',
  failed_other: 'undeliverable',
  failed_internal: 'undeliverable',
  failed_billing: 'undeliverable',
};
/** Other states that a carrier reports; the platform stores these messages as failed. */
const REPORTED: Readonly<Record<string, MessageState>> = {
  deleted: 'deleted',
  rejected: 'rejected',
  unknown: 'unknown',
  // A state of SMPP 5.0 that older programs do not know.
  skipped: 'undeliverable',
};
/** Reasons without a code that a carrier's receipt gave. */
const FROM_CARRIER = new Set(['expired', 'undeliverable', ...Object.keys(REPORTED)]);

/**
 * Answers the state in a program's receipt: the carrier's own if it reported one. Undefined before the message has
 * ended.
 */
export function receiptState(state: string, errorCode: string | null): MessageState | undefined {
  const [said = ''] = (errorCode ?? '').split(':');
  if (said === 'moderation') return 'rejected';
  // The outcome is unknown.
  if (said === 'no_answer' || said === 'no_receipt') return 'unknown';
  return state === 'failed_other' ? (REPORTED[said] ?? STATES[state]) : STATES[state];
}

/** Answers the code of a message that ended in `state` for the reason `errorCode`. */
export function receiptCode(state: MessageState, errorCode: string | null): ReceiptCode {
  if (state === 'delivered') return codeOf(NO_CODE);
  const [said = '', given = ''] = (errorCode ?? '').split(':');
  const status = statusOf(said);
  if (status !== undefined) return codeOf(String(status), NETWORK.smpp);
  const gsm = /^gsm-(\d+)$/.exec(given);
  if (gsm) return codeOf(gsm[1]!, NETWORK.gsm);
  if (given !== '') return codeOf(given, NETWORK.carrier);
  return codeOf(FROM_CARRIER.has(said) ? NO_CODE : OWN);
}

function codeOf(given: string, type?: number): ReceiptCode {
  const number = /^\d+$/.test(given) ? Number(given) : undefined;
  const fits = type !== undefined && number !== undefined && number <= LARGEST_CODE;
  return {
    err: given.padStart(NO_CODE.length, '0'),
    network: fits ? { type, code: number } : undefined,
    octet: number !== undefined && number < TOO_LARGE ? number : TOO_LARGE,
  };
}

/** Answers the command_status that a reason such as ESME_RINVDSTADR or 0x00000450 names. */
function statusOf(said: string): number | undefined {
  if (/^0x[0-9a-f]{8}$/.test(said)) return Number(said);
  return said.startsWith('ESME_') ? STATUS[said.slice('ESME_'.length) as keyof typeof STATUS] : undefined;
}
