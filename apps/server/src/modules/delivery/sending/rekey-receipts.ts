import type pg from 'pg';
import { textArray } from '#platform/database/array-literal';
import type { IdRule } from './link.ts';
import { keyByRule } from './receipt-ids.ts';

const LIMIT = 20_000;

const FIND = `
  SELECT received_at::text AS received_at, carrier_id FROM receipt
  WHERE message_id IS NULL AND link_id = $1 AND carrier_id <> '' AND received_at > now() - interval '4 days'
  ORDER BY received_at DESC LIMIT ${LIMIT}`;
const CHANGE = `
  UPDATE receipt r SET carrier_id = u.key
  FROM unnest($2::timestamptz[], $3::text[], $4::text[]) AS u(received_at, carrier_id, key)
  WHERE r.link_id = $1 AND r.received_at = u.received_at AND r.carrier_id = u.carrier_id AND r.message_id IS NULL`;

/**
 * Gives receipts that were stored before the link's id rule was known the key of their message. The sweep that adopts
 * receipts then finds the message.
 */
export async function rekeyReceipts(client: Pick<pg.ClientBase, 'query'>, linkId: number, rule: IdRule): Promise<void> {
  const { rows } = await client.query<{ received_at: string; carrier_id: string }>(FIND, [linkId]);
  const changed = rows
    .map((row) => ({ ...row, key: keyByRule(row.carrier_id, rule) }))
    .filter(({ carrier_id, key }) => key !== carrier_id);
  if (changed.length === 0) return;
  await client.query(CHANGE, [
    linkId,
    changed.map(({ received_at }) => received_at),
    textArray(changed.map(({ carrier_id }) => carrier_id)),
    textArray(changed.map(({ key }) => key)),
  ]);
}
