import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { apiStage } from './stage.ts';

const stage = await apiStage({ after });
const { acme, api, one } = stage;
const key = await stage.makeKey();
const send = (parameters: Record<string, string>, to = stage.number(1)) =>
  stage.by(key.key)('POST', '/v1/messages', { to, text: 'Hello', from: acme.sender, parameters });
const errors = (answer: Awaited<ReturnType<typeof send>>) =>
  (answer.body as { errors?: Record<string, string[]> }).errors?.['parameters']?.[0] ?? '';
const chunk = () => one<{ parameters: object | null }>('SELECT parameters FROM chunk ORDER BY id DESC LIMIT 1');
/** The intake reads its rules once a second. */
const eventually = async (status: number, parameters: Record<string, string>) => {
  for (;;) {
    const answer = await send(parameters);
    if (answer.status === status) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

before(async () => {
  await one(
    `UPDATE link SET parameters = '{dlt_template_id=0x1401:cstring,chain=0x1502:int1}' WHERE NOT for_tests RETURNING id`,
  );
});

test('a program gives parameters only with permission, and bad values are named', async () => {
  assert.match(errors(await eventually(422, { dlt_template_id: '1107' })), /may not give carrier parameters/);
  const refused = await (await api.as('corporate'))('PATCH', `/api/v1/corporations/${acme.corporation_id}`, {
    gives_parameters: true,
  });
  assert.ok([403, 422].includes(refused.status), 'a corporation cannot allow it to itself');
  const allowed = await (await api.as('superadmin'))('PATCH', `/api/v1/corporations/${acme.corporation_id}`, {
    gives_parameters: true,
  });
  assert.equal(allowed.status, 200, JSON.stringify(allowed.body));
  await eventually(202, { dlt_template_id: '1107' });
  assert.deepEqual((await chunk()).parameters, { dlt_template_id: '1107' });
  assert.match(errors(await send({ nobody_knows: '1' })), /nobody_knows/);
  assert.match(errors(await send({ chain: '256' })), /chain cannot have this value/);
  assert.match(errors(await send({ dlt_template_id: '{secret}' })), /dlt_template_id/);
  assert.equal((await send({ 'Bad Name': '1' })).status, 422);
  assert.equal((await send({})).status, 202);
  assert.equal((await chunk()).parameters, null);
});

test('a sender ID has values of its own, and a program replaces them', async () => {
  const { id } = await one<{ id: number }>('SELECT id FROM sender_id WHERE corporation_id = $1 AND sender_id = $2', [
    acme.corporation_id,
    acme.sender,
  ]);
  const admin = await api.as('superadmin');
  const bad = await admin('PATCH', `/api/v1/sender-ids/${id}`, { parameters: ['chain=abc'] });
  assert.match(JSON.stringify(bad.body), /chain cannot have this value/);
  const lines = ['dlt_template_id=42', 'chain=7'];
  assert.equal((await admin('PATCH', `/api/v1/sender-ids/${id}`, { parameters: lines })).status, 200);
  await send({ dlt_template_id: '43' });
  assert.deepEqual((await chunk()).parameters, { dlt_template_id: '43', chain: '7' });
});

test('a campaign’s parameters are checked with its quote', async () => {
  const { id } = await one<{ id: number }>('SELECT id FROM sender_id WHERE corporation_id = $1 AND sender_id = $2', [
    acme.corporation_id,
    acme.sender,
  ]);
  const quote = async (parameters: string[]) =>
    (await api.as('corporate'))('POST', '/api/v1/campaigns/quotes', {
      sender_id: id,
      content: 'Hello',
      custom_numbers: stage.number(5),
      parameters,
    });
  const refused = await quote(['chain=300']);
  assert.equal(refused.status, 422);
  assert.match(JSON.stringify(refused.body), /"parameters":\["The parameter chain/);
  assert.equal((await quote(['chain=3'])).status, 202);
});
