import { compileText, renderText } from '@heliograph/contract/kernel/merge-fields';
import { countParts } from '@heliograph/contract/kernel/segments';
import { buildReceipt, encodePdu, type MessageState, STATUS, statusName } from '@heliograph/smpp';
import { messageId } from '#modules/delivery';
import type { DemoRecipient } from './demo-tenants.ts';

// Past of the demo: which messages left when, and how each ended. Nothing here touches the database.

/** Campaign of the past. */
export interface PastCampaign {
  name: string;
  text: string;
  /** Time at which it began, in epoch milliseconds. */
  at: number;
  list_id: number;
  recipients: readonly DemoRecipient[];
  created_by: number;
  /** Person who approved it, if its creator may not run campaigns. */
  approved_by?: number;
}

/** One message of it, with its outcome. */
export interface PastMessage {
  id: number;
  text: string;
  parts: number;
  unicode: boolean;
  recipient: DemoRecipient;
  /** Null: refused by the carrier. */
  receipt: MessageState | null;
  answered: number;
  received: number;
}

export const SECOND = 1_000;
export const HOUR = 3_600 * SECOND;
export const DAY = 24 * HOUR;
const MESSAGES_A_SECOND = 20;
export const time = (at: number) => new Date(at).toISOString();

/** Decides the outcome of the message at a place: 94 in a hundred arrive. */
function fate(place: number): PastMessage['receipt'] {
  const share = (place * 61 + 17) % 100;
  if (share < 94) return 'delivered';
  if (share < 97) return 'expired';
  return share < 99 ? 'undeliverable' : null;
}

/** Makes the messages of a past campaign, in the places of one chunk. */
export function imagine(past: PastCampaign, chunkId: number): PastMessage[] {
  const compiled = compileText(past.text);
  return past.recipients.map((recipient, place) => {
    const { name, city: param1, points: param2 } = recipient;
    const { text } = renderText(compiled, { name, param1, param2 });
    const { parts, encoding } = countParts(text);
    const answered = past.at + SECOND + Math.floor((place * SECOND) / MESSAGES_A_SECOND);
    const receipt = fate(place);
    const wait = receipt === 'expired' ? 600 : 2 + ((place * 7) % 40);
    return {
      id: messageId(chunkId, place),
      text,
      parts,
      unicode: encoding === 'ucs2',
      recipient,
      receipt,
      answered,
      received: answered + wait * SECOND,
    };
  });
}

export const sum = (messages: readonly PastMessage[], value: (message: PastMessage) => number) =>
  messages.reduce((total, message) => total + value(message), 0);

/** Splits messages into segments with the carrier's answers; the id of each is unique in the demo. */
export const segmentsOf = (messages: readonly PastMessage[]) =>
  messages.flatMap((message) =>
    Array.from({ length: message.parts }, (_, i) => ({
      message,
      part: i + 1,
      carrier_id: message.receipt === null ? null : String(message.id * 16 + i),
    })),
  );

/** Answers the final state that a message's outcome shows. */
export function stateOf({ receipt }: PastMessage) {
  if (receipt === null) return 'failed_submit';
  return receipt === 'undeliverable' ? 'failed_other' : receipt;
}

/** Answers the error code that an outcome shows; null if delivered. */
export function errorOf({ receipt }: PastMessage): string | null {
  if (receipt === null) return statusName(STATUS.RINVDSTADR);
  return receipt === 'delivered' ? null : receipt;
}

/** Makes the deliver_sm that brought a receipt. */
export function receiptPdu(
  id: string,
  { answered, received, receipt, recipient }: PastMessage,
  sender: string,
): Buffer {
  return encodePdu({
    command: 'deliver_sm',
    sequence: 1,
    source_addr_ton: 1,
    source_addr_npi: 1,
    source_addr: recipient.msisdn,
    destination_addr: sender,
    ...buildReceipt({ id, state: receipt!, submitted: answered, done: received }),
  });
}

/** Tells whether the carrier accepted a message. */
export const taken = (m: PastMessage) => m.receipt !== null;
export const count = (messages: readonly PastMessage[], is: (m: PastMessage) => boolean) => messages.filter(is).length;
