import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { type DeliverSm, decodePdu } from '@heliograph/smpp';
import { createLogger } from '#platform/log';
import { storeInbound } from '../../src/modules/delivery/inbound/hand-on.ts';
import { InboundParts } from '../../src/modules/delivery/inbound/inbound-parts.ts';
import { PostgresSession } from '../../src/modules/delivery/postgres-session.ts';
import { connectionSettings } from '../../src/platform/database/db.ts';
import { logOf, numbers, UNIT_PRICE, until } from '../delivery/stage.ts';
import { type HttpStage, httpStage, PASSWORD } from './http-stage.ts';
import { ownHttpCarrier, ownMapping } from './own-http-carrier.ts';

const bring = (to: string, values: Record<string, string>) => fetch(`${to}?${new URLSearchParams(values)}`);

/** Counts the replies that were handed over to the inbox. */
const replies = async (s: HttpStage) =>
  (await s.owner.query<{ text: string; sender: string }>('SELECT text, sender FROM inbound_message ORDER BY id')).rows;

describe('callbacks of carriers', { concurrency: 3 }, () => {
  test('only the secret address is answered, and what it cannot read is refused', async (t) => {
    const s = await httpStage(t);
    const carrier = await ownHttpCarrier(t, ({ response }) => response.end('OK 1'));
    await s.addHttpLink('get', carrier.port, { http: ownMapping(carrier.port) });
    const to = await s.callback('receipts');
    const receipt = { id: '1', state: 'DELIVRD', to: '639170000001' };
    assert.equal((await bring(to.replace(/[0-9a-f]{4}\/receipts/, '0000/receipts'), receipt)).status, 404);
    assert.equal((await bring(to.replace(/receipts$/, 'others'), receipt)).status, 404);
    assert.equal((await bring(to, { nothing: 'of use' })).status, 400);
    assert.equal(
      (await fetch(to, { method: 'POST', body: '{broken', headers: { 'content-type': 'x/y' } })).status,
      400,
    );
    const answered = await bring(to, receipt);
    assert.deepEqual([answered.status, await answered.text()], [200, 'OK']);
    await s.owner.query('UPDATE link SET enabled = false');
    assert.equal((await bring(to, receipt)).status, 503);
    const { count } = await s.one<{ count: number }>('SELECT count(*) AS count FROM carrier_callback');
    assert.equal(count, 1);
  });

  test('only a callback with the right signature is taken', async (t) => {
    const s = await httpStage(t);
    const carrier = await ownHttpCarrier(t, () => undefined);
    const http = { signature: 'hmac_sha256_hex' as const, signature_header: 'X-Signature' };
    await s.addHttpLink('infobip', carrier.port, { http });
    const to = await s.callback('receipts');
    const body = JSON.stringify({ results: [{ messageId: 'a', to: '639170000001', status: { groupId: 3 } }] });
    const post = (signature: string, address = to) =>
      fetch(address, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'x-signature': signature },
      });
    assert.equal((await post('0'.repeat(64))).status, 403);
    assert.equal((await post('')).status, 403);
    const right = createHmac('sha256', PASSWORD).update(body).digest('hex');
    assert.equal((await post(right)).status, 200);
    // A signature of the body allows neither a call without one nor values beside it.
    const ofNothing = createHmac('sha256', PASSWORD).update('').digest('hex');
    const forged = `${to}?messageId=b&status.groupId=3`;
    assert.equal((await fetch(forged, { headers: { 'x-signature': ofNothing } })).status, 403);
    assert.equal((await post(right, forged)).status, 200);
    const { pdu } = await s.one<{ pdu: Buffer }>('SELECT pdu FROM carrier_callback ORDER BY id DESC LIMIT 1');
    assert.match(pdu.toString('latin1'), /id:a /, 'the body alone was read');
  });

  test('receipts that come early, twice or out of order end a message once', async (t) => {
    const s = await httpStage(t);
    const carrier = await ownHttpCarrier(t, async ({ query, response }) => {
      const to = query.get('to')!;
      const receipts = await s.callback('receipts');
      // The receipt comes before the answer, then the answer, then older news, then the same receipt again.
      await bring(receipts, { id: `x${to}`, state: 'DELIVRD', to });
      response.end(`OK x${to}`);
      await bring(receipts, { id: `x${to}`, state: 'ENROUTE', to });
      await bring(receipts, { id: `x${to}`, state: 'DELIVRD', to });
    });
    await s.addHttpLink('get', carrier.port, { http: ownMapping(carrier.port) });
    await s.sender();
    const campaign = await s.campaign(numbers(30));
    await until('all are delivered', async () => (await s.counters(campaign.id))['delivered'] === 30);
    await until('all callbacks are recorded', async () => {
      const { count } = await s.one<{ count: number }>('SELECT count(*) AS count FROM carrier_callback');
      return count === 0;
    });
    const { delivered, failed, charged } = await s.counters(campaign.id);
    assert.deepEqual({ delivered, failed, charged }, { delivered: 30, failed: 0, charged: 30 * UNIT_PRICE });
    assert.equal(carrier.asked.length, 30);
  });

  test('a reply that is brought again is stored once, two equal replies twice', async (t) => {
    const s = await httpStage(t);
    const carrier = await ownHttpCarrier(t, () => undefined);
    await s.addHttpLink('vonage', carrier.port);
    const to = await s.callback('replies');
    const reply = { messageId: 'm1', msisdn: '639170000001', to: '2500', text: 'STOP please ✋' };
    await Promise.all([bring(to, reply), bring(to, reply), bring(to, reply)]);
    await bring(to, { ...reply, messageId: 'm2' });
    const long = 'a long reply '.repeat(100);
    await bring(to, { ...reply, messageId: 'm3', text: long });
    const parts = { 'concat-ref': '7', 'concat-total': '2', msisdn: '639170000002', to: '2500' };
    await bring(to, { ...parts, messageId: 'p2', 'concat-part': '2', text: 'world' });
    await bring(to, { ...parts, messageId: 'p1', 'concat-part': '1', text: 'Hello ' });
    await s.sender();
    await until('all are handed over', async () => (await replies(s)).length >= 4);
    await bring(to, reply);
    assert.deepEqual(
      (await replies(s)).map(({ text }) => text).sort(),
      [reply.text, reply.text, long, 'Hello world'].sort(),
    );
  });

  test('a reply waits in the database while no sender runs, and is handed over once', async (t) => {
    const s = await httpStage(t);
    const simulator = await s.simulator();
    await s.addHttpLink('twilio', simulator.httpPort);
    const first = await s.sender();
    await s.campaign(numbers(1));
    await until('one is delivered', async () => (await s.states())['delivered'] === 1);
    await first.stop();
    assert.equal(simulator.sendFromHandset({ from: '639170000000', to: '2500', text: 'Yes' }), 1);
    await until('it is stored', async () => {
      const { count } = await s.one<{ count: number }>('SELECT count(*) AS count FROM carrier_callback');
      return count === 1;
    });
    await s.sender();
    await until('it is handed over', async () => (await replies(s)).length === 1);
    assert.equal((await replies(s))[0]!.text, 'Yes');
  });

  test('a reply is handed over with the end of its row, so a dead sender doubles none', async (t) => {
    const s = await httpStage(t);
    const carrier = await ownHttpCarrier(t, () => undefined);
    await s.addHttpLink('vonage', carrier.port);
    await bring(await s.callback('replies'), { messageId: 'm1', msisdn: '639170000001', to: '2500', text: 'Once' });
    const { id, pdu } = await s.one<{ id: number; pdu: Buffer }>('SELECT id, pdu FROM carrier_callback');
    // Two senders that read the row: the first died before it could remove what it had recorded.
    for (const name of ['first', 'second']) {
      const session = new PostgresSession(connectionSettings({ DATABASE_URL: s.database.url }, 'sender'), name);
      const taker = new InboundParts(
        session,
        storeInbound,
        createLogger({ LOG_LEVEL: 'silent' }, 'test', process.stderr),
      );
      s.closing.push(() => taker.end());
      const bringer = { state: 'bound', rowOf: () => id };
      await taker.take(decodePdu(pdu) as DeliverSm, { id: s.linkId, default_charset: 'gsm' }, bringer);
    }
    assert.equal((await replies(s)).length, 1);
  });

  test('receipts and replies are asked for page by page, also across a restart', async (t) => {
    const s = await httpStage(t);
    const simulator = await s.simulator();
    const { fields } = ownMapping(1) as { fields: string[] };
    const base = `http://127.0.0.1:${simulator.httpPort}/carriers/get`;
    await s.addHttpLink('get', simulator.httpPort, {
      http: {
        fields: fields.filter((line) => !line.startsWith('receipts=')),
        receipts: ['list=results', 'id=id', 'reference=ref', 'state=state', 'error=error', 'to=to'],
        replies: ['list=results', 'id=id', 'from=from', 'to=to', 'text=text'],
        poll_receipts: `${base}/receipts?user={user}&key={password}&cursor={cursor}`,
        poll_replies: `${base}/replies?user={user}&key={password}&cursor={cursor}`,
        poll_seconds: 1,
        poll_cursor: 'cursor',
      },
    });
    const first = await s.sender();
    const campaign = await s.campaign([...numbers(250), ...numbers(5, '9903')]);
    await until('some are delivered', async () => (await s.counters(campaign.id))['delivered']! > 0);
    await first.stop();
    await s.sender();
    await until('all have ended', async () => {
      const { delivered, failed } = await s.counters(campaign.id);
      return delivered === 250 && failed === 5;
    });
    assert.equal(logOf(simulator).length, 255);
    assert.equal((await s.counters(campaign.id))['charged'], 255 * UNIT_PRICE);
    await until('the carrier is rid of every receipt', () => simulator.counts().receipts_acknowledged === 255);
    simulator.sendFromHandset({ from: '639170000000', to: '2500', text: 'Asked for' });
    await until('the reply is handed over', async () => (await replies(s)).length === 1);
  });
});
