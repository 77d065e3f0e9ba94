import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { CheckedMessage } from '@heliograph/contract/reports/message-check';
import { pauseCampaignsOf } from '#modules/campaigns';
import { explainSender } from '#modules/senders';
import { expireSenders } from '../../src/modules/senders/expire-senders.ts';
import { codeOf } from '../answers.ts';
import { apiStage } from '../api/stage.ts';
import type { Answer, Client } from '../test-api.ts';

// Acme's admin requests sender IDs; the platform decides, or the reseller where the platform lets it.

const { api, acme, makeKey, by, number, one } = await apiStage({ after });
const [superadmin, corporate, reseller] = (await Promise.all(
  ['superadmin', 'corporate', 'reseller'].map((login) => api.as(login)),
)) as [Client, Client, Client];
const program = by((await makeKey()).key);
let made = 0;

interface Sender {
  id: number;
  state: string;
  state_reason: string | null;
  usable: boolean;
  may_decide: boolean;
  expires_on: string | null;
}
const dataOf = <T>({ body }: Answer) => (body as { data: T }).data;
const read = async (id: number, client = corporate) => dataOf<Sender>(await client('GET', `/api/v1/sender-ids/${id}`));
const request = async (fields: object = {}, client = corporate) => {
  const sender_id = `Lamps ${++made}`;
  const answer = await client('POST', '/api/v1/sender-ids', {
    corporation_id: acme.corporation_id,
    sender_id,
    ...fields,
  });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return { ...dataOf<Sender>(answer), sender_id };
};
const decide = async (client: Client, id: number, decision: string, more: object = {}) => {
  const answer = await client('POST', '/api/v1/sender-ids/decisions', { ids: [id], decision, ...more });
  return answer.status === 200 ? dataOf<[{ error_code: string | null }]>(answer)[0].error_code : codeOf(answer);
};
const setting = (key: string, value: string) =>
  api.database.pool('owner').query('UPDATE global_configuration SET value = $2 WHERE key = $1', [key, value]);

await setting('senders_need_approval', 'true');

/** Tries all ways to send one message from a sender ID, and returns how each was refused. */
async function ways(sender: { id: number; sender_id: string }): Promise<(string | undefined)[]> {
  const content = { sender_id: sender.id, content: 'Hello' };
  const tests = { ...content, number: number(1), sms_validity: 1 };
  const quote = { ...content, custom_numbers: number(2), content_type: 'single', sms_validity: 1 };
  return [
    codeOf(await corporate('GET', `/api/v1/campaigns/options?sender_id=${sender.id}`)),
    codeOf(await corporate('POST', '/api/v1/campaigns/quotes', quote)),
    codeOf(await corporate('POST', '/api/v1/campaigns/tests', tests)),
    codeOf(await program('POST', '/v1/messages', { from: sender.sender_id, to: number(3), text: 'Hello' })),
  ];
}

test('a requested sender ID sends nothing until the platform approves it', async () => {
  const sender = await request({ purpose: 'Orders' });
  assert.deepEqual([sender.state, sender.usable, sender.may_decide], ['submitted', false, false]);
  for (const code of await ways(sender)) assert.equal(code, 'sender_not_allowed');
  assert.equal(await decide(corporate, sender.id, 'approve'), 'forbidden');
  assert.equal((await read(sender.id, superadmin)).may_decide, true);
  assert.equal(await decide(superadmin, sender.id, 'approve'), null);
  assert.equal((await read(sender.id)).usable, true);
  assert.deepEqual(await ways(sender), [undefined, undefined, undefined, undefined]);
  const message = await one<CheckedMessage>(
    `SELECT m.id, k.created_at, k.corporation_id, k.sender_id, 'pending' AS state, NULL AS error_code,
       NULL AS left_at, NULL AS text
     FROM message m JOIN chunk k ON k.id = m.id >> 10 WHERE k.sender_id = $1 LIMIT 1`,
    [sender.sender_id],
  );
  const why = await explainSender(api.database.db('worker'), message);
  assert.deepEqual([why?.result, why?.because?.key], ['passed', 'approved']);
  assert.equal(await decide(superadmin, sender.id, 'suspend'), 'validation_failed');
  assert.equal(await decide(superadmin, sender.id, 'suspend', { reason: 'Complaints' }), null);
  assert.equal((await read(sender.id)).state_reason, 'Complaints');
  for (const code of await ways(sender)) assert.equal(code, 'sender_not_allowed');
  for (const change of [
    await corporate('DELETE', `/api/v1/sender-ids/${sender.id}`),
    await corporate('PATCH', `/api/v1/sender-ids/${sender.id}`, { sender_id: 'Lanterns' }),
    await superadmin('DELETE', `/api/v1/sender-ids/${sender.id}`),
  ])
    assert.equal(codeOf(change), 'sender_suspended');
  const history = dataOf<{ to_state: string; reason: string | null; user_name: string | null }[]>(
    await corporate('GET', `/api/v1/sender-ids/${sender.id}/history`),
  );
  assert.deepEqual(
    history.map(({ to_state, reason }) => [to_state, reason]),
    [
      ['suspended', 'Complaints'],
      ['approved', null],
      ['submitted', null],
    ],
  );
  const logged = await one<{ count: number }>(
    `SELECT count(*) FROM activity_log WHERE subject_type = 'sender-ids' AND subject_id = $1 AND description IN ('approved', 'suspended')`,
    [sender.id],
  );
  assert.equal(logged.count, 2);
});

test('a rejected or expired sender ID needs a new decision, whatever the rule says', async () => {
  const sender = await request({ draft: true });
  assert.equal(sender.state, 'draft');
  const submit = async () => dataOf<Sender>(await corporate('POST', `/api/v1/sender-ids/${sender.id}/submit`)).state;
  assert.equal(await submit(), 'submitted');
  assert.equal(
    codeOf(await corporate('PATCH', `/api/v1/sender-ids/${sender.id}`, { sender_id: 'Lanterns' })),
    'validation_failed',
  );
  assert.equal(await decide(superadmin, sender.id, 'reject', { reason: 'Whose name is it?' }), null);
  await setting('senders_need_approval', 'false');
  assert.equal(await submit(), 'submitted');
  assert.equal(await decide(superadmin, sender.id, 'approve', { expires_on: '2020-01-01' }), null);
  await expireSenders({ database: api.database.db('worker'), clock: { now: () => new Date() } }, pauseCampaignsOf);
  assert.equal((await read(sender.id)).state, 'expired');
  assert.equal(await submit(), 'submitted');
  // Without the rule a new name is approved, and may change, as before.
  const free = await request();
  assert.equal(free.usable, true);
  assert.equal((await corporate('PATCH', `/api/v1/sender-ids/${free.id}`, { sender_id: 'Lanterns' })).status, 200);
  await setting('senders_need_approval', 'true');
  assert.equal(
    codeOf(await corporate('PATCH', `/api/v1/sender-ids/${free.id}`, { sender_id: 'Candles' })),
    'validation_failed',
  );
});

test('a reseller decides about its customers only where the platform lets it', async () => {
  const northwind = await one<{ id: number }>("SELECT id FROM corporation WHERE name = 'Northwind Telecom'");
  await api.database
    .pool('owner')
    .query('UPDATE corporation SET reseller_id = $1 WHERE id = $2', [northwind.id, acme.corporation_id]);
  const lets = (on: boolean) =>
    api.database
      .pool('owner')
      .query('UPDATE reseller SET decides_senders = $2 WHERE corporation_id = $1', [northwind.id, on]);
  await lets(false);
  const sender = await request();
  assert.equal(await decide(reseller, sender.id, 'approve'), 'sender_held');
  await lets(true);
  assert.equal(await decide(reseller, sender.id, 'approve'), null);
  const own = await request({ corporation_id: northwind.id }, reseller);
  assert.equal(own.state, 'submitted');
  assert.equal(await decide(reseller, own.id, 'approve'), 'sender_held');
  await setting('senders_four_eyes', 'true');
  const theirs = await request({}, reseller);
  assert.equal(theirs.state, 'submitted');
  assert.equal(await decide(reseller, theirs.id, 'approve'), 'sender_four_eyes');
  assert.equal(await decide(superadmin, theirs.id, 'approve'), null);
  await setting('senders_four_eyes', 'false');
});

test('the name of a deleted sender ID is barred until somebody may use it again', async () => {
  const sender = await request({}, superadmin);
  const barred = async () =>
    (
      await one<{ barred: boolean } | undefined>(
        'SELECT barred FROM sender_barred WHERE corporation_id = $1 AND sender_id = $2',
        [acme.corporation_id, sender.sender_id],
      )
    )?.barred ?? false;
  assert.equal(await barred(), false);
  assert.equal((await corporate('DELETE', `/api/v1/sender-ids/${sender.id}`)).status, 200);
  assert.equal(await barred(), true);
  const again = await corporate('POST', '/api/v1/sender-ids', {
    corporation_id: acme.corporation_id,
    sender_id: sender.sender_id,
  });
  assert.equal(await barred(), true);
  await decide(superadmin, dataOf<Sender>(again).id, 'approve');
  assert.equal(await barred(), false);
});

test('deciders hear of a request, owners of the decision and of its end, each once', async () => {
  const sender = await request();
  const look = () =>
    expireSenders({ database: api.database.db('worker'), clock: { now: () => new Date() } }, pauseCampaignsOf);
  const told = async () => {
    await look();
    const { rows } = await api.database.pool('owner').query<{ news: string; email: string }>(
      `SELECT j.data->>'news' AS news, u.email FROM jobs.job j JOIN user_account u ON u.id = (j.data->>'user_id')::bigint
       WHERE j.name = 'mail-sender-news' AND (j.data->>'sender_id_id')::bigint = $1 ORDER BY j.created_on`,
      [sender.id],
    );
    return rows.map(({ news, email }) => `${news} ${email}`);
  };
  const asked = await told();
  assert.ok(asked.includes('submitted superadmin@heliograph.test'));
  assert.ok(!asked.includes('submitted corporate@heliograph.test'));
  const inSixDays = new Date(Date.now() + 6 * 86_400_000).toISOString().slice(0, 10);
  await decide(superadmin, sender.id, 'approve', { expires_on: inSixDays });
  const decided = (await told()).filter((line) => line.endsWith(' corporate@heliograph.test'));
  assert.deepEqual(decided.toSorted(), ['approved corporate@heliograph.test', 'expires corporate@heliograph.test']);
  const before = (await told()).length;
  assert.equal((await told()).length, before);
});
