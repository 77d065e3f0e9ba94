import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadCaller } from '../../src/modules/identity/index.ts';
import { writePersonFile } from '../../src/modules/privacy/export-person.ts';
import { patternOf } from '../../src/modules/privacy/person.ts';
import { resumePeople } from '../../src/modules/privacy/resume-requests.ts';
import { startTestApi } from '../test-api.ts';
import { keepPerson, OTHER, PERSON, SECRET, searched, workerOf } from './person-stage.ts';

const api = await startTestApi({ after });
await keepPerson(api);
const never = new AbortController().signal;

test('a corporation finds a person in all of its places, in any spelling', async () => {
  const { data, found } = await searched(api, 'corporate', '+63 917 111-2233');
  assert.equal(data.state, 'found');
  assert.equal(data.number, PERSON);
  assert.deepEqual(found, {
    messages: 2,
    inbox: 3,
    lists: 1,
    contacts: 2,
    opt_outs: 1,
    blacklist: 1,
    consents: 3,
    short_links: 3,
    deliveries: 2,
    campaigns: 2,
    tasks: 2,
    log: 1,
    files: 2,
  });
});

test('the platform also finds lookups and lines of its own log', async () => {
  const { found } = await searched(api, 'admin', PERSON);
  assert.equal(found['messages'], 2);
  assert.deepEqual([found['log'], found['lookups']], [2, 1]);
});

test('a search of another corporation finds nothing of them, and others do not see it', async () => {
  const rows = await api.database
    .pool('owner')
    .query("SELECT min(id) AS id FROM corporation WHERE name <> 'Acme Retail' AND NOT is_reseller");
  const { found, id } = await searched(api, 'admin', PERSON, { corporation_id: rows.rows[0].id });
  assert.deepEqual(found, {});
  const corporate = await api.as('corporate');
  assert.equal((await corporate('GET', `/api/v1/privacy/${id}`)).status, 404);
});

test('departments may not search, because a search covers the whole corporation', async () => {
  const call = await api.as('user');
  assert.equal((await call('POST', '/api/v1/privacy', { number: PERSON })).status, 403);
});

test('the log and the queue name the search without the number', async () => {
  await searched(api, 'corporate', PERSON);
  const { rows } = await api.database
    .pool('owner')
    .query(
      "SELECT (SELECT string_agg(properties::text, ' ') FROM activity_log WHERE name = 'privacy') || (SELECT string_agg(data::text, ' ') FROM jobs.job) AS all",
    );
  assert.ok(!rows[0].all.includes('9171112233'));
});

test('a search whose job gave up is taken up again, once', async () => {
  const owner = api.database.pool('owner');
  await searched(api, 'corporate', PERSON);
  await owner.query("DELETE FROM jobs.job WHERE name = 'find-person'");
  await owner.query("UPDATE person_request SET state = 'searching', created_at = now() - interval '1 hour'");
  for (let time = 0; time < 2; time++) await resumePeople(workerOf(api));
  const { rows } = await owner.query(
    "SELECT (SELECT count(*) FROM jobs.job WHERE name = 'find-person') = (SELECT count(*) FROM person_request) AS same",
  );
  assert.equal(rows[0].same, true);
});

test('an export has the records of the person and no others', async () => {
  const { call, id } = await searched(api, 'corporate', PERSON);
  const asked = (await call('POST', `/api/v1/privacy/${id}/export`, { format: 'csv' })) as {
    status: number;
    body: { data: { id: number } };
  };
  assert.equal(asked.status, 202);
  const database = api.database.db('worker');
  await writePersonFile(workerOf(api), (user) => loadCaller(database, user), asked.body.data.id, never);
  const { rows } = await api.database
    .pool('owner')
    .query('SELECT state, file_path, rows FROM task WHERE id = $1', [asked.body.data.id]);
  assert.equal(rows[0].state, 'done');
  const text = readFileSync(join(api.config.DATA_DIR, 'files', rows[0].file_path), 'utf8');
  assert.ok(text.includes(SECRET) && text.includes('STOP zebra') && text.includes('Hello zebra'));
  assert.ok(!text.includes('Another text'));
  assert.ok(!text.includes(`${OTHER}"`) || text.includes('Draft'));
});

test('a number is found within texts as people write it, and not within another', () => {
  const found = new RegExp(patternOf(PERSON, { code: '63', trunk: '0' }));
  for (const text of ['+63 917 111 2233', '(0917) 111-2233', 'call 00639171112233 now', `"${PERSON}"`])
    assert.match(text, found);
  for (const text of ['16391711122334', '9171112233', '639171112234']) assert.doesNotMatch(text, found);
});
