import { MESSAGE_STATES, type MessageState } from '@heliograph/contract/kernel/states';
import type pg from 'pg';
import { countDestinations } from '../../src/modules/reports/count-destinations.ts';
import type { TestDatabase } from '../template-database.ts';
import { type MadeMessage, makeTraffic } from './made-traffic.ts';

const DAY = 86_400_000;
/** End of the three weeks: 01:30 of the 21st in Manila. */
export const NOW = new Date('2026-03-20T17:30:00Z');

/** Possible outcomes of a message of one or two parts, as the sender leaves them. */
const FATES: readonly MadeMessage[] = [
  { answers: [0] },
  { answers: [0], outcome: 'delivered' },
  { answers: [0], outcome: 'delivered' },
  { answers: [0], outcome: 'expired' },
  { answers: [0], outcome: 'failed_other' },
  { answers: [11], outcome: 'failed_submit' },
  { outcome: 'failed_internal' },
  { outcome: 'failed_billing' },
  { outcome: 'blocked' },
  { answers: [0, 0], parts: 2, outcome: 'delivered' },
  { answers: [0, 11], parts: 2, outcome: 'failed_submit' },
];

/** Owners of the messages, and their sender IDs. */
export const CORPORATIONS = ['Acme Retail', 'Northwind Telecom', 'Blue Harbor Bank'];
export const SENDERS = ['ACME', 'DEALS', 'BANK'];

/** Makes traffic at odd times in the three weeks before `now`, and then its statistics. */
export async function makeThreeWeeks(database: TestDatabase, now: Date): Promise<void> {
  const owner = database.pool('owner');
  let n = 0;
  for (let day = 0; day < 21; day++)
    for (const corporation of CORPORATIONS) {
      n++;
      const at = new Date(now.getTime() - day * DAY - ((n * 7_919_000) % DAY));
      const messages = Array.from({ length: 3 + (n % 5) }, (_, i) => FATES[(n * 5 + i * 3) % FATES.length]!);
      const { rows } = await owner.query(
        `SELECT id FROM campaign WHERE corporation_id = (SELECT id FROM corporation WHERE name = $1) ORDER BY id LIMIT 1`,
        [corporation],
      );
      const ids = await makeTraffic(owner, {
        corporation,
        at,
        messages,
        charge_on_delivery: n % 4 === 0,
        campaign_id: n % 2 === 0 ? (rows[0]?.id ?? null) : null,
      });
      await owner.query('UPDATE chunk SET sender_id = $1 WHERE id = $2::bigint >> 10', [SENDERS[n % 3], ids[0]]);
    }
  await owner.query("SELECT rebuild_traffic('-infinity', 'infinity')");
  // Each campaign was created when its oldest message was queued, and all its messages were processed.
  await owner.query(
    `UPDATE campaign c SET created_at = t.first, total_count = t.n FROM (
       SELECT m.campaign_id, count(*) AS n, min(k.created_at) AS first FROM message m JOIN chunk k ON k.id = m.id >> 10
       WHERE m.campaign_id IS NOT NULL GROUP BY 1) t WHERE t.campaign_id = c.id`,
  );
  await owner.query(
    `INSERT INTO campaign_counter (campaign_id, corporation_id, processed)
     SELECT id, corporation_id, total_count FROM campaign WHERE true
     ON CONFLICT (campaign_id) DO UPDATE SET processed = EXCLUDED.processed, cancelled = 0`,
  );
  const worker = { database: database.db('worker'), clock: { now: () => now } };
  await countDestinations(worker, new AbortController().signal, 400);
}

/** Days of a time zone (Manila if none is given), both included, and the corporations of the messages. */
interface Filters {
  from: string;
  to: string;
  corporations: readonly number[];
  sender_id?: string | undefined;
  zone?: string | undefined;
}

interface Naive {
  messages: number;
  parts: number;
  states: Record<MessageState, number>;
  charge: number;
}

/** Counts row by row, without row level security. */
export async function naive(owner: pg.Pool, filters: Filters): Promise<Naive> {
  const { rows } = await owner.query(
    `SELECT r.state, r.charge, (SELECT count(*) FROM submission_row s WHERE s.chunk_id = r.id >> 10 AND s.message_id = r.id
       AND s.command_status = 0)::int AS parts, EXISTS (SELECT FROM submission_row s WHERE s.chunk_id = r.id >> 10
       AND s.message_id = r.id AND s.command_status = 0 AND s.part = 1) AS first
     FROM message_row r WHERE (r.created_at AT TIME ZONE $5)::date BETWEEN $1 AND $2
       AND r.corporation_id = ANY ($3::bigint[]) AND ($4::text IS NULL OR r.sender_id = $4)`,
    [filters.from, filters.to, filters.corporations, filters.sender_id ?? null, filters.zone ?? 'Asia/Manila'],
  );
  const states = Object.fromEntries(MESSAGE_STATES.map((state) => [state, 0])) as Naive['states'];
  const counted: Naive = { messages: 0, parts: 0, states, charge: 0 };
  for (const row of rows) {
    counted.messages += row.first ? 1 : 0;
    counted.parts += row.parts;
    counted.charge += row.charge;
    states[row.state as MessageState]++;
  }
  return counted;
}

/** Counts the messages of the campaigns that were created in a period, by state. */
export async function ofCampaigns(owner: pg.Pool, filters: Filters): Promise<Record<string, number>> {
  const { rows } = await owner.query(
    `SELECT r.state, count(*)::int AS n FROM message_row r JOIN campaign c ON c.id = r.campaign_id
     WHERE (c.created_at AT TIME ZONE $5)::date BETWEEN $1 AND $2 AND c.corporation_id = ANY ($3::bigint[])
       AND ($4::text IS NULL OR c.sender_id = $4) GROUP BY 1`,
    [filters.from, filters.to, filters.corporations, filters.sender_id ?? null, filters.zone ?? 'Asia/Manila'],
  );
  const none = Object.fromEntries(MESSAGE_STATES.map((state) => [state, 0]));
  return { ...none, ...Object.fromEntries(rows.map(({ state, n }) => [state, n])) };
}

/** Counts messages that failed in any way, without those that were blocked. */
export const failedOf = ({ states: s }: Naive) =>
  s.failed_internal + s.failed_billing + s.failed_submit + s.failed_other;
