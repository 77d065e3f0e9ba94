import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { pageConfigurations } from '@heliograph/contract/identity/session';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { MAIL_FAULTS, type sendTestMail, TEAM_IMAGES, type team } from '@heliograph/contract/organizations/team';
import { until } from '@heliograph/fault-kit';
import { mailBalanceAlert } from '../../src/modules/billing/watch-balances.ts';
import { dataOf, errorsOf } from '../answers.ts';
import { sentencesOf } from '../sentences.ts';
import { startTestApi } from '../test-api.ts';
import { png } from './png.ts';
import { startSmtpSink } from './smtp-sink.ts';

const api = await startTestApi(
  { after },
  { settings: { PRIVATE_TARGETS: '127.0.0.1', PUBLIC_URL: 'https://sms.platform.test' } },
);
const owner = api.database.pool('owner');
const admin = await api.as('admin');
const reseller = await api.as('reseller');
const PASSWORD = 'canary-mail-secret';

type Team = ReplyOf<typeof team.get>['data'];
type Tried = ReplyOf<typeof sendTestMail>['data'];
type Page = ReplyOf<typeof pageConfigurations>;
const { id } = dataOf<Team[]>(await admin('GET', '/api/v1/teams?search=Northwind'))[0]!;
const one = `/api/v1/teams/${id}`;
const patch = async (body: object) => {
  const answer = await admin('PATCH', one, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return dataOf<Team>(answer);
};

/** Requests a path of a host without a session. */
function byHost(host: string, path: string = pageConfigurations.path) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((done, failed) => {
    const asked = request(api.url + path, { headers: { host } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        done({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    asked.on('error', failed);
    asked.end();
  });
}
const pageOf = async (host: string) =>
  pageConfigurations.reply.parse(JSON.parse((await byHost(host)).body.toString())) as Page;

const upload = (kind: string, bytes: Buffer<ArrayBuffer>, name = 'picture.png', client = admin) => {
  const form = new FormData();
  form.append('file', new Blob([bytes]), name);
  return client('POST', `${one}/${kind.replace('_', '-')}`, form);
};

test('visitors of a reseller’s host see its brand, all others the platform’s', async () => {
  await patch({ base_url: 'https://SMS.Northwind.test/', app_name: 'Northwind Go', theme_color: '#AA3355' });
  for (const host of ['sms.northwind.test', 'SMS.NORTHWIND.TEST:8443', 'sms.northwind.test.']) {
    const page = await pageOf(host);
    assert.deepEqual([page.corporation_name, page.color], ['Northwind Go', '#aa3355'], host);
    assert.equal(page.demo_logins, undefined);
  }
  for (const host of ['127.0.0.1', 'localhost:80', 'northwind.test', 'sms.northwind.test.evil.test', "' OR true --"]) {
    const { status, body } = await byHost(host);
    assert.ok(status === 200 || status === 400, host);
    assert.equal(/northwind go|aa3355/i.test(body.toString()), false, host);
  }
  assert.equal((await pageOf('unknown.test')).corporation_name, 'Heliograph');
  // The API document names the configured address, never the one in a request's Host header.
  const documentOf = async (host: string) => {
    const { info, servers } = JSON.parse((await byHost(host, '/v1/openapi.json')).body.toString()) as {
      info: { title: string };
      servers: { url: string }[];
    };
    return [info.title, servers.map(({ url }) => url).join()];
  };
  assert.deepEqual(await documentOf('sms.northwind.test:1'), ['Northwind Go API', 'https://sms.northwind.test']);
  assert.deepEqual(await documentOf('evil.test'), ['Heliograph API', 'https://sms.platform.test']);
  // Without a name and a color of its own, it has the corporation's name and the platform's color.
  await patch({ app_name: null, theme_color: null });
  const plain = await pageOf('sms.northwind.test');
  assert.deepEqual([plain.corporation_name, plain.color], ['Northwind Telecom', '#2f6fde']);
});

test('a host belongs to one reseller, and never is the platform’s own host', async () => {
  const { id: corporation_id } = dataOf<{ id: number }>(
    await admin('POST', '/api/v1/corporations', { name: 'Westwind' }),
  );
  const make = (base_url: string) => admin('POST', '/api/v1/teams', { corporation_id, base_url });
  const taken = await make('http://sms.northwind.test:8080');
  assert.deepEqual([taken.status, (taken.body as { code: string }).code], [409, 'reseller_host_taken']);
  for (const bad of [
    'sms.west.test',
    'https://127.0.0.1',
    'https://a.test/path',
    'https://u:p@a.test',
    'https://localhost',
    'ftp://a.test',
  ])
    assert.ok(errorsOf(await make(bad)).base_url, bad);
  assert.match(errorsOf(await make('http://sms.platform.test:8080')).base_url![0]!, /platform's own/);
  const { rows } = await owner.query('SELECT is_reseller FROM corporation WHERE id = $1', [corporation_id]);
  assert.equal(rows[0].is_reseller, false, 'what was refused left nothing behind');
});

test('a picture is checked by its bytes and size, and shown without a session', async () => {
  for (const [kind, { width, height }] of Object.entries(TEAM_IMAGES)) {
    const good = await upload(kind, png(width, height));
    assert.equal(good.status, 200, JSON.stringify(good.body));
    for (const [w, h] of [
      [width + 1, height],
      [width, height - 1],
      [height, width],
    ]) {
      if (w === width && h === height) continue;
      const refused = await upload(kind, png(w!, h!));
      assert.equal(
        errorsOf(refused).file?.[0],
        `The image must be exactly ${width} × ${height} pixels. This one is ${w} × ${h}.`,
      );
    }
  }
  const { width, height } = TEAM_IMAGES.logo;
  const svg = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><script>alert(1)</script></svg>`,
  );
  for (const [bytes, name] of [
    [svg, 'logo.svg'],
    [svg, 'logo.png'],
    [png(width, height), 'logo.html'],
    [Buffer.from('GIF89a'.padEnd(100, '\0')), 'logo.gif'],
    [Buffer.alloc(0), 'logo.png'],
  ] as const)
    assert.equal(
      errorsOf(await upload('logo', Buffer.from(bytes), name)).file?.[0],
      'Choose a PNG, JPEG or WebP image.',
      name,
    );
  const largest = png(width, height, [0, 0, 0], 1024 * 1024 - 1 - png(width, height, [0, 0, 0]).length - 12);
  assert.equal(largest.length, 1024 * 1024 - 1);
  assert.equal((await upload('logo', largest)).status, 200);
  const tooLarge = await upload('logo', Buffer.concat([largest, Buffer.alloc(1)]));
  assert.equal(errorsOf(tooLarge).file?.[0], 'The image must be smaller than 1 MB.');

  const page = await pageOf('sms.northwind.test');
  for (const path of [page.logo_path, page.logging_page_logo, page.favicon_path]) {
    const { status, headers } = await byHost('sms.northwind.test', path!);
    assert.deepEqual([status, headers['content-type']], [200, 'image/png']);
    assert.match(String(headers['cache-control']), /immutable/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
  }
  const other = await upload('logo', png(width, height, [1, 2, 3]), 'new.png', reseller);
  assert.notEqual(dataOf<Team>(other).logo_path, page.logo_path, 'a new picture has a new address');
  assert.equal((await byHost('sms.northwind.test', page.logo_path!)).status, 404);
  assert.equal(dataOf<Team>(await admin('DELETE', `${one}/logo`)).logo_path, null);
  assert.equal((await pageOf('sms.northwind.test')).logo_path, null);
});

test('emails to a reseller’s customers go out by its server, in its name', async (t) => {
  const sink = await startSmtpSink(t, { login: { user: 'post', password: PASSWORD } });
  const mail = {
    email_address: 'hello@northwind.test',
    mail_server: '127.0.0.1',
    mail_port: sink.port,
    mail_security: 'none',
    mail_user: 'post',
    email_password: PASSWORD,
  };
  await patch({ ...mail, base_url: 'https://sms.northwind.test', app_name: 'Northwind Go' });
  const tried = dataOf<Tried>(await reseller('POST', `${one}/test-mail`, { to: 'somebody@example.org' }));
  assert.deepEqual(tried, { sent: true, fault: null, detail: '' });
  assert.deepEqual(
    [sink.mails[0]?.from, sink.mails[0]?.to, sink.mails[0]?.user],
    ['hello@northwind.test', 'somebody@example.org', 'post'],
  );
  assert.match(sink.mails[0]!.source, /^From: Northwind Go <hello@northwind\.test>/m);

  const forgotten = (email: string) => api.anonymous()('POST', '/api/v1/password/forgot-password', { email });
  await forgotten('corporate@harbor.test');
  await forgotten('user@heliograph.test');
  await until('the second mail is there', () => sink.mails.length >= 2);
  assert.equal(sink.mails[1]?.to, 'user@heliograph.test');
  const source = sink.mails[1]!.source.replaceAll('=3D', '=');
  assert.match(source, /https:\/\/sms\.northwind\.test\/reset-password\?token=/);
  assert.equal(/heliograph(?!\.test)/i.test(source), false, `the platform is not named: ${source}`);

  const { rows } = await owner.query<{
    id: number;
    user_id: number;
  }>(`INSERT INTO balance_alert (corporation_id, billing_account_id, kind, balance)
    SELECT b.corporation_id, b.id, 'low_balance', 5 FROM billing_account b WHERE b.name = 'Acme main'
    RETURNING id, (SELECT id FROM user_account WHERE email = 'corporate@heliograph.test') AS user_id`);
  const { config, log } = api;
  await mailBalanceAlert(
    { database: api.database.db('worker'), config, log },
    { balance_alert_id: rows[0]!.id, user_id: rows[0]!.user_id },
  );
  assert.equal(sink.mails[2]?.to, 'corporate@heliograph.test');
  assert.equal(sink.mails.length, 3, 'a customer of the platform got none of them');
});

test('the mail password is sealed, never shown, and used for its server and user only', async () => {
  const { rows } = await owner.query(
    `SELECT r.email_password_sealed AS sealed, (SELECT string_agg(a::text, ' ') FROM activity_log a) AS log
    FROM reseller r WHERE id = $1`,
    [id],
  );
  assert.match(rows[0].sealed, /^v1\./);
  assert.equal(rows[0].log.includes(PASSWORD), false);
  assert.ok(rows[0].log.includes('mail_credentials_set_at'), 'the log tells when it was set');
  for (const path of [one, '/api/v1/teams', '/api/v1/activity-logs?name=teams']) {
    const { body } = await admin('GET', path);
    assert.equal(/canary|sealed|v1\./.test(JSON.stringify(body)), false, path);
  }
  await owner.query(`SELECT set_config('app.level', '', false)`);
  await assert.rejects(
    api.database.pool('api').query('SELECT email_password_sealed FROM reseller'),
    /permission denied/,
  );
  for (const change of [{ mail_server: 'evil.test' }, { mail_port: 2525 }, { mail_user: 'else' }])
    assert.ok(errorsOf(await admin('PATCH', one, change)).email_password, JSON.stringify(change));
  assert.ok(
    errorsOf(await admin('PATCH', one, { mail_server: null })).mail_server,
    'server, port and address go together',
  );
  const gone = await patch({ mail_server: null, mail_port: null, email_address: null });
  assert.equal(gone.mail_credentials_set_at, null);
  const { rows: left } = await owner.query('SELECT email_password_sealed FROM reseller WHERE id = $1', [id]);
  assert.equal(left[0].email_password_sealed, null);
});

test('a failed test email explains the reason plainly', async (t) => {
  const sink = await startSmtpSink(t, { login: { user: 'post', password: PASSWORD }, refuses: 'nowhere.test' });
  const locked = await startSmtpSink(t, { starttls: true });
  const base = {
    email_address: 'hello@northwind.test',
    mail_server: '127.0.0.1',
    mail_port: sink.port,
    mail_security: 'none',
    mail_user: 'post',
    email_password: PASSWORD,
  };
  const attempt = async (change: object, to = 'somebody@example.org'): Promise<Tried> => {
    await patch({ ...base, ...change });
    return dataOf<Tried>(await admin('POST', `${one}/test-mail`, { to }));
  };
  const faultOf = async (change: object, to?: string) => (await attempt(change, to)).fault;
  await patch({ email_address: null, mail_server: null, mail_port: null });
  assert.equal(dataOf<Tried>(await admin('POST', `${one}/test-mail`, { to: 'a@b.test' })).fault, 'no_server');
  assert.deepEqual(await attempt({ email_password: 'wrong' }), {
    sent: false,
    fault: 'login_refused',
    detail: '535 5.7.8 Authentication credentials invalid',
  });
  assert.equal(await faultOf({ email_address: 'me@nowhere.test' }), 'sender_refused');
  assert.equal(await faultOf({}, 'you@nowhere.test'), 'recipient_refused');
  assert.equal(await faultOf({ mail_security: 'starttls' }), 'no_tls');
  assert.equal(await faultOf({ mail_security: 'tls' }), 'no_tls');
  assert.equal(await faultOf({ mail_security: 'starttls', mail_port: locked.port }), 'certificate');
  assert.equal(await faultOf({ mail_server: 'no-such-host.invalid' }), 'unknown_host');
  assert.equal(await faultOf({ mail_server: '10.1.2.3' }), 'address_not_allowed');
  assert.equal(await faultOf({ mail_server: '2130706434' }), 'address_not_allowed', '127.0.0.2 as one number');
  assert.equal(await faultOf({ mail_server: '9.9.9.9', mail_port: 22 }), 'port_not_allowed');
  assert.equal(await faultOf({ mail_port: 1 }), 'connection_refused');
  await owner.query("UPDATE reseller SET email_password_sealed = 'v1.' || repeat('A', 80)");
  const tried = await admin('POST', `${one}/test-mail`, { to: 'a@b.test' });
  assert.equal(dataOf<Tried>(tried).fault, 'password_unreadable');
  assert.equal(
    locked.lines.some((line) => line.includes('AUTH')),
    false,
    'no password before the way is known to be safe',
  );
  for (const fault of MAIL_FAULTS) assert.ok(sentencesOf('en').has(`mail_fault.${fault}`), fault);
});
