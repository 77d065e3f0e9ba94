import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { PUBLIC_OPERATIONS } from '@heliograph/contract/api/operations';
import { callbackStage, until } from '../callbacks/receiver.ts';

// The nodes without n8n. `npm run soak -- n8n` runs them within it.

/** Context in which n8n calls a node. */
type In<R, A extends unknown[] = []> = { call(context: object, ...more: A): Promise<R> };
interface Trigger {
  webhookMethods: { default: { checkExists: In<boolean>; create: In<boolean>; delete: In<boolean> } };
  webhook: In<{ workflowData?: { json: object }[][] }>;
}

interface Property {
  name: string;
  type: string;
  required?: boolean;
  displayOptions?: { show: { operation?: string[] } };
  options?: { name: string; value: string; routing: { request: { url: string; method: string }; send?: object } }[];
}
// Their types are those of n8n, which is not installed here.
const nodes = (name: string) => import(join(import.meta.dirname, '../../../../clients/n8n/nodes', name));
const { Heliograph } = (await nodes('Heliograph/Heliograph.node.ts')) as {
  Heliograph: new () => { description: { properties: Property[] } };
};
const { HeliographTrigger } = (await nodes('HeliographTrigger/HeliographTrigger.node.ts')) as {
  HeliographTrigger: new () => Trigger;
};
const { properties } = new Heliograph().description;

test('the node has each call that gives a record, with the fields that it needs', () => {
  const operations = properties.filter(({ name }) => name === 'operation').flatMap(({ options }) => options!);
  const missing = PUBLIC_OPERATIONS.filter(({ name }) => !operations.some(({ value }) => value === name));
  assert.deepEqual(missing.map(({ name }) => name).sort(), [
    'addCallback',
    'getInvoicePdf',
    'getInvoiceXml',
    'listCallbacks',
    'moveEventGroup',
    'removeCallback',
    'sampleEvents',
    'streamEvents',
  ]);
  const needed = (operation: string) =>
    properties
      .filter(({ required, displayOptions }) => required && displayOptions?.show.operation?.includes(operation))
      .map(({ name }) => name);
  assert.deepEqual(needed('sendMessage').sort(), ['from', 'text', 'to']);
  assert.deepEqual(needed('checkVerification').sort(), ['code', 'id']);
  const check = operations.find(({ value }) => value === 'checkVerification')!;
  assert.equal(check.routing.request.url, '=/v1/verifications/{{ encodeURIComponent($parameter["id"]) }}/check');
});

test('calls that may be repeated carry an idempotency key, and no others', () => {
  const withKey = properties
    .filter(({ name }) => name === 'operation')
    .flatMap(({ options }) => options!)
    .filter(({ routing }) => routing.send !== undefined)
    .map(({ value }) => value);
  const idempotent = PUBLIC_OPERATIONS.filter((o) => o.idempotent).map(({ name }) => name);
  assert.deepEqual(withKey.sort(), idempotent.sort());
});

test('a trigger adds its address, takes only signed events, and removes the address', async () => {
  const s = await callbackStage({ after });
  const { user_id } = await s.one<{ user_id: number }>(
    "SELECT id AS user_id FROM user_account WHERE email = 'corporate@heliograph.test'",
  );
  const made = await s.corporate('POST', '/api/v1/api-keys', { name: 'n8n', user_id });
  const { key } = (made.body as { data: { key: string } }).data;
  const stored: Record<string, unknown> = {};
  /** Offer of n8n to a trigger, with calls that really leave. */
  const hooks = {
    getCredentials: async () => ({ url: `${s.api.url}/` }),
    getWorkflowStaticData: () => stored,
    getNodeWebhookUrl: () => `${s.receiver.url}/n8n`,
    getNodeParameter: () => ['balance.low'],
    helpers: {
      async httpRequestWithAuthentication(
        _: string,
        o: { method: string; baseURL: string; url: string; body?: object },
      ) {
        const { status, body } = await s.api.anonymous(key)(o.method, o.url, o.body);
        if (status >= 300) throw new Error(JSON.stringify(body));
        return body;
      },
    },
  };
  const trigger = new HeliographTrigger();
  const { checkExists, create, delete: remove } = trigger.webhookMethods.default;
  assert.equal(await checkExists.call(hooks), false);
  assert.equal(await create.call(hooks), true);
  assert.equal(await checkExists.call(hooks), true);
  await s.tell({});
  await until('the event came', () => s.receiver.came.length === 1);
  const { headers, body } = s.receiver.came[0]!;
  const answers: number[] = [];
  const arrives = (given: object, text: string) =>
    trigger.webhook.call({
      getWorkflowStaticData: () => stored,
      getRequestObject: () => ({ rawBody: Buffer.from(text) }),
      getHeaderData: () => given,
      getResponseObject: () => ({ status: (code: number) => ({ json: () => answers.push(code) }) }),
    });
  const { workflowData } = await arrives(headers, body);
  assert.equal((workflowData![0]![0]!.json as { type: string }).type, 'balance.low');
  const old = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1' };
  const mac = createHmac('sha256', Buffer.from(String(stored['secret']).slice(6), 'base64')).update(`evt_1.1.${body}`);
  for (const [given, text] of [
    [headers, body.replace('low', 'high')],
    [{ ...headers, 'webhook-timestamp': 'NaN' }, body],
    [{ ...headers, 'webhook-signature': undefined }, body],
    [{ ...old, 'webhook-signature': `v1,${mac.digest('base64')}` }, body],
  ] as const)
    assert.deepEqual(await arrives(given, text), { noWebhookResponse: true });
  assert.deepEqual(answers, [401, 401, 401, 401]);
  // An address whose secret n8n has lost is added again.
  for (const name of Object.keys(stored)) delete stored[name];
  assert.equal(await create.call(hooks), true);
  assert.equal(await remove.call(hooks), true);
  assert.deepEqual((await s.api.anonymous(key)('GET', '/v1/callbacks')).body, { data: [] });
  assert.deepEqual(stored, {});
});
