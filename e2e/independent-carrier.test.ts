import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { countParts } from '@heliograph/contract/kernel/segments';
import smpp, { type PeerSession } from 'smpp';
import { dirtyNumbers } from './dirty-numbers.ts';
import { DEMO_PASSWORD, PATH_MS, startHouse } from './house.ts';

/** Fields of the API's answers that this test reads. */
interface Reply {
  id: number;
  state: string;
  total_count: number;
  total_sms: number;
  cost: string;
  delivered: number;
  charged: string;
}

/**
 * Starts a carrier built with another SMPP library. It takes every submit, answers with a hexadecimal id, and sends a
 * receipt.
 */
async function independentCarrier(
  after: (stop: () => Promise<void>) => void,
): Promise<{ port: number; taken: string[]; bound: Promise<void> }> {
  const taken: string[] = [];
  const bound = Promise.withResolvers<void>();
  const sessions = new Set<PeerSession>();
  const server = smpp.createServer((session) => {
    sessions.add(session);
    session.on('bind_transceiver', (pdu) => {
      session.send(pdu.response());
      bound.resolve();
    });
    session.on('enquire_link', (pdu) => session.send(pdu.response()));
    session.on('unbind', (pdu) => session.send(pdu.response()));
    session.on('error', () => undefined);
    session.on('submit_sm', (pdu) => {
      const number = String(pdu.destination_addr);
      taken.push(number);
      const id = `00AB${taken.length.toString(16).toUpperCase().padStart(8, '0')}`;
      session.send(pdu.response({ message_id: id }));
      setTimeout(() => {
        const receipt = `id:${id} sub:001 dlvrd:001 submit date:2611210000 done date:2611210000 stat:DELIVRD err:000 text:`;
        session.deliver_sm(
          { source_addr: number, destination_addr: pdu.source_addr, esm_class: 4, short_message: receipt },
          () => undefined,
        );
      }, 50);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  after(async () => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return { port: address.port, taken, bound: bound.promise };
}

test('the same campaign arrives complete at an independent carrier', { timeout: PATH_MS }, async (t) => {
  const carrier = await independentCarrier((stop) => t.after(stop));
  const house = await startHouse(t);
  await house.database.query('UPDATE link SET host = $1, port = $2', ['127.0.0.1', carrier.port]);
  // Before this bind, the demo's own carrier would take the messages.
  await carrier.bound;

  const call = async (method: string, path: string, body?: object | FormData, token?: string) => {
    const multipart = body instanceof FormData;
    const answer = await fetch(house.url + path, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && !multipart && { 'content-type': 'application/json' }),
      },
      ...(body && { body: multipart ? body : JSON.stringify(body) }),
    });
    const reply = (await answer.json()) as { data: Reply; access_token: string };
    assert.ok(answer.ok, `${method} ${path}: ${JSON.stringify(reply)}`);
    return reply;
  };
  const signedIn = await call('POST', '/api/v1/oauth/token', {
    username: 'corporate@heliograph.test',
    password: DEMO_PASSWORD,
  });
  const token = signedIn.access_token;

  const audience = dirtyNumbers(10_000);
  const form = new FormData();
  form.append('file', new Blob([audience.csv]), 'customers.csv');
  const file = await call('POST', '/api/v1/campaigns/files', form, token);
  const { rows: senders } = await house.database.query(`SELECT id FROM sender_id WHERE sender_id = 'AcmeDeals'`);
  const content = {
    sender_id: senders[0].id,
    file_id: file.data.id,
    content: 'Hi {name}, your code is {param1} 🎉',
  };
  const parts = audience.accepted.reduce(
    (sum, row) => sum + countParts(`Hi ${row.name}, your code is ${row.param1} 🎉`).parts,
    0,
  );
  let quote = (await call('POST', '/api/v1/campaigns/quotes', content, token)).data;
  while (quote.state === 'counting') {
    await sleep(100);
    quote = (await call('GET', `/api/v1/campaigns/quotes/${quote.id}`, undefined, token)).data;
  }
  assert.equal(quote.total_count, audience.accepted.length);
  assert.equal(quote.total_sms, parts);
  const order = { quote_id: quote.id, name: 'Elsewhere', confirmed_cost: quote.cost };
  let campaign = (await call('POST', '/api/v1/campaigns', order, token)).data;
  const deadline = Date.now() + 240_000;
  // A sweep closes the campaign, up to a second after its last message has left.
  while (campaign.delivered !== audience.accepted.length || campaign.state !== 'completed') {
    assert.ok(Date.now() < deadline, `delivered ${campaign.delivered} of ${audience.accepted.length}`);
    await sleep(250);
    campaign = (await call('GET', `/api/v1/campaigns/${campaign.id}`, undefined, token)).data;
  }
  assert.equal(carrier.taken.length, parts, 'every part once');
  assert.deepEqual([...new Set(carrier.taken)].sort(), audience.accepted.map((row) => row.number).sort());
  assert.equal(campaign.charged, quote.cost);
});
