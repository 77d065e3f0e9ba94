import { createHash } from 'node:crypto';
import { type DataSm, type DeliverSm, mobileOriginatedSegment } from '@heliograph/smpp';
import type pg from 'pg';

// SMPP gives a deliver_sm no identity. A carrier that got no answer brings the message again in a new session. Either
// we died, or the connection was lost between our commit and our answer.

/** Identity by which a repeated message in one part is found. */
export interface Seen {
  digest: Buffer;
  /** The session that brought it. */
  session: string;
}

/**
 * Time for which seen messages are remembered. A carrier repeats unanswered messages as soon as it has a session; later
 * the same words are a new message.
 */
const REMEMBERED = '2 minutes';

/** Computes the digest of the fields that make two messages equal: link, addresses, alphabet, reference and octets. */
export function digestOf(pdu: DeliverSm | DataSm, linkId: number): Buffer {
  const { data_coding, body } = mobileOriginatedSegment(pdu);
  const { source_addr, destination_addr, tlvs } = pdu;
  const about = [linkId, source_addr, destination_addr, data_coding, tlvs?.user_message_reference ?? null];
  return createHash('sha256').update(JSON.stringify(about)).update(body).digest().subarray(0, 16);
}

// Each seen message cancels one repeated message, and no more. The inner OFFSET limits the search to the index on
// digests. Otherwise the planner would walk through all messages of two minutes, for each message.
const FORGET_DOUBLES = `
  DELETE FROM inbound_seen WHERE ctid = ANY (ARRAY(
    SELECT seen.ctid FROM (SELECT digest, session, count(*) FROM unnest($1::bytea[], $2::uuid[]) AS u(digest, session) GROUP BY 1, 2) n
    CROSS JOIN LATERAL (
      SELECT of.ctid FROM (SELECT s.ctid, s.session, s.received_at FROM inbound_seen s WHERE s.digest = n.digest OFFSET 0) of
      WHERE of.session <> n.session AND of.session <> ALL ($3::uuid[])
        AND of.received_at > now() - interval '${REMEMBERED}'
      ORDER BY of.received_at LIMIT n.count
    ) seen
  )) RETURNING digest`;
const REMEMBER = 'INSERT INTO inbound_seen (digest, session) SELECT * FROM unnest($1::bytea[], $2::uuid[])';

/** Deletes seen messages that no carrier repeats any more. */
export const FORGET_SEEN = `DELETE FROM inbound_seen WHERE received_at < now() - interval '${REMEMBERED}'`;

/** Deletes the ids of replies that no carrier brings again by HTTP. */
export const FORGET_REPLIES = "DELETE FROM carrier_reply_seen WHERE received_at < now() - interval '3 days'";

/**
 * Leaves out messages that an ended session brought a moment ago, and remembers all as brought by this session. A phone
 * may send the same text twice, and a carrier may spread that over its `living` sessions.
 */
export async function newOf<Item extends { seen: Seen }>(
  client: pg.ClientBase,
  items: readonly Item[],
  living: readonly string[],
): Promise<Item[]> {
  if (items.length === 0) return [];
  const values = [items.map(({ seen }) => seen.digest), items.map(({ seen }) => seen.session)];
  const { rows } = await client.query<{ digest: Buffer }>(FORGET_DOUBLES, [...values, living]);
  await client.query(REMEMBER, values);
  const known = new Map<string, number>();
  for (const { digest } of rows) {
    const key = digest.toString('hex');
    known.set(key, (known.get(key) ?? 0) + 1);
  }
  return items.filter(({ seen }) => {
    const key = seen.digest.toString('hex');
    const left = known.get(key) ?? 0;
    known.set(key, left - 1);
    return left <= 0;
  });
}
