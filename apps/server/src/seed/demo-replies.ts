import type pg from 'pg';
import type { DemoTenant } from './demo-tenants.ts';

type Client = Pick<pg.ClientBase, 'query'>;

const HOUR = 3_600_000;

/**
 * Replies to the short code: the customer, the text, and how many hours before now; the first customers are the list's.
 */
const REPLIES: readonly (readonly [customer: number, text: string, hours: number, important?: true])[] = [
  [4, '5! Very friendly people at the till.', 74],
  [17, 'Is the branch in my town open on Sunday?', 71, true],
  [52, '4', 70],
  [8, 'Salamat po! See you on Friday.', 51],
  [17, 'Thank you, I will come by in the morning then.', 49],
  [120, 'Where do I see my points?', 28, true],
  [64, '👍', 27],
  [203, 'How long are the payday prices good for?', 5],
  [120, 'Found them, never mind :)', 4],
];

/** Adds the customers' replies to the tenant's inbox, already read: none waits for an answer. */
export async function seedReplies(
  client: Client,
  tenant: DemoTenant,
  linkId: number,
  firstNumber: number,
  now: number,
) {
  const at = REPLIES.map(([, , hours]) => new Date(now - hours * HOUR).toISOString());
  await client.query(
    `INSERT INTO inbox_message (corporation_id, department_id, routing_id, link_id, inbound_id, oa, number, message,
       parts, total, handled, important, received_at, created_at, read_at)
     SELECT $1, $2, (SELECT id FROM routing WHERE corporation_id = $1 AND number = '2929' AND keyword IS NULL), $3,
       nextval(pg_get_serial_sequence('inbound_message', 'id')), m.oa, '2929', m.text, 1, 1, 'inbox', m.important, m.at, m.at,
       m.at + interval '20 minutes'
     FROM unnest($4::text[], $5::text[], $6::boolean[], $7::timestamptz[]) AS m(oa, text, important, at)`,
    [
      tenant.corporation_id,
      tenant.department_id,
      linkId,
      REPLIES.map(([customer]) => String(firstNumber + customer)),
      REPLIES.map(([, text]) => text),
      REPLIES.map(([, , , important]) => important === true),
      at,
    ],
  );
}
