import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reconcile } from '#modules/billing';
import { logOf, numbers, stage, UNIT_PRICE, until } from './stage.ts';

test('every message ends in the state that the carrier gave it, with the right charge', async (t) => {
  const s = await stage(t);
  const simulator = await s.simulator();
  await s.addLink({ port: simulator.smppPort });
  const plain = numbers(1_500).filter(({ msisdn }) => !msisdn.slice(-4).startsWith('99'));
  const magic = { 9902: 40, 9903: 30, 9904: 20, 9905: 5, 9908: 50, 9909: 60, 9910: 10, 9912: 5, 9913: 5 };
  const messages = [
    ...plain,
    ...Object.entries(magic).flatMap(([ending, count]) => numbers(count, ending)),
    ...numbers(30, '9901').map((m) => ({ ...m, text: 'x'.repeat(400), parts: 3 })),
    ...numbers(10, '9903').map((m) => ({
      ...m,
      msisdn: `1${m.msisdn}`,
      text: 'ж'.repeat(100),
      unicode: true,
      parts: 2,
    })),
  ];
  const sender = await s.sender();
  const campaign = await s.campaign(messages);
  const delivered = plain.length + 5 + 50 + 60 + 30;
  await until('all is settled', async () => {
    const { delivered: seen, failed, expired, submitted } = await s.counters(campaign.id);
    // Messages without a receipt are finished when the carrier's answer is stored.
    const accepted = submitted === messages.length - 20;
    return accepted && seen === delivered && failed === 30 + 20 + 5 + 5 + 10 && expired === 40;
  });
  assert.deepEqual(await s.states(), {
    delivered,
    expired: 40,
    failed_other: 30 + 5 + 5 + 10,
    failed_submit: 20,
    submitted: 10,
  });
  const parts = messages.length - 40 + 30 * 3 + 10 * 2;
  const charged = (parts - 20) * UNIT_PRICE;
  assert.deepEqual(await s.counters(campaign.id), {
    processed: messages.length,
    submitted: messages.length - 20,
    delivered,
    failed: 70,
    expired: 40,
    cancelled: 0,
    charged,
    released: 20 * UNIT_PRICE,
  });
  assert.equal((await s.account()).reserved, 0);
  assert.deepEqual(await reconcile(s.owner), []);
  await until('the campaign is completed', async () => {
    const { state } = await s.one<{ state: string }>('SELECT state FROM campaign WHERE id = $1', [campaign.id]);
    return state === 'completed';
  });
  await sender.stop();

  // The carrier's own log is the truth: each message once, except those it refused first and accepted later.
  const log = logOf(simulator);
  const taken = log.filter(({ id }) => id !== '');
  assert.equal(new Set(taken.map(({ to, part }) => `${to}/${part?.number ?? 1}`)).size, taken.length);
  assert.equal(taken.length, parts - 20);
  const { rows } = await s.owner.query<{ carrier_id: string }>(
    'SELECT carrier_id FROM submission_row WHERE command_status = 0',
  );
  assert.deepEqual(rows.map((row) => row.carrier_id).sort(), taken.map(({ id }) => id).sort());
  const hour = await s.one<Record<string, number>>(
    'SELECT sum(messages)::bigint AS messages, sum(parts)::bigint AS parts, sum(delivered)::bigint AS delivered, sum(failed)::bigint AS failed, sum(expired)::bigint AS expired, sum(spend)::bigint AS spend FROM traffic_quarter',
  );
  assert.deepEqual(hour, {
    messages: messages.length - 20,
    parts: parts - 20,
    delivered,
    failed: 70,
    expired: 40,
    spend: charged,
  });
});
