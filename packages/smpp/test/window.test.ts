import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@heliograph/fault-kit';
import { type ApplicationRequest, PduError, type Session, STATUS } from '../src/index.ts';
import { acceptAll, pair, text } from './session-pair.ts';

test('submits are answered in batches, each with its own context and id', async (t) => {
  const batches: number[] = [];
  const { client, outcomes } = await pair(t, { window: 500 }, acceptAll, {
    onResponses: (batch) => {
      batches.push(batch.length);
      outcomes.push(...batch);
    },
  });
  for (let i = 0; i < 500; i++) assert.ok(client.submit({ destination_addr: '639170000000', short_message: text }, i));
  assert.equal(client.submit({ destination_addr: '639170000000' }, 501), false, 'the window is full');
  await until('answers', () => outcomes.length === 500);
  assert.deepEqual(
    outcomes.map((o) => o.context).sort((a, b) => a - b),
    [...Array(500).keys()],
  );
  assert.ok(outcomes.every((o) => o.kind === 'answered' && o.status === 0 && o.message_id === `id-${o.sequence}`));
  assert.ok(batches.length < 50, `${batches.length} batches for 500 answers`);
  assert.equal(client.inFlight, 0);
});

test('onReady comes when a full window has room again', async (t) => {
  let sent = 0;
  const fill = (session: Session<number>): void => {
    while (sent < 1_000 && session.submit({ destination_addr: '1', short_message: text }, sent)) sent++;
  };
  const { client, outcomes } = await pair(t, { window: 10 }, acceptAll, { onReady: fill });
  fill(client);
  await until('all answers', () => outcomes.length === 1_000);
});

test('a bad field is refused before anything is sent and costs no slot', async (t) => {
  const { client, outcomes } = await pair(t, { window: 2 }, acceptAll);
  assert.throws(() => client.submit({ destination_addr: 'x'.repeat(30) }, 1), PduError);
  assert.equal(client.inFlight, 0);
  client.submit({ destination_addr: '1' }, 2);
  await until('the answer', () => outcomes.length === 1);
});

test('a lost response is uncertain, frees its slot, and a late one still resolves it', async (t) => {
  const held: { request: ApplicationRequest; session: Session<unknown> }[] = [];
  const { client, outcomes } = await pair(
    t,
    { window: 3, responseMs: 120 },
    {
      onRequests: (requests, session) => held.push(...requests.map((request) => ({ request, session }))),
    },
  );
  for (let i = 0; i < 3; i++) client.submit({ destination_addr: '1', short_message: text }, i);
  await until('the timer', () => outcomes.length === 3 && held.length === 3);
  assert.deepEqual(
    outcomes.map((o) => [o.kind, o.context, o.status]),
    [0, 1, 2].map((i) => ['uncertain', i, -1]),
  );
  assert.equal(client.free, 3);
  for (const { request, session } of held) session.respond(request, STATUS.ROK, 'late');
  await until('the late answers', () => outcomes.length === 6);
  assert.deepEqual(
    outcomes.slice(3).map((o) => [o.kind, o.context, o.message_id]),
    [0, 1, 2].map((i) => ['late', i, 'late']),
  );
  assert.equal(client.state, 'bound');
});

test('too many lost responses in a row close the session', async (t) => {
  const { client, closings } = await pair(t, { window: 5, responseMs: 80, maxConsecutiveTimeouts: 5 }, {});
  for (let i = 0; i < 5; i++) client.submit({ destination_addr: '1' }, i);
  await until('the close', () => closings.length === 1);
  assert.equal(closings[0]?.reason, 'responses_lost');
});

test('reports submits as uncertain or unsent after the connection is lost', async (t) => {
  // The server waits for its own answer to the first submit before it closes.
  const { client, server, outcomes, closings } = await pair(t, { window: 10 }, {}, {}, { responseMs: 100 });
  client.submit({ destination_addr: '1' }, 1);
  await sleep(30);
  client.submit({ destination_addr: '1' }, 2);
  client.destroy();
  assert.deepEqual(outcomes.map((o) => [o.context, o.kind]).sort(), [
    [1, 'uncertain'],
    [2, 'unsent'],
  ]);
  assert.deepEqual(
    closings.map((c) => c.reason),
    ['destroyed'],
  );
  assert.equal(client.submit({ destination_addr: '1' }, 3), false);
  await until('the other side', () => server.state === 'closed');
});

test('sequence numbers wrap from 0x7FFFFFFF to 1 and skip those in flight', async (t) => {
  const sequences: number[] = [];
  let held: ApplicationRequest | undefined;
  const { client, server, outcomes } = await pair(
    t,
    { window: 500, firstSequence: 0x7ffffff0 },
    {
      onRequests: (requests, session) => {
        for (const request of requests) {
          sequences.push(request.sequence);
          if (held === undefined) held = request;
          else session.respond(request, STATUS.ROK, 'x');
        }
      },
    },
  );
  let sent = 0;
  while (sent < 5_000) {
    while (sent < 5_000 && client.submit({ destination_addr: '1' }, sent)) sent++;
    await sleep(1);
  }
  await until('all but the held one', () => outcomes.length === 4_999);
  server.respond(held!, STATUS.ROK, 'held');
  await until('the held one', () => outcomes.length === 5_000);
  assert.deepEqual([outcomes.at(-1)?.context, outcomes.at(-1)?.message_id], [0, 'held']);
  assert.equal(new Set(sequences).size, 5_000);
  assert.ok(sequences.every((s) => s >= 1 && s <= 0x7fffffff));
  assert.ok(sequences.includes(0x7fffffff) && sequences.includes(1));
});

test('pauses reading while the application owes too many answers', async (t) => {
  const owed: ApplicationRequest[] = [];
  const { client, server, outcomes } = await pair(
    t,
    { window: 2_000 },
    { onRequests: (requests) => owed.push(...requests) },
    {},
    { maxUnanswered: 100, responseMs: 500, enquireLinkMs: 500 },
  );
  for (let i = 0; i < 2_000; i++) client.submit({ destination_addr: '1', short_message: Buffer.alloc(250) }, i);
  await until('what is read before the pause', () => owed.length > 100);
  await sleep(1_500);
  assert.ok(owed.length < 2_000, `${owed.length} read`);
  assert.equal(server.state, 'bound', 'its own pause is no silence of the peer');
  while (outcomes.length < 2_000) {
    for (const request of owed.splice(0)) server.respond(request, STATUS.ROK, 'x');
    await sleep(2);
  }
});
