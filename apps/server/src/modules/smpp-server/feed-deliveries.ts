import { REGISTERED_DELIVERY } from '@heliograph/smpp';
import type pg from 'pg';
import { type Event, fromNow, readEvents } from '#modules/events';
import { inTransaction } from '#platform/database/in-transaction';
import { receiptState } from './receipt-reason.ts';

/** Maximum events that one transaction reads. */
const PAGE = 5_000;

const { mask, final, failureOnly } = REGISTERED_DELIVERY;
/** Value for receipts of success only, which SMPP 5.0 added. */
const SUCCESS_ONLY = 3;

// A program gets one final receipt of each message. It gets none for later corrections by a carrier, nor for a message
// that was replaced. A receipt quotes nothing of an encrypted text.
const ADD_RECEIPTS = `
  INSERT INTO smpp_delivery (corporation_id, smpp_system_id_id, message_id, state, error, source, destination, text,
    submitted_at, done_at)
  SELECT p.corporation_id, s.id, coalesce(p.client_ref::bigint, p.message_id), e.state, e.error, m.msisdn, k.sender_id,
    CASE WHEN is_sealed_text(coalesce(m.text, k.common_text)) THEN '' ELSE left(coalesce(m.text, k.common_text), 20) END,
    p.created_at, e.at
  FROM jsonb_to_recordset($1) AS e(message_id bigint, ended text, state text, error text, at timestamptz)
  JOIN program_message p ON p.message_id = e.message_id AND p.smpp_system_id IS NOT NULL
  JOIN smpp_system_id s ON s.id = p.smpp_system_id
  JOIN message m ON m.id = e.message_id JOIN chunk k ON k.id = e.message_id >> 10
  WHERE CASE p.registered_delivery & ${mask} WHEN ${final} THEN true WHEN ${failureOnly} THEN e.state <> 'delivered'
    WHEN ${SUCCESS_ONLY} THEN e.state = 'delivered' ELSE false END
  AND NOT EXISTS (SELECT FROM correction x WHERE x.message_id = e.message_id AND x.state::text = e.ended)
  AND NOT (e.state = 'deleted' AND EXISTS (SELECT FROM program_message r JOIN message n ON n.id = r.message_id
    WHERE r.user_id = p.user_id AND r.client_ref = coalesce(p.client_ref, p.message_id::text) AND n.msisdn = m.msisdn
      AND r.message_id > p.message_id))`;

// A reply without a user goes to every system id of the corporation, or of the department, that takes replies.
const ADD_REPLIES = `
  INSERT INTO smpp_delivery (corporation_id, smpp_system_id_id, source, destination, text, is_binary, submitted_at, done_at)
  SELECT s.corporation_id, s.id, i.oa, i.number, placed_text(i.message, i.corporation_id, 'i' || i.inbound_id), i.is_binary, i.received_at, i.received_at
  FROM jsonb_to_recordset($1) AS e(inbox_message_id bigint)
  JOIN inbox_message i ON i.id = e.inbox_message_id
  JOIN smpp_system_id s ON s.corporation_id = i.corporation_id AND s.receives_replies AND s.enabled
  JOIN user_account u ON u.id = s.user_id
  WHERE (i.user_id IS NULL OR i.user_id = s.user_id) AND (i.department_id IS NULL OR i.department_id = u.department_id
    OR u.department_id IS NULL)`;

function receiptOf({ message_id, type, data, created_at }: Event) {
  const ended = String(data['state'] ?? type.split('.')[1]);
  const error = typeof data['error_code'] === 'string' ? data['error_code'] : null;
  const state = receiptState(ended, error) ?? 'undeliverable';
  return { message_id, ended: data['state'] ?? null, state, error, at: data['at'] ?? created_at };
}

/**
 * Makes deliveries of the events that are stored by now, and answers whether more may wait. One process at a time does
 * it, and each event is read once.
 */
export async function feedDeliveries(pool: pg.Pool): Promise<{ more: boolean; added: number; cursor?: string }> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ cursor: string | null }>(
      'SELECT cursor FROM smpp_feed FOR UPDATE SKIP LOCKED',
    );
    if (!rows[0]) return { more: false, added: 0 };
    const types = ['message.delivered', 'message.failed', 'message.expired', 'message.received'] as const;
    const page = await readEvents(client, { after: rows[0].cursor, limit: PAGE, filter: { types } });
    const added = page ? await add(client, page.events) : 0;
    // A cursor of another database, for example after a restore, does not show which events were read here.
    const cursor = page?.cursor ?? (await fromNow(client));
    await client.query('UPDATE smpp_feed SET cursor = $1', [cursor]);
    return { more: page?.more ?? false, added, cursor };
  });
}

async function add(client: pg.ClientBase, events: readonly Event[]): Promise<number> {
  const replies = events.filter(({ type }) => type === 'message.received');
  const ends = events.filter(({ type, message_id }) => type !== 'message.received' && message_id !== null);
  let added = 0;
  if (ends.length > 0) added += (await client.query(ADD_RECEIPTS, [JSON.stringify(ends.map(receiptOf))])).rowCount ?? 0;
  if (replies.length > 0)
    added += (await client.query(ADD_REPLIES, [JSON.stringify(replies.map(({ data }) => data))])).rowCount ?? 0;
  return added;
}
