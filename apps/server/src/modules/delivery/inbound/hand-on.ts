import type pg from 'pg';
import { booleanArray, numberArray, textArray } from '#platform/array-literal';

/** A message from a phone, for whoever routes it. */
export interface InboundMessage {
  link_id: number;
  /** The phone's number as the carrier wrote it. */
  sender: string;
  /** The short code or long number it was sent to. */
  recipient: string;
  /** The octets in hex where the message is binary. */
  text: string;
  is_binary: boolean;
  /** Parts that came. Fewer than `total`: the rest did not come in time, and `…` stands for it in the text. */
  parts: number;
  total: number;
  /** Epoch milliseconds of the first part. */
  received_at: number;
}

/**
 * Takes over messages from phones within the transaction that has kept their parts until now: once it commits they are
 * the taker's, and the carrier is told so. Throws where it cannot, and the carrier sends them again.
 */
export type OnInbound = (client: pg.ClientBase, messages: readonly InboundMessage[]) => Promise<void>;

/** On which whoever routes messages from phones is told, once they are kept, that there are some. */
export const INBOUND = 'inbound';

const STORE = {
  name: 'store-inbound-messages',
  text: `
    INSERT INTO inbound_message (link_id, sender, recipient, text, parts, total, received_at, is_binary)
    SELECT link_id, sender, recipient, text, parts, total, to_timestamp(at / 1000), is_binary
    FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::smallint[], $6::smallint[], $7::float8[], $8::boolean[])
      AS u(link_id, sender, recipient, text, parts, total, at, is_binary)`,
};

/** Keeps messages from phones in a table of their own, until something routes them. */
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
    ],
  });
};
