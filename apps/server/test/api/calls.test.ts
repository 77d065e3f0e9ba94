import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { reconcile } from '#modules/billing';
import { apiStage, codeOf } from './stage.ts';

const stage = await apiStage({ after });
const { acme, one } = stage;
const live = await stage.makeKey();
const call = stage.by(live.key);

interface Message {
  id: string;
  state: string;
  parts: number;
  price: string;
  currency: string;
}
const send = (changes: object = {}, headers: Record<string, string> = {}) =>
  call('POST', '/v1/messages', { from: acme.sender, to: stage.number(1), text: 'Hello', ...changes }, headers);

test('a message is accepted, found by id and reference, and costs what was estimated', async () => {
  const text = 'A text of the department with no more than a part.';
  const estimate = await call('POST', '/v1/messages/estimate', { from: acme.sender, to: [stage.number(1)], text });
  assert.equal(estimate.status, 200, JSON.stringify(estimate.body));
  const sent = await send({ text, client_ref: 'order-1', tags: ['a', 'b'], to: `+${stage.number(1)}.0` });
  assert.equal(sent.status, 202, JSON.stringify(sent.body));
  const message = sent.body as Message;
  assert.equal(sent.headers.get('location'), `/v1/messages/${message.id}`);
  const { price, parts } = estimate.body as Message;
  assert.deepEqual([message.price, message.parts, message.state], [price, parts, 'pending']);
  const found = await call('GET', `/v1/messages/${message.id}`);
  const shown = found.body as Message & Record<string, unknown>;
  assert.deepEqual(
    [found.status, shown.id, shown['to'], shown['client_ref'], shown['tags'], shown.price, shown['test']],
    [200, message.id, stage.number(1), 'order-1', ['a', 'b'], price, false],
  );
  const listed = await call('GET', '/v1/messages?client_ref=order-1');
  assert.deepEqual((listed.body as { data: Message[] }).data, [shown]);
  const reserved = await one<{ amount: number }>(
    "SELECT -amount AS amount FROM ledger_transfer WHERE key = 'chunk:' || ($1::bigint >> 10) || ':reserve'",
    [message.id],
  );
  assert.equal(reserved.amount, Math.round(Number(price) * 1_000));
});

test('each wrong request is refused with its field, and nothing is stored', async () => {
  const before = await one<{ n: number }>('SELECT count(*) AS n FROM message');
  const codes = [
    await send({ to: 'nobody' }),
    await send({ to: '63917000000.1' }),
    await send({ from: 'Nobody' }),
    await send({ from: 'No\0body' }),
    await send({ text: '' }),
    await send({ text: 'Grüße aus 東京', encoding: 'gsm' }),
    await send({ validity: 100_000 }),
    await send({ send_at: new Date(Date.now() + 30 * 86_400_000).toISOString() }),
    await send({ tag: 'x' }),
    await send({}, { 'idempotency-key': 'x'.repeat(300) }),
    await call('POST', '/v1/messages', [1]),
    await call('GET', '/v1/messages/12'),
    await call('GET', '/v1/messages'),
    await call('GET', '/v1/events?cursor=none'),
    await call('GET', '/v1/inbound?cursor=none'),
  ].map(codeOf);
  assert.deepEqual(codes, [
    '422 validation_failed to',
    '422 validation_failed to',
    '422 sender_not_allowed from',
    '422 validation_failed from',
    '422 validation_failed text',
    '422 validation_failed encoding',
    '422 validation_failed validity',
    '422 validation_failed send_at',
    '422 validation_failed tag',
    '422 validation_failed Idempotency-Key',
    '422 validation_failed body',
    '404 not_found',
    '422 validation_failed client_ref',
    '422 cursor_invalid',
    '422 cursor_invalid',
  ]);
  assert.deepEqual(await one('SELECT count(*) AS n FROM message'), before);
  const { headers } = await send({ to: 'nobody' });
  assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/);
});

test('a number instead of text has a different error than a missing field', async () => {
  const { body } = await send({ to: 639170000001, text: undefined, flash: 'yes', tags: 'a' });
  assert.deepEqual((body as { errors: object }).errors, {
    to: ['This must be text, in quotation marks: "…".'],
    text: ['This field is required.'],
    flash: ['This must be true or false.'],
    tags: ['This must be a list.'],
  });
});

test('an unchanged answer is not sent again if its ETag is known', async () => {
  for (const path of ['/v1/balance', '/v1/inbound', '/v1/openapi.json']) {
    const first = await call('GET', path);
    const tag = first.headers.get('etag') ?? '';
    assert.match(tag, /^W\/"[\w-]{22}"$/, path);
    const again = await call('GET', path, undefined, { 'if-none-match': `"x", ${tag}` });
    assert.deepEqual([again.status, again.body, again.headers.get('etag')], [304, '', tag], path);
    assert.equal((await call('GET', path, undefined, { 'if-none-match': '"x"' })).status, 200, path);
  }
  const before = (await call('GET', '/v1/balance')).headers.get('etag')!;
  await send();
  assert.equal((await call('GET', '/v1/balance', undefined, { 'if-none-match': before })).status, 200);
});

test('a key reads national numbers only if it is set to', async () => {
  const home = stage.by((await stage.makeKey({ read_national: true })).key);
  const message = { from: acme.sender, to: `0${stage.number(5).slice(2)}`, text: 'Hello' };
  const sent = await home('POST', '/v1/messages', message);
  assert.equal(sent.status, 202, JSON.stringify(sent.body));
  const shown = await home('GET', `/v1/messages/${(sent.body as Message).id}`);
  assert.equal((shown.body as { to: string }).to, stage.number(5));
  assert.equal(codeOf(await send({ to: message.to })), '422 validation_failed to');
});

test('a batch accepts the valid recipients, lists the others, and is read page by page', async () => {
  const sent = await call('POST', '/v1/batches', {
    from: acme.sender,
    text: 'Hello {name}',
    client_ref: 'newsletter',
    recipients: [
      { to: stage.number(10), params: { name: 'Ana' } },
      { to: 'a\0b\ud800' },
      { to: stage.number(11), text: 'Hello {name}, literally' },
      { to: stage.number(12) },
      { to: stage.number(13), params: { name: 'Ben' } },
    ],
  });
  const batch = sent.body as { id: string; accepted: number; rejected: { index: number; field: string }[] };
  assert.deepEqual(
    [sent.status, batch.accepted, batch.rejected.map(({ index, field }) => [index, field])],
    [
      202,
      3,
      [
        [1, 'to'],
        [3, 'params.name'],
      ],
    ],
  );
  const texts: unknown[] = [];
  for (let cursor = ''; ; ) {
    const page = (await call('GET', `/v1/messages?batch_id=${batch.id}&limit=2${cursor}`)).body as {
      data: { text: string }[];
      next_cursor: string | null;
    };
    texts.push(...page.data.map(({ text }) => text.split('\n')[0]));
    if (page.next_cursor === null) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  assert.deepEqual(texts.sort(), ['Hello Ana', 'Hello Ben', 'Hello {name}, literally']);
  const shown = (await call('GET', `/v1/batches/${batch.id}`)).body as { states: object; total: number };
  assert.deepEqual([shown.total, shown.states], [5, { pending: 3 }]);
  const none = await call('POST', '/v1/batches', {
    from: acme.sender,
    text: 'Hi',
    recipients: [{ to: '1' }, { to: '2' }],
  });
  assert.equal(codeOf(none), '422 nothing_accepted recipients.0.to recipients.1.to');
});

test('a scheduled message is cancelled with its reserve released; a sent one is not', async () => {
  const { available } = (await call('GET', '/v1/balance')).body as { available: string };
  const later = (await send({ send_at: new Date(Date.now() + 3_600_000).toISOString() })).body as Message;
  assert.equal(later.state, 'scheduled');
  const off = await call('DELETE', `/v1/messages/${later.id}`);
  assert.deepEqual([off.status, (off.body as Message).state], [200, 'cancelled']);
  assert.equal(((await call('GET', '/v1/balance')).body as { available: string }).available, available);
  assert.equal(codeOf(await call('DELETE', `/v1/messages/${later.id}`)), '409 message_has_left');
  const now = (await send()).body as Message;
  assert.equal(codeOf(await call('DELETE', `/v1/messages/${now.id}`)), '409 message_has_left');
});

test('cancelling a batch cancels all its messages and releases all its reserve, once', async () => {
  const balance = async () => (await call('GET', '/v1/balance')).body as { available: string; reserved: string };
  const batchOf = async (changes: object, count: number) => {
    const recipients = Array.from({ length: count }, (_, n) => ({
      to: stage.number(100 + n),
      text: 'x'.repeat(10 + n),
    }));
    const sent = await call('POST', '/v1/batches', { from: acme.sender, recipients, ...changes });
    assert.equal(sent.status, 202, JSON.stringify(sent.body));
    return sent.body as { id: string; price: string };
  };
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const other = (await send({ send_at })).body as Message;
  const [before, waits] = [await balance(), await batchOf({}, 30)];
  const kept = await balance();
  // More than one chunk, with texts of one part and of several parts.
  const later = await batchOf({ send_at }, 1_500);
  assert.ok(Number(later.price) > 0);
  const many = await Promise.all(Array.from({ length: 4 }, () => call('DELETE', `/v1/batches/${later.id}`)));
  assert.deepEqual(many.map(codeOf).sort(), ['200', ...Array(3).fill('409 batch_has_left')]);
  const off = many.find(({ status }) => status === 200)!.body as { states: object; accepted: number };
  assert.deepEqual([off.states, off.accepted], [{ cancelled: 1_500 }, 1_500]);
  assert.deepEqual(await balance(), kept);
  // In a batch that may leave now, every message that has not left is cancelled.
  const now = await call('DELETE', `/v1/batches/${waits.id}`);
  assert.deepEqual((now.body as { states: object }).states, { cancelled: 30 });
  assert.deepEqual(await balance(), before);
  assert.deepEqual(((await call('GET', `/v1/messages/${other.id}`)).body as Message).state, 'scheduled');
  const member = (await call('GET', `/v1/messages?batch_id=${later.id}&limit=1`)).body as { data: Message[] };
  assert.equal(member.data[0]!.state, 'cancelled');
  const told = await one<{ n: number }>(
    `SELECT count(DISTINCT e.message_id) AS n FROM event e JOIN program_message p USING (message_id)
     WHERE p.batch_id = $1 AND e.data ->> 'state' = 'cancelled'`,
    [later.id],
  );
  assert.equal(told.n, 1_500);
  assert.equal(codeOf(await call('DELETE', '/v1/batches/999999')), '404 not_found');
  assert.deepEqual(await reconcile(stage.api.database.pool('owner')), []);
});

test('a key cannot find, read or cancel anything of another corporation', async () => {
  const mine = (await send({ client_ref: 'secret', send_at: new Date(Date.now() + 3_600_000).toISOString() }))
    .body as Message;
  const batch = (
    await call('POST', '/v1/batches', { from: acme.sender, text: 'Hi', recipients: [{ to: stage.number(1) }] })
  ).body as { id: string };
  const other = stage.by((await stage.makeKey({ as: 'reseller' })).key);
  assert.deepEqual(
    [
      codeOf(await other('GET', `/v1/messages/${mine.id}`)),
      codeOf(await other('DELETE', `/v1/messages/${mine.id}`)),
      codeOf(await other('GET', `/v1/batches/${batch.id}`)),
      codeOf(await other('DELETE', `/v1/batches/${batch.id}`)),
      codeOf(await other('POST', '/v1/messages', { from: acme.sender, to: stage.number(1), text: 'x' })),
    ],
    ['404 not_found', '404 not_found', '404 not_found', '404 not_found', '422 sender_not_allowed from'],
  );
  for (const path of ['/v1/messages?client_ref=secret', `/v1/messages?batch_id=${batch.id}`])
    assert.deepEqual((await other('GET', path)).body, { data: [], next_cursor: null, has_more: false });
  const events = (await other('GET', '/v1/events?limit=1000')).body as { data: unknown[] };
  assert.ok(!JSON.stringify(events).includes(mine.id));
});

test('unknown and revoked keys are refused; after a rotation both keys work for a time', async () => {
  const narrow = await stage.makeKey({ scopes: ['balance:read'] });
  const elsewhere = await stage.makeKey({ allowed_ips: ['203.0.113.0/24'] });
  const here = await stage.makeKey({ allowed_ips: ['127.0.0.0/8'] });
  const balance = (key: string) => stage.by(key)('GET', '/v1/balance');
  assert.deepEqual(
    [
      codeOf(await stage.by(`hk_live_${'x'.repeat(43)}`)('GET', '/v1/balance')),
      codeOf(await stage.api.anonymous()('GET', '/v1/balance')),
      codeOf(await balance(elsewhere.key)),
      codeOf(await balance(here.key)),
      codeOf(await stage.by(narrow.key)('GET', '/v1/inbound')),
      codeOf(await balance(narrow.key)),
    ],
    ['401 unauthenticated', '401 unauthenticated', '403 address_not_allowed', '200', '403 scope_missing', '200'],
  );
  const corporate = await stage.api.as('corporate');
  const rotated = (await corporate('POST', `/api/v1/api-keys/${here.id}/rotate`, { overlap_hours: 1 })).body as {
    data: { key: string };
  };
  assert.deepEqual([codeOf(await balance(here.key)), codeOf(await balance(rotated.data.key))], ['200', '200']);
  await stage.api.database
    .pool('owner')
    .query("UPDATE api_key SET previous_until = now() - interval '1 s' WHERE id = $1", [here.id]);
  await waitForCache();
  assert.equal(codeOf(await balance(here.key)), '401 unauthenticated');
  assert.equal((await corporate('POST', `/api/v1/api-keys/${here.id}/revoke`)).status, 200);
  await waitForCache();
  assert.equal(codeOf(await balance(rotated.data.key)), '401 unauthenticated');
  assert.equal(codeOf(await corporate('POST', `/api/v1/api-keys/${here.id}/rotate`, {})), '409 api_key_revoked');
  const { rows } = await stage.api.database
    .pool('owner')
    .query("SELECT count(*) AS n FROM api_key WHERE encode(digest, 'escape') LIKE '%hk_%' OR prefix LIKE $1", [
      `%${here.key.slice(20)}%`,
    ]);
  assert.equal(rows[0].n, 0);
});

/** Waits until a process reads a key again; its copy is at most one second old. */
const waitForCache = () => new Promise((resolve) => setTimeout(resolve, 1_050));

test('calls over the throughput are refused with the seconds to wait', async () => {
  const owner = stage.api.database.pool('owner');
  await owner.query('UPDATE corporation SET api_throughput = 3 WHERE id = $1', [acme.corporation_id]);
  await send();
  await waitForCache();
  await send();
  const began = performance.now();
  const answers = await Promise.all(Array.from({ length: 30 }, () => send()));
  const seconds = (performance.now() - began) / 1_000;
  await owner.query('UPDATE corporation SET api_throughput = NULL WHERE id = $1', [acme.corporation_id]);
  const refused = answers.filter(({ status }) => status === 429);
  // Three are allowed at the start, and three more for every second that it took.
  assert.ok(refused.length >= 30 - 3 - Math.ceil(3 * seconds), `${refused.length} of 30 in ${seconds} s`);
  assert.ok(Number(refused[0]!.headers.get('retry-after')) >= 1);
  const taken = answers.find(({ status }) => status === 202)!;
  assert.equal(taken.headers.get('ratelimit-policy'), '"messages";q=3;w=1');
  await waitForCache();
});
