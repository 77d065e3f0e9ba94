import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Browser, type ProviderRecord, type Reply, signOnStage } from './stage.ts';

const s = await signOnStage({ after });
const PATH = '/api/v1/identity-providers';
const base = { issuer: 'https://login.example.com', client_id: 'console' };
let made = 0;
const body = (fields: object = {}) => ({ name: `Sign-in ${++made}`, ...base, ...fields });

interface Fault {
  code?: string;
  errors?: Record<string, unknown>;
  data?: ProviderRecord;
}
const faultOf = ({ status, body: answer }: { status: number; body: unknown }) => ({
  status,
  code: (answer as Fault).code,
  fields: Object.keys((answer as Fault).errors ?? {}),
});

test('only who stands above all of its people may change a provider', async () => {
  const [admin, superadmin, department] = [
    await s.api.as('admin'),
    await s.api.as('superadmin'),
    await s.api.as('department'),
  ];
  assert.equal((await department('POST', PATH, body())).status, 403);
  assert.equal((await admin('POST', PATH, body())).status, 403, 'an admin would sign in as the super admin');
  const ofPlatform = await superadmin('POST', PATH, body());
  assert.equal(ofPlatform.status, 201);
  const { id } = (ofPlatform.body as { data: { id: number } }).data;
  assert.equal((await admin('PATCH', `${PATH}/${id}`, { name: 'Mine' })).status, 403);
  assert.equal((await s.corporate('GET', `${PATH}/${id}`)).status, 404);
  await s.owner.query(
    `INSERT INTO user_permission (user_id, permission_id) SELECT u.id, p.id FROM user_account u, permission p
     WHERE u.email = 'department@heliograph.test' AND p.name LIKE 'identity-providers-%' ON CONFLICT DO NOTHING`,
  );
  const own = await s.provider({ issuer: base.issuer });
  assert.equal((await department('POST', PATH, body())).status, 403, 'the level counts, whatever the permissions');
  assert.equal((await department('DELETE', `${PATH}/${own.id}`)).status, 404);
  await s.owner.query("UPDATE user_account SET content_visible = false WHERE email = 'corporate@heliograph.test'");
  assert.deepEqual(
    faultOf(await s.corporate('POST', PATH, body())).fields,
    ['name'],
    'they would read texts as others',
  );
  await s.owner.query("UPDATE user_account SET content_visible = true WHERE email = 'corporate@heliograph.test'");
});

test('a provider gives only roles that its administrator could give', async () => {
  const [above, user] = [await s.roleId('super_admin'), await s.roleId('corporate_user')];
  const reseller = await s.roleId('reseller');
  for (const [fields, field] of [
    [{ role_id: above }, 'role_id'],
    [{ role_id: reseller }, 'role_id'],
    [{ role_id: user }, 'department_id'],
    [{ role_rules: [{ group: 'a', role_id: above }] }, 'role_rules.0.role_id'],
    [{ role_rules: [{ group: 'a', role_id: user }] }, 'role_rules.0.department_id'],
    [{ role_rules: [{ group: 'a', role_id: user, department_id: 999_999 }] }, 'role_rules.0.department_id'],
    [{ creates_users: true }, 'role_id'],
    [{ enforced: true }, 'break_glass_ids'],
  ] as const)
    assert.deepEqual(faultOf(await s.corporate('POST', PATH, body(fields))).fields, [field], JSON.stringify(fields));
  const { id: stranger } = await s.one<{ id: number }>(
    "SELECT id FROM user_account WHERE email = 'reseller@heliograph.test'",
  );
  const foreign = await s.corporate('POST', PATH, body({ break_glass_ids: [stranger] }));
  assert.deepEqual(faultOf(foreign).fields, ['break_glass_ids'], 'a person of another corporation');
});

test('the client secret is never shown, and never goes to another issuer', async () => {
  const { id } = await s.provider({ issuer: base.issuer });
  const record = await s.get(id);
  assert.equal(record.has_client_secret, true);
  assert.ok(!JSON.stringify(record).includes('a secret of the console'));
  const { client_secret_sealed } = await s.one<{ client_secret_sealed: string }>(
    'SELECT client_secret_sealed FROM identity_provider WHERE id = $1',
    id,
  );
  assert.match(client_secret_sealed, /^v1\./);
  const moved = await s.change(id, { issuer: 'https://evil.example.com' });
  assert.deepEqual(faultOf(moved).fields, ['client_secret']);
  const { id: user } = await s.one<{ id: number }>("SELECT id FROM user_account WHERE email = 'user@heliograph.test'");
  await s.owner.query('INSERT INTO external_identity (identity_provider_id, user_id, subject) VALUES ($1, $2, $3)', [
    id,
    user,
    'subject-1',
  ]);
  const again = await s.change(id, { issuer: 'https://other.example.com', client_secret: 'another secret' });
  assert.equal(again.status, 200);
  assert.equal((await s.get(id)).people, 0, 'subjects of another issuer are other people');
  const log = await s.owner.query("SELECT string_agg(properties::text, '') AS all FROM activity_log");
  assert.ok(!log.rows[0].all.includes('another secret'));
});

test('a domain counts only after its record was found, and for one provider', async () => {
  const create = async (domains: string[]) => {
    const answer = await s.corporate('POST', PATH, body({ domains }));
    return (answer.body as { data: ProviderRecord }).data;
  };
  const [one, two] = [await create(['proof.example.com']), await create(['proof.example.com'])];
  const prove = (id: number, domain = 'proof.example.com') => s.corporate('POST', `${PATH}/${id}/prove`, { domain });
  assert.equal(faultOf(await prove(one.id)).code, 'domain_not_proved');
  assert.equal((await new Browser(s.api).begin({ email: 'a@proof.example.com' })).url, null);
  const [proof] = one.proofs;
  s.dns.records.set(proof!.record, [two.proofs[0]!.value]);
  assert.equal(faultOf(await prove(one.id)).code, 'domain_not_proved', 'the value of another provider');
  s.dns.records.set(proof!.record, [one.proofs[0]!.value, two.proofs[0]!.value]);
  assert.equal((await prove(one.id)).status, 200);
  assert.equal(faultOf(await prove(two.id)).code, 'domain_taken');
  assert.equal((await prove(one.id, 'other.example.com')).status, 404);
  await s.change(one.id, { domains: ['proof.example.com', 'more.example.com'] });
  assert.deepEqual(
    (await s.get(one.id)).proofs.map(({ domain, proved }) => [domain, proved]),
    [
      ['more.example.com', false],
      ['proof.example.com', true],
    ],
  );
  await s.change(one.id, { domains: [] });
  assert.equal((await prove(two.id)).status, 200, 'a removed domain is free');
});

test('people of a reseller and its customers sign in at the reseller’s console', async () => {
  const { id, key } = await s.provider({ issuer: base.issuer, domains: ['brand.example.com'] });
  await s.owner.query(
    "UPDATE reseller SET base_url = 'https://sms.brand.example' WHERE corporation_id = (SELECT reseller_id FROM corporation WHERE id = $1)",
    [s.acme],
  );
  const { body: addresses } = await s.corporate('GET', `${PATH}/${id}/addresses`);
  assert.deepEqual((addresses as { data: object }).data, {
    redirect_url: `https://sms.brand.example/sso/${key}`,
    sign_in_url: `https://sms.brand.example/sso/${key}`,
    logout_url: `https://sms.brand.example/api/v1/sso/${key}/logout`,
    entity_id: null,
    acs_url: null,
  });
  const begun: Reply = await new Browser(s.api).begin({ email: 'a@brand.example.com' });
  assert.equal(begun.url, `https://sms.brand.example/sso/${key}`, 'begun at the platform’s console');
  const offered = async (host: string) =>
    (
      (await s.api.anonymous()('GET', '/api/v1/page-configurations', undefined, { host })).body as {
        company_sign_in: boolean;
      }
    ).company_sign_in;
  assert.equal(await offered('sms.brand.example'), true);
  await s.change(id, { enabled: false });
  await s.owner.query('UPDATE identity_provider SET enabled = false');
  assert.equal(await offered('sms.brand.example'), false);
});
