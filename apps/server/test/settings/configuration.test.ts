import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { canonicalZone, TIME_ZONES, timeZone } from '@heliograph/contract/kernel/time-zones';
import { codeOf, dataOf, errorsOf, rowsOf } from '../answers.ts';
import { settingsStage } from './stage.ts';

const { owner, superadmin, corporate, acme } = await settingsStage({ after });

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
