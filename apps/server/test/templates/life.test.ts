import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { codeOf, errorsOf } from '../answers.ts';
import { apiStage } from '../api/stage.ts';
import type { Answer, Client } from '../test-api.ts';

// Acme's sender ID is limited to approved templates. Acme submits templates, and the platform decides.

const { api, acme, makeKey, by, number, one } = await apiStage({ after });
const [superadmin, corporate] = (await Promise.all(['superadmin', 'corporate'].map((login) => api.as(login)))) as [
  Client,
  Client,
];
const program = by((await makeKey()).key);
const dataOf = <T>({ body }: Answer) => (body as { data: T }).data;

interface Template {
  id: number;
  state: string;
  approved_text: string | null;
  revision: number;
  may_decide: boolean;
}
const department = await one<{ id: number }>(
  'SELECT id FROM department WHERE corporation_id = $1 ORDER BY id LIMIT 1',
  [acme.corporation_id],
);
const sender = await one<{ id: number }>('SELECT id FROM sender_id WHERE corporation_id = $1 AND sender_id = $2', [
  acme.corporation_id,
  acme.sender,
]);
let made = 0;
const create = async (template: string) => {
  const place = { corporation_id: acme.corporation_id, department_id: department.id };
  const answer = await corporate('POST', '/api/v1/message-templates', {
    ...place,
    name: `Approved ${++made}`,
    template,
  });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return dataOf<Template>(answer);
};
const read = async (id: number, client = corporate) =>
  dataOf<Template>(await client('GET', `/api/v1/message-templates/${id}`));
const submit = (id: number) => corporate('POST', `/api/v1/message-templates/${id}/submit`);
const decide = async (
  client: Client,
  id: number,
  decision: string,
  more: { revision?: number; reason?: string } = {},
) => {
  const { revision = (await read(id, superadmin)).revision, reason = '' } = more;
  const body = { templates: [{ id, revision }], decision, reason };
  const answer = await client('POST', '/api/v1/message-templates/decisions', body);
  return answer.status === 200 ? dataOf<[{ error_code: string | null }]>(answer)[0].error_code : codeOf(answer);
};
const limit = (client: Client, templates_only: boolean) =>
  client('PATCH', `/api/v1/sender-ids/${sender.id}`, { templates_only });
/** The intake caches its rules for a second. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 1_100));

/** Tries a text in all ways that a person and a program have, and returns how each was refused. */
async function ways(text: string): Promise<(string | undefined)[]> {
  await settled();
  const content = { sender_id: sender.id, content: text, sms_validity: 1 };
  return [
    codeOf(await corporate('POST', '/api/v1/campaigns/quotes', { ...content, custom_numbers: number(2) })),
    codeOf(await corporate('POST', '/api/v1/campaigns/tests', { ...content, number: number(1) })),
    codeOf(await program('POST', '/v1/messages', { from: acme.sender, to: number(3), text })),
  ];
}
const PASSED = [undefined, undefined, undefined];
const REFUSED = ['template_required', 'template_required', 'template_required'];

test('a limited sender ID sends only texts that an approved template makes', async () => {
  const template = await create('Dear {name}, your order {1} is ready.');
  assert.equal(template.state, 'draft');
  assert.deepEqual(await ways('Dear Ana, your order 7 is ready.'), PASSED);

  // The corporation cannot free itself: only people above it set the limit.
  assert.equal((await limit(superadmin, true)).status, 200);
  assert.deepEqual(Object.keys(errorsOf(await limit(corporate, false))), ['templates_only']);
  const options = await corporate('GET', `/api/v1/campaigns/options?sender_id=${sender.id}`);
  assert.equal(dataOf<{ templates_only: boolean }>(options).templates_only, true);
  assert.deepEqual(await ways('Dear Ana, your order 7 is ready.'), REFUSED);

  assert.equal(dataOf<Template>(await submit(template.id)).state, 'submitted');
  assert.equal(await decide(corporate, template.id, 'approve'), 'forbidden');
  assert.equal(await decide(superadmin, template.id, 'approve'), null);
  assert.deepEqual(await ways('Dear Ana, your order 7 is ready.'), PASSED);
  assert.deepEqual(await ways('Dear Ana, your parcel 7 is ready.'), REFUSED);

  const answer = await program('POST', '/v1/messages', { from: acme.sender, to: number(4), text: 'Dear Ana, win!' });
  assert.equal(answer.status, 422);
  assert.match(errorsOf(answer)['text']![0]!, new RegExp(acme.sender));
});

test('a changed template waits again, and its approved text stays in force', async () => {
  const { id } = await create('The shop closes at {1}.');
  await submit(id);
  assert.equal(await decide(superadmin, id, 'approve'), null);
  const { revision } = await read(id);
  await corporate('PATCH', `/api/v1/message-templates/${id}`, { template: 'The shop opens at {1}.' });
  const changed = await read(id);
  assert.deepEqual([changed.state, changed.approved_text], ['submitted', 'The shop closes at {1}.']);
  assert.deepEqual(await ways('The shop closes at 5.'), PASSED);
  assert.deepEqual(await ways('The shop opens at 5.'), REFUSED);
  // A decision about an older text is refused.
  assert.equal(await decide(superadmin, id, 'approve', { revision }), 'template_changed');
  assert.equal(await decide(superadmin, id, 'reject'), 'validation_failed');
  assert.equal(await decide(superadmin, id, 'reject', { reason: 'When?' }), null);
  assert.deepEqual(await ways('The shop closes at 6.'), PASSED);
  await submit(id);
  assert.equal(await decide(superadmin, id, 'approve'), null);
  assert.deepEqual(await ways('The shop opens at 5.'), PASSED);
  assert.deepEqual(await ways('The shop closes at 7.'), REFUSED);
  assert.equal(await decide(superadmin, id, 'withdraw', { reason: 'Moved' }), null);
  assert.deepEqual(await ways('The shop opens at 6.'), REFUSED);
  const history = dataOf<{ to_state: string }[]>(await corporate('GET', `/api/v1/message-templates/${id}/history`));
  assert.deepEqual(
    history.map(({ to_state }) => to_state),
    ['withdrawn', 'approved', 'submitted', 'rejected', 'submitted', 'approved', 'submitted'],
  );
});

test('the checks of a message name the approved template that made it', async () => {
  const { id } = await create('{param1}: your bill is due.');
  await submit(id);
  assert.equal(await decide(superadmin, id, 'approve'), null);
  await settled();
  const sent = await program('POST', '/v1/messages', {
    from: acme.sender,
    to: number(8),
    text: 'Ana: your bill is due.',
  });
  const { id: uuid } = sent.body as { id: string };
  assert.ok(uuid, JSON.stringify(sent.body));
  const row = await one<{ id: number }>('SELECT max(id) AS id FROM message');
  const page = dataOf<{ rules: { rule: string; because: { key: string; params: { name: string } } }[] }>(
    await superadmin('GET', `/api/v1/messages/${row.id}`),
  );
  const why = page.rules.find(({ rule }) => rule === 'template');
  assert.deepEqual([why?.because.key, why?.because.params.name], ['matched', `Approved ${made}`]);
});

test('the values of an approved template go with each message made from it', async () => {
  await limit(superadmin, false);
  await one(
    `UPDATE link SET parameters = '{dlt_template_id=0x1401:cstring,dlt_entity_id=0x1400:cstring}' RETURNING id`,
  );
  const { id } = await create('Your parcel {1} arrives.');
  const change = (parameters: string[]) => corporate('PATCH', `/api/v1/message-templates/${id}`, { parameters });
  assert.match(errorsOf(await change(['nobody_knows=1']))['parameters']![0]!, /nobody_knows/);
  assert.equal((await change(['dlt_template_id=1107'])).status, 200);
  await superadmin('PATCH', `/api/v1/sender-ids/${sender.id}`, {
    parameters: ['dlt_entity_id=9', 'dlt_template_id=1'],
  });
  const sent = async (text: string) => {
    await settled();
    const answer = await program('POST', '/v1/messages', { from: acme.sender, to: number(9), text });
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    const { parameters } = await one<{ parameters: object }>('SELECT parameters FROM chunk ORDER BY id DESC LIMIT 1');
    return parameters;
  };
  const ofSender = { dlt_entity_id: '9', dlt_template_id: '1' };
  assert.deepEqual(await sent('Your parcel 7 arrives.'), ofSender, 'it is not approved');
  await submit(id);
  assert.equal(await decide(superadmin, id, 'approve'), null);
  assert.deepEqual(await sent('Your parcel 7 arrives.'), { ...ofSender, dlt_template_id: '1107' });
  assert.deepEqual(await sent('Your order 7 arrives.'), ofSender, 'another text');
  assert.equal((await change(['dlt_template_id=2207'])).status, 200);
  assert.equal((await read(id)).state, 'approved', 'values are no part of the text');
  assert.deepEqual(await sent('Your parcel 8 arrives.'), { ...ofSender, dlt_template_id: '2207' });
  const tested = { sender_id: sender.id, content: 'Your parcel 9 arrives.', sms_validity: 1, number: number(1) };
  assert.equal(codeOf(await corporate('POST', '/api/v1/campaigns/tests', tested)), undefined);
  const { parameters } = await one<{ parameters: object }>('SELECT parameters FROM chunk ORDER BY id DESC LIMIT 1');
  assert.deepEqual(parameters, { ...ofSender, dlt_template_id: '2207' });
});
