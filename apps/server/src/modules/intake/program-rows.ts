import { type Kysely, sql } from 'kysely';
import { numberArray, textArray } from '#platform/database/array-literal';
import type { Database } from '#platform/database/db';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { BusinessError } from '#platform/errors';
import { problemOf } from './problem-of.ts';
import type { Accepted, Outcome, Unit } from './program.ts';
import type { Entry } from './write-units.ts';

const BATCH_IDS = `
  SELECT nextval(pg_get_serial_sequence('program_batch', 'id')) AS id FROM generate_series(1, $1::integer)`;

/** Reserves ids for the batches that will be written. */
export async function nextBatchIds(db: Queryable, units: readonly Unit[]): Promise<ReadonlyMap<Unit, number>> {
  const batches = units.filter(({ batch }) => batch);
  if (batches.length === 0) return new Map();
  const rows = await rowsOf<{ id: number }>(db, BATCH_IDS, [batches.length]);
  return new Map(batches.map((unit, place) => [unit, rows[place]!.id]));
}

/**
 * Makes a text storable. PostgreSQL's JSON holds neither NUL nor half of a surrogate pair, and an invalid number can
 * contain both.
 */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** Writes the batches that have at least one accepted message. */
export async function insertBatches(db: Kysely<Database>, outcomes: ReadonlyMap<Unit, Outcome>): Promise<void> {
  for (const [unit, { batch_id, results }] of outcomes) {
    const accepted = results.filter((result): result is Accepted => !(result instanceof BusinessError));
    if (!unit.batch || batch_id === null || accepted.length === 0) continue;
    const { corporation_id, department_id, user_id, api_key_id } = unit.program;
    const sum = (of: (each: Accepted) => number) => accepted.reduce((all, each) => all + of(each), 0);
    const rejected = results.flatMap((result, index) =>
      result instanceof BusinessError
        ? [{ index, to: storable(unit.submissions[index]!.to), ...problemOf(result) }]
        : [],
    );
    await sql`
      INSERT INTO program_batch (id, corporation_id, department_id, user_id, api_key_id, client_ref, tags, total, accepted,
        parts, amount, currency, rejected)
      VALUES (${batch_id}, ${corporation_id}, ${department_id}, ${user_id}, ${api_key_id}, ${unit.batch.client_ref},
        ${JSON.stringify(unit.batch.tags)}, ${results.length}, ${accepted.length}, ${sum((each) => each.parts)},
        ${sum((each) => each.price)}, ${accepted[0]!.currency}, ${JSON.stringify(rejected)})`.execute(db);
  }
}

const INSERT = `
  INSERT INTO program_message (message_id, corporation_id, user_id, api_key_id, smpp_system_id, client_ref, callback_url,
    tags, batch_id, registered_delivery, callback_form)
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[],
    $8::jsonb[], $9::bigint[], $10::smallint[], $11::text[])`;

/** Writes the details of messages that the message rows do not hold. */
export async function insertProgramMessages(
  db: Queryable,
  entries: readonly Entry[],
  accepted: ReadonlyMap<Entry, Accepted>,
): Promise<void> {
  if (entries.length === 0) return;
  const of = <T>(value: (entry: Entry) => T) => entries.map(value);
  await rowsOf(db, INSERT, [
    numberArray(of((entry) => accepted.get(entry)!.id)),
    numberArray(of(({ program }) => program.corporation_id)),
    numberArray(of(({ program }) => program.user_id)),
    numberArray(of(({ program }) => program.api_key_id)),
    numberArray(of(({ program }) => program.smpp_system_id)),
    textArray(of(({ judged }) => judged.submission.client_ref ?? null)),
    textArray(of(({ judged }) => judged.submission.callback_url ?? null)),
    textArray(of(({ judged: { submission } }) => (submission.tags?.length ? JSON.stringify(submission.tags) : null))),
    numberArray(of(({ batch_id }) => batch_id)),
    numberArray(of(({ judged }) => judged.submission.smpp?.registered_delivery ?? null)),
    textArray(of(({ judged }) => judged.submission.callback_form ?? null)),
  ]);
}
