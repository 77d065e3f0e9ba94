/** States that a receipt of the virtual carrier can report. */
export type ReceiptState = 'delivered' | 'undeliverable' | 'expired' | 'rejected';

/** A receipt that follows a message to a virtual handset. */
export interface EndingReceipt {
  state: ReceiptState;
  /** Seconds after the message was taken; `validity` for the end of its validity. */
  after: number | 'validity';
  /** Code of the phone's network in the receipt (GSM), as `gsm-1` in `error_code`. */
  gsm?: number;
}

/** Things that happen to a message to a number of the sandbox. */
export interface Ending {
  /** Name of its texts, `sandbox.endings.<name>`. */
  name: string;
  /** Last digits of the number. */
  digits: string;
  /** The carrier's answer to the message; `lost` for one that never comes. */
  answer: 'accepted' | 'throttled' | 'refused' | 'lost';
  receipts: readonly EndingReceipt[];
  /** True if the first receipt comes before the answer. */
  early?: true;
  /** Text that the phone answers, a moment after the message. */
  reply?: string;
}

/** Seconds after which most receipts, and the answers of phones, come. */
export const SOON_SECONDS = 1;
export const LATE_SECONDS = 30;
export const CORRECTED_SECONDS = 6;

const delivered = { state: 'delivered', after: SOON_SECONDS } as const;

/**
 * Endings of the sandbox, by the last four digits of the recipient. The virtual carrier, the guide and the screens all go
 * by this table. Any other number is delivered.
 */
export const ENDINGS = [
  { name: 'delivered', digits: '0001', answer: 'accepted', receipts: [{ state: 'delivered', after: 0 }] },
  { name: 'late', digits: '0002', answer: 'accepted', receipts: [{ state: 'delivered', after: LATE_SECONDS }] },
  {
    name: 'unknown_subscriber',
    digits: '0003',
    answer: 'accepted',
    receipts: [{ state: 'undeliverable', after: SOON_SECONDS, gsm: 1 }],
  },
  {
    name: 'blocked',
    digits: '0004',
    answer: 'accepted',
    receipts: [{ state: 'rejected', after: SOON_SECONDS, gsm: 13 }],
  },
  { name: 'expired', digits: '0005', answer: 'accepted', receipts: [{ state: 'expired', after: 'validity' }] },
  { name: 'refused', digits: '0006', answer: 'refused', receipts: [] },
  { name: 'no_receipt', digits: '0007', answer: 'accepted', receipts: [] },
  { name: 'throttled', digits: '0008', answer: 'throttled', receipts: [delivered] },
  { name: 'twice', digits: '0009', answer: 'accepted', receipts: [delivered, { state: 'delivered', after: 2 }] },
  {
    name: 'early',
    digits: '0010',
    answer: 'accepted',
    receipts: [{ state: 'delivered', after: 0 }],
    early: true,
  },
  {
    name: 'corrected',
    digits: '0011',
    answer: 'accepted',
    receipts: [delivered, { state: 'undeliverable', after: CORRECTED_SECONDS, gsm: 27 }],
  },
  { name: 'yes', digits: '0012', answer: 'accepted', receipts: [delivered], reply: 'YES' },
  { name: 'stop', digits: '0013', answer: 'accepted', receipts: [delivered], reply: 'STOP' },
  { name: 'lost', digits: '0014', answer: 'lost', receipts: [delivered] },
] as const satisfies readonly Ending[];

export type EndingName = (typeof ENDINGS)[number]['name'] | 'other';

/** Ending of every number without one of its own. */
const OTHER: Ending = { name: 'other', digits: '', answer: 'accepted', receipts: [delivered] };

const byDigits = new Map<string, Ending>(ENDINGS.map((ending) => [ending.digits, ending]));

/** Digits of a number that decide its ending. */
export const ENDING_DIGITS = 4;

/** Answers the ending of a number by its last digits. */
export const endingOf = (number: string): Ending => byDigits.get(number.slice(-ENDING_DIGITS)) ?? OTHER;
