import type { ParameterValues } from '@heliograph/contract/links/vendor-parameters';
import type pg from 'pg';
import { booleanArray, numberArray, textArray } from '#platform/database/array-literal';

/** A message from a phone, ready to be routed. */
export interface InboundMessage {
  link_id: number;
  /** Phone's number as the carrier wrote it. */
  sender: string;
  /** Short code or long number it was sent to. */
  recipient: string;
  /** Text; the octets in hex if the message is binary. */
  text: string;
  is_binary: boolean;
  /**
   * Number of received parts. If it is less than `total`, the others did not come in time, and `…` marks them in the
   * text.
   */
  parts: number;
  total: number;
  /** Vendor TLVs, by the names of the link or by tag; null for none. */
  parameters: ParameterValues | null;
  /** Epoch milliseconds of the first part. */
  received_at: number;
}

/**
 * Takes over messages from phones in the transaction that kept their parts. Once it commits, they belong to the taker,
 * and the carrier gets its answer. Throws if it cannot take them, and the carrier sends them again.
 */
export type OnInbound = (client: pg.ClientBase, messages: readonly InboundMessage[]) => Promise<void>;

/** Channel on which the router of messages from phones is told, once they are kept, that some wait. */
export const INBOUND = 'inbound';

const STORE = {
  name: 'store-inbound-messages',
  text: `
    INSERT INTO inbound_message (link_id, sender, recipient, text, parts, total, received_at, is_binary, parameters)
    SELECT link_id, sender, recipient, text, parts, total, to_timestamp(at / 1000), is_binary, parameters::jsonb
    FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::smallint[], $6::smallint[], $7::float8[], $8::boolean[], $9::text[])
      AS u(link_id, sender, recipient, text, parts, total, at, is_binary, parameters)`,
};

/** Keeps messages from phones in their own table until they are routed. */
export const storeInbound: OnInbound = async (client, messages) => {
  await client.query({
    ...STORE,
    values: [
      numberArray(messages.map((m) => m.link_id)),
      textArray(messages.map((m) => m.sender)),
      textArray(messages.map((m) => m.recipient)),
      textArray(messages.map((m) => m.text)),
      numberArray(messages.map((m) => m.parts)),
      numberArray(messages.map((m) => m.total)),
      numberArray(messages.map((m) => m.received_at)),
      booleanArray(messages.map((m) => m.is_binary)),
      textArray(messages.map(({ parameters }) => parameters && JSON.stringify(parameters))),
    ],
  });
};
