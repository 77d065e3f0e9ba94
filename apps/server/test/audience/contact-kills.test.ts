import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { contactKind } from '../../src/modules/audience/contact-import.ts';
import { undoContactImport } from '../../src/modules/audience/contact-undo.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createDatabase, createPool } from '../../src/platform/database/db.ts';
import { bulkUploadJobs } from '../../src/platform/tasks/read-bulk-upload.ts';
import { dataOf } from '../answers.ts';
import { startTestApi } from '../test-api.ts';
import { formOf } from '../uploads.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const corporate = await api.as('corporate');
const acme = (await owner.query("SELECT id FROM corporation WHERE name = 'Acme Retail'")).rows[0].id as number;
const go = new AbortController().signal;
const COUNT = 20_000;

/** Makes an attempt with a pool of its own, whose sessions are ended after some time; without a time, it runs through. */
async function attempt(work: (database: ReturnType<typeof createDatabase>) => Promise<void>, afterMs?: number) {
  const pool = createPool({ DATABASE_URL: api.database.url }, 'worker', { max: 2 });
  const running = work(createDatabase(pool)).then(
    () => 'ended',
    () => 'cut',
  );
  if (afterMs !== undefined) {
    await sleep(afterMs);
    const pids = [...(pool as unknown as { _clients: { processID: number }[] })._clients].map((c) => c.processID);
    await owner.query('SELECT pg_terminate_backend(p, 60000) FROM unnest($1::int[]) p', [pids]);
  }
  const outcome = await running;
  await pool.end();
  return outcome;
}

const importing = (id: number) => (database: ReturnType<typeof createDatabase>) =>
  bulkUploadJobs(
    {
      config: api.config,
      database,
      clock: systemClock,
      log: api.log,
      jobs: {
        work: (_job: unknown, run: (data: object, signal: AbortSignal) => Promise<void>) =>
          run({ bulk_upload_id: id }, go),
      },
    } as never,
    [contactKind as never],
  );

const held = async (first: string) =>
  (
    await owner.query('SELECT count(*)::int AS n, count(name)::int AS named FROM contact WHERE number LIKE $1', [
      `${first}%`,
    ])
  ).rows[0];

test('an import and its undoing that are cut off leave no row out and none twice', async () => {
  for (const [turn, delay] of [40, 250, 600].entries()) {
    const first = `6391${turn + 1}`;
    const numberOf = (i: number) => `${first}${String(i).padStart(7, '0')}`;
    await owner.query(
      `INSERT INTO contact (corporation_id, number, name) SELECT $1, $2 || lpad(i::text, 7, '0'), NULL FROM generate_series(0, 999) i`,
      [acme, first],
    );
    const rows = Array.from({ length: COUNT }, (_, i) => `${numberOf(i)},Person ${i}`);
    const query = new URLSearchParams({ corporation_id: String(acme), columns: 'number,name' });
    const text = `number,name\n${rows.join('\n')}\n`;
    const { id } = dataOf<{ id: number }>(await corporate('POST', `/api/v1/contacts/bulk?${query}`, formOf(text)));
    await attempt(importing(id), delay);
    assert.ok([1_000, COUNT].includes((await held(first)).n), 'all of a file or nothing');
    await attempt(importing(id));
    assert.deepEqual(await held(first), { n: COUNT, named: COUNT });
    const task = (await owner.query("SELECT * FROM task WHERE type = 'bulk_upload' AND id = $1", [id])).rows[0];
    assert.deepEqual(
      [
        task.state,
        Number(task.rows_read),
        Number(task.rows_added),
        Number(task.rows_changed),
        Number(task.rows_rejected),
      ],
      ['done', COUNT, COUNT - 1_000, 1_000, 0],
    );
    assert.equal((await corporate('POST', `/api/v1/contact-imports/${id}/undo`)).status, 202);
    const undoing = (database: ReturnType<typeof createDatabase>) =>
      undoContactImport({ database, clock: systemClock }, id, go);
    await attempt(undoing, delay / 4);
    await attempt(undoing);
    assert.deepEqual(await held(first), { n: 1_000, named: 0 });
  }
});
