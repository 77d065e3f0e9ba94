import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { group, type List, person, scimClient, startDirectory } from './scim-client.ts';
import { signOnStage } from './stage.ts';

const stage = await signOnStage({ after });
const { api, one, roleId, corporate } = stage;
const owner = api.database.pool('owner');
const account = (email: string) =>
  one<{
    id: number;
    name: string;
    enabled: boolean;
    role_id: number;
    phone: string | null;
    preferred_language: string;
    corporation_id: number;
  }>('SELECT * FROM user_account WHERE email = $1', email);

test('a directory creates, changes and removes people, and reads what it wrote', async () => {
  const { domain, one: call, patch, refused, list, call: plain } = await startDirectory(stage);
  const email = `ann@${domain}`;
  const made = await call(
    201,
    'POST',
    '/Users',
    person(email, {
      phoneNumbers: [
        { value: '+63 917 000 0001', type: 'mobile' },
        { value: '555 x 3', type: 'work' },
      ],
      preferredLanguage: 'fil-PH',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Sales' },
      title: 'Dr',
    }),
  );
  const { id, meta } = made;
  const before = await account(email);
  assert.deepEqual(
    [before.name, before.phone, before.preferred_language, before.enabled, before.corporation_id, before.role_id],
    ['Ann Cruz', '639170000001', 'fp', true, stage.acme, await roleId('corporate_user')],
  );
  assert.equal(String(before.id), id);
  assert.ok(meta.location.endsWith(`/scim/v2/Users/${id}`));
  assert.deepEqual(await call(200, 'GET', `/Users/${id}`), made);
  assert.deepEqual(made['name'], { givenName: 'Ann', familyName: 'Cruz', formatted: 'Ann Cruz' });

  assert.equal((await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' }))['active'], false);
  assert.equal((await account(email)).enabled, false);
  await patch(`/Users/${id}`, { op: 'replace', value: { active: true, 'name.familyName': 'Reyes' } });
  assert.equal((await account(email)).name, 'Ann Reyes');
  const put = await call(200, 'PUT', `/Users/${id}`, person(email, { displayName: 'Dr Ann', emails: undefined }));
  assert.equal(put['displayName'], 'Dr Ann');
  assert.equal((await account(email)).phone, null, 'what a PUT leaves out is removed');

  assert.equal(await refused('POST', '/Users', person(email)), '409 uniqueness');
  assert.equal((await plain('DELETE', `/Users/${id}`)).status, 204);
  assert.equal(await refused('GET', `/Users/${id}`), '404');
  assert.equal((await list(`/Users?filter=userName eq "${email}"`)).totalResults, 0);
  assert.deepEqual(
    [(await account(email)).id, (await account(email)).enabled],
    [before.id, false],
    'the account stays',
  );
  // A person who comes back has their account again.
  assert.equal((await call(201, 'POST', '/Users', person(email))).id, id);
  assert.equal((await account(email)).enabled, true);
});

test('people are found by filters, sorted, paged and cut to attributes', async () => {
  const { domain, one: call, list, refused } = await startDirectory(stage);
  const names = ['Ärmel', 'bea', 'Carl', 'dora', 'Emil'];
  for (const name of names)
    await call(
      201,
      'POST',
      '/Users',
      person(`${name.toLowerCase()}@${domain}`.replace('ä', 'ae'), { displayName: name }),
    );
  const found = async (filter: string) =>
    (await list(`/Users?sortBy=displayName&filter=${encodeURIComponent(filter)}`)).Resources.map(
      (each) => each['displayName'],
    );
  assert.deepEqual(await found(`userName eq "BEA@${domain}"`), ['bea']);
  assert.deepEqual(await found(`emails[type eq "work" and value sw "carl"]`), ['Carl']);
  assert.deepEqual(await found('externalId sw "ext-d"'), ['dora']);
  assert.deepEqual(await found('displayName co "E" and not (displayName sw "b")'), ['Emil', 'Ärmel']);
  assert.deepEqual(await found('active eq false or displayName ew "a"'), ['bea', 'dora']);
  assert.deepEqual(await found('meta.created gt "2999-01-01T00:00:00Z"'), []);
  assert.deepEqual(await found(`displayName eq "x' OR 'a'='a"`), []);
  assert.equal(await refused('GET', '/Users?filter=password%20pr'), '400 invalidFilter');
  assert.equal(await refused('GET', '/Users?sortBy=password'), '400 invalidValue');
  const page = await list('/Users?startIndex=2&count=2&sortBy=userName&sortOrder=descending&attributes=userName');
  assert.deepEqual([page.totalResults, page.startIndex, page.itemsPerPage], [5, 2, 2]);
  assert.deepEqual(
    page.Resources.map((each) => Object.keys(each).sort()),
    [
      ['id', 'schemas', 'userName'],
      ['id', 'schemas', 'userName'],
    ],
  );
  assert.equal((await list('/Users?count=0')).totalResults, 5);
  assert.equal((await list('/Users?startIndex=99')).itemsPerPage, 0);
  const directory = await startDirectory(stage);
  const { status, body } = await directory.call('POST', '/Users/.search', {
    filter: 'userName pr',
    attributes: ['userName'],
  });
  assert.deepEqual([status, (body as List).totalResults], [200, 0]);
});

test('a version that is not the present one changes nothing', async () => {
  const { domain, one: call, call: plain, refused } = await startDirectory(stage);
  const made = await call(201, 'POST', '/Users', person(`v@${domain}`));
  const at = `/Users/${made.id}`;
  assert.equal((await plain('GET', at, undefined, { 'if-none-match': made.meta.version })).status, 304);
  const stale = { 'if-match': made.meta.version };
  await call(200, 'PUT', at, person(`v@${domain}`, { displayName: 'New' }), stale);
  assert.equal(await refused('PUT', at, person(`v@${domain}`, { displayName: 'Old' }), stale), '412');
  assert.equal(await refused('DELETE', at, undefined, stale), '412');
  assert.equal((await call(200, 'GET', at))['displayName'], 'New');
});

test('the role follows the groups; a person in no group is switched off', async () => {
  const admin = await roleId('corporate_admin');
  const {
    domain,
    one: call,
    patch,
    call: plain,
    refused,
    id,
  } = await startDirectory(stage, {
    role_rules: [{ group: 'Admins', role_id: await roleId('corporate_admin') }],
  });
  const [ann, bob] = await Promise.all(
    ['ann', 'bob'].map((name) => call(201, 'POST', '/Users', person(`${name}@${domain}`))),
  );
  const admins = await call(201, 'POST', '/Groups', group('Admins', ann!.id));
  assert.equal((await account(`ann@${domain}`)).role_id, admin);
  assert.deepEqual((await call(200, 'GET', `/Users/${ann!.id}`))['groups'], [
    { value: admins.id, display: 'Admins', $ref: `${admins.meta.location}`, type: 'direct' },
  ]);
  await patch(`/Groups/${admins.id}`, { op: 'add', path: 'members', value: [{ value: bob!.id }] });
  await patch(`/Groups/${admins.id}`, { op: 'remove', path: `members[value eq "${ann!.id}"]` });
  assert.deepEqual(
    [(await account(`ann@${domain}`)).role_id, (await account(`bob@${domain}`)).role_id],
    [await roleId('corporate_user'), admin],
  );
  // Without a usual role, nobody keeps what a group allowed.
  await corporate('PATCH', `/api/v1/identity-providers/${id}`, { role_id: null });
  await patch(`/Groups/${admins.id}`, { op: 'replace', path: 'displayName', value: 'Others' });
  assert.equal((await account(`bob@${domain}`)).enabled, false);
  assert.equal(
    await refused('PATCH', `/Users/${bob!.id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'active', value: true }],
    }),
    '400 invalidValue',
  );
  assert.equal(await refused('POST', '/Users', person(`eve@${domain}`)), '400 invalidValue');
  await patch(`/Groups/${admins.id}`, { op: 'replace', value: { displayName: 'Admins' } });
  assert.deepEqual([(await account(`bob@${domain}`)).enabled, (await account(`bob@${domain}`)).role_id], [true, admin]);
  assert.equal(await refused('POST', '/Groups', group('admins')), '409 uniqueness');
  assert.equal((await plain('DELETE', `/Groups/${admins.id}`)).status, 204);
  assert.equal((await account(`bob@${domain}`)).enabled, false);
});

test('a group of many moves them all, each with an entry in the log', async () => {
  const directory = await startDirectory(stage, {
    role_rules: [{ group: 'Admins', role_id: await roleId('corporate_admin') }],
  });
  const { rows } = await owner.query(
    `INSERT INTO user_account (name, email, password_hash, role_id, scope_level, corporation_id, department_id, activated_at)
     SELECT 'P', 'p' || n || '@' || $1, '-', $2, 4, $3, (SELECT min(id) FROM department WHERE corporation_id = $3), now()
     FROM generate_series(1, 1_200) n RETURNING id`,
    [directory.domain, await roleId('corporate_user'), stage.acme],
  );
  const ids = rows.map(({ id }) => String(id));
  const admins = await directory.one(201, 'POST', '/Groups', group('Admins', ...ids));
  const inList = 'id = ANY ($1::bigint[])';
  const counted = async (sql: string) =>
    Number((await owner.query(`SELECT count(*) AS n FROM ${sql}`, [ids])).rows[0].n);
  assert.equal(
    await counted(`user_account u JOIN role r ON r.id = u.role_id WHERE u.${inList} AND r.name = 'corporate_admin'`),
    1_200,
  );
  assert.equal(await counted(`activity_log WHERE description = 'role followed groups' AND subject_${inList}`), 1_200);
  await corporate('PATCH', `/api/v1/identity-providers/${directory.id}`, { role_id: null });
  assert.equal((await directory.call('DELETE', `/Groups/${admins.id}`)).status, 204);
  assert.equal(await counted(`user_account WHERE ${inList} AND enabled`), 0);
});

test('a directory sees only people of its corporation in its proved domains', async () => {
  const mine = await startDirectory(stage);
  const other = await startDirectory(stage);
  const made = await mine.one(201, 'POST', '/Users', person(`ann@${mine.domain}`));
  const foreign = await one<{ id: number }>("SELECT id FROM user_account WHERE email = 'superadmin@heliograph.test'");
  const colleague = await one<{ id: number }>("SELECT id FROM user_account WHERE email = 'corporate@heliograph.test'");
  for (const id of [foreign.id, colleague.id]) {
    assert.equal(await mine.refused('GET', `/Users/${id}`), '404');
    assert.equal(await mine.refused('PUT', `/Users/${id}`, person(`x@${mine.domain}`)), '404');
    assert.equal(await mine.refused('DELETE', `/Users/${id}`), '404');
    assert.equal(await mine.refused('POST', '/Groups', group(`G${id}`, String(id))), '400 invalidValue');
  }
  assert.equal(await other.refused('GET', `/Users/${made.id}`), '404');
  assert.equal(await other.refused('POST', '/Groups', group('Thieves', made.id)), '400 invalidValue');
  const team = await mine.one(201, 'POST', '/Groups', group('Team', made.id));
  assert.equal(await other.refused('GET', `/Groups/${team.id}`), '404');
  assert.equal(await other.refused('DELETE', `/Groups/${team.id}`), '404');
  assert.equal(await mine.refused('POST', '/Users', person('corporate@heliograph.test')), '400 invalidValue');
  assert.equal(await mine.refused('PUT', `/Users/${made.id}`, person('ann@elsewhere.test')), '400 invalidValue');
  // People with emergency access are not the directory's to change.
  await corporate('PATCH', `/api/v1/identity-providers/${mine.id}`, { break_glass_ids: [Number(made.id)] });
  assert.equal(await mine.refused('PUT', `/Users/${made.id}`, person(`ann@${mine.domain}`, { active: false })), '403');
  assert.equal(await mine.refused('DELETE', `/Users/${made.id}`), '403');
});

test('only the present token of an enabled provider is let in', async () => {
  const directory = await startDirectory(stage);
  const anonymous = scimClient(api.url, 'none');
  for (const path of ['/Users', '/Groups', '/Schemas', '/ServiceProviderConfig'])
    assert.equal(await anonymous.refused('GET', path), '401');
  assert.equal(await scimClient(api.url, `hd_${'x'.repeat(43)}`).refused('GET', '/Users'), '401');
  // A stranger's body is not read, however large.
  assert.equal(await anonymous.refused('POST', '/Users', { large: 'x'.repeat(3_000_000) }), '401');
  assert.equal(await directory.refused('POST', '/Users', { large: 'x'.repeat(3_000_000) }), '413');
  const renewed = await corporate('POST', `/api/v1/identity-providers/${directory.id}/directory`);
  assert.equal(await directory.refused('GET', '/Users'), '401');
  const { token } = (renewed.body as { data: { token: string } }).data;
  const next = scimClient(api.url, token);
  assert.equal((await next.list('/Users')).totalResults, 0);
  await corporate('PATCH', `/api/v1/identity-providers/${directory.id}`, { enabled: false });
  assert.equal(await next.refused('GET', '/Users'), '401');
  await corporate('PATCH', `/api/v1/identity-providers/${directory.id}`, { enabled: true });
  await corporate('DELETE', `/api/v1/identity-providers/${directory.id}/directory`);
  assert.equal(await next.refused('GET', '/Users'), '401');
  // The token opens nothing else.
  assert.equal((await api.anonymous(token)('GET', '/api/v1/users')).status, 401);
  assert.equal((await api.anonymous(token)('GET', '/v1/balance')).status, 401);
});

test('twenty calls at the same time create one person and lose no member', async () => {
  const { domain, call, one: need } = await startDirectory(stage);
  const answers = await Promise.all(Array.from({ length: 20 }, () => call('POST', '/Users', person(`ann@${domain}`))));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array.from({ length: 19 }, () => 409)]);
  const people = await Promise.all(
    Array.from({ length: 10 }, (_, at) => need(201, 'POST', '/Users', person(`p${at}@${domain}`))),
  );
  const team = await need(201, 'POST', '/Groups', group('Team'));
  const added = await Promise.all(
    people.map(({ id }) =>
      call('PATCH', `/Groups/${team.id}`, {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'add', path: 'members', value: [{ value: id }] }],
      }),
    ),
  );
  assert.ok(added.every(({ status }) => status === 200));
  assert.equal(((await need(200, 'GET', `/Groups/${team.id}`))['members'] as unknown[]).length, 10);
});

test('a bad call is refused in the form of the standard, and names the attribute', async () => {
  const { call, refused, domain } = await startDirectory(stage);
  assert.equal(await refused('POST', '/Users', { userName: 7 }), '400 invalidValue');
  assert.equal(
    await refused('POST', '/Users', person(`ann@${domain}`, { phoneNumbers: [{ value: 'abc', type: 'mobile' }] })),
    '400 invalidValue',
  );
  assert.equal(await refused('POST', '/Users', ['x']), '400 invalidValue');
  assert.equal(await refused('POST', '/Me', {}), '404');
  assert.equal(await refused('GET', '/Users/0'), '404');
  assert.equal(await refused('GET', '/Users/9999999999999999999999'), '404');
  assert.equal(await refused('POST', '/Users', 'x', { 'content-type': 'application/xml' }), '415');
  const { body } = await call('POST', '/Users', person('ann@elsewhere.test'));
  assert.match((body as { detail: string }).detail, /^emails: the domain of ann@elsewhere\.test is not proved/);
});

test('discovery says what the service does', async () => {
  const { call, list } = await startDirectory(stage);
  const config = (await call('GET', '/ServiceProviderConfig')).body as Record<string, { supported: boolean }>;
  assert.deepEqual(
    ['patch', 'filter', 'sort', 'etag', 'bulk', 'changePassword'].map((name) => config[name]!.supported),
    [true, true, true, true, true, false],
  );
  assert.deepEqual(
    (await list('/ResourceTypes')).Resources.map(({ id }) => id),
    ['User', 'Group'],
  );
  for (const { id } of (await list('/Schemas')).Resources)
    assert.equal((await call('GET', `/Schemas/${id}`)).status, 200);
});
