import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { CALLBACK_LADDER } from '../../src/modules/callbacks/callback-kind.ts';
import { nextTry } from '../../src/modules/http-deliveries/retry-ladder.ts';
import { type Came, callbackStage, until } from './receiver.ts';

const s = await callbackStage({ after });
const { receiver, corporate, all, one } = s;
const at = (path: string) => receiver.came.filter((each) => each.path === path);
const verified = (secret: string, { body, headers }: Came) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as {
    type: string;
    data: Record<string, unknown>;
  };
const answers =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end('no');
interface Row {
  id: number;
  state: string;
  tries: number;
  wait: number;
  attempts: { status: number | null; fault: string | null; answer: string }[];
}
const rows = (endpoint: number) =>
  all<Row>(
    `SELECT id, state, tries, attempts, extract(epoch FROM next_at - now())::float8 AS wait FROM callback
     WHERE callback_endpoint_id = $1 ORDER BY id`,
    [endpoint],
  );
const settled = (endpoint: number, tries: number) =>
  until(`${tries} tries are on record`, async () =>
    (await rows(endpoint)).every((row) => row.attempts.length === tries),
  );

test('the published package verifies our callbacks with each secret of a rotation', async () => {
  const id = await s.endpoint('/signed', { types: ['balance.low'] });
  const first = await s.rotate(id);
  await s.tell({}, { type: 'campaign.finished', data: { campaign_id: 1, state: 'completed' } });
  await until('it came', () => at('/signed').length === 1);
  const [came] = at('/signed');
  const { type, data } = verified(first, came!);
  assert.deepEqual([type, data['balance']], ['balance.low', '9.500']);
  assert.match(String(came!.headers['webhook-id']), /^evt_\d+$/);
  // A changed body and a foreign secret are both refused.
  assert.throws(() => verified(first, { ...came!, body: came!.body.replace('9.500', '9.501') }));
  assert.throws(() => verified(`whsec_${Buffer.alloc(32).toString('base64')}`, came!));

  const second = await s.rotate(id, 1);
  const next = async () => {
    // The worker's copy of an endpoint is at most one second old.
    await sleep(1_050);
    const before = at('/signed').length;
    await s.tell({});
    await until('it came', () => at('/signed').length > before);
    return at('/signed').at(-1)!;
  };
  const both = await next();
  for (const secret of [first, second]) verified(secret, both);
  const third = await s.rotate(id, 0);
  const last = await next();
  verified(third, last);
  assert.throws(() => verified(second, last));
  // Reading the endpoint shows no secret.
  const shown = JSON.stringify((await corporate('GET', `/api/v1/callbacks/${id}`)).body);
  assert.ok(!shown.includes('whsec_'));
});

test('a failed callback is retried for three days, and Retry-After is respected', async () => {
  receiver.answers.set('/busy', answers(503, { 'retry-after': '100' }));
  const id = await s.endpoint('/busy', { types: ['message.expired'] });
  await s.tell({ type: 'message.expired', data: {} });
  await until('it was tried', async () => (await rows(id))[0]?.tries === 1);
  const [row] = await rows(id);
  // Without Retry-After, the second try would come within seconds.
  assert.ok(row!.wait > 40 && row!.wait < 121, String(row!.wait));
  let seconds = 0;
  let tries = 0;
  for (let next: number | null = 0; next !== null; next = nextTry(CALLBACK_LADDER, ++tries, null, 0, 0))
    seconds += next;
  assert.ok(tries >= 10 && seconds > 2.9 * 86_400, `${tries} tries, ${seconds} s`);
  for (let n = 2; n <= tries; n++) {
    await s.hurry();
    await settled(id, n);
  }
  assert.deepEqual(
    (await rows(id)).map(({ state, tries, attempts }) => [state, tries, attempts.at(-1)?.status]),
    [['failed', 13, 503]],
  );
  const ids = at('/busy').map(({ headers }) => headers['webhook-id']);
  assert.deepEqual([ids.length, new Set(ids).size], [13, 1]);
});

test('a slow receiver does not delay the others', async () => {
  const kept: ServerResponse[] = [];
  receiver.answers.set('/slow', (response) => void kept.push(response));
  const slow = await s.endpoint('/slow', { types: ['campaign.finished'] });
  const fast = await s.endpoint('/fast', { types: ['campaign.finished'] });
  await s.tell(
    ...Array.from({ length: 1_500 }, () => ({ type: 'campaign.finished' as const, data: { campaign_id: 0 } })),
  );
  await until('the fast one has all', () => at('/fast').length === 1_500);
  // Calls to the slow one time out after ten seconds each. Waiting for them would have taken minutes.
  const open = kept.filter(({ destroyed }) => !destroyed);
  assert.ok(kept.length > 0 && open.length <= 64, `${open.length} of ${kept.length} are open`);
  await settled(fast, 1);
  await all('DELETE FROM callback_endpoint WHERE id = $1', [slow]);
  receiver.answers.delete('/slow');
  for (const response of kept) response.end();
});

test('an endpoint is paused if its receiver is gone, or fails for three days', async () => {
  receiver.answers.set('/gone', answers(410));
  receiver.answers.set('/dead', answers(500));
  const gone = await s.endpoint('/gone', { types: ['message.failed'] });
  const dead = await s.endpoint('/dead', { types: ['message.failed'] });
  const failed = { type: 'message.failed' as const, data: {} };
  await s.tell(failed);
  const state = (id: number) =>
    one<{ pause_reason: string | null; failing: boolean }>(
      'SELECT pause_reason, failing_since IS NOT NULL AS failing FROM callback_endpoint WHERE id = $1',
      [id],
    );
  await until('both were tried', async () => (await state(gone)).failing && (await state(dead)).failing);
  assert.deepEqual([(await state(gone)).pause_reason, (await state(dead)).pause_reason], ['gone', null]);
  await all(`UPDATE callback_endpoint SET failing_since = now() - interval '73 hours' WHERE id = $1`, [dead]);
  await s.hurry();
  await until('it is paused', async () => (await state(dead)).pause_reason === 'failing');
  const mails = await all<{ data: { callback_endpoint_id: number } }>(
    `SELECT data FROM jobs.job WHERE name = 'mail-callback-pause'`,
  );
  for (const id of [gone, dead]) assert.ok(mails.some(({ data }) => data.callback_endpoint_id === id));
  // New events wait during the pause, and are sent when a person resumes the endpoint.
  const before = at('/dead').length;
  await s.tell(failed);
  await until('it is kept', async () => (await rows(dead)).length === 2);
  await s.hurry();
  await sleep(600);
  assert.equal(at('/dead').length, before);
  receiver.answers.delete('/dead');
  assert.equal((await corporate('POST', `/api/v1/callbacks/${dead}/resume`)).status, 200);
  await until('both have arrived', async () => (await rows(dead)).every((row) => row.state === 'done'));
  assert.deepEqual(await state(dead), { pause_reason: null, failing: false });
});

test('one callback, or all of a period, can be sent again with the same id', async () => {
  const id = await s.endpoint('/again', { types: ['message.received'] });
  await s.tell(...[1, 2, 3].map(() => ({ type: 'message.received' as const, data: { inbox_message_id: 0 } })));
  await until('all arrived', async () => (await rows(id)).filter((row) => row.state === 'done').length === 3);
  const log = async (query = '') =>
    (await corporate('GET', `/api/v1/callbacks/${id}/log?${query}`)).body as {
      data: { id: number; webhook_id: string; attempts: { status: number; answer: string }[] }[];
    };
  const { data } = await log();
  assert.deepEqual([data.length, data[0]!.attempts[0]?.status, data[0]!.attempts[0]?.answer], [3, 200, 'ok']);
  assert.equal((await log(`search=${data[1]!.webhook_id}`)).data[0]!.id, data[1]!.id);
  assert.equal((await log('state=failed')).data.length, 0);
  assert.equal((await corporate('POST', `/api/v1/callback-log/${data[1]!.id}/replay`)).status, 202);
  const ofOne = () => at('/again').filter(({ headers }) => headers['webhook-id'] === data[1]!.webhook_id).length;
  await until('it came again', () => ofOne() === 2);
  await until('it is on record', async () => (await rows(id)).every(({ state }) => state === 'done'));
  const range = { from: '2026-01-01T00:00:00Z', to: '2999-01-01T00:00:00Z', state: 'all' };
  const { status, body } = await corporate('POST', `/api/v1/callbacks/${id}/replay`, range);
  assert.deepEqual([status, (body as { data: object }).data], [202, { replayed: 3, more: false }]);
  await until('all came again', () => at('/again').length === 7);
});

test('a test callback shows the answer of the receiver, also on a disabled endpoint', async () => {
  const id = await s.endpoint('/sample', { enabled: false });
  receiver.answers.set('/sample', answers(418));
  const { status, body } = await corporate('POST', `/api/v1/callbacks/${id}/test`, { type: 'message.failed' });
  const { data } = body as { data: { body: string; attempt: { status: number; answer: string; fault: string } } };
  assert.deepEqual(
    [status, data.attempt.status, data.attempt.fault, data.attempt.answer],
    [200, 418, 'http_status', 'no'],
  );
  assert.equal(at('/sample')[0]!.body, data.body);
});

test('addresses of a corporation, department or message get their own events', async () => {
  const { id: department } = await one<{ id: number }>(
    'SELECT id FROM department WHERE corporation_id = $1 ORDER BY id LIMIT 1',
    [s.acme],
  );
  const { id: message } = await one<{ id: number }>('SELECT id FROM message WHERE corporation_id = $1 LIMIT 1', [
    s.acme,
  ]);
  await all('UPDATE corporation SET callback_url = $2 WHERE id = $1', [s.acme, `${receiver.url}/corporation`]);
  await all('UPDATE department SET callback_url = $2 WHERE id = $1', [department, `${receiver.url}/department`]);
  await all(
    `INSERT INTO program_message (message_id, corporation_id, user_id, client_ref, callback_url) SELECT $1, $2, min(id), 'r-1', $3
     FROM user_account WHERE corporation_id = $2`,
    [message, s.acme, `${receiver.url}/message`],
  );
  const delivered = { type: 'message.delivered' as const, message_id: message, data: { state: 'delivered' } };
  await s.tell(delivered, { ...delivered, message_id: null, department_id: department });
  const came = () => ['/corporation', '/department', '/message'].map((path) => at(path).length).join();
  await until('all came', () => came() === '2,1,1');
  const { data } = JSON.parse(at('/message')[0]!.body) as { data: Record<string, unknown> };
  assert.deepEqual([data['id'], data['client_ref'], data['state']], [String(message), 'r-1', 'delivered']);
  const { body } = await corporate('GET', `/api/v1/messages/${message}/callbacks`);
  assert.equal((body as { data: unknown[] }).data.length, 2);
  await all('UPDATE corporation SET callback_url = NULL WHERE id = $1', [s.acme]);
  await s.tell(delivered);
  await until('the message’s own came again', () => at('/message').length === 2);
  assert.equal(at('/corporation').length, 2);
  const { data: kinds } = (await corporate('GET', '/api/v1/callbacks?kind=corporation')).body as {
    data: { id: number; enabled: boolean; abilities: { delete: boolean } }[];
  };
  assert.deepEqual([kinds[0]!.enabled, kinds[0]!.abilities.delete], [false, false]);
  const change = await corporate('PATCH', `/api/v1/callbacks/${kinds[0]!.id}`, { enabled: true });
  assert.equal(change.status, 409);
});

test('a worker that stops releases the callbacks that it has not sent yet', async () => {
  const held: ServerResponse[] = [];
  receiver.answers.set('/left', (response) => void held.push(response));
  const id = await s.endpoint('/left', { types: ['balance.low'] });
  await s.tell(...Array.from({ length: 12 }, () => ({})));
  await until('as many are called as a new receiver gets at once', () => held.length === 4);
  await s.sender.stop();
  const left = await rows(id);
  assert.deepEqual([left.length, left.filter(({ wait }) => wait <= 0).length], [12, 8]);
  assert.ok(left.every(({ state, tries }) => state === 'waiting' && tries === 0));
  receiver.answers.delete('/left');
  s.another();
  await until('the others came', async () => (await rows(id)).filter(({ state }) => state === 'done').length === 8);
  assert.equal(at('/left').length, 12);
});
