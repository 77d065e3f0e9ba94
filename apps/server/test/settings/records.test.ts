import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { codeOf, dataOf, errorsOf, messageOf, rowsOf } from '../answers.ts';
import type { Client } from '../test-api.ts';
import { uploadFile } from '../uploads.ts';
import { settingsStage } from './stage.ts';

const { owner, superadmin, corporate, department, user, harbor, one, acme } = await settingsStage({ after });

const marketing = await one(`SELECT id FROM department WHERE name = 'Marketing'`);
const operations = await one(`SELECT id FROM department WHERE name = 'Operations'`);
const cards = await one(`SELECT id FROM department WHERE name = 'Cards'`);

test('a corporation has one blackout time, written as times of day', async () => {
  const add = (body: object) => corporate('POST', '/api/v1/blackout-time', { corporation_id: acme, ...body });
  const wrong = await add({ start_time: '24:00', end_time: '6am' });
  assert.deepEqual(Object.keys(errorsOf(wrong)).sort(), ['end_time', 'start_time']);
  assert.equal((await add({ start_time: '22:00', end_time: '06:00' })).status, 201);
  const again = await add({ start_time: '01:00', end_time: '02:00' });
  assert.deepEqual(
    [codeOf(again), messageOf(again)],
    ['blackout_time_already_configured', 'Blackout time already configured for given corporation'],
  );
});

test('a template has a unique name in its department and only known placeholders', async () => {
  const add = (client: Client, body: object) =>
    client('POST', '/api/v1/message-templates', {
      corporation_id: acme,
      department_id: marketing,
      name: 'Spring',
      template: 'Hi {name}',
      ...body,
    });
  assert.equal((await add(department, {})).status, 201);
  const again = await add(corporate, {});
  assert.equal(messageOf(again), 'Message template already exists for given department');
  assert.equal((await add(corporate, { department_id: operations })).status, 201);
  assert.deepEqual(Object.keys(errorsOf(await add(department, { department_id: operations }))), ['department_id']);
  assert.deepEqual(Object.keys(errorsOf(await add(corporate, { department_id: cards }))), ['department_id']);
  assert.deepEqual(Object.keys(errorsOf(await add(corporate, { name: 'x', template: 'Hi {nobody}' }))), ['template']);
  const names = rowsOf(await user('GET', '/api/v1/message-templates?per_page=200')).map((row) => row['department_id']);
  assert.ok(names.length >= 3 && names.every((id) => id === marketing), 'the department’s own alone');
});

test('a word of a corporation means one thing in any case, as a word or as an alias', async () => {
  const add = (client: Client, corporation_id: number, word: string, aliases: string[]) =>
    client('POST', '/api/v1/aliases', { corporation_id, word, aliases });
  const made = await add(corporate, acme, 'WIN', ['Prize', 'PRIZE', 'gift']);
  assert.deepEqual([made.status, dataOf(made)['aliases']], [201, ['PRIZE', 'gift']]);
  const word = await add(corporate, acme, 'win', ['other']);
  assert.deepEqual([codeOf(word), messageOf(word)], ['alias_already_exists', 'Alias already exists']);
  for (const [name, words] of [
    ['LUCK', ['GIFT']],
    ['prize', ['luck']],
    ['LUCK', ['win']],
  ] as const) {
    const taken = await add(corporate, acme, name, [...words]);
    assert.deepEqual([codeOf(taken), messageOf(taken)], ['aliases_already_exist', 'Aliases already exist!'], name);
  }
  const path = `/api/v1/aliases/${dataOf(made).id}`;
  assert.equal((await corporate('PATCH', path, { word: 'Prize' })).status, 422, 'an alias does not become the word');
  assert.equal((await corporate('PATCH', path, { aliases: ['present'] })).status, 200);
  assert.equal((await add(corporate, acme, 'LUCK', ['gift'])).status, 201, 'what was let go is free');
  assert.equal(codeOf(await corporate('PATCH', path, { aliases: ['gift'] })), 'aliases_already_exist');
  assert.equal((await corporate('DELETE', path)).status, 200);
  assert.equal((await add(corporate, acme, 'WIN', ['present'])).status, 201);
  // A word is no alias of itself in any case or width, when it is added and when it changes.
  for (const word of ['FIT', 'fit', 'ＦＩＴ']) {
    const same = await add(corporate, acme, 'Fit', ['fine', word]);
    assert.deepEqual([same.status, Object.keys(errorsOf(same))], [422, ['aliases']], word);
  }
  assert.equal((await corporate('PATCH', `/api/v1/aliases/${dataOf(made).id}`, { enabled: true })).status, 404);
  for (const aliases of [[], ['two words'], ['x'.repeat(128)], ['']])
    assert.equal((await add(corporate, acme, 'FIT', aliases)).status, 422, JSON.stringify(aliases));
  assert.equal((await add(corporate, acme, 'FIT', ['x'.repeat(127)])).status, 201);
  const bank = await one(`SELECT id FROM corporation WHERE name = 'Blue Harbor Bank'`);
  assert.equal((await add(harbor, bank, 'WIN', ['present'])).status, 201, 'each corporation has its own words');
});

test('only the people of its departments see an assigned sender ID', async () => {
  const sender = (name: string) => one('SELECT id FROM sender_id WHERE sender_id = $1', [name]);
  const [first, second, foreign] = await Promise.all([sender('ACME'), sender('AcmeDeals'), sender('BlueHarbor')]);
  const assign = (department_id: number, sender_id_ids: number[]) =>
    corporate('POST', '/api/v1/assign-sender-ids', { corporation_id: acme, department_id, sender_id_ids });
  const seen = async (client: Client) =>
    rowsOf(await client('GET', '/api/v1/sender-ids?per_page=200'))
      .map((row) => row['sender_id'])
      .sort();
  assert.deepEqual(await seen(user), ['ACME', 'AcmeDeals']);
  assert.equal((await assign(operations, [second])).status, 201);
  assert.deepEqual(await seen(user), ['ACME'], 'Marketing no longer has what is for Operations');
  assert.deepEqual(await seen(corporate), ['ACME', 'AcmeDeals'], 'who sees the corporation sees all');
  const send = { sender_id: second, content: 'Hello', number: '639170009004', sms_validity: 1 };
  const refused = await user('POST', '/api/v1/campaigns/tests', send);
  assert.equal(codeOf(refused), 'sender_not_allowed');

  const some = await assign(operations, [first, second]);
  assert.deepEqual(
    [codeOf(some), messageOf(some)],
    ['sender_ids_already_exist', 'Some or all sender IDs already exist for the given department'],
  );
  assert.deepEqual(await seen(user), ['ACME'], 'none of them was assigned');
  assert.deepEqual(Object.keys(errorsOf(await assign(operations, [foreign]))), ['sender_id_ids']);
  assert.deepEqual(Object.keys(errorsOf(await assign(cards, [first]))), ['department_id']);
  assert.equal((await assign(marketing, [first, second])).status, 201);
  assert.deepEqual(await seen(user), ['ACME', 'AcmeDeals']);
  assert.equal(codeOf(await corporate('DELETE', `/api/v1/sender-ids/${second}`)), 'has_dependencies');
});

test('a file adds sender IDs, and its report names the rows with errors', async () => {
  const { upload, refused } = await uploadFile(
    corporate,
    `sender-ids/bulk?corporation_id=${acme}`,
    'sender_id,is_promotional,add_optout,optout_keyword,enabled\nAcmeNews,yes,,STOP,\nACME,,,,\n12,,,,\nAcmeB,maybe,,,\nAcmeC,,,two words,\nAcmeNews,,,,\n',
  );
  assert.deepEqual([upload.state, upload.rows_added, upload.rows_duplicate, upload.rows_rejected], ['done', 1, 2, 3]);
  assert.deepEqual(
    refused.map(([line, , value]) => [line, value]),
    [
      ['3', 'ACME'],
      ['4', '12'],
      ['5', 'maybe'],
      ['6', 'two words'],
      ['7', 'AcmeNews'],
    ],
  );
  assert.equal(refused[0]![3], 'Some or all sender IDs already exist for the given department');
  const { rows } = await owner.query(
    `SELECT is_promotional, add_optout, optout_keyword, enabled FROM sender_id WHERE sender_id = 'AcmeNews'`,
  );
  assert.deepEqual(rows, [{ is_promotional: true, add_optout: false, optout_keyword: 'STOP', enabled: true }]);
});

test('a connection type that a user has cannot be deleted', async () => {
  const made = dataOf(await superadmin('POST', '/api/v1/connection-types', { name: 'Kiosk' }));
  await owner.query(`UPDATE user_account SET connection_type_id = $1 WHERE email = 'user@heliograph.test'`, [made.id]);
  const path = `/api/v1/connection-types/${made.id}`;
  const kept = await superadmin('DELETE', path);
  assert.equal(messageOf(kept), 'Can not delete this because there are dependencies');
  await owner.query('UPDATE user_account SET connection_type_id = NULL WHERE connection_type_id = $1', [made.id]);
  assert.equal((await superadmin('DELETE', path)).status, 200);
});
