/** command_id of every PDU of SMPP 3.4 (§5.1.2.1); a response has the top bit set. */
export const COMMAND_ID = {
  generic_nack: 0x80000000,
  bind_receiver: 0x00000001,
  bind_receiver_resp: 0x80000001,
  bind_transmitter: 0x00000002,
  bind_transmitter_resp: 0x80000002,
  query_sm: 0x00000003,
  query_sm_resp: 0x80000003,
  submit_sm: 0x00000004,
  submit_sm_resp: 0x80000004,
  deliver_sm: 0x00000005,
  deliver_sm_resp: 0x80000005,
  unbind: 0x00000006,
  unbind_resp: 0x80000006,
  replace_sm: 0x00000007,
  replace_sm_resp: 0x80000007,
  cancel_sm: 0x00000008,
  cancel_sm_resp: 0x80000008,
  bind_transceiver: 0x00000009,
  bind_transceiver_resp: 0x80000009,
  outbind: 0x0000000b,
  enquire_link: 0x00000015,
  enquire_link_resp: 0x80000015,
  submit_multi: 0x00000021,
  submit_multi_resp: 0x80000021,
  alert_notification: 0x00000102,
  data_sm: 0x00000103,
  data_sm_resp: 0x80000103,
} as const;

export type Command = keyof typeof COMMAND_ID;

const NAME_OF = new Map<number, Command>(
  (Object.entries(COMMAND_ID) as [Command, number][]).map(([name, id]) => [id, name]),
);

/** Answers the PDU's name for a command_id; undefined if SMPP 3.4 does not know it. */
export const commandName = (commandId: number): Command | undefined => NAME_OF.get(commandId);

/** Answers the response that a request expects; undefined for outbind, alert_notification and responses themselves. */
export function responseCommand(command: Command): ResponseCommand | undefined {
  const name = NAME_OF.get((COMMAND_ID[command] | 0x80000000) >>> 0);
  return name === command || name === 'generic_nack' ? undefined : (name as ResponseCommand | undefined);
}

export type BindCommand = 'bind_receiver' | 'bind_transmitter' | 'bind_transceiver';
export type ResponseCommand = Extract<Command, `${string}_resp`>;

/** esm_class bits (§5.2.12). */
export const ESM_CLASS = {
  modeMask: 0x03,
  storeAndForward: 0x03,
  typeMask: 0x3c,
  receipt: 0x04,
  deliveryAcknowledgement: 0x08,
  manualAcknowledgement: 0x10,
  intermediate: 0x20,
  udhi: 0x40,
  replyPath: 0x80,
} as const;

/** registered_delivery bits (§5.2.17); the intermediate flag is bit 4, as the bit pattern there shows. */
export const REGISTERED_DELIVERY = {
  none: 0x00,
  final: 0x01,
  failureOnly: 0x02,
  mask: 0x03,
  intermediate: 0x10,
} as const;

/** data_coding values in use (§5.2.19). */
export const DATA_CODING = { smscDefault: 0x00, ascii: 0x01, latin1: 0x03, octets: 0x04, ucs2: 0x08 } as const;

/** Type of number (§5.2.5). */
export const TON = {
  unknown: 0,
  international: 1,
  national: 2,
  network: 3,
  subscriber: 4,
  alphanumeric: 5,
  abbreviated: 6,
} as const;

/** Numbering plan indicator (§5.2.6). */
export const NPI = {
  unknown: 0,
  e164: 1,
  data: 3,
  telex: 4,
  landMobile: 6,
  national: 8,
  private: 9,
  ermes: 10,
  internet: 14,
  wap: 18,
} as const;

/** message_state values (§5.2.28), with SCHEDULED and SKIPPED of SMPP 5.0. */
export const MESSAGE_STATE = {
  scheduled: 0,
  enroute: 1,
  delivered: 2,
  expired: 3,
  deleted: 4,
  undeliverable: 5,
  accepted: 6,
  unknown: 7,
  rejected: 8,
  skipped: 9,
} as const;

export type MessageState = keyof typeof MESSAGE_STATE;
