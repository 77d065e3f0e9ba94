import { type DataSm, type DeliverSm, decodePdu, receiptHints } from '@heliograph/smpp';
import type pg from 'pg';
import { textArray } from '#platform/database/array-literal';
import { type KeyConfig, openerOf } from '#platform/text/text-keys';
import { firstChunkOfDay, messageId } from '../message-id.ts';
import { HAS_NO_END, IS_ANSWERED } from '../outcomes/chunk-states.ts';
import { FINAL_STATES } from '../outcomes/entry.ts';
import { foundSegment } from '../outcomes/find-segments.ts';
import type { OutcomeWriter } from '../outcomes/outcome-writer.ts';
import { CHUNK_COLUMNS, type ChunkColumns, carriedBy } from '../segment.ts';
import { type Candidate, matchOrphan, type Orphan } from './orphan-match.ts';

const PAGE = 1_000;
/** Maximum pages that a sweep reads; the next sweep starts again from the oldest. */
const PAGES = 20;
/** Age in days of the oldest searched messages: the longest validity, and the wait for receipts after it. */
const DAYS_BACK = 5;
const DAY_MS = 86_400_000;

const FIND_ORPHANS = `
  SELECT link_id, carrier_id, state, error, raw, received_at::text AS read_to,
    extract(epoch FROM received_at)::float8 * 1000 AS at
  FROM receipt
  WHERE message_id IS NULL AND state = ANY ($1::text[])
    AND received_at > greatest(now() - make_interval(secs => $2), $4::timestamptz)
    AND received_at <= now() - make_interval(secs => $3)
  ORDER BY received_at LIMIT ${PAGE}`;

// Finds handed-over parts of messages that have not ended. They have no answer, or one without an id, and no receipt is
// known.
const FIND_CANDIDATES = `
  SELECT m.id AS message_id, p.part, m.msisdn, m.parts, m.unit_price, coalesce(text_of_message(m.text, k.common_text, m.id, m.corporation_id), '') AS body,
    m.parts > 1 AND coalesce(l.long_messages = 'payload', false) AS whole, a.message_id IS NOT NULL AS answered,
    extract(epoch FROM k.created_at)::float8 * 1000 AS queued_at, ${CHUNK_COLUMNS}
  FROM unnest($1::text[]) AS n(msisdn)
  JOIN message m ON m.msisdn = n.msisdn AND m.id >= $2
  JOIN chunk k ON k.id = m.id >> 10 AND (m.id & 1023) < k.cursor
  LEFT JOIN campaign c ON c.id = k.campaign_id
  LEFT JOIN link l ON l.id = k.link_id
  CROSS JOIN generate_series(1, m.parts) AS p(part)
  LEFT JOIN chunk_state s ON s.chunk_id = k.id
  LEFT JOIN submission a ON a.message_id = m.id AND a.part = p.part
  WHERE (NOT ${IS_ANSWERED} OR (a.command_status = 0 AND a.carrier_id IS NULL)) AND ${HAS_NO_END}
    AND NOT EXISTS (SELECT FROM retry r WHERE r.message_id = m.id AND r.part = p.part AND r.class <> 'otp')
    AND NOT EXISTS (SELECT FROM receipt_row r WHERE r.chunk_id = k.id AND r.message_id = m.id AND r.part = p.part AND r.state = ANY ($3::text[]))
  ORDER BY m.id, p.part`;

interface OrphanRow {
  link_id: number;
  carrier_id: string;
  state: string;
  error: string | null;
  raw: Buffer;
  read_to: string;
  at: number;
}

interface CandidateRow extends ChunkColumns, Omit<Candidate, 'text'> {
  body: string;
  parts: number;
  unit_price: number;
  answered: boolean;
}

type Found = Candidate & { row: CandidateRow };

/**
 * Finds the messages of receipts with unknown ids, by our reference or by number, time and text. Gives the writer both
 * the receipt and the answer that it proves. Receipts that fit no message, or several, stay.
 */
export async function resolveOrphans(
  pool: pg.Pool,
  config: KeyConfig,
  writer: OutcomeWriter,
  { oldestSeconds, youngestSeconds }: { oldestSeconds: number; youngestSeconds: number },
): Promise<void> {
  let readTo = '-infinity';
  for (let page = 0; page < PAGES; page++) {
    const { rows } = await pool.query<OrphanRow>(FIND_ORPHANS, [FINAL_STATES, oldestSeconds, youngestSeconds, readTo]);
    if (rows.length > 0) await resolvePage(pool, config, writer, rows);
    if (rows.length < PAGE) return;
    readTo = rows.at(-1)!.read_to;
  }
}

async function resolvePage(
  pool: pg.Pool,
  config: KeyConfig,
  writer: OutcomeWriter,
  rows: readonly OrphanRow[],
): Promise<void> {
  const orphans = rows.flatMap((row) => {
    const hints = hintsOf(row.raw);
    return hints && hints.msisdn !== '' ? [{ row, orphan: { hints, received_at: row.at } satisfies Orphan }] : [];
  });
  if (orphans.length === 0) return;
  const found = await candidatesFor(pool, config, [...new Set(orphans.map(({ orphan }) => orphan.hints.msisdn))]);
  const taken = new Set<Found>();
  for (const { row, orphan } of orphans) {
    const match = matchOrphan(orphan, found);
    // A second receipt of the same part finds it by its id afterwards.
    if (!match || taken.has(match)) continue;
    taken.add(match);
    resolve(writer, row, match.row);
  }
}

function hintsOf(raw: Buffer) {
  try {
    return receiptHints(decodePdu(raw) as DeliverSm | DataSm);
  } catch {
    return undefined;
  }
}

async function candidatesFor(pool: pg.Pool, config: KeyConfig, numbers: readonly string[]): Promise<Found[]> {
  const from = messageId(firstChunkOfDay(Date.now() - DAYS_BACK * DAY_MS), 0);
  const { rows } = await pool.query<CandidateRow>(FIND_CANDIDATES, [textArray(numbers), from, FINAL_STATES]);
  const open = await openerOf(
    pool,
    config,
    rows.map(({ body }) => body),
    undefined,
    { whole: true },
  );
  // Receipts quote nothing of a text that cannot be read.
  const textOf = (body: string) => {
    const opened = open(body);
    return 'text' in opened ? opened.text : '';
  };
  return rows
    .filter(({ whole, part }) => !whole || part === 1)
    .map((row) => {
      const { message_id, part, msisdn, whole, queued_at, body } = row;
      return { message_id, part, msisdn, whole, queued_at, text: textOf(body), row };
    });
}

function resolve(writer: OutcomeWriter, orphan: OrphanRow, row: CandidateRow): void {
  const { link_id, carrier_id, state, at } = orphan;
  const segment = foundSegment({ ...row, answered_at: at, went_whole: row.whole });
  // The answer first: if only the answer were recorded, the receipt would find it by its id.
  if (!row.answered) {
    for (const each of carriedBy(segment)) {
      writer.add({
        kind: 'submission',
        segment: each,
        link_id,
        command_status: 0,
        carrier_id: carrier_id === '' ? null : carrier_id,
        at,
        end: undefined,
        from_retry: false,
      });
    }
  }
  writer.add({ kind: 'adoption', link_id, carrier_id, state, error: orphan.error ?? '', at, segment });
}

const FORGOTTEN = `
  SELECT link_id, count(*) AS receipts FROM receipt
  WHERE message_id IS NULL AND state = ANY ($1::text[])
    AND received_at > now() - make_interval(secs => $2 + 3600) AND received_at <= now() - make_interval(secs => $2)
  GROUP BY link_id ORDER BY link_id`;

/**
 * Counts the receipts, by link, that reached the age of `seconds` within the last hour without their message; no sweep
 * looks at them again.
 */
export async function countForgotten(pool: pg.Pool, seconds: number): Promise<{ link_id: number; receipts: number }[]> {
  const { rows } = await pool.query<{ link_id: number; receipts: number }>(FORGOTTEN, [FINAL_STATES, seconds]);
  return rows;
}
