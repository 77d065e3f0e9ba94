import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { erasePerson } from '../../src/modules/privacy/erase-person.ts';
import { tellConfirmers } from '../../src/modules/privacy/tell-confirmers.ts';
import { startTestApi } from '../test-api.ts';
import { keepPerson, OTHER, PERSON, searched, workerOf } from './person-stage.ts';

const api = await startTestApi({ after });
await keepPerson(api);
const owner = api.database.pool('owner');
const never = new AbortController().signal;
const REASON = { reason: 'Asked by email' };

const records = async (number = PERSON): Promise<number> =>
  (await owner.query('SELECT count(*)::integer AS count FROM message WHERE msisdn = $1', [number])).rows[0].count;
const stateOf = async (login: string, id: number) => {
  const { body } = await (await api.as(login))('GET', `/api/v1/privacy/${id}`);
  return (body as { data: { state: string; needs_other: boolean; erased_by_name: string | null } }).data;
};
const act = async (login: string, id: number, what: string, body?: object) => {
  const { status, body: answer } = await (await api.as(login))('POST', `/api/v1/privacy/${id}/${what}`, body);
  return status === 200 ? 'done' : (answer as { code: string }).code;
};

test('nothing is erased before another person confirms, whatever the job does', async () => {
  const { id } = await searched(api, 'corporate', PERSON);
  assert.equal(await act('corporate', id, 'confirm-erasure'), 'invalid_transition');
  assert.equal(await act('corporate', id, 'erase', REASON), 'done');
  assert.equal(await act('corporate', id, 'confirm-erasure'), 'erasure_four_eyes');
  assert.deepEqual((({ state, needs_other }) => ({ state, needs_other }))(await stateOf('corporate', id)), {
    state: 'asked',
    needs_other: true,
  });
  const { rows } = await owner.query("SELECT FROM jobs.job WHERE name = 'erase-person'");
  assert.equal(rows.length, 0);
  await erasePerson(workerOf(api), id, never);
  assert.equal(await records(), 2);
  assert.equal((await stateOf('corporate', id)).state, 'asked');
});

test('who does not see the search, or lacks the permission, confirms nothing', async () => {
  const { rows } = await owner.query("SELECT id FROM person_request WHERE state = 'asked'");
  const { id } = rows[0];
  assert.equal(await act('readonly', id, 'confirm-erasure'), 'forbidden');
  assert.equal(await act('department', id, 'confirm-erasure'), 'forbidden');
  const { rows: other } = await owner.query(
    `UPDATE person_request SET corporation_id = (SELECT id FROM corporation WHERE name = 'Northwind Telecom') WHERE id = $1
     RETURNING corporation_id`,
    [id],
  );
  assert.ok(other[0].corporation_id);
  assert.equal(await act('corporate', id, 'confirm-erasure'), 'not_found');
  await owner.query(
    "UPDATE person_request SET corporation_id = (SELECT id FROM corporation WHERE name = 'Acme Retail') WHERE id = $1",
    [id],
  );
});

test('a request that is taken back is no request, and its reason is gone', async () => {
  const { rows } = await owner.query("SELECT id FROM person_request WHERE state = 'asked'");
  const { id } = rows[0];
  assert.equal(await act('admin', id, 'withdraw-erasure'), 'done');
  assert.equal(await act('admin', id, 'confirm-erasure'), 'invalid_transition');
  const shown = await stateOf('corporate', id);
  assert.equal(shown.state, 'found');
  assert.equal(shown.erased_by_name, null);
});

test('of two people who decide at the same time one is refused', async () => {
  const { id } = await searched(api, 'corporate', PERSON);
  assert.equal(await act('corporate', id, 'erase', REASON), 'done');
  const both = await Promise.all([act('admin', id, 'confirm-erasure'), act('superadmin', id, 'withdraw-erasure')]);
  assert.deepEqual(both.toSorted(), ['done', 'invalid_transition']);
  if (both[1] === 'done') assert.equal(await act('corporate', id, 'erase', REASON), 'done');
  if (both[1] === 'done') assert.equal(await act('admin', id, 'confirm-erasure'), 'done');
  await erasePerson(workerOf(api), id, never);
  assert.equal(await records(), 0);
  const { rows } = await owner.query(
    `SELECT e.name AS asked, f.name AS confirmed FROM person_request p JOIN user_account e ON e.id = p.erased_by
     JOIN user_account f ON f.id = p.confirmed_by WHERE p.id = $1`,
    [id],
  );
  assert.notEqual(rows[0].asked, rows[0].confirmed);
  const { rows: entries } = await owner.query(
    "SELECT description FROM activity_log WHERE name = 'privacy' AND subject_id = $1 AND description LIKE 'erasure %' ORDER BY id DESC LIMIT 2",
    [id],
  );
  assert.deepEqual(
    entries.map(({ description }) => description),
    ['erasure confirmed', 'erasure requested'],
  );
});

test('one person is enough where the platform says so', async () => {
  await owner.query("UPDATE global_configuration SET value = 'false' WHERE key = 'erasures_four_eyes'");
  const { id } = await searched(api, 'corporate', OTHER);
  assert.equal(await act('corporate', id, 'erase', REASON), 'done');
  assert.equal((await stateOf('corporate', id)).state, 'erasing');
  await erasePerson(workerOf(api), id, never);
  assert.equal(await records(OTHER), 0);
});

test('those who may confirm are told, the nearest ones, and never the one who asked', async () => {
  await owner.query("UPDATE global_configuration SET value = 'true' WHERE key = 'erasures_four_eyes'");
  const asked = async (login: string) => {
    const { body } = await (await api.as(login))('GET', '/api/v1/asked-notify');
    return (body as { kind: string; place: string }[]).filter(({ kind }) => kind === 'erasure');
  };
  const { id } = await searched(api, 'corporate', '639175550199');
  assert.equal(await act('corporate', id, 'erase', REASON), 'done');
  assert.deepEqual(await asked('corporate'), []);
  assert.deepEqual(await asked('user'), []);
  assert.deepEqual(
    (await asked('admin')).map(({ place }) => place),
    [`/privacy/${id}`],
  );
  const { rows } = await owner.query(
    "SELECT data FROM jobs.job WHERE name = 'tell-confirmers' ORDER BY created_on DESC",
  );
  assert.equal(rows[0].data.person_request_id, id);
  await tellConfirmers({ ...workerOf(api), config: api.config }, id);
});
