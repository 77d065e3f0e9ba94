import type pg from 'pg';
import { numberArray, plainArray, textArray } from '../array-literal.ts';
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

// Arrays unfold in the select list, in step: in FROM each would be written to a store of its own first. Rows are plainly
// inserted, which costs a third less than ON CONFLICT; where one exists already, the batch is done anew, carefully.
const INSERT_SUBMISSIONS = `
  INSERT INTO submission (message_id, part, corporation_id, link_id, carrier_id, command_status, answered_at)
  SELECT message_id, part, corporation_id, link_id, carrier_id, command_status, to_timestamp(at / 1000) FROM (
    SELECT unnest($1::bigint[]) AS message_id, unnest($2::smallint[]) AS part, unnest($3::bigint[]) AS corporation_id,
      unnest($4::bigint[]) AS link_id, unnest($5::text[]) AS carrier_id, unnest($6::integer[]) AS command_status,
      unnest($7::float8[]) AS at
  ) u`;

const INSERT_RECEIPTS = {
  name: 'insert-receipts',
  text: `
    INSERT INTO receipt (received_at, link_id, carrier_id, message_id, part, state, error, raw)
    SELECT to_timestamp(at / 1000), link_id, carrier_id, message_id, part, state, error, substring($8::bytea FROM start FOR length)
    FROM (
      SELECT unnest($1::float8[]) AS at, unnest($2::bigint[]) AS link_id, unnest($3::text[]) AS carrier_id,
        unnest($4::bigint[]) AS message_id, unnest($5::smallint[]) AS part, unnest($6::text[]) AS state,
        unnest($7::text[]) AS error, unnest($9::integer[]) AS start, unnest($10::integer[]) AS length
    ) u`,
};

const INSERT_OUTCOMES = `
  INSERT INTO outcome (message_id, corporation_id, campaign_id, state, error_code, done_at)
  SELECT message_id, corporation_id, campaign_id, state, error_code, to_timestamp(at / 1000) FROM (
    SELECT unnest($1::bigint[]) AS message_id, unnest($2::bigint[]) AS corporation_id, unnest($3::bigint[]) AS campaign_id,
      unnest($4::message_state[]) AS state, unnest($5::text[]) AS error_code, unnest($6::float8[]) AS at
  ) u`;

/** An insert both ways: plainly, and carefully, answering the keys of the rows that are new. */
const bothWays = (name: string, text: string, key: string) => ({
  plain: { name, text },
  careful: { name: `${name}-careful`, text: `${text} ON CONFLICT DO NOTHING RETURNING ${key} AS key` },
});

const SUBMISSIONS = bothWays('insert-submissions', INSERT_SUBMISSIONS, "message_id || '/' || part");
const OUTCOMES = bothWays('insert-outcomes', INSERT_OUTCOMES, 'message_id::text');

const UNIQUE_VIOLATION = '23505';

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
  const inParts = new Map<number, Pick<Ending, 'message' | 'at'>>();
  for (const { segment, end, at } of batch.submissions) if (end) endings.push({ message: segment.message, ...end, at });
  for (const reported of [batch.receipts, batch.adoptions]) {
    for (const { segment, state, error, at } of reported) {
      const final = segment && finalState(state);
      if (!final || segment.message.ended) continue;
      const { message } = segment;
      if (message.parts === 1) endings.push({ message, state: final, error: errorCode(state, error), at });
      else inParts.set(message.id, { message, at });
    }
  }
  const write = (careful: boolean) => transaction(client, batch, endings, inParts, cause, careful);
  return await write(false).catch((error) => {
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
    return write(true);
  });
}

async function transaction(
  client: pg.Client,
  batch: Batch,
  endings: readonly Ending[],
  inParts: ReadonlyMap<number, Pick<Ending, 'message' | 'at'>>,
  cause: string,
  careful: boolean,
): Promise<CampaignCounters[]> {
  const deltas = new Deltas();
  let complete: Ending[] = [];
  try {
    const begun = client.query('BEGIN');
    await Promise.all([begun, ...sideWrites(client, batch), insertRows(client, batch, endings, deltas, careful)]);
    if (inParts.size > 0) {
      const since = dayOf(Math.min(...inParts.keys()));
      const seen = await partsSeen(client, [...inParts.keys()], since);
      complete = [...inParts.values()].flatMap(({ message, at }): Ending[] => {
        const parts = seen.get(message.id);
        const state = parts?.parts === message.parts && finalState(parts.worst_state);
        return state ? [{ message, state, error: errorCode(parts.worst_state, parts.worst_error), at }] : [];
      });
      // A part that was refused has ended the message already, so here duplicates are nothing rare.
      if (complete.length > 0) await insertRows(client, NOTHING, complete, deltas, true);
    }
    const counters = await applyDeltas(client, deltas, cause);
    for (const { message } of endings) message.ended = true;
    for (const { message } of complete) message.ended = true;
    return counters;
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

/** Inserts the rows and adds those that are new to the deltas. */
async function insertRows(
  client: pg.Client,
  { submissions, receipts }: Batch,
  endings: readonly Ending[],
  deltas: Deltas,
  careful: boolean,
): Promise<void> {
  const [newSubmissions, newOutcomes] = await Promise.all([
    submissions.length > 0 ? insertSubmissions(client, submissions, careful) : undefined,
    endings.length > 0 ? insertOutcomes(client, endings, careful) : undefined,
    receipts.length > 0 ? insertReceipts(client, receipts) : undefined,
  ]);
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

/** The keys of new rows; undefined where all are new. */
type NewKeys = Set<string> | undefined;

async function insert(
  client: pg.Client,
  statement: ReturnType<typeof bothWays>,
  careful: boolean,
  values: unknown[],
): Promise<NewKeys> {
  if (!careful) {
    await client.query({ ...statement.plain, values });
    return undefined;
  }
  const { rows } = await client.query<{ key: string }>({ ...statement.careful, values });
  return new Set(rows.map(({ key }) => key));
}

const insertSubmissions = (client: pg.Client, submissions: readonly Submission[], careful: boolean): Promise<NewKeys> =>
  insert(client, SUBMISSIONS, careful, [
    numberArray(submissions.map((s) => s.segment.message.id)),
    numberArray(submissions.map((s) => s.segment.part)),
    numberArray(submissions.map((s) => s.segment.message.chunk.corporation_id)),
    numberArray(submissions.map((s) => s.link_id)),
    textArray(submissions.map((s) => s.carrier_id)),
    numberArray(submissions.map((s) => signed(s.command_status))),
    numberArray(submissions.map((s) => s.at)),
  ]);

const insertOutcomes = (client: pg.Client, endings: readonly Ending[], careful: boolean): Promise<NewKeys> =>
  insert(client, OUTCOMES, careful, [
    numberArray(endings.map((e) => e.message.id)),
    numberArray(endings.map((e) => e.message.chunk.corporation_id)),
    numberArray(endings.map((e) => e.message.chunk.campaign_id)),
    plainArray(endings.map((e) => e.state)),
    textArray(endings.map((e) => e.error)),
    numberArray(endings.map((e) => e.at)),
  ]);

async function insertReceipts(client: pg.Client, receipts: readonly IncomingReceipt[]): Promise<void> {
  let next = 1;
  const starts = receipts.map(({ raw }) => {
    const start = next;
    next += raw.length;
    return start;
  });
  const values = [
    numberArray(receipts.map((r) => r.at)),
    numberArray(receipts.map((r) => r.link_id)),
    textArray(receipts.map((r) => r.carrier_id)),
    numberArray(receipts.map((r) => r.segment?.message.id ?? null)),
    numberArray(receipts.map((r) => r.segment?.part ?? null)),
    textArray(receipts.map((r) => r.state)),
    textArray(receipts.map((r) => r.error)),
    Buffer.concat(receipts.map((r) => r.raw)),
    numberArray(starts),
    numberArray(receipts.map((r) => r.raw.length)),
  ];
  await client.query({ ...INSERT_RECEIPTS, values });
}
