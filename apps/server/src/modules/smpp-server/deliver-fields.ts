import {
  buildReceipt,
  encodeShortMessage,
  isGsm,
  type MessageFields,
  NPI,
  type ReceiptFields,
  TON,
} from '@heliograph/smpp';
import type { Delivery } from './delivery-rows.ts';
import { receiptCode } from './receipt-reason.ts';
import type { SystemId } from './system-id-rows.ts';

/** Maximum octets of short_message; longer texts go in message_payload. */
const MOST_OCTETS = 254;

/** Answers type and plan of an address: alphanumeric sender IDs, short codes and numbers. */
function kindOf(address: string): { ton: number; npi: number } {
  if (!/^\d+$/.test(address)) return { ton: TON.alphanumeric, npi: NPI.unknown };
  return address.length < 7 ? { ton: TON.unknown, npi: NPI.e164 } : { ton: TON.international, npi: NPI.e164 };
}

/** Builds the deliver_sm that brings a receipt or a message from a phone. */
export function deliverFields(delivery: Delivery, rules: SystemId): MessageFields {
  const source = kindOf(delivery.source);
  const destination = kindOf(delivery.destination);
  const addresses = {
    source_addr_ton: source.ton,
    source_addr_npi: source.npi,
    source_addr: delivery.source.slice(0, 20),
    dest_addr_ton: destination.ton,
    dest_addr_npi: destination.npi,
    destination_addr: delivery.destination.slice(0, 20),
  };
  return { ...addresses, ...(delivery.message_id === null ? replyFields(delivery, rules) : receiptFields(delivery)) };
}

function receiptFields({ message_id, state, error, submitted_at, done_at, text }: Delivery): Partial<MessageFields> {
  const code = receiptCode(state ?? 'unknown', error);
  const receipt: ReceiptFields = {
    id: String(message_id),
    state: state ?? 'unknown',
    submitted: submitted_at,
    done: done_at,
    error: code.err,
    network: code.network,
    // Characters outside printable ASCII, line ends too, become "?".
    text: text.replace(/[^ -~]/g, '?'),
  };
  return buildReceipt(receipt);
}

function replyFields({ text, is_binary }: Delivery, rules: SystemId): Partial<MessageFields> {
  const { octets, data_coding } = encoded(text, is_binary, rules);
  return octets.length <= MOST_OCTETS
    ? { data_coding, short_message: octets }
    : { data_coding, tlvs: { message_payload: octets } };
}

function encoded(text: string, isBinary: boolean, { default_charset }: SystemId) {
  if (isBinary) return { octets: Buffer.from(text, 'hex'), data_coding: 4 };
  // A text that fits the alphabet of data_coding 0 is written in it; all others in UCS-2.
  const fits = {
    gsm: isGsm,
    gsm_packed: isGsm,
    latin1: (each: string) => /^[\0-\xff]*$/.test(each),
    ascii: (each: string) => /^[\0-\x7f]*$/.test(each),
  }[default_charset](text);
  return { octets: encodeShortMessage(text, fits ? default_charset : 'ucs2'), data_coding: fits ? 0 : 8 };
}
