import type pg from 'pg';
import { numberArray, textArray } from '../array-literal.ts';
import { dayOf } from '../message-id.ts';
import type { Message } from '../segment.ts';
import { applyDeltas, type CampaignCounters } from './apply-deltas.ts';
import { Deltas, type FinalState } from './deltas.ts';
import {
  type Adoption,
  type Entry,
  errorCode,
  finalState,
  type IncomingReceipt,
  type Retry,
  type Submission,
} from './entry.ts';
import { findSegments, partsSeen } from './find-segments.ts';

// All arrays of a kind in one statement: one round trip a batch. Where every row is new, which is the rule, no row
// comes back; else the keys of those that are.
const INSERT = {
  name: 'record-outcomes',
  text: `
    WITH s AS (
      INSERT INTO submission (message_id, part, corporation_id, link_id, carrier_id, command_status, answered_at)
      SELECT u.message_id, u.part, u.corporation_id, u.link_id, u.carrier_id, u.command_status, to_timestamp(u.at / 1000)
      FROM unnest($1::bigint[], $2::smallint[], $3::bigint[], $4::bigint[], $5::text[], $6::integer[], $7::float8[])
        AS u(message_id, part, corporation_id, link_id, carrier_id, command_status, at)
      ON CONFLICT DO NOTHING RETURNING message_id, part
    ), r AS (
      INSERT INTO receipt (received_at, link_id, carrier_id, message_id, part, state, error, raw)
      SELECT to_timestamp(u.at / 1000), u.link_id, u.carrier_id, u.message_id, u.part, u.state, u.error,
        substring($16::bytea FROM u.start FOR u.length)
      FROM unnest($8::float8[], $9::bigint[], $10::text[], $11::bigint[], $12::smallint[], $13::text[], $14::text[],
        $15::integer[], $17::integer[])
        AS u(at, link_id, carrier_id, message_id, part, state, error, start, length)
    ), o AS (
      INSERT INTO outcome (message_id, corporation_id, campaign_id, state, error_code, done_at)
      SELECT u.message_id, u.corporation_id, u.campaign_id, u.state, u.error_code, to_timestamp(u.at / 1000)
      FROM unnest($18::bigint[], $19::bigint[], $20::bigint[], $21::message_state[], $22::text[], $23::float8[])
        AS u(message_id, corporation_id, campaign_id, state, error_code, at)
      ON CONFLICT DO NOTHING RETURNING message_id
    )
    SELECT
      (SELECT CASE WHEN count(*) < $24::integer THEN coalesce(array_agg(message_id || '/' || part), '{}') END FROM s) AS submissions,
      (SELECT CASE WHEN count(*) < $25::integer THEN coalesce(array_agg(message_id::text), '{}') END FROM o) AS outcomes`,
};

const ADOPT = {
  name: 'adopt-receipts',
  text: `
    UPDATE receipt r SET message_id = u.message_id, part = u.part
    FROM unnest($1::float8[], $2::bigint[], $3::text[], $4::bigint[], $5::smallint[])
      AS u(at, link_id, carrier_id, message_id, part)
    WHERE r.received_at = to_timestamp(u.at / 1000) AND r.link_id = u.link_id AND r.carrier_id = u.carrier_id
      AND r.message_id IS NULL`,
};

const ADD_RETRIES = {
  name: 'add-retries',
  text: `
    INSERT INTO retry (message_id, part, corporation_id, link_id, class, tries, not_before, command_status, reference)
    SELECT u.message_id, u.part, u.corporation_id, u.link_id, u.class, u.tries, to_timestamp(u.at / 1000), u.command_status, u.reference
    FROM unnest($1::bigint[], $2::smallint[], $3::bigint[], $4::bigint[], $5::message_class[], $6::integer[], $7::float8[],
      $8::integer[], $9::smallint[]) AS u(message_id, part, corporation_id, link_id, class, tries, at, command_status, reference)
    ON CONFLICT DO NOTHING`,
};

const END_RETRIES = {
  name: 'end-retries',
  text: 'DELETE FROM retry r USING unnest($1::bigint[], $2::smallint[]) AS u(message_id, part) WHERE r.message_id = u.message_id AND r.part = u.part',
};

/** One end a message may come to in this batch. */
interface Ending {
  message: Message;
  state: FinalState;
  error: string | null;
  at: number;
}

interface Batch {
  submissions: Submission[];
  receipts: IncomingReceipt[];
  adoptions: Adoption[];
  retries: Retry[];
}

function sorted(entries: readonly Entry[]): Batch {
  const batch: Batch = { submissions: [], receipts: [], adoptions: [], retries: [] };
  for (const entry of entries) {
    if (entry.kind === 'submission') batch.submissions.push(entry);
    else if (entry.kind === 'receipt') batch.receipts.push(entry);
    else if (entry.kind === 'adoption') batch.adoptions.push(entry);
    else batch.retries.push(entry);
  }
  return batch;
}

/** command_status is unsigned, PostgreSQL's integer is not; both have the same 32 bits. */
const signed = (status: number): number => status | 0;

/**
 * Records a batch in one transaction: submissions, receipts, outcomes, retries, and what they mean for counters,
 * statistics and money. Only rows that are new count, so the same batch may come again. Answers the counters of the
 * campaigns it touched. Throws after rolling back.
 */
export async function recordBatch(
  client: pg.Client,
  entries: readonly Entry[],
  cause: string,
): Promise<CampaignCounters[]> {
  const batch = sorted(entries);
  const unknown = batch.receipts.filter((r) => !r.segment && r.carrier_id !== '');
  if (unknown.length > 0) await findSegments(client, unknown);

  const endings: Ending[] = [];
  const inParts = new Map<number, { message: Message; at: number }>();
  for (const { segment, end, at } of batch.submissions) if (end) endings.push({ message: segment.message, ...end, at });
  for (const { segment, state, error, at } of [...batch.receipts, ...batch.adoptions]) {
    const final = segment && finalState(state);
    if (!final) continue;
    const { message } = segment;
    if (message.parts === 1) endings.push({ message, state: final, error: errorCode(state, error), at });
    else inParts.set(message.id, { message, at });
  }

  const deltas = new Deltas();
  // The statements behind BEGIN are sent with it; those that are not awaited at once are awaited below.
  const begun = client.query('BEGIN');
  try {
    const side = sideWrites(client, batch);
    await Promise.all([begun, ...side, insertRows(client, batch, endings, deltas)]);
    if (inParts.size > 0) {
      const since = dayOf(Math.min(...inParts.keys()));
      const seen = await partsSeen(client, [...inParts.keys()], since);
      const complete = [...inParts.values()].flatMap(({ message, at }): Ending[] => {
        const parts = seen.get(message.id);
        const state = parts?.parts === message.parts && finalState(parts.worst_state);
        return state ? [{ message, state, error: errorCode(parts.worst_state, parts.worst_error), at }] : [];
      });
      if (complete.length > 0) await insertRows(client, NOTHING, complete, deltas);
    }
    return await applyDeltas(client, deltas, cause);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

const NOTHING: Batch = { submissions: [], receipts: [], adoptions: [], retries: [] };

function sideWrites(client: pg.Client, { adoptions, retries, submissions }: Batch): Promise<unknown>[] {
  const writes: Promise<unknown>[] = [];
  if (adoptions.length > 0) {
    const values = [
      numberArray(adoptions.map((a) => a.at)),
      numberArray(adoptions.map((a) => a.link_id)),
      textArray(adoptions.map((a) => a.carrier_id)),
      numberArray(adoptions.map((a) => a.segment.message.id)),
      numberArray(adoptions.map((a) => a.segment.part)),
    ];
    writes.push(client.query({ ...ADOPT, values }));
  }
  if (retries.length > 0) {
    const values = [
      numberArray(retries.map((r) => r.segment.message.id)),
      numberArray(retries.map((r) => r.segment.part)),
      numberArray(retries.map((r) => r.segment.message.chunk.corporation_id)),
      numberArray(retries.map((r) => r.link_id)),
      textArray(retries.map((r) => r.segment.message.chunk.class)),
      numberArray(retries.map((r) => r.segment.tries)),
      numberArray(retries.map((r) => r.not_before)),
      numberArray(retries.map((r) => signed(r.command_status))),
      numberArray(retries.map((r) => r.segment.message.reference)),
    ];
    writes.push(client.query({ ...ADD_RETRIES, values }));
  }
  const ended = submissions.filter((s) => s.from_retry);
  if (ended.length > 0) {
    const values = [numberArray(ended.map((s) => s.segment.message.id)), numberArray(ended.map((s) => s.segment.part))];
    writes.push(client.query({ ...END_RETRIES, values }));
  }
  return writes;
}

async function insertRows(
  client: pg.Client,
  { submissions, receipts }: Batch,
  endings: readonly Ending[],
  deltas: Deltas,
): Promise<void> {
  let start = 1;
  const starts = receipts.map((r) => {
    const at = start;
    start += r.raw.length;
    return at;
  });
  const { rows } = await client.query<{ submissions: string[] | null; outcomes: string[] | null }>({
    ...INSERT,
    values: [
      numberArray(submissions.map((s) => s.segment.message.id)),
      numberArray(submissions.map((s) => s.segment.part)),
      numberArray(submissions.map((s) => s.segment.message.chunk.corporation_id)),
      numberArray(submissions.map((s) => s.link_id)),
      textArray(submissions.map((s) => s.carrier_id)),
      numberArray(submissions.map((s) => signed(s.command_status))),
      numberArray(submissions.map((s) => s.at)),
      numberArray(receipts.map((r) => r.at)),
      numberArray(receipts.map((r) => r.link_id)),
      textArray(receipts.map((r) => r.carrier_id)),
      numberArray(receipts.map((r) => r.segment?.message.id ?? null)),
      numberArray(receipts.map((r) => r.segment?.part ?? null)),
      textArray(receipts.map((r) => r.state)),
      textArray(receipts.map((r) => r.error)),
      numberArray(starts),
      Buffer.concat(receipts.map((r) => r.raw)),
      numberArray(receipts.map((r) => r.raw.length)),
      numberArray(endings.map((e) => e.message.id)),
      numberArray(endings.map((e) => e.message.chunk.corporation_id)),
      numberArray(endings.map((e) => e.message.chunk.campaign_id)),
      textArray(endings.map((e) => e.state)),
      textArray(endings.map((e) => e.error)),
      numberArray(endings.map((e) => e.at)),
      submissions.length,
      endings.length,
    ],
  });
  const newSubmissions = rows[0]!.submissions && new Set(rows[0]!.submissions);
  const newOutcomes = rows[0]!.outcomes && new Set(rows[0]!.outcomes);
  for (const { segment, command_status, at } of submissions) {
    const { message, part } = segment;
    if (!newSubmissions || newSubmissions.delete(`${message.id}/${part}`)) {
      deltas.submission(message, part, command_status === 0, at);
    }
  }
  for (const { message, state, at } of endings) {
    if (!newOutcomes || newOutcomes.delete(String(message.id))) deltas.outcome(message, state, at);
  }
}
