import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, test } from 'node:test';
import { listTasks } from '@heliograph/contract/kernel/task';
import { until } from '@heliograph/fault-kit';
import { filePath } from '#platform/files/files';
import { codeOf, dataOf } from '../answers.ts';
import type { Client } from '../test-api.ts';
import { listStage, range } from './list-stage.ts';

const { api, owner, corporate, harbor, readonly, corporation_id, one, listOf, countOf } = await listStage({ after });

const tasksOf = async (client: Client) => listTasks.reply.parse((await client('GET', '/api/v1/tasks')).body).data;
const cancel = (client: Client, type: string, id: number) => client('POST', `/api/v1/tasks/${id}/cancel`, { type });
const rowOf = async (type: string, id: number) =>
  (await owner.query('SELECT * FROM task WHERE type = $1 AND id = $2', [type, id])).rows[0];
const sendFile = (list: number, text: string) => {
  const form = new FormData();
  form.append('file', new Blob([text]), 'numbers.csv');
  return corporate('POST', `/api/v1/number-lists/${list}/imports`, form);
};
const isOver = async (type: string, id: number) => (await rowOf(type, id)).finished_at !== null;

test('a person finds all that is done for them in one list, and nobody else’s', async () => {
  const list = await listOf(range(0, 10));
  const imported = dataOf(await sendFile(list, 'number\n639170000001\nx\n')).id;
  const written = dataOf(await corporate('POST', `/api/v1/number-lists/${list}/exports`, {})).id;
  const emptied = dataOf(await corporate('POST', `/api/v1/number-lists/${list}/jobs`, { kind: 'delete' })).id;
  for (const [type, id] of [
    ['import', imported],
    ['download', written],
    ['list_job', emptied],
  ] as const)
    await until(`the ${type} ends`, () => isOver(type, id));
  const found = await tasksOf(corporate);
  const seen = (type: string, id: number) => found.find((task) => task.type === type && task.id === id);
  assert.deepEqual(
    [seen('import', imported)?.state, seen('import', imported)?.share, seen('import', imported)?.rows_rejected],
    ['done', 1, 1],
  );
  assert.match(seen('import', imported)?.error_file ?? '', /^\/api\/v1\/imports\/\d+\/errors$/);
  assert.deepEqual([seen('download', written)?.state, seen('download', written)?.cancelable], ['done', false]);
  assert.deepEqual([seen('list_job', emptied)?.state, seen('list_job', emptied)?.number_list_id], ['done', list]);
  for (const other of [harbor, readonly]) {
    assert.deepEqual(await tasksOf(other), []);
    assert.equal((await cancel(other, 'import', imported)).status, 404);
  }
  assert.equal(codeOf(await cancel(corporate, 'import', imported)), 'invalid_transition');
  assert.equal((await cancel(corporate, 'card_upload', imported)).status, 404);
});

test('cancelling a task ends its statement and undoes it', async () => {
  const list = await listOf(range(0, 10));
  const blocker = await owner.connect();
  const waits = async () =>
    (
      await owner.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND usename <> current_user",
      )
    ).rowCount ?? 0;
  await blocker.query('BEGIN; LOCK TABLE number_list_number IN EXCLUSIVE MODE');
  try {
    const work = dataOf(await corporate('POST', `/api/v1/number-lists/${list}/jobs`, { kind: 'delete' })).id;
    const file = dataOf(await sendFile(list, 'number\n639170009999\n')).id;
    await until('both wait for the numbers', async () => (await waits()) >= 2);
    for (const [type, id] of [
      ['list_job', work],
      ['import', file],
    ] as const) {
      const { status, body } = await cancel(corporate, type, id);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal((body as { data: { state: string } }).data.state, 'cancelled');
    }
    await until('no statement waits', async () => (await waits()) === 0);
    const { file_path, error_code } = await rowOf('import', file);
    assert.equal(error_code, 'task_cancelled');
    await until('the file is gone', () => !existsSync(filePath(api.config, file_path)));
  } finally {
    await blocker.query('ROLLBACK');
    blocker.release();
  }
  assert.equal(await countOf(list), 10);
  const { rows } = await owner.query(
    'SELECT count(*)::integer AS n FROM number_list_number WHERE number_list_id = $1',
    [list],
  );
  assert.equal(rows[0].n, 10);
});

test('a cancelled file is not written', async () => {
  const list = await listOf(range(0, 10));
  const id = await one(
    `INSERT INTO download (corporation_id, user_id, kind, parameters, download_file)
     SELECT $1, id, 'numbers', '{"locale": "en"}', $2 FROM user_account WHERE email = 'corporate@heliograph.test' RETURNING id`,
    [corporation_id, `list-${list}.csv`],
  );
  assert.equal((await cancel(corporate, 'download', id)).status, 200);
  const [task] = await tasksOf(corporate);
  assert.deepEqual([task?.type, task?.id, task?.state], ['download', id, 'cancelled']);
  const opened = await corporate('GET', `/api/v1/queue-download-unread-file/${id}`);
  assert.equal((opened.body as { success: boolean }).success, false);
});
