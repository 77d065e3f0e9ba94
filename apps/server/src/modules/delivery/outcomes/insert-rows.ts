import type pg from 'pg';
import { numberArray, plainArray, textArray } from '../array-literal.ts';
import type { Ending, IncomingReceipt, Submission } from './entry.ts';

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

/** command_status is unsigned, PostgreSQL's integer is not; both have the same 32 bits. */
export const signed = (status: number): number => status | 0;

/** The keys of new rows; undefined where all are new. */
export type NewKeys = Set<string> | undefined;

/** Throws a unique violation where it is not careful and a row exists. */
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

/** One row a segment. */
export const insertSubmissions = (
  client: pg.Client,
  submissions: readonly Submission[],
  careful: boolean,
): Promise<NewKeys> =>
  insert(client, SUBMISSIONS, careful, [
    numberArray(submissions.map((s) => s.segment.message.id)),
    numberArray(submissions.map((s) => s.segment.part)),
    numberArray(submissions.map((s) => s.segment.message.chunk.corporation_id)),
    numberArray(submissions.map((s) => s.link_id)),
    textArray(submissions.map((s) => s.carrier_id)),
    numberArray(submissions.map((s) => signed(s.command_status))),
    numberArray(submissions.map((s) => s.at)),
  ]);

/** One row a message. */
export const insertOutcomes = (client: pg.Client, endings: readonly Ending[], careful: boolean): Promise<NewKeys> =>
  insert(client, OUTCOMES, careful, [
    numberArray(endings.map((e) => e.message.id)),
    numberArray(endings.map((e) => e.message.chunk.corporation_id)),
    numberArray(endings.map((e) => e.message.chunk.campaign_id)),
    plainArray(endings.map((e) => e.state)),
    textArray(endings.map((e) => e.error)),
    numberArray(endings.map((e) => e.at)),
  ]);

/** One row a receipt. */
export async function insertReceipts(client: pg.Client, receipts: readonly IncomingReceipt[]): Promise<void> {
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
