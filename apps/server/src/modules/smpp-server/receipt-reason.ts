import { type MessageState, STATUS } from '@heliograph/smpp';

/** The code of a message's end, in the fields that SMPP has for it. */
export interface ReceiptCode {
  /** Of `err:` in a receipt's text: at least three characters. */
  err: string;
  /** network_error_code (§5.3.2.31); undefined where the carrier gave no code that fits. */
  network: { type: number; code: number } | undefined;
  /** error_code of query_sm_resp: one octet. */
  octet: number;
}

/** Network types of network_error_code; those above 3 are of SMPP 5.0. */
const NETWORK = { gsm: 3, smpp: 7, carrier: 8 } as const;
/** The carrier gave no code. */
const NO_CODE = '000';
/** The platform ended the message itself. */
const OWN = '001';
/** The reason does not fit into one octet. */
const TOO_LARGE = 255;
const LARGEST_CODE = 0xffff;

/** States of messages that had their end; SMPP has no others for them. */
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
/** States that a carrier reports beside those, under which the platform keeps a message as failed. */
const REPORTED: Readonly<Record<string, MessageState>> = {
  deleted: 'deleted',
  rejected: 'rejected',
  unknown: 'unknown',
  // A state of SMPP 5.0 that older programs do not know.
  skipped: 'undeliverable',
};
/** Reasons without a code that a carrier's receipt gave. */
const FROM_CARRIER = new Set(['expired', 'undeliverable', ...Object.keys(REPORTED)]);

/** The state that a program is told of a message's end: the carrier's own where it reported one. Undefined without an end. */
export function receiptState(state: string, errorCode: string | null): MessageState | undefined {
  const [said = ''] = (errorCode ?? '').split(':');
  // Nobody knows what became of it.
  if (said === 'no_answer' || said === 'no_receipt') return 'unknown';
  return state === 'failed_other' ? (REPORTED[said] ?? STATES[state]) : STATES[state];
}

/** The code of a message that ended in `state` for the reason `errorCode`. */
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

/** The command_status that a reason such as ESME_RINVDSTADR or 0x00000450 names. */
function statusOf(said: string): number | undefined {
  if (/^0x[0-9a-f]{8}$/.test(said)) return Number(said);
  return said.startsWith('ESME_') ? STATUS[said.slice('ESME_'.length) as keyof typeof STATUS] : undefined;
}
