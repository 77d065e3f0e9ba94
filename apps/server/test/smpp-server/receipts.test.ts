import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom, seedOf } from '@heliograph/fault-kit';
import { encodePdu, FrameReader, MESSAGE_STATE, STATUS, startServer, statusName } from '@heliograph/smpp';
import smpp, { type PeerPdu } from 'smpp';
import { mutants, wantsAnswer } from '../../../../packages/smpp/test/mutants.ts';
import { receiptCode, receiptState } from '../../src/modules/smpp-server/receipt-reason.ts';
import { TEST_KEY } from '../test-key.ts';
import { bind, bindPdu, type Esme, PASSWORD, rawSocket, receiptsOf, repeated, smppStage, until } from './stage.ts';

const stage = await smppStage({ after });
const { owner } = stage;
await stage.carrier();
const server = await stage.server();

/** Numbers of mutated PDUs and of rounds; `npm run soak` sets larger ones. */
const MUTANTS = Number(process.env.FAULT_SMPP_MUTANTS || 5_000);
const ROUNDS = Number(process.env.FAULT_SMPP_ROUNDS || 6);
const EACH = 50;
const seed = seedOf('FAULT_SEED');

const waiting = async () => (await owner.query('SELECT FROM smpp_delivery')).rowCount;

test('a program that comes and goes gets one final receipt for each message', async () => {
  await stage.customer('moody');
  const ids: string[] = [];
  const seen: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const esme = await bind(server, 'moody', { mode: round % 2 ? 'transceiver' : 'transmitter' });
    const answers = await Promise.all(
      Array.from({ length: EACH }, (_, i) =>
        esme.submit({
          destination_addr: `6391700${round}${String(i).padStart(4, '0')}`.slice(0, 12),
          registered_delivery: 1,
        }),
      ),
    );
    ids.push(...answers.map(({ message_id }) => message_id));
    await sleep(round * 15);
    // The program unbinds only after it has acknowledged everything sent to it.
    await esme.session.unbind();
    seen.push(...receiptsOf(esme).map(({ id }) => id));
  }
  await until('all have ended', async () => {
    const { rows } = await owner.query(`SELECT count(*) FROM message_row m JOIN program_message p ON p.message_id = m.id
      WHERE m.state = 'delivered' AND p.smpp_system_id = (SELECT id FROM smpp_system_id WHERE system_id = 'moody')`);
    return rows[0].count === ids.length;
  });
  const last = await Promise.all([bind(server, 'moody'), bind(server, 'moody', { mode: 'receiver' })]);
  const all = () => [...seen, ...last.flatMap(receiptsOf).map(({ id }) => id)];
  await until('every message is reported', () => new Set(all()).size === ids.length);
  await until('nothing waits', async () => (await waiting()) === 0);
  assert.equal(repeated(all()), 0);
  assert.deepEqual(new Set(all()), new Set(ids));
  await Promise.all(last.map(({ session }) => session.unbind()));
});

test('receipts are spread over all binds of a program, and a refused one comes again', async () => {
  await stage.customer('wide', { window_size: 10 });
  const second = await stage.server();
  const sender = await bind(server, 'wide', { mode: 'transmitter', window: 10 });
  const refused = new Set<string>();
  const reply = (pdu: Parameters<NonNullable<NonNullable<Parameters<typeof bind>[2]>['reply']>>[0]) => {
    const id = 'tlvs' in pdu ? (pdu.tlvs?.receipted_message_id ?? '') : '';
    if (refused.size >= 5 || refused.has(id)) return STATUS.ROK;
    refused.add(id);
    return STATUS.RX_T_APPN;
  };
  const binds = await Promise.all(
    [server, server, second].map((each) => bind(each, 'wide', { mode: 'receiver', reply })),
  );
  const ids = new Set<string>();
  for (let i = 0; i < 200; i += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => sender.submit({ registered_delivery: 1 })));
    for (const { message_id } of answers) ids.add(message_id);
  }
  await until(
    'all is acknowledged',
    async () => (await waiting()) === 0 && ids.size === new Set(binds.flatMap(receiptsOf).map(({ id }) => id)).size,
  );
  const got = binds.map((each) => receiptsOf(each).length);
  assert.ok(Math.min(...got) > 0, `each bind got some: ${got}`);
  assert.equal(
    got.reduce((sum, n) => sum + n, 0),
    200 + refused.size,
  );
  await Promise.all([sender, ...binds].map(({ session }) => session.unbind()));
  await second.stop();
});

test('inbound messages wait until a system ID that takes replies is bound', async () => {
  const { corporation_id } = await stage.customer('replies', { receives_replies: true });
  await stage.customer('no-replies');
  const inbox = (text: string, binary = false) =>
    owner.query(
      `WITH i AS (INSERT INTO inbox_message (corporation_id, link_id, inbound_id, oa, number, message, is_binary, parts, total, handled, received_at)
         VALUES ($1, 1, (random() * 1e9)::bigint, '639170000077', '2345', $2, $3, 1, 1, 'inbox', now()) RETURNING id)
       INSERT INTO event (corporation_id, type, data) SELECT $1, 'message.received', jsonb_build_object('inbox_message_id', id) FROM i`,
      [corporation_id, text, binary],
    );
  await inbox('YES');
  await inbox('世界');
  await inbox('x'.repeat(400));
  await inbox('00ff10', true);
  await until('they wait', async () => (await waiting()) === 4);
  const esme = await bind(server, 'replies');
  await until('they have come', () => esme.received.length === 4);
  const [plain, unicode, long, binary] = esme.received as {
    source_addr: string;
    destination_addr: string;
    short_message: Uint8Array;
    data_coding: number;
    tlvs?: { message_payload?: Uint8Array };
  }[];
  assert.deepEqual([plain!.source_addr, plain!.destination_addr], ['639170000077', '2345']);
  assert.equal(Buffer.from(plain!.short_message).toString(), 'YES');
  assert.deepEqual([unicode!.data_coding, unicode!.short_message.length], [8, 4]);
  assert.equal(long!.tlvs!.message_payload!.length, 400);
  assert.deepEqual([binary!.data_coding, Buffer.from(binary!.short_message).toString('hex')], [4, '00ff10']);
  await until('nothing waits', async () => (await waiting()) === 0);
  await esme.session.unbind();
});

test('the npm smpp library binds, submits, queries and gets its receipt', async (t) => {
  await stage.customer('peer');
  const session = smpp.connect({ host: '127.0.0.1', port: server.port });
  t.after(() => session.destroy());
  session.on('error', () => undefined);
  const receipts: PeerPdu[] = [];
  session.on('deliver_sm', (pdu: PeerPdu) => {
    receipts.push(pdu);
    session.send(pdu.response());
  });
  await once(session, 'connect');
  const call = (name: 'bind_transceiver' | 'submit_sm' | 'query_sm' | 'unbind', fields: Record<string, unknown>) =>
    new Promise<PeerPdu>((answer) => session[name](fields, answer));
  assert.equal((await call('bind_transceiver', { system_id: 'peer', password: PASSWORD })).command_status, 0);
  const submitted = await call('submit_sm', {
    source_addr: 'Acme',
    source_addr_ton: 5,
    destination_addr: '639170000088',
    short_message: 'Grüße €',
    registered_delivery: 1,
  });
  assert.equal(statusName(submitted.command_status), 'ESME_ROK');
  await until('its receipt has come', () => receipts.length === 1);
  assert.equal(receipts[0]!.receipted_message_id, submitted.message_id);
  assert.equal(receipts[0]!.message_state, MESSAGE_STATE.delivered);
  const query = await call('query_sm', { message_id: submitted.message_id });
  assert.equal(query.message_state, MESSAGE_STATE.delivered);
  assert.equal((await call('unbind', {})).command_status, 0);
});

test(`${MUTANTS} mutated PDUs are answered, and the bind stays (FAULT_SEED=${seed})`, async (t) => {
  await stage.customer('mutant', { window_size: 10_000 });
  const socket = await rawSocket(server);
  t.after(() => socket.destroy());
  let answers = 0;
  let last = false;
  const reader = new FrameReader((b, at) => {
    answers++;
    last ||= b.readUInt32BE(at + 12) === 0x7ffffffe;
  });
  socket.on('data', (chunk: Buffer) => reader.push(chunk));
  socket.write(bindPdu('mutant'));
  await until('it is bound', () => answers === 1);
  const source = mutants(seededRandom(seed), seed);
  let expected = 1;
  for (let sent = 0; sent < MUTANTS; ) {
    const batch: Buffer[] = [];
    for (; batch.length < 500 && sent < MUTANTS; sent++) {
      const mutant = source.next().value as Buffer;
      if (wantsAnswer(mutant)) expected++;
      batch.push(mutant);
    }
    if (!socket.write(Buffer.concat(batch))) await once(socket, 'drain');
  }
  socket.write(encodePdu({ command: 'enquire_link', sequence: 0x7ffffffe }));
  await until('all is answered', () => last && answers === expected + 1);
});

test('messages acknowledged by a killed process are sent and reported by another', async (t) => {
  await stage.customer('survivor', { window_size: 1_000 });
  const file = join(import.meta.dirname, '../../src/processes/smpp-server.ts');
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, DATABASE_URL: stage.url, SECRET_KEY: TEST_KEY, SMPP_SERVER_PORT: '0', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  const esme: Esme = await bind({ port: Number(new URL(url).port) }, 'survivor', { reply: () => undefined });
  const acknowledged: string[] = [];
  let killed = false;
  const flood = Array.from({ length: 600 }, async (_, i) => {
    await sleep(i);
    if (killed) return;
    const { kind, status, message_id } = await esme
      .submit({ registered_delivery: 1 })
      .catch(() => ({ kind: '', status: -1, message_id: '' }));
    if (kind === 'answered' && status === STATUS.ROK) acknowledged.push(message_id);
    if (acknowledged.length === 200) {
      killed = true;
      child.kill('SIGKILL');
    }
  });
  await Promise.all(flood);
  assert.ok(acknowledged.length >= 200);
  await owner.query(
    "UPDATE smpp_session SET seen_at = now() - interval '1 minute' WHERE process LIKE '%' || $1 || '%'",
    [`:${child.pid}:`],
  );
  const again = await bind(server, 'survivor');
  const got = () => new Set(receiptsOf(again).map(({ id }) => id));
  await until('all that was acknowledged is reported', () => acknowledged.every((id) => got().has(id)));
  assert.equal(repeated(receiptsOf(again).map(({ id }) => id)), 0);
  await again.session.unbind();
});

test('each final outcome of a message has its state and codes in SMPP', () => {
  const said = (state: string, error: string | null) => {
    const ended = receiptState(state, error)!;
    const { err, network, octet } = receiptCode(ended, error);
    return [ended, err, network && `${network.type}:${network.code}`, octet];
  };
  assert.deepEqual(said('delivered', null), ['delivered', '000', undefined, 0]);
  assert.deepEqual(said('failed_other', 'undeliverable:gsm-27'), ['undeliverable', '027', '3:27', 27]);
  assert.deepEqual(said('failed_other', 'rejected:069'), ['rejected', '069', '8:69', 69]);
  assert.deepEqual(said('failed_other', 'rejected:1234'), ['rejected', '1234', '8:1234', 255]);
  assert.deepEqual(said('failed_other', 'undeliverable:E7'), ['undeliverable', '0E7', undefined, 255]);
  assert.deepEqual(said('failed_other', 'deleted'), ['deleted', '000', undefined, 0]);
  assert.deepEqual(said('failed_other', 'skipped'), ['undeliverable', '000', undefined, 0]);
  assert.deepEqual(said('expired', 'expired:069'), ['expired', '069', '8:69', 69]);
  assert.deepEqual(said('expired', null), ['expired', '001', undefined, 1]);
  assert.deepEqual(said('failed_submit', 'ESME_RINVDSTADR'), ['rejected', '011', '7:11', 11]);
  assert.deepEqual(said('failed_submit', '0x00000450'), ['rejected', '1104', '7:1104', 255]);
  assert.deepEqual(said('failed_submit', 'no_answer'), ['unknown', '001', undefined, 1]);
  assert.deepEqual(said('blocked', 'opted_out'), ['rejected', '001', undefined, 1]);
  assert.equal(receiptState('submitted', null), undefined);
});

test('receipts and query_sm give a program the carrier’s state and code', async (t) => {
  const outcomes = [
    { stat: 'UNDELIV', err: '000', network: Buffer.from([3, 0, 27]), told: ['undeliverable', '027', '03001b', 27] },
    { stat: 'REJECTD', err: '069', told: ['rejected', '069', '080045', 69] },
    { stat: 'DELETED', err: '000', told: ['deleted', '000', '', 0] },
  ] as const;
  let taken = 0;
  const smsc = await startServer<unknown>(
    { port: 0 },
    {
      onBind: (_bind, session) => session.acceptBind('carrier'),
      onRequests: (requests, session) => {
        for (const request of requests) {
          if (request.command !== 'submit_sm') continue;
          const { stat, err, ...more } = outcomes[taken++ % outcomes.length]!;
          session.respond(request, STATUS.ROK, `c${taken}`);
          const text = `id:c${taken} sub:001 dlvrd:000 submit date:2601010000 done date:2601010000 stat:${stat} err:${err} text:`;
          const tlvs = 'network' in more ? { network_error_code: more.network } : {};
          const addresses = { source_addr: request.destination_addr, destination_addr: request.source_addr };
          session.deliver({ ...addresses, esm_class: 4, short_message: Buffer.from(text), tlvs }, undefined);
        }
      },
    },
  );
  t.after(async () => {
    for (const session of smsc.sessions) session.destroy();
    await smsc.stop();
  });
  await owner.query('UPDATE link SET port = $1 WHERE NOT for_tests', [smsc.port]);
  await until('the carrier is bound to', () => [...smsc.sessions].some(({ state }) => state === 'bound'));
  await stage.customer('reasons');
  const esme = await bind(server, 'reasons');
  for (const { told } of outcomes) {
    const before = esme.received.length;
    const { message_id } = await esme.submit({ registered_delivery: 1 });
    await until('the receipt has come', () => esme.received.length > before);
    const receipt = esme.received[before]!;
    assert.ok(receipt.command === 'deliver_sm');
    const query = await esme.request({ command: 'query_sm', message_id });
    assert.ok(query.pdu?.command === 'query_sm_resp');
    const [state, err, network, octet] = told;
    assert.equal(receipt.tlvs?.message_state, MESSAGE_STATE[state]);
    assert.match(Buffer.from(receipt.short_message).toString('latin1'), new RegExp(` err:${err} `));
    assert.equal(Buffer.from(receipt.tlvs?.network_error_code ?? []).toString('hex'), network);
    assert.deepEqual([query.pdu.message_state, query.pdu.error_code], [MESSAGE_STATE[state], octet]);
  }
  await esme.session.unbind();
});
