import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@heliograph/fault-kit';
import {
  concatenationOf,
  concatenationUdh,
  type DeliverSm,
  decodeShortMessage,
  encodeShortMessage,
  type MessageFields,
  type Outcome,
  openSession,
  parseReceipt,
  type Receipt,
  type Session,
  STATUS,
  splitUdh,
} from '@heliograph/smpp';
import { type Simulator, type SimulatorOptions, startSimulator } from '../src/index.ts';

interface Link {
  simulator: Simulator;
  session: Session<string>;
  outcomes: Outcome<string>[];
  /** Receipts and outcomes in the order they came. */
  events: string[];
  receipts: Receipt[];
  replies: DeliverSm[];
}

async function link(
  t: TestContext,
  options: SimulatorOptions = {},
  answerStatus: () => number = () => STATUS.ROK,
  responseMs = 60_000,
): Promise<Link> {
  const simulator = await startSimulator({
    smppPort: 0,
    httpPort: 0,
    ...options,
    settings: { receipt_delay_ms: 30, late_receipt_ms: 300, late_response_ms: 200, ...options.settings },
  });
  const made = { simulator, outcomes: [], events: [], receipts: [], replies: [] } as unknown as Link;
  made.session = openSession<string>(
    {
      host: '127.0.0.1',
      port: simulator.smppPort,
      bind: { mode: 'transceiver', system_id: 'esme', password: 'secret' },
      responseMs,
      window: 1_000,
    },
    {
      onResponses: (batch) => {
        made.outcomes.push(...batch);
        for (const o of batch) made.events.push(`${o.kind} ${o.context} ${o.message_id}`);
      },
      onRequests: (requests, session) => {
        for (const request of requests as DeliverSm[]) {
          const receipt = parseReceipt(request);
          if (receipt) {
            made.receipts.push(receipt);
            made.events.push(`receipt ${request.source_addr} ${receipt.id}`);
          } else made.replies.push(request);
          session.respond(request, answerStatus());
        }
      },
    },
  );
  t.after(async () => {
    made.session.destroy();
    await simulator.stop();
  });
  await until('the bind', () => made.session.state === 'bound');
  return made;
}

const message = (to: string, text = 'hello'): MessageFields => ({
  source_addr: 'ACME',
  source_addr_ton: 5,
  destination_addr: to,
  registered_delivery: 1,
  short_message: encodeShortMessage(text, 'gsm'),
});

test('delivers to ordinary numbers, with the id of the response in the receipt', async (t) => {
  const { session, outcomes, receipts, simulator } = await link(t);
  for (let i = 0; i < 300; i++) session.submit(message(`6391700${1000 + i}`), String(i));
  await until('receipts', () => receipts.length === 300);
  assert.ok(outcomes.every((o) => o.status === STATUS.ROK));
  assert.deepEqual(new Set(receipts.map((r) => r.id)), new Set(outcomes.map((o) => o.message_id)));
  assert.ok(receipts.every((r) => r.state === 'delivered'));
  await until('acknowledgements', () => simulator.counts().receipts_acknowledged === 300);
  assert.ok(simulator.log().data.every((s) => s.receipt === 'acknowledged' && s.text === 'hello' && s.from === 'ACME'));
});

for (const [digits, state] of [
  ['9901', 'delivered'],
  ['9902', 'expired'],
  ['9903', 'undeliverable'],
  ['9912', 'deleted'],
  ['9913', 'rejected'],
  ['9914', 'unknown'],
] as const) {
  test(`a number that ends in ${digits} is accepted and reported ${state}`, async (t) => {
    const { session, outcomes, receipts } = await link(t);
    session.submit(message(`63917000${digits}`), 'm');
    await until('the receipt', () => receipts.length === 1);
    assert.equal(outcomes[0]?.status, STATUS.ROK);
    assert.deepEqual([receipts[0]?.id, receipts[0]?.state], [outcomes[0]?.message_id, state]);
  });
}

test('…9904 is refused at submit, without id or receipt', async (t) => {
  const { session, outcomes, receipts } = await link(t);
  session.submit(message('639170009904'), 'm');
  await until('the answer', () => outcomes.length === 1);
  await sleep(80);
  assert.deepEqual([outcomes[0]?.status, outcomes[0]?.message_id, receipts.length], [STATUS.RINVDSTADR, '', 0]);
});

test('…9905 is throttled three times and then accepted', async (t) => {
  const { session, outcomes, receipts } = await link(t);
  for (let i = 0; i < 4; i++) session.submit(message('639170009905'), 'm');
  await until('answers', () => outcomes.length === 4 && receipts.length === 1);
  assert.deepEqual(
    outcomes.map((o) => o.status),
    [STATUS.RTHROTTLED, STATUS.RTHROTTLED, STATUS.RTHROTTLED, STATUS.ROK],
  );
});

test('…9906 is never answered, …9911 after the timer; both reach the handset', async (t) => {
  const { session, outcomes, simulator } = await link(t, { settings: { late_response_ms: 3_000 } }, undefined, 400);
  session.submit(message('639170009906'), 'silent');
  session.submit(message('639170009911'), 'late');
  await until('timer and late answer', () => outcomes.length === 3);
  assert.deepEqual(
    outcomes.map((o) => `${o.kind} ${o.context}`),
    ['uncertain silent', 'uncertain late', 'late late'],
  );
  assert.equal(simulator.messagesOf('639170009906').length, 1);
  assert.equal(simulator.messagesOf('639170009911').length, 1);
});

test('…9907 is reported late, …9908 before its response, …9909 twice, …9910 never', async (t) => {
  const { session, events, receipts, simulator } = await link(t);
  for (const digits of ['9907', '9908', '9909', '9910']) session.submit(message(`63917000${digits}`), digits);
  await until('the late receipt', () => events.some((event) => event.startsWith('receipt 639170009907')));
  await until('all receipts', () => receipts.length === 4);
  const at = (start: string): number => events.findIndex((event) => event.startsWith(start));
  assert.ok(at('receipt 639170009908') < at('answered 9908'), 'the receipt comes first');
  assert.ok(at('receipt 639170009909') < at('receipt 639170009907'), 'the late one comes after ordinary ones');
  assert.equal(events.filter((event) => event.startsWith('receipt 639170009909')).length, 2);
  assert.equal(events.filter((event) => event.startsWith('receipt 639170009910')).length, 0);
  assert.equal(simulator.counts().accepted, 4);
});

test('registered_delivery 0 asks for no receipt, 2 for those of failures only', async (t) => {
  const { session, outcomes, receipts } = await link(t);
  session.submit({ ...message('639170001000'), registered_delivery: 0 }, 'none');
  session.submit({ ...message('639170001000'), registered_delivery: 2 }, 'failures');
  session.submit({ ...message('639170009903'), registered_delivery: 2 }, 'failed');
  await until('answers', () => outcomes.length === 3 && receipts.length > 0);
  await sleep(80);
  assert.deepEqual(
    receipts.map((r) => r.state),
    ['undeliverable'],
  );
});

test('ids of response and receipt may be in different bases', async (t) => {
  const { session, outcomes, receipts } = await link(t, {
    settings: { response_id_format: 'hex', receipt_style: 'text' },
  });
  session.submit(message('639170001000'), 'm');
  await until('the receipt', () => receipts.length === 1);
  assert.equal(BigInt(`0x${outcomes[0]!.message_id}`).toString(), receipts[0]!.id);
  assert.notEqual(outcomes[0]!.message_id, receipts[0]!.id);
});

test('throttles segments above the rate of their customer', async (t) => {
  const { session, outcomes, simulator } = await link(t, { settings: { rate: 100 } });
  const began = performance.now();
  for (let i = 0; i < 500; i++) session.submit(message('639170001000'), 'm');
  await until('answers', () => outcomes.length === 500);
  const seconds = (performance.now() - began) / 1_000;
  const accepted = outcomes.filter((o) => o.status === STATUS.ROK).length;
  assert.ok(accepted >= 25 && accepted <= 26 + 100 * seconds, `${accepted} accepted in ${seconds} s`);
  assert.equal(simulator.counts().throttled, 500 - accepted);
  await sleep(300);
  session.submit(message('639170001000'), 'again');
  await until('the answer', () => outcomes.length === 501);
  assert.equal(outcomes[500]?.status, STATUS.ROK);
});

test('sends a receipt again until the customer takes it', async (t) => {
  let refusals = 2;
  const { session, receipts, simulator } = await link(t, {}, () => (refusals-- > 0 ? STATUS.RX_T_APPN : STATUS.ROK));
  session.submit(message('639170001000'), 'm');
  await until('two more tries', () => receipts.length === 3);
  await until('the acknowledgement', () => simulator.counts().receipts_acknowledged === 1);
});

test('receipts for a disconnected customer wait until it binds again', async (t) => {
  // A receipt that arrives before the customer disconnects is refused.
  const { session, outcomes, simulator } = await link(
    t,
    { settings: { receipt_delay_ms: 1_000 } },
    () => STATUS.RX_T_APPN,
  );
  session.submit(message('639170001000'), 'm');
  await until('the answer', () => outcomes.length === 1);
  session.destroy();
  await sleep(1_100);
  const ids: string[] = [];
  const bind = { mode: 'receiver' as const, system_id: 'esme', password: '' };
  const back = openSession<string>(
    { host: '127.0.0.1', port: simulator.smppPort, bind },
    {
      onRequests: (requests, self) => {
        for (const request of requests as DeliverSm[]) {
          ids.push(parseReceipt(request)!.id);
          self.respond(request, STATUS.ROK);
        }
      },
    },
  );
  t.after(() => back.destroy());
  await until('the receipt', () => ids.length === 1);
  assert.equal(ids[0], simulator.log().data[0]?.id);
});

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

test('the log file has every segment and every acknowledged receipt', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'carrier-'));
  t.after(() => rm(folder, { recursive: true }));
  const logFile = join(folder, 'log.ndjson');
  const { session, simulator } = await link(t, { logFile, keep: 10 });
  for (let i = 0; i < 100; i++) session.submit(message(`6391700${3000 + i}`, `text ${i}`), 'm');
  await until('receipts', () => simulator.counts().receipts_acknowledged === 100);
  assert.equal((await stat(logFile)).mode & 0o077, 0);
  const written = async () => (await readFile(logFile, 'utf8')).split('\n').slice(0, -1);
  for (let i = 0; i < 3_000 && (await written()).length < 200; i++) await sleep(10);
  const lines = (await written()).map((line) => JSON.parse(line) as { kind: string; text?: string });
  assert.deepEqual(
    lines.filter((l) => l.kind === 'segment').map((l) => l.text),
    Array.from({ length: 100 }, (_, i) => `text ${i}`),
  );
  assert.equal(lines.filter((l) => l.kind === 'acknowledged').length, 100);
});

test('a full log file starts again, and the one before is kept', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'carrier-'));
  t.after(() => rm(folder, { recursive: true }));
  const logFile = join(folder, 'log.ndjson');
  const logBytes = 20_000;
  const { session, simulator } = await link(t, { logFile, logBytes });
  for (let sent = 0; sent < 300; ) {
    for (let i = 0; i < 20; i++) session.submit(message(`6391700${3000 + sent++}`, 'text'), 'm');
    await until('receipts', () => simulator.counts().receipts_acknowledged === sent);
  }
  assert.deepEqual((await readdir(folder)).sort(), ['log.ndjson', 'log.ndjson.1']);
  for (const name of await readdir(folder)) {
    const { size, mode } = await stat(join(folder, name));
    assert.ok(size <= 2 * logBytes, `${name}: ${size}`);
    assert.equal(mode & 0o077, 0);
  }
});

test('checks the password of a bind if accounts are set', async (t) => {
  const simulator = await startSimulator({ smppPort: 0, httpPort: null, settings: { accounts: { esme: 'right' } } });
  t.after(() => simulator.stop());
  const bind = (system_id: string, password: string): Promise<number | undefined> =>
    new Promise((resolve) => {
      const session = openSession<string>(
        { host: '127.0.0.1', port: simulator.smppPort, bind: { mode: 'transceiver', system_id, password } },
        {
          onBound: () => {
            resolve(0);
            session.destroy();
          },
          onClose: (closing) => resolve(closing.status),
        },
      );
    });
  assert.equal(await bind('esme', 'right'), 0);
  assert.equal(await bind('esme', 'wrong'), STATUS.RINVPASWD);
  assert.equal(await bind('constructor', 'x'), STATUS.RINVSYSID);
});
