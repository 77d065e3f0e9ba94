import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutKannel as skip, startGateway } from '../delivery/kannel-gateway.ts';
import { PASSWORD, smppStage, until } from './stage.ts';

// Debian's Kannel acts as a customer of ours. Its bearerbox binds; its smsbox submits messages and reports receipts,
// both over HTTP.

/** Number of messages; `npm run soak` sets a larger one. */
const MESSAGES = Number(process.env.FAULT_SMPP_KANNEL || 150);
const AT_ONCE = 20;

test(`${MESSAGES} messages of Kannel reach a carrier, with one receipt for each`, { skip }, async (t) => {
  const stage = await smppStage(t);
  await stage.carrier();
  await stage.customer('kannel', { window_size: 100 });
  const server = await stage.server();
  const { calls, send } = await startGateway(t, server.port, PASSWORD);
  await until('Kannel is bound', async () => (await stage.owner.query('SELECT FROM smpp_session')).rowCount === 1);
  const texts = ['short', 'Привет, 世界', `${'in several parts, '.repeat(15)}to the end`];
  const waiting = Array.from({ length: MESSAGES }, (_, i) => i);
  const work = async () => {
    for (let i = waiting.shift(); i !== undefined; i = waiting.shift())
      await send({
        id: String(i),
        to: `63917${String(i).padStart(5, '0')}00`,
        text: texts[i % texts.length]!,
        coding: i % texts.length === 1 ? 2 : 0,
      });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const reported = () => new Set(calls.receipts.map(({ id }) => id)).size;
  await until('all are reported', () => reported() === MESSAGES, 120_000 + MESSAGES * 20);
  await until('nothing waits', async () => (await stage.owner.query('SELECT FROM smpp_delivery')).rowCount === 0);
  assert.equal(calls.receipts.length, MESSAGES, 'each is told once');
  assert.ok(calls.receipts.every(({ type }) => type === 1));
  const { rows } = await stage.owner.query('SELECT DISTINCT text FROM message_row ORDER BY 1');
  assert.deepEqual(rows.map(({ text }) => text).sort(), texts.toSorted());
});
