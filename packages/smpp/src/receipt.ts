import { Buffer } from 'node:buffer';
import { ESM_CLASS, MESSAGE_STATE, type MessageState } from './commands.ts';
import type { DataSm, DeliverSm, MessageFields } from './pdu.ts';
import { parseReceiptText, receiptText, stateOfWord } from './receipt-text.ts';
import { decodeShortMessage } from './short-message.ts';
import type { Tlvs } from './tlv.ts';
import { splitUdh } from './udh.ts';
import { latin1 } from './wire.ts';

/** A carrier's report about one segment. */
export interface Receipt {
  /** The carrier's id as written; '' if the receipt has none. It is never guessed. */
  id: string;
  /** Undefined if the carrier's word or number is not known. */
  state: MessageState | undefined;
  /** True for an intermediate notification (esm_class 0x20): the message has not ended. */
  intermediate: boolean;
  /**
   * The carrier's error code as text: `err` of the text unless it is zero, else the code of network_error_code; ''
   * without one.
   */
  error: string;
  /** Network type (§5.3.2.31) if `error` is the code of network_error_code: 1 ANSI-136, 2 IS-95, 3 GSM. */
  network: number | undefined;
  /** Dates as the carrier wrote them, in a time zone that only the carrier knows; '' if absent. */
  submit_date: string;
  done_date: string;
  /** The carrier's own word for the state, such as DELIVRD; '' if the receipt has only parameters. */
  word: string;
}

const STATES = Object.keys(MESSAGE_STATE) as MessageState[];

/**
 * Reads the receipt in a deliver_sm or data_sm; undefined for a mobile-originated message. Parameters (0x001E, 0x0427,
 * 0x0423) take precedence over the Appendix B text, which fills in missing values. With `sniff`, a PDU without a
 * message type in esm_class counts as a receipt if its text or parameters look like one. Never throws.
 */
export function parseReceipt(pdu: DeliverSm | DataSm, sniff = false): Receipt | undefined {
  const type = pdu.esm_class & ESM_CLASS.typeMask;
  const declared = type === ESM_CLASS.receipt || type === ESM_CLASS.intermediate;
  if (!declared && !(sniff && type === 0)) return undefined;
  const text = parseReceiptText(contentOf(pdu));
  const { tlvs } = pdu;
  const id = tlvs?.receipted_message_id || text?.id || '';
  const state = tlvs?.message_state !== undefined ? STATES[tlvs.message_state] : undefined;
  if (!declared && (id === '' || (state === undefined && text?.stat === undefined))) return undefined;
  const network = networkError(tlvs);
  const inText = text?.err ?? '';
  const error = network && NO_ERROR.test(inText) ? network.code : inText;
  return {
    id,
    state: state ?? stateOfWord(text?.stat ?? ''),
    intermediate: type === ESM_CLASS.intermediate,
    error,
    network: network && Number(error) === Number(network.code) ? network.type : undefined,
    submit_date: text?.submitDate ?? '',
    done_date: text?.doneDate ?? '',
    word: text?.stat ?? '',
  };
}

const NO_ERROR = /^0*$/;

/** Decodes the octets of a receipt's text to characters. */
export function contentOf(pdu: DeliverSm | DataSm): string {
  const short = pdu.command === 'deliver_sm' ? pdu.short_message : undefined;
  const content = short?.length ? short : pdu.tlvs?.message_payload;
  if (content === undefined || content.length === 0) return '';
  const { body } = splitUdh(content, pdu.esm_class);
  // Receipts are ASCII on nearly every link, whatever data_coding says; a first octet of zero reveals UCS-2.
  if (pdu.data_coding === 8 && body[0] === 0) return decodeShortMessage(body, 8);
  return latin1(body as Buffer, 0, body.length);
}

function networkError(tlvs: Tlvs | undefined): { type: number; code: string } | undefined {
  const octets = tlvs?.network_error_code;
  if (octets === undefined || octets.length < 3) return undefined;
  return { type: octets[0]!, code: String((octets[1]! << 8) | octets[2]!) };
}

export interface ReceiptFields {
  id: string;
  state: MessageState;
  /** Epoch milliseconds; written as YYMMDDhhmm in UTC. */
  submitted: number;
  done: number;
  /** At least three characters. Default 000. */
  error?: string;
  /** network_error_code (§5.3.2.31): network type (one octet) and code (two octets). */
  network?: { type: number; code: number } | undefined;
  /** First characters of the message. */
  text?: string;
  style?: 'both' | 'text' | 'tlv';
}

/**
 * Builds the fields of a receipt's deliver_sm: esm_class, short_message and parameters; the caller adds the addresses.
 */
export function buildReceipt(
  fields: ReceiptFields,
): Required<Pick<MessageFields, 'esm_class' | 'short_message'>> & { tlvs: Tlvs | undefined } {
  const style = fields.style ?? 'both';
  const message = style === 'tlv' ? Buffer.alloc(0) : Buffer.from(receiptText(fields), 'latin1');
  const { network } = fields;
  const tlvs = {
    receipted_message_id: fields.id,
    message_state: MESSAGE_STATE[fields.state],
    ...(network && { network_error_code: Buffer.from([network.type, network.code >> 8, network.code & 0xff]) }),
  };
  const esm_class = fields.state === 'enroute' ? ESM_CLASS.intermediate : ESM_CLASS.receipt;
  return { esm_class, short_message: message, tlvs: style === 'text' ? undefined : tlvs };
}
