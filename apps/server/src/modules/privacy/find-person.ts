import { PERSON_KINDS, type PersonKind } from '@heliograph/contract/privacy/person-request';
import { z } from 'zod';
import { rowsOf } from '#platform/database/queryable';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { type Person, readPerson } from './person.ts';
import { personFiles } from './person-files.ts';
import { PLACES, TYPED } from './places.ts';

/** Job that looks for everything that is kept of a person. */
export const findPersonJob = defineJob('find-person', z.object({ person_request_id: z.int() }), {
  statementSeconds: 900,
});

export type PersonWorker = Pick<WorkerContext, 'database' | 'config' | 'clock'>;

/** Parameters of the statements of places. */
export const parametersOf = ({ msisdn, pattern, corporations }: Person): unknown[] => [msisdn, pattern, corporations];

/** Counts the records of a person by kind, of the kinds that have any. */
export async function countPlaces(db: PersonWorker['database'], person: Person): Promise<Map<PersonKind, number>> {
  const counts = new Map<PersonKind, number>();
  for (const { kind, table, where } of PLACES) {
    const [found] = await rowsOf<{ count: number }>(
      db,
      `SELECT count(*) AS count FROM ${table} t WHERE ${where} AND ${TYPED}`,
      parametersOf(person),
    );
    if (found!.count > 0) counts.set(kind, (counts.get(kind) ?? 0) + found!.count);
  }
  return counts;
}

/** Looks for a person in all places and stored files, and keeps the counts. It is safe to repeat. */
export async function lookForPerson(worker: PersonWorker, id: number, signal: AbortSignal): Promise<void> {
  const { database, config } = worker;
  const person = await readPerson(database, config, id);
  if (!person) return;
  const counts = await countPlaces(database, person);
  let files = 0;
  for await (const _ of personFiles(worker, person, signal)) files++;
  if (files > 0) counts.set('files', files);
  const found = PERSON_KINDS.filter((kind) => counts.has(kind)).map((kind) => ({ kind, count: counts.get(kind) }));
  await database
    .updateTable('person_request')
    .set({ found: JSON.stringify(found), state: 'found' })
    .where('id', '=', id)
    .where('state', '=', 'searching')
    .execute();
}
