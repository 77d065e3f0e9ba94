import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { suppressed } from '../../src/modules/campaigns/suppression.ts';
import { startWorker } from '../../src/processes/worker.ts';
import { codeOf, dataOf, messageOf } from '../answers.ts';
import { startTestApi } from '../test-api.ts';
import { sendFile, uploadFile } from '../uploads.ts';

const api = await startTestApi({ after });
const worker = await startWorker({ config: api.config, log: api.log });
after(() => worker.stop());
const owner = api.database.pool('owner');
const [superadmin, corporate, harbor] = await Promise.all(
  ['superadmin', 'corporate', 'corporate@harbor.test'].map((login) => api.as(login)),
);
if (!superadmin || !corporate || !harbor) throw new Error('nobody signed in');

const { one } = api.database;
const corporation_id = await one(`SELECT id FROM corporation WHERE name = 'Acme Retail'`);
const mask = await one(`SELECT id FROM sender_id WHERE sender_id = 'ACME'`);
const foreignMask = await one(`SELECT id FROM sender_id WHERE sender_id = 'BlueHarbor'`);
const otherMask = await one(`SELECT id FROM sender_id WHERE sender_id = 'AcmeDeals'`);
const add = (more: object) => corporate('POST', '/api/v1/blacklist-numbers', { corporation_id, ...more });

test('a blacklisted number is normalized, and stored once per sender ID and channel', async () => {
  const made = await add({ number: '+63 917 555-0001' });
  assert.equal(made.status, 201);
  assert.deepEqual([dataOf(made)['number'], dataOf(made)['channel']], ['639175550001', 'all']);
  const again = await add({ number: '639175550001' });
  assert.deepEqual(
    [codeOf(again), messageOf(again)],
    ['numbers_already_blacklisted', 'Number(s) already blacklisted!'],
  );
  assert.equal((await add({ number: '639175550001', sender_id_id: mask })).status, 201);
  assert.equal((await add({ number: '639175550001', channel: 'api' })).status, 201);
  assert.equal((await add({ number: '6.39E+11' })).status, 422);
  assert.equal((await add({ number: '639175550002', sender_id_id: foreignMask })).status, 422);
});

test('a console campaign leaves out numbers blocked everywhere or for its sender ID', async () => {
  const numbers = ['639175551001', '639175551002', '639175551003', '639175551004'];
  await add({ number: numbers[0] });
  await add({ number: numbers[1], sender_id_id: mask });
  await add({ number: numbers[2], channel: 'web' });
  await add({ number: numbers[3], channel: 'api' });
  const stopped = async (sender_id_id: number) =>
    [...(await suppressed(api.database.db('owner'), { corporation_id, sender_id_id }, numbers)).keys()].sort();
  assert.deepEqual(await stopped(mask), numbers.slice(0, 3));
  assert.deepEqual(await stopped(otherMask), [numbers[0], numbers[2]]);
});

test('a file blocks its valid numbers, and reports every other row with the reason', async () => {
  const { upload, refused } = await uploadFile(
    corporate,
    `blacklist-numbers/bulk?corporation_id=${corporation_id}&sender_id_id=${mask}&channel=web`,
    'Number\n639175553001\n+63 917 555 3002\nabc\n\n639175553001\n639175550001\n12\n',
  );
  const { state, rows_read, rows_added, rows_duplicate, rows_rejected } = upload;
  assert.deepEqual([state, rows_read, rows_added, rows_duplicate, rows_rejected], ['done', 6, 3, 1, 2]);
  assert.deepEqual(refused, [
    ['4', 'number', 'abc', 'This is not a phone number.'],
    ['6', 'number', '639175553001', 'Number(s) already blacklisted!'],
    ['8', 'number', '12', 'The number is too short.'],
  ]);
  const { rows } = await owner.query(
    `SELECT number, sender_id_id, channel FROM blacklist_number WHERE number LIKE '63917555300%' ORDER BY number`,
  );
  const kept = { sender_id_id: mask, channel: 'web' };
  assert.deepEqual(rows, [
    { number: '639175553001', ...kept },
    { number: '639175553002', ...kept },
  ]);
  const { rows: log } = await owner.query(
    `SELECT corporation_id, properties -> 'after' ->> 'rows_added' AS added FROM activity_log
     WHERE name = 'blacklist-numbers' AND description = 'uploaded'`,
  );
  assert.deepEqual(log, [{ corporation_id, added: '3' }]);
});

test('a file without valid numbers or columns adds nothing, and its error says why', async () => {
  const address = `blacklist-numbers/bulk?corporation_id=${corporation_id}`;
  const nothing = await uploadFile(corporate, address, 'number\nabc\n');
  assert.deepEqual(
    [nothing.upload.state, nothing.upload.error_code, nothing.refused.length],
    ['failed', 'file_without_valid_numbers', 1],
  );
  const columns = await uploadFile(corporate, address, 'name,colour\nAna,red\n');
  assert.deepEqual([columns.upload.state, columns.upload.error_code], ['failed', 'file_headers_invalid']);
  assert.equal(codeOf(await sendFile(corporate, address, 'PK\u0003\u0004 no workbook')), 'file_cut_off');
  assert.equal((await sendFile(harbor, address, 'number\n639175554001\n')).status, 422, 'not their corporation');
  assert.equal((await harbor('GET', `/api/v1/bulk-uploads/${nothing.upload.id}`)).status, 404);
  assert.equal((await harbor('GET', `/api/v1/bulk-uploads/${nothing.upload.id}/errors`)).status, 404);
});

test('blacklist and opt-out files find the number column as campaigns do', async () => {
  for (const kind of ['blacklist-numbers', 'opt-outs']) {
    const address = `${kind}/bulk?corporation_id=${corporation_id}`;
    for (const file of [
      'Cellphone #,Ciudad\n639175556001,Cebu\n',
      'Телефон\n639175556002\n',
      '639175556003\n639175556004\n',
    ])
      assert.ok((await uploadFile(corporate, address, file)).upload.rows_added > 0, file);
    const { upload } = await uploadFile(corporate, address, 'Phone,Mobile\n639175556005,639175556006\n');
    assert.deepEqual(
      [upload.state, upload.error_code, upload.columns],
      ['failed', 'file_columns_ambiguous', ['Phone', 'Mobile'].map((name) => ({ name, field: 'number' }))],
    );
  }
});

test('a blacklisted text is stored once, whatever its case', async () => {
  const made = await superadmin('POST', '/api/v1/blacklist-text', { text: 'Free Money' });
  assert.equal(made.status, 201);
  const again = await superadmin('POST', '/api/v1/blacklist-text', { text: 'FREE money' });
  assert.equal(codeOf(again), 'blacklist_text_already_exists');
  assert.equal((await corporate('GET', '/api/v1/blacklist-text')).status, 403);
  assert.equal((await superadmin('DELETE', `/api/v1/blacklist-text/${dataOf(made).id}`)).status, 200);
});
