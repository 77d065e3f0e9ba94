import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { kannelProgram, startKannel } from '../delivery/kannel-gateway.ts';
import { ownPort } from '../own-port.ts';
import { PASSWORD, smppStage, until } from './stage.ts';

// Debian's Kannel acts as a customer of ours. Its bearerbox binds; its smsbox submits messages and reports receipts,
// both over HTTP.

const bearerbox = kannelProgram('bearerbox');
const smsbox = kannelProgram('smsbox');
const skip =
  bearerbox && smsbox
    ? false
    : 'NOT RUN: Kannel is not installed (apt-get install kannel), so nothing of it was tested';

/** Number of messages; `npm run soak` sets a larger one. */
const MESSAGES = Number(process.env.FAULT_SMPP_KANNEL || 150);
const AT_ONCE = 20;

/** Starts both boxes, bound to our port. Returns a function to send, and the receipts by the id of their message. */
async function gateway(t: TestContext, port: number) {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-kannel-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const receipts = new Map<string, number[]>();
  const listener = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    const id = searchParams.get('id') ?? '';
    receipts.set(id, [...(receipts.get(id) ?? []), Number(searchParams.get('type'))]);
    response.end();
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  t.after(() => listener.close());
  const own = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const [admin, box, http] = [await ownPort(), await ownPort(), await ownPort()];
  const core = { 'admin-port': admin, 'admin-password': PASSWORD, 'smsbox-port': box };
  const boxes = await startKannel({
    program: bearerbox!,
    folder,
    port: box,
    groups: [
      ['core', { ...core, 'store-type': 'file', 'store-location': join(folder, 'store') }],
      [
        'smsc',
        {
          smsc: 'smpp',
          'smsc-id': 'us',
          host: '127.0.0.1',
          port,
          'smsc-username': 'kannel',
          'smsc-password': PASSWORD,
          'system-type': '""',
          'transceiver-mode': true,
          'reconnect-delay': 1,
          'max-pending-submits': 50,
        },
      ],
      ['smsbox', { 'bearerbox-host': '127.0.0.1' }],
    ],
  });
  t.after(() => boxes.stop());
  const front = await startKannel({
    program: smsbox!,
    folder,
    port: http,
    groups: [
      ['core', core],
      ['smsbox', { 'bearerbox-host': '127.0.0.1', 'bearerbox-port': box, 'sendsms-port': http }],
      ['sendsms-user', { username: 'peer', password: PASSWORD, 'max-messages': 10, concatenation: true }],
    ],
  });
  t.after(() => front.stop());
  const send = async (id: string, to: string, text: string) => {
    const query = new URLSearchParams({
      username: 'peer',
      password: PASSWORD,
      from: 'Acme',
      to,
      text,
      charset: 'UTF-8',
      coding: /^[ -~]*$/.test(text) ? '0' : '2',
      'dlr-mask': '3',
      'dlr-url': `${own}/?id=${id}&type=%d`,
    });
    const reply = await fetch(`http://127.0.0.1:${http}/cgi-bin/sendsms?${query}`);
    assert.equal(reply.status, 202, await reply.text());
  };
  return { send, receipts };
}

test(`${MESSAGES} messages of Kannel reach a carrier, with one receipt for each`, { skip }, async (t) => {
  const stage = await smppStage(t);
  await stage.carrier();
  await stage.customer('kannel', { window_size: 100 });
  const server = await stage.server();
  const { send, receipts } = await gateway(t, server.port);
  await until('Kannel is bound', async () => (await stage.owner.query('SELECT FROM smpp_session')).rowCount === 1);
  const texts = ['short', 'Привет, 世界', `${'in several parts, '.repeat(15)}to the end`];
  const waiting = Array.from({ length: MESSAGES }, (_, i) => i);
  const work = async () => {
    for (let i = waiting.shift(); i !== undefined; i = waiting.shift())
      await send(String(i), `63917${String(i).padStart(5, '0')}00`, texts[i % texts.length]!);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await until('all are reported', () => receipts.size === MESSAGES, 120_000 + MESSAGES * 20);
  await until('nothing waits', async () => (await stage.owner.query('SELECT FROM smpp_delivery')).rowCount === 0);
  const types = [...receipts.values()];
  assert.ok(
    types.every((each) => each.length === 1 && each[0] === 1),
    'each is delivered, and told once',
  );
  const { rows } = await stage.owner.query('SELECT DISTINCT text FROM message_row ORDER BY 1');
  assert.deepEqual(rows.map(({ text }) => text).sort(), texts.toSorted());
});
