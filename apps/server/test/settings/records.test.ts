import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalZone, TIME_ZONES, timeZone } from '@heliograph/contract/kernel/time-zones';
import { startWorker } from '../../src/processes/worker.ts';
import { seedReference } from '../../src/seed/reference.ts';
import { type Answer, type Client, startTestApi } from '../test-api.ts';
import { uploadFile } from '../uploads.ts';

const api = await startTestApi({ after });
const worker = await startWorker({ config: api.config, log: api.log });
after(() => worker.stop());
const owner = api.database.pool('owner');
const [superadmin, corporate, department, user, harbor] = (await Promise.all(
  ['superadmin', 'corporate', 'department', 'user', 'corporate@harbor.test'].map((login) => api.as(login)),
)) as [Client, Client, Client, Client, Client];

type Row = { id: number } & Record<string, unknown>;
const dataOf = ({ body }: Answer) => (body as { data: Row }).data;
const rowsOf = ({ body }: Answer) => (body as { data: Row[] }).data;
const codeOf = ({ body }: Answer) => (body as { code?: string }).code;
const messageOf = ({ body }: Answer) => (body as { message: string }).message;
const errorsOf = ({ body }: Answer) => (body as { errors?: Record<string, string[]> }).errors ?? {};
const one = async (text: string, values: unknown[] = []): Promise<number> =>
  (await owner.query<{ id: number }>(text, values)).rows[0]!.id;
const acme = await one(`SELECT id FROM corporation WHERE name = 'Acme Retail'`);
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

test('a setting takes only valid values, takes effect immediately, and has a history', async () => {
  const all = rowsOf(await superadmin('GET', '/api/v1/global-configurations?per_page=200'));
  const setting = (key: string) => all.find((row) => row['key'] === key)!;
  const change = (key: string, body: object) =>
    superadmin('PATCH', `/api/v1/global-configurations/${setting(key).id}`, body);
  for (const [key, value] of [
    ['number_min', 'ten'],
    ['number_min', '3'],
    ['number_min', '14'],
    ['number_max', '9'],
    ['number_max', '16'],
    ['number_start', '+63'],
    ['number_start_with_any_msisdn', 'yes'],
    ['password_policy', 'none'],
    ['password_max_age_days', '-1'],
    ['timezone', 'Manila'],
    ['currency', 'peso'],
    ['app_color', 'blue'],
    ['app_name', ''],
    ['demo_logins', '{"password": "x", "logins": ['],
    ['demo_logins', '{"password": 1, "logins": {}}'],
    ['otp_sender_id', '+1'],
    ['demo_logins', '{"password": "x", "logins": ['],
    ['demo_logins', '{"password": 1, "logins": {}}'],
  ] as const)
    assert.deepEqual(Object.keys(errorsOf(await change(key, { value }))), ['value'], `${key} ${value}`);

  assert.equal((await change('number_start', { value: '' })).status, 200);
  assert.equal((await change('number_max', { value: '15' })).status, 200);
  const rules = (await superadmin('GET', '/api/v1/validation-rules/number')).body as { max: number; start: string };
  assert.deepEqual([rules.max, rules.start], [15, '']);
  assert.equal((await change('number_max', { value: '13' })).status, 200);
  assert.equal((await change('number_start', { value: '63' })).status, 200);
  const history = rowsOf(
    await superadmin(
      'GET',
      `/api/v1/activity-logs?subject_type=global-configurations&subject_id=${setting('number_max').id}`,
    ),
  );
  assert.deepEqual(
    history.map(({ properties }) => properties),
    [
      { before: { value: '15' }, after: { value: '13' } },
      { before: { value: '13' }, after: { value: '15' } },
    ],
  );

  assert.deepEqual(setting('app_name')['abilities'], { edit: true, delete: false });
  assert.equal(
    codeOf(await superadmin('DELETE', `/api/v1/global-configurations/${setting('app_name').id}`)),
    'configuration_built_in',
  );
  const own = { name: 'Hotline', key: 'hotline', value: '+63 2 8888 0000' };
  const made = await superadmin('POST', '/api/v1/global-configurations', own);
  assert.equal(made.status, 201);
  assert.equal(codeOf(await superadmin('POST', '/api/v1/global-configurations', own)), 'configuration_already_exists');
  assert.equal((await superadmin('DELETE', `/api/v1/global-configurations/${dataOf(made).id}`)).status, 200);
  assert.equal((await corporate('GET', '/api/v1/global-configurations')).status, 403);
});

const lineOf = async (group: string, key: string): Promise<Row> => {
  const found = rowsOf(await superadmin('GET', `/api/v1/languages?group=${group}&search=${key}&per_page=200`));
  return found.find((row) => row['key'] === key)!;
};
const textsOf = async (locale: string) =>
  (await api.anonymous()('GET', `/api/v1/languages/texts?locale=${locale}`)).body as Record<string, string>;

/** Waits until the server uses a sentence, or no longer does. It learns of a change shortly after the commit. */
async function untilSaid(sentence: string, expected: boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const said = messageOf(await superadmin('GET', '/api/v1/corporations/999999999')) === sentence;
    if (said === expected) return;
    assert.ok(Date.now() < deadline, `${sentence}: ${said}`);
    await sleep(50);
  }
}

test('an edited line shows everywhere, survives an update, and can be restored', async () => {
  const line = await lineOf('errors', 'not_found');
  assert.deepEqual([line['built_in'], line['edited'], line['abilities']], [true, false, { edit: true, delete: false }]);
  const path = `/api/v1/languages/${line.id}`;
  const sentence = 'We looked everywhere.';
  const changed = await superadmin('PATCH', path, { en: sentence });
  assert.equal(dataOf(changed)['edited'], true);
  assert.deepEqual(await textsOf('en'), { 'errors.not_found': sentence });
  await untilSaid(sentence, true);

  const client = await owner.connect();
  try {
    await client.query("UPDATE language_line SET en = 'Old words' WHERE \"group\" = 'actions' AND key = 'save'");
    await seedReference(client);
  } finally {
    client.release();
  }
  assert.equal((await lineOf('errors', 'not_found'))['en'], sentence);
  assert.equal((await lineOf('actions', 'save'))['en'], 'Save', 'what nobody edited follows the program');

  assert.equal(codeOf(await superadmin('DELETE', path)), 'language_line_built_in');
  assert.deepEqual(Object.keys(errorsOf(await superadmin('PATCH', path, { cn: '{{nobody}}' }))), ['cn']);
  assert.deepEqual(Object.keys(errorsOf(await superadmin('PATCH', path, { fp: ' ' }))), ['fp']);
  const restored = dataOf(await superadmin('POST', `${path}/restore`));
  assert.deepEqual([restored['en'], restored['edited']], [line['en'], false]);
  assert.deepEqual(await textsOf('en'), {});
  await untilSaid(sentence, false);
});

test('a custom line must be complete and unique, and is gone when deleted', async () => {
  const own = { group: 'shop', key: 'hours', en: 'Hours', cn: '营业时间', zh: '營業時間', fp: 'Oras' };
  const { fp: _, ...partial } = own;
  assert.deepEqual(Object.keys(errorsOf(await superadmin('POST', '/api/v1/languages', partial))), ['fp']);
  const made = await superadmin('POST', '/api/v1/languages', own);
  assert.equal(made.status, 201);
  assert.equal(codeOf(await superadmin('POST', '/api/v1/languages', own)), 'language_line_already_exists');
  assert.deepEqual(await textsOf('zh'), { 'shop.hours': '營業時間' });
  const path = `/api/v1/languages/${dataOf(made).id}`;
  assert.equal(codeOf(await superadmin('POST', `${path}/restore`)), 'language_line_own');
  assert.equal((await superadmin('DELETE', path)).status, 200);
  assert.deepEqual(await textsOf('zh'), {});
});

test('lines are exported to a file and imported again, and errors are named', async () => {
  const file = String((await superadmin('GET', '/api/v1/languages/file')).body);
  const same = await uploadFile(superadmin, 'languages/bulk', file);
  assert.ok(same.upload.rows_read > 1_000);
  assert.deepEqual([same.upload.state, same.upload.rows_added, same.refused], ['done', 0, []]);
  const changed = await uploadFile(
    superadmin,
    'languages/bulk',
    'group,key,en,cn,zh,fp\nactions,save,Keep,保存,儲存,I-save\nshop,sign,Sign,招牌,招牌,Karatula\nshop,half,Half,,,\nlist,results,{{sum}},a,b,c\n',
  );
  assert.deepEqual([changed.upload.rows_added, changed.upload.rows_rejected], [2, 2]);
  assert.deepEqual(changed.refused, [
    ['4', 'cn', '', 'This field is required.'],
    ['5', 'en', '{{sum}}', 'There is a placeholder that the text can not show.'],
  ]);
  assert.deepEqual(await textsOf('en'), { 'actions.save': 'Keep', 'shop.sign': 'Sign' });
  const edited = String((await superadmin('GET', '/api/v1/languages/file?edited=true')).body);
  assert.equal(edited.trim().split('\n').length, 3);
  assert.equal((await corporate('GET', '/api/v1/languages/file')).status, 403);
});

test('time zones are accepted by old and new names and stored by the current name', async () => {
  const zones = [
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Asia/Kathmandu', 'Asia/Kathmandu'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['us/pacific', 'America/Los_Angeles'],
    ['Etc/UTC', 'UTC'],
  ] as const;
  const settings = rowsOf(await superadmin('GET', '/api/v1/global-configurations?per_page=200'));
  const setting = `/api/v1/global-configurations/${settings.find(({ key }) => key === 'timezone')!.id}`;
  for (const [given, stored] of zones) {
    const changed = await superadmin('PATCH', `/api/v1/corporations/${acme}`, { timezone: given });
    assert.deepEqual([changed.status, dataOf(changed)?.['timezone']], [200, stored], given);
    assert.equal((await superadmin('PATCH', '/api/v1/profiles', { preferences: { timezone: given } })).status, 200);
    assert.equal(dataOf(await superadmin('PATCH', setting, { value: given }))['value'], stored);
    const { rows } = await owner.query<{ zone: string }>(
      `SELECT timezone AS zone FROM corporation WHERE id = $1 UNION ALL
       SELECT timezone FROM user_preference UNION ALL SELECT value FROM global_configuration WHERE key = 'timezone'`,
      [acme],
    );
    assert.deepEqual(new Set(rows.map(({ zone }) => zone)), new Set([stored]), given);
  }
  await owner.query(`UPDATE corporation SET timezone = 'Asia/Katmandu' WHERE id = $1`, [acme]);
  assert.equal(dataOf(await corporate('GET', `/api/v1/corporations/${acme}`))['timezone'], 'Asia/Kathmandu');
  for (const wrong of ['+05:30', 'Etc/GMT+99', 'Factory', 'Mars/Olympus', ''])
    assert.equal((await superadmin('PATCH', `/api/v1/corporations/${acme}`, { timezone: wrong })).status, 422, wrong);
  await owner.query(`UPDATE corporation SET timezone = 'Asia/Manila' WHERE id = $1`, [acme]);
  await superadmin('PATCH', setting, { value: 'Asia/Manila' });
  await superadmin('PATCH', '/api/v1/profiles', { preferences: { timezone: null } });
});

test('PostgreSQL knows every time zone on offer, and each of its names is accepted', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT name FROM pg_timezone_names WHERE name !~ '^(posix|right)/' AND name NOT IN ('Factory', 'localtime', 'posixrules')`,
  );
  const known = new Set(rows.map(({ name }) => name));
  assert.deepEqual(
    TIME_ZONES.filter((zone) => !known.has(zone)),
    [],
  );
  assert.deepEqual(
    [...known].filter((name) => !timeZone.safeParse(name).success),
    [],
  );
  assert.deepEqual(
    [...known].filter((name) => !known.has(canonicalZone(name))),
    [],
  );
  assert.deepEqual(
    TIME_ZONES.filter((zone) => timeZone.parse(zone) !== zone),
    [],
  );
});
