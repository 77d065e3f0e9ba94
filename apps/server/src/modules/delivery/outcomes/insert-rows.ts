import type pg from 'pg';
import { CopyRows, copyIn } from '#platform/copy-rows';
import { numberArray, plainArray, textArray } from '../array-literal.ts';
import { dayOf } from '../message-id.ts';
import { together } from '../postgres-session.ts';
import { type Ending, type IncomingReceipt, octetsOf, type Submission } from './entry.ts';

// Rows are appended by COPY to the partition of their day, which costs half of an INSERT; where one exists already, the
// batch is done anew, carefully. Arrays unfold in the select list, in step: in FROM each would be stored first.
const INSERT_SUBMISSIONS = `
  INSERT INTO submission (message_id, part, corporation_id, link_id, carrier_id, command_status, answered_at)
  SELECT message_id, part, corporation_id, link_id, carrier_id, command_status, to_timestamp(at / 1000) FROM (
    SELECT unnest($1::bigint[]) AS message_id, unnest($2::smallint[]) AS part, unnest($3::bigint[]) AS corporation_id,
      unnest($4::bigint[]) AS link_id, unnest($5::text[]) AS carrier_id, unnest($6::integer[]) AS command_status,
      unnest($7::float8[]) AS at
  ) u
  ON CONFLICT DO NOTHING RETURNING message_id || '/' || part AS key`;

const INSERT_OUTCOMES = `
  INSERT INTO outcome (message_id, corporation_id, campaign_id, state, error_code, done_at, link_id, carrier_id,
    receipt_state, receipt)
  SELECT message_id, corporation_id, campaign_id, state, error_code, to_timestamp(at / 1000), link_id, carrier_id,
    receipt_state, CASE WHEN length > 0 THEN substring($11::bytea FROM start FOR length) END
  FROM (
    SELECT unnest($1::bigint[]) AS message_id, unnest($2::bigint[]) AS corporation_id, unnest($3::bigint[]) AS campaign_id,
      unnest($4::message_state[]) AS state, unnest($5::text[]) AS error_code, unnest($6::float8[]) AS at,
      unnest($7::bigint[]) AS link_id, unnest($8::text[]) AS carrier_id, unnest($9::text[]) AS receipt_state,
      unnest($10::integer[]) AS start, unnest($12::integer[]) AS length
  ) u
  ON CONFLICT DO NOTHING RETURNING message_id::text AS key`;

/** command_status is unsigned, PostgreSQL's integer is not; both have the same 32 bits. */
export const signed = (status: number): number => status | 0;

/** The keys of new rows; undefined where all are new. */
export type NewKeys = Set<string> | undefined;

const SUBMISSION_COLUMNS = 'message_id, part, corporation_id, link_id, carrier_id, command_status, answered_at';
const OUTCOME_COLUMNS =
  'message_id, corporation_id, campaign_id, state, error_code, done_at, link_id, carrier_id, receipt_state, receipt';
const RECEIPT_COLUMNS = 'received_at, link_id, carrier_id, message_id, part, state, error, raw';

/** The suffix of the partitions of a UTC day, from its first millisecond. */
const partition = (day: number) => new Date(day).toISOString().slice(0, 10).replaceAll('-', '');

const DAY_MS = 86_400_000;

/** PostgreSQL holds the rows of a COPY in slots whose book-keeping grows with their square: several short ones are faster. */
const ROWS_A_COPY = 200;

/** Copies rows to the partitions of `table`, those of one UTC day after another. */
async function copyByDay<Row>(
  client: pg.Client,
  table: string,
  columns: string,
  rows: readonly Row[],
  dayOfRow: (row: Row) => number,
  write: (into: CopyRows, row: Row) => void,
): Promise<void> {
  const fields = columns.split(',').length;
  const copies: Promise<void>[] = [];
  for (let from = 0; from < rows.length; ) {
    const day = dayOfRow(rows[from]!);
    const copy = new CopyRows(fields);
    for (; from < rows.length && copy.count < ROWS_A_COPY && dayOfRow(rows[from]!) === day; from++)
      write(copy, rows[from]!);
    copies.push(copyIn(client, `${table}_${partition(day)}`, columns, copy));
  }
  await together(copies);
}

function writeSubmission(
  copy: CopyRows,
  { segment: { message, part }, link_id, carrier_id, command_status, at }: Submission,
) {
  copy.row(64);
  copy.bigint(message.id);
  copy.smallint(part);
  copy.bigint(message.chunk.corporation_id);
  copy.bigint(link_id);
  if (carrier_id === null) copy.null();
  else copy.text(carrier_id);
  copy.integer(command_status);
  copy.moment(at);
}

function writeOutcome(copy: CopyRows, { message, state, error, at, receipt }: Ending) {
  copy.row(64);
  copy.bigint(message.id);
  copy.bigint(message.chunk.corporation_id);
  if (message.chunk.campaign_id === null) copy.null();
  else copy.bigint(message.chunk.campaign_id);
  copy.text(state);
  if (error === null) copy.null();
  else copy.text(error);
  copy.moment(at);
  if (receipt) {
    copy.bigint(receipt.link_id);
    copy.text(receipt.carrier_id);
    copy.text(receipt.state);
    copy.octets(receipt.frame);
  } else {
    copy.null();
    copy.null();
    copy.null();
    copy.null();
  }
}

function writeReceipt(copy: CopyRows, { at, link_id, carrier_id, segment, state, error, frame }: IncomingReceipt) {
  copy.row(64);
  copy.moment(at);
  copy.bigint(link_id);
  copy.text(carrier_id);
  if (segment) {
    copy.bigint(segment.message.id);
    copy.smallint(segment.part);
  } else {
    copy.null();
    copy.null();
  }
  copy.text(state);
  copy.text(error);
  copy.octets(frame);
}

const keysOf = ({ rows }: pg.QueryResult<{ key: string }>): NewKeys => new Set(rows.map(({ key }) => key));

/** One row a segment. Throws a unique violation where it is not careful and a row exists. */
export async function insertSubmissions(
  client: pg.Client,
  submissions: readonly Submission[],
  careful: boolean,
): Promise<NewKeys> {
  if (!careful) {
    const day = (s: Submission) => dayOf(s.segment.message.id);
    await copyByDay(client, 'submission', SUBMISSION_COLUMNS, submissions, day, writeSubmission);
    return undefined;
  }
  const values = [
    numberArray(submissions.map((s) => s.segment.message.id)),
    numberArray(submissions.map((s) => s.segment.part)),
    numberArray(submissions.map((s) => s.segment.message.chunk.corporation_id)),
    numberArray(submissions.map((s) => s.link_id)),
    textArray(submissions.map((s) => s.carrier_id)),
    numberArray(submissions.map((s) => signed(s.command_status))),
    numberArray(submissions.map((s) => s.at)),
  ];
  return keysOf(await client.query({ name: 'insert-submissions', text: INSERT_SUBMISSIONS, values }));
}

/** One row a message. Throws a unique violation where it is not careful and a row exists. */
export async function insertOutcomes(
  client: pg.Client,
  endings: readonly Ending[],
  careful: boolean,
): Promise<NewKeys> {
  if (!careful) {
    await copyByDay(client, 'outcome', OUTCOME_COLUMNS, endings, (e) => dayOf(e.message.id), writeOutcome);
    return undefined;
  }
  let next = 1;
  const lengths = endings.map(({ receipt }) => (receipt ? receipt.frame.end - receipt.frame.start : 0));
  const starts = lengths.map((length) => {
    next += length;
    return next - length;
  });
  const values = [
    numberArray(endings.map((e) => e.message.id)),
    numberArray(endings.map((e) => e.message.chunk.corporation_id)),
    numberArray(endings.map((e) => e.message.chunk.campaign_id)),
    plainArray(endings.map((e) => e.state)),
    textArray(endings.map((e) => e.error)),
    numberArray(endings.map((e) => e.at)),
    numberArray(endings.map((e) => e.receipt?.link_id ?? null)),
    textArray(endings.map((e) => e.receipt?.carrier_id ?? null)),
    textArray(endings.map((e) => e.receipt?.state ?? null)),
    numberArray(starts),
    Buffer.concat(endings.flatMap(({ receipt }) => (receipt ? [octetsOf(receipt.frame)] : []))),
    numberArray(lengths),
  ];
  return keysOf(await client.query({ name: 'insert-outcomes', text: INSERT_OUTCOMES, values }));
}

/** One row a receipt. */
export const insertReceipts = (client: pg.Client, receipts: readonly IncomingReceipt[]): Promise<void> =>
  copyByDay(client, 'receipt', RECEIPT_COLUMNS, receipts, (r) => Math.floor(r.at / DAY_MS) * DAY_MS, writeReceipt);
