import type { PersonKind } from '@heliograph/contract/privacy/person-request';
import { sql } from 'kysely';
import { z } from 'zod';
import { audit } from '#platform/access/audit';
import { rowsOf } from '#platform/database/queryable';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { numberDigest } from '#platform/person/number-digest';
import { eraseFiles } from './erase-files.ts';
import { countPlaces, parametersOf } from './find-person.ts';
import { type Person, readPerson } from './person.ts';
import { PLACES, type Place, TYPED } from './places.ts';

/** Job that erases what is kept of a person. */
export const erasePersonJob = defineJob('erase-person', z.object({ person_request_id: z.int() }), {
  statementSeconds: 900,
});

type Worker = Pick<WorkerContext, 'database' | 'config' | 'clock'>;
type Db = Worker['database'];

/** Messages that are erased in one transaction. */
const AT_ONCE = 200;
/** Time in ms after which a request that waits for messages on their way is tried again. */
const AGAIN_MS = 60_000;

/**
 * Erases a person from all places and files. Each step is a transaction with its count, so a job that dies has lost
 * nothing and repeats nothing. Messages on their way, and files that a campaign still needs, are erased later by the
 * same job; the request stays open until then.
 */
export async function erasePerson(worker: Worker, id: number, signal: AbortSignal): Promise<void> {
  const { database, config, clock } = worker;
  const person = await readPerson(database, config, id);
  if (!person || (await requestOf(database, person)).state !== 'erasing') return;
  for (const place of PLACES) {
    signal.throwIfAborted();
    if (place.kind === 'messages') await eraseMessages(database, person, signal);
    else if (place.table === 'activity_log') await eraseFromLog(worker, person);
    else await erasePlace(database, person, place);
  }
  await inStep(database, person, 'messages', async (db) => {
    const lost = await rowsOf<{ rows: number }>(db, 'SELECT erase_lost_receipts($1) AS rows', [person.msisdn]);
    return lost[0]!.rows;
  });
  const left = await eraseFiles(worker, person, signal, (kind, change) => inStep(database, person, kind, change));
  // The certificate says that nothing is left, so everything is looked for once more.
  if (left > 0 || (await countPlaces(database, person)).size > 0) {
    const startAfter = new Date(clock.now().getTime() + AGAIN_MS);
    await enqueue(database, erasePersonJob, { person_request_id: id }, { startAfter });
    return;
  }
  await finish(worker, person);
}

/** Makes a change and adds its number of records to those of the request, in one transaction. */
export const inStep = (
  database: Db,
  { request_id }: Person,
  kind: PersonKind,
  change: (db: Db) => Promise<number>,
): Promise<number> =>
  database.transaction().execute(async (db) => {
    const count = await change(db);
    if (count > 0)
      await sql`UPDATE person_request SET erased = erased || jsonb_build_object(${kind}::text,
        coalesce((erased ->> ${kind})::bigint, 0) + ${count}::bigint) WHERE id = ${request_id}`.execute(db);
    return count;
  });

/** Erases the ended messages of a person, some in each transaction. */
async function eraseMessages(database: Db, person: Person, signal: AbortSignal): Promise<void> {
  const { where } = PLACES.find(({ kind }) => kind === 'messages')!;
  for (let count = AT_ONCE; count === AT_ONCE; ) {
    signal.throwIfAborted();
    count = await inStep(database, person, 'messages', async (db) => {
      const rows = await rowsOf<{ count: number }>(
        db,
        `SELECT erase_messages(ARRAY(SELECT t.id FROM message t JOIN message_row r ON r.id = t.id
           WHERE ${where} AND r.state NOT IN ('pending', 'submitted') ORDER BY t.id LIMIT ${AT_ONCE}), $2) AS count
         WHERE ${TYPED}`,
        parametersOf(person),
      );
      return rows[0]!.count;
    });
  }
}

/** Name of a person that tells nothing, and differs from that of any other. */
const nameOf = ({ request_id }: Person) => `erased-${request_id}`;

/** Opt-outs and blocks that are in force, as keyed hashes. */
const STOPS: Partial<Record<string, string>> = {
  opt_out: `INSERT INTO erased_stop (corporation_id, digest, kind, created_at)
    SELECT t.corporation_id, $4, 'opt_out', t.opted_out_at FROM opt_out t WHERE t.ended_at IS NULL AND `,
  blacklist_number: `INSERT INTO erased_stop (corporation_id, digest, kind, sender_id_id, channel, created_at)
    SELECT t.corporation_id, $4, 'blacklist', t.sender_id_id, t.channel, t.created_at FROM blacklist_number t WHERE `,
};

/** Erases the records of one place. */
async function erasePlace(database: Db, person: Person, place: Place): Promise<void> {
  const { kind, table, where, erase, erasedWhere = where } = place;
  const values = parametersOf(person);
  const stop = STOPS[table];
  if (stop !== undefined)
    await inStep(database, person, kind, async (db) => {
      const digest = numberDigest(person.msisdn);
      await rowsOf(db, `${stop} ${where} AND ${TYPED} ON CONFLICT DO NOTHING`, [...values, digest]);
      return changed(db, `DELETE FROM ${table} t WHERE ${where} AND ${TYPED} RETURNING 1`, values);
    });
  else if (table === 'number_list_number')
    await inStep(database, person, kind, (db) =>
      changed(
        db,
        `WITH gone AS (DELETE FROM number_list_number t WHERE ${where} AND ${TYPED} RETURNING t.number_list_id),
           counted AS (UPDATE number_list l SET numbers_count = numbers_count - g.count
             FROM (SELECT number_list_id, count(*) FROM gone GROUP BY 1) g WHERE l.id = g.number_list_id)
         SELECT 1 FROM gone`,
        values,
      ),
    );
  else if (erase === 'delete')
    await inStep(database, person, kind, (db) =>
      changed(db, `DELETE FROM ${table} t WHERE ${erasedWhere} AND ${TYPED} RETURNING 1`, values),
    );
  else if (erase !== undefined)
    await inStep(database, person, kind, (db) =>
      changed(
        db,
        `UPDATE ${table} t SET ${erase} WHERE ${erasedWhere} AND ${TYPED} AND $4::text IS NOT NULL RETURNING 1`,
        [...values, nameOf(person)],
      ),
    );
}

/** Runs a statement that returns a row for each changed one, and counts them. */
const changed = async (db: Db, text: string, values: readonly unknown[]): Promise<number> =>
  (await rowsOf(db, text, values)).length;

/**
 * Erases a person from entries of the activity log. A new entry lists which they were and the hash of what is left, so
 * that the check of the chain tells an erasure from a forgery.
 */
async function eraseFromLog({ database, clock }: Worker, person: Person): Promise<void> {
  await inStep(database, person, 'log', async (db) => {
    const entries = await rowsOf<{ place: number; content: string }>(
      db,
      'SELECT place, content FROM erase_from_log($1, $2)',
      [person.pattern, person.corporations],
    );
    if (entries.length === 0) return 0;
    const request = await requestOf(db, person);
    await log(db, clock, request, 'log entries erased', {
      entries: entries.map(({ place, content }) => [place, content]),
    });
    return entries.length;
  });
}

const requestOf = (db: Db, { request_id }: Person) =>
  db.selectFrom('person_request').selectAll().where('id', '=', request_id).executeTakeFirstOrThrow();

/** Logs a step of an erasure in the name of the person who asked for it. */
const log = (
  db: Db,
  clock: Worker['clock'],
  { id, erased_by, corporation_id }: Awaited<ReturnType<typeof requestOf>>,
  description: string,
  after: object,
): Promise<void> =>
  audit(
    { db, clock, caller: { user_id: erased_by, corporation_id } },
    { name: 'privacy', description, subject_type: 'privacy', subject_id: id, corporation_id, after },
  );

/** Forgets the number of the request, and logs what was erased; the entry's hash is on the certificate. */
async function finish({ database, clock }: Worker, person: Person): Promise<void> {
  await database.transaction().execute(async (db) => {
    const request = await requestOf(db, person);
    if (request.state !== 'erasing') return;
    await log(db, clock, request, 'person erased', {
      person: request.digest,
      reason: request.reason,
      records: request.erased,
    });
    const entry = await db
      .selectFrom('activity_log')
      .select('id')
      .where('name', '=', 'privacy')
      .where('subject_id', '=', person.request_id)
      .where('description', '=', 'person erased')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    await db
      .updateTable('person_request')
      .set({ state: 'erased', number_sealed: null, activity_id: entry.id, erased_at: clock.now().toISOString() })
      .where('id', '=', person.request_id)
      .execute();
    // Other searches for the same number know it, too.
    await db
      .deleteFrom('person_request')
      .where('digest', '=', request.digest)
      .where('state', 'in', ['searching', 'found', 'asked'])
      .$if(request.corporation_id !== null, (q) => q.where('corporation_id', 'in', [...(person.corporations ?? [])]))
      .execute();
  });
}
