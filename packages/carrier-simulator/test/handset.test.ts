import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import {
  concatenationOf,
  concatenationUdh,
  type DeliverSm,
  decodeShortMessage,
  encodeShortMessage,
  type MessageFields,
  splitUdh,
} from '@heliograph/smpp';
import { link, message } from './link.ts';

test('a handset joins parts in any order and shows text in any alphabet', async (t) => {
  const { session, outcomes, simulator } = await link(t);
  const parts = ['Mabuhay, ', 'this text has ', 'three parts 😀'];
  const part = (i: number, ref: number): MessageFields => ({
    ...message('639171112222'),
    esm_class: 0x40,
    data_coding: 8,
    short_message: encodeShortMessage(parts[i]!, 'ucs2', concatenationUdh({ ref, total: 3, number: i + 1 })),
  });
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];
  orders.forEach((order, ref) => {
    for (const i of order) session.submit(part(i, ref), 'm');
  });
  session.submit(part(1, 99), 'partial');
  session.submit(message('639171112222', '@£{€}'), 'short');
  await until('answers', () => outcomes.length === 20);
  const shown = simulator.messagesOf('639171112222');
  assert.deepEqual(
    shown.map((m) => m.text),
    [...orders.map(() => parts.join('')), '…this text has …', '@£{€}'],
  );
  assert.deepEqual(
    shown.map((m) => m.parts.received),
    [3, 3, 3, 3, 3, 3, 1, 1],
  );
});

test('a reply from a handset reaches the bound session, in parts if it is long', async (t) => {
  const { replies, simulator } = await link(t);
  const base = `http://127.0.0.1:${simulator.httpPort}`;
  const send = (text: string) =>
    fetch(`${base}/api/handsets/639171112222/replies`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ to: '2345', text }),
    });
  const long = 'ж'.repeat(150);
  assert.equal((await send('YES {please}')).status, 200);
  assert.deepEqual(await (await send(long)).json(), { data: { parts: 3 } });
  await until('replies', () => replies.length === 4);
  const text = (pdu: DeliverSm): string =>
    decodeShortMessage(splitUdh(pdu.short_message, pdu.esm_class).body, pdu.data_coding);
  assert.deepEqual(
    [replies[0]!.source_addr, replies[0]!.destination_addr, text(replies[0]!)],
    ['639171112222', '2345', 'YES {please}'],
  );
  assert.equal(replies.slice(1).map(text).join(''), long);
  assert.deepEqual(
    replies.slice(1).map((pdu) => concatenationOf(pdu)?.number),
    [1, 2, 3],
  );
  assert.deepEqual(
    simulator.messagesOf('639171112222').map((m) => m.direction),
    ['sent', 'sent'],
  );
});

test('JSON calls read pages, search, change settings, and name what is wrong', async (t) => {
  const { session, outcomes, simulator } = await link(t, { keep: 50 });
  for (let i = 0; i < 80; i++) session.submit(message(`63917000${2000 + (i % 10)}`), 'm');
  await until('answers', () => outcomes.length === 80);
  const base = `http://127.0.0.1:${simulator.httpPort}`;
  const get = async (path: string) =>
    (await (await fetch(base + path)).json()) as { data: { seq: number }[]; next: number | null };
  const first = await get('/api/log?limit=30');
  assert.deepEqual([first.data[0]?.seq, first.data.length, first.next], [31, 30, 60]);
  const second = await get(`/api/log?after=${first.next}`);
  assert.deepEqual([second.data.length, second.next], [20, null]);
  assert.equal((await get('/api/handsets')).data.length, 10);
  assert.equal((await get('/api/handsets?search=2003')).data.length, 1);
  const patch = (body: string, type = 'application/json') =>
    fetch(`${base}/api/settings`, { method: 'PATCH', headers: { 'content-type': type }, body });
  assert.equal((await patch('{"rate":5,"faults":{"throttled":0.5}}')).status, 200);
  assert.deepEqual([simulator.settings().rate, simulator.settings().faults.throttled], [5, 0.5]);
  for (const bad of [
    '{"rate":-1}',
    '{"nope":1}',
    '{"faults":{"throttled":2}}',
    '{"receipt_style":"x"}',
    '{"constructor":1}',
    '[]',
  ]) {
    assert.equal((await patch(bad)).status, 422, bad);
  }
  assert.equal((await patch('{')).status, 400);
  assert.equal((await patch('{"rate":5}', 'text/plain')).status, 415);
  assert.equal((await patch(JSON.stringify({ rate: 'x'.repeat(70_000) }))).status, 413);
  assert.equal((await fetch(`${base}/api/handsets/..%2fetc`)).status, 422);
  assert.equal((await fetch(`${base}/nothing`)).status, 404);
  const page = await fetch(base);
  assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self'/);
  assert.doesNotMatch(await page.text(), /<script(?![^>]*src=)| style=| on[a-z]+=/);
});
