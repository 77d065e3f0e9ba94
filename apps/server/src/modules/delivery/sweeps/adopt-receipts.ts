import type pg from 'pg';
import { FINAL_STATES, keyOfId } from '../outcomes/entry.ts';
import { findSegments } from '../outcomes/find-segments.ts';
import type { OutcomeWriter } from '../outcomes/outcome-writer.ts';

const PAGE = 2_000;
/** Maximum pages that a sweep reads; the next sweep starts again from the oldest. */
const PAGES = 50;

// A carrier may send receipts on another link of the same account than the message's link.
const FIND = `
  SELECT r.link_id, r.carrier_id, r.state, r.error, r.received_at::text AS read_to, extract(epoch FROM r.received_at)::float8 * 1000 AS at,
    (SELECT array_agg(same.id) FROM link mine JOIN link same ON same.host = mine.host AND same.system_id = mine.system_id
      WHERE mine.id = r.link_id) AS links
  FROM receipt r
  WHERE r.message_id IS NULL AND r.carrier_id <> '' AND r.state = ANY ($1::text[])
    AND r.received_at > greatest(now() - make_interval(secs => $2), $3::timestamptz)
  ORDER BY r.received_at LIMIT ${PAGE}`;

interface Parked {
  link_id: number;
  carrier_id: string;
  state: string;
  error: string | null;
  read_to: string;
  at: number;
  links: number[] | null;
}

/**
 * Gives the writer receipts of the last `seconds` that were stored without their message, if the message is known by
 * now. Another process recorded their response, or this one did after a restart.
 */
export async function adoptReceipts(pool: pg.Pool, writer: OutcomeWriter, seconds: number): Promise<void> {
  let readTo = '-infinity';
  for (let page = 0; page < PAGES; page++) {
    const { rows } = await pool.query<Parked>(FIND, [FINAL_STATES, seconds, readTo]);
    if (rows.length > 0) await adoptPage(pool, writer, rows);
    if (rows.length < PAGE) return;
    readTo = rows.at(-1)!.read_to;
  }
}

async function adoptPage(pool: pg.Pool, writer: OutcomeWriter, rows: readonly Parked[]): Promise<void> {
  const idsOf = ({ carrier_id, links }: Parked) => (links ?? []).map((link_id) => ({ carrier_id, link_id }));
  const found = await findSegments(pool, rows.flatMap(idsOf));
  for (const row of rows) {
    const [segment] = idsOf(row)
      .flatMap((id) => found.get(keyOfId(id)) ?? [])
      .sort((a, b) => b.message.id - a.message.id);
    if (!segment) continue;
    const { link_id, carrier_id, state, at } = row;
    writer.add({ kind: 'adoption', link_id, carrier_id, state, error: row.error ?? '', at, segment });
  }
}
