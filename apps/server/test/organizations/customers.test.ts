import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { type Client, startTestApi } from '../test-api.ts';
import { startSmtpSink } from './smtp-sink.ts';

const sink = await startSmtpSink({ after });
const api = await startTestApi({ after }, { settings: { MAIL_URL: `smtp://127.0.0.1:${sink.port}` } });
const owner = api.database.pool('owner');
const plan = await api.database.idOf('price_plan', 'Northwind retail');
const form = {
  company: { name: 'Corner Shop', currency: 'PHP', timezone: 'Asia/Manila', department: 'Sales' },
  account: { name: 'Main', price_plan_id: plan, payment: '500.00' },
  sender: { sender_id: 'CORNER' },
  admin: { name: 'Nina Ramos', email: 'nina@corner.test', phone: null, preferred_language: 'en' },
};
interface Reply {
  code?: string;
  errors?: Record<string, string[]>;
  data: { corporation_id: number; user_id: number };
}
const create = async (client: Client, more: object = {}) => {
  const { status, body } = await client('POST', '/api/v1/customers', { ...form, ...more });
  return { status, body: body as Reply };
};
/** Counts of everything that a customer consists of, and of the log. */
const counts = async () => {
  const { rows } = await owner.query(`SELECT
    (SELECT count(*) FROM corporation) AS corporations, (SELECT count(*) FROM department) AS departments,
    (SELECT count(*) FROM billing_account) AS accounts, (SELECT count(*) FROM ledger_transfer) AS transfers,
    (SELECT count(*) FROM sender_id) AS senders, (SELECT count(*) FROM user_account) AS users,
    (SELECT count(*) FROM activity_log WHERE name <> 'sessions') AS log`);
  return rows[0];
};

test('a customer is saved whole or not at all; a fault names its block and field', async () => {
  const reseller = await api.as('reseller');
  const before = await counts();
  const foreign = await api.database.idOf('billing_account', 'Acme main');
  for (const [more, field] of [
    [{ company: { ...form.company, name: 'Acme Retail' } }, 'company.name'],
    [{ account: { ...form.account, price_plan_id: foreign + 1_000 } }, 'account.price_plan_id'],
    [{ account: { ...form.account, payment: '0' } }, 'account.payment'],
    [{ sender: { sender_id: '09171234567' } }, 'sender.sender_id'],
    [{ admin: { ...form.admin, phone: 'none' } }, 'admin.phone'],
  ] as const) {
    const { status, body } = await create(reseller, more);
    assert.ok(status === 409 || status === 422, `${field}: ${status}`);
    assert.deepEqual(Object.keys(body.errors ?? {}), [field]);
    assert.deepEqual(await counts(), before, `${field}: nothing is saved`);
  }
  assert.equal((await create(await api.as('corporate'))).status, 403);
  assert.equal(sink.mails.length, 0, 'nobody is invited to what was not saved');
});

test('an invitation lets the first administrator in, to a funded account', async () => {
  const reseller = await api.as('reseller');
  const { status, body } = await create(reseller);
  assert.equal(status, 201, JSON.stringify(body));
  const { corporation_id, user_id } = body.data;
  await until('the invitation is mailed', () => sink.mails.length === 1);
  const invite = `/api/v1/users/${user_id}/invitations`;
  assert.equal((await reseller('POST', invite)).status, 200);
  await until('the invitation is mailed again', () => sink.mails.length === 2);
  assert.deepEqual(new Set(sink.mails.map(({ to }) => to)), new Set(['nina@corner.test']));
  const { rows } = await owner.query(
    `SELECT min(extract(epoch FROM expires_at - created_at))::int / 86400 AS days FROM password_reset WHERE user_id = $1`,
    [user_id],
  );
  assert.equal(rows[0].days, 7);
  const token = /reset-password\?token=([\w-]+)/.exec(sink.mails[1]!.source.replaceAll('=3D', '='))![1];
  const password = 'Corner#2026';
  const anonymous = api.anonymous();
  const chosen = { token, password, password_confirmation: password };
  assert.equal((await anonymous('POST', '/api/v1/password/reset', chosen)).status, 200);
  assert.equal((await reseller('POST', invite)).status, 409, 'the invitation was accepted');
  const entered = await anonymous('POST', '/api/v1/oauth/token', { username: form.admin.email, password });
  const nina = api.anonymous((entered.body as { access_token: string }).access_token);
  const first = (await nina('GET', '/api/v1/first-run')).body as { data: { balance: string; steps: Step[] } };
  assert.equal(first.data.balance, '500.000');
  assert.deepEqual(
    first.data.steps.filter(({ done }) => done).map(({ step }) => step),
    ['company', 'sender', 'credit'],
  );
  const page = `/api/v1/corporations/${corporation_id}/overview`;
  const shown = (await reseller('GET', page)).body as {
    data: { accounts: object[]; people: object[]; days: object[] };
  };
  assert.deepEqual([shown.data.accounts.length, shown.data.people.length, shown.data.days.length], [1, 1, 30]);
  assert.equal((await nina('GET', page)).status, 200);
  assert.equal((await (await api.as('corporate'))('GET', page)).status, 404, 'another corporation sees nothing of it');
  const log = await owner.query(
    `SELECT name FROM activity_log
     WHERE (corporation_id = $1 OR (name = 'corporations' AND subject_id = $1)) AND description IN ('created', 'payment') ORDER BY id`,
    [corporation_id],
  );
  assert.deepEqual(
    log.rows.map(({ name }) => name),
    ['corporations', 'departments', 'billing-accounts', 'billing-accounts', 'sender-ids', 'users'],
  );
});

interface Step {
  step: string;
  done: boolean;
}
