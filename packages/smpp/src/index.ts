export { Backoff, type BackoffOptions } from './backoff.ts';
export { type CarrierIdRule, normaliseCarrierId, sameCarrierId } from './carrier-id.ts';
export { type ClientOptions, openSession } from './client.ts';
export {
  type BindCommand,
  COMMAND_ID,
  type Command,
  commandName,
  DATA_CODING,
  ESM_CLASS,
  MESSAGE_STATE,
  type MessageState,
  NPI,
  REGISTERED_DELIVERY,
  type ResponseCommand,
  responseCommand,
  TON,
} from './commands.ts';
export { Connection, type ConnectionHandler, type ConnectionOptions, type LinkAlarm } from './connection.ts';
export { decodeAt, decodePdu, MAX_PDU, MIN_PDU } from './decode.ts';
export { encodeInto, encodeMessage, encodeMessageResp, encodePdu } from './encode.ts';
export { FrameReader } from './frame-reader.ts';
export { decodeGsm, encodeGsm, gsmUnits, isGsm, packGsm, unpackGsm } from './gsm0338.ts';
export type * from './pdu.ts';
export {
  joinSegments,
  type KnownPart,
  type MobileOriginatedSegment,
  mobileOriginatedSegment,
  type PartPlace,
  placeOfPart,
  type SegmentBody,
} from './reassembly.ts';
export { buildReceipt, parseReceipt, type Receipt, type ReceiptFields } from './receipt.ts';
export { dateMayLieBetween, quotes, type ReceiptHints, receiptHints } from './receipt-hints.ts';
export { type ServerOptions, type SmppServer, startServer } from './server.ts';
export { Session, type SessionState } from './session.ts';
export {
  type BindCredentials,
  type Clock,
  type CloseReason,
  type Closing,
  NO_STATUS,
  type Outcome,
  type PduFrame,
  type ProtocolFault,
  type SessionHandler,
  type SessionOptions,
} from './session-options.ts';
export { type Charset, decodeShortMessage, type Encoding, encodeShortMessage } from './short-message.ts';
export { SocketLimits } from './socket-limits.ts';
export { isPermanentBindRefusal, STATUS, type StatusKind, type StatusName, statusKind, statusName } from './status.ts';
export { SubmitTemplate } from './submit-template.ts';
export { formatAbsoluteTime, formatRelativeTime, parseTime } from './time.ts';
export type { RawTlv, Tlvs } from './tlv.ts';
export { type Concatenation, type ConcatenationKind, concatenationOf, concatenationUdh, splitUdh } from './udh.ts';
export { PduError, PduWriter } from './wire.ts';
