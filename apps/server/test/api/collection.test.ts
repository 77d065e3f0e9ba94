import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PUBLIC_OPERATIONS } from '@heliograph/contract/api/operations';
import { REPLY_EXAMPLES } from '@heliograph/contract/api/reply-examples';
import postman, { type Item, type Request, type VariableList } from 'postman-collection';
import { apiStage } from './stage.ts';

const stage = await apiStage({ after }, { PUBLIC_URL: 'https://sms.heliograph.test' });
const { key } = await stage.makeKey({ mode: 'test' });
const { status, headers, body } = await stage.api.anonymous()('GET', '/v1/postman.json');
const collection = new postman.Collection(body as ConstructorParameters<typeof postman.Collection>[0]);
const items: Item[] = [];
collection.forEachItem((item) => items.push(item));

/** Sends a request of the collection as a program would that has set its two variables. */
function send(request: Request) {
  const variables = new Map([
    ['baseUrl', stage.api.url],
    ['key', key],
  ]);
  const filled = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => variables.get(name)!);
  const token = collection.auth!.parameters() as VariableList;
  return fetch(filled(request.url.toString()), {
    method: request.method,
    headers: {
      authorization: `Bearer ${filled(String(token.get('token')))}`,
      ...Object.fromEntries(
        request.headers.filter((each) => !each.disabled, null).map((each) => [each.key, each.value]),
      ),
    },
    ...(request.body && { body: request.body.toString().replace('"ACME"', JSON.stringify(stage.acme.sender)) }),
  });
}
const named = (summary: string) => items.find(({ name }) => name === summary)!;
const calling = (operation: string) => named(PUBLIC_OPERATIONS.find(({ name }) => name === operation)!.summary).request;

test('the collection has each call in its section, with an example of its answer', () => {
  assert.deepEqual([status, headers.get('content-type')], [200, 'application/json; charset=utf-8']);
  assert.deepEqual(items.map(({ name }) => name).sort(), PUBLIC_OPERATIONS.map(({ summary }) => summary).sort());
  assert.equal(collection.variables.get('baseUrl'), 'https://sms.heliograph.test');
  assert.equal(collection.variables.get('key'), '');
  for (const { name, summary, tag, example } of PUBLIC_OPERATIONS) {
    const item = named(summary);
    assert.equal((item.parent() as { name?: string }).name, tag);
    if (example !== undefined) assert.deepEqual(JSON.parse(item.request.body!.toString()), example, name);
    const answer = item.responses.idx(0);
    assert.deepEqual(answer?.json(), REPLY_EXAMPLES[name] ?? undefined, name);
  }
});

test('requests of the collection work as they are, once address and key are set', async () => {
  assert.equal((await send(calling('getBalance'))).status, 200);
  const sent = await send(calling('sendMessage'));
  assert.equal(sent.status, 202, await sent.clone().text());
  const { id } = (await sent.json()) as { id: string };
  const reading = calling('getMessage');
  reading.url.variables.upsert(new postman.Variable({ key: 'id', value: id }));
  assert.equal(((await (await send(reading)).json()) as { id: string }).id, id);
});
