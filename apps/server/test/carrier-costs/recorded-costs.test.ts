import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownCarrier } from '../delivery/own-carrier.ts';
import { logOf, numbers, type Stage, stage, UNIT_PRICE, until } from '../delivery/stage.ts';
import { addCard } from './applied-card.ts';

const RATES = { '6391700': 4_001, '63917': 3_907, '639171': 5_003 };
type Sums = { parts: number; unknown: number; cost: number; spend: number; owed: number; entries: number };

/** Reads the sums, what is owed to carriers, and the entries of the ledger behind it. */
const sumsOf = (s: Stage) =>
  s.one<Sums>(`SELECT coalesce(sum(parts), 0)::int AS parts, coalesce(sum(unknown_parts), 0)::int AS unknown,
    coalesce(sum(cost), 0)::int AS cost, coalesce(sum(spend), 0)::int AS spend,
    (SELECT coalesce(sum(owed), 0)::int FROM carrier_account) AS owed,
    (SELECT coalesce(sum(amount), 0)::int FROM cost_entry WHERE book = 'carrier') AS entries FROM traffic_cost`);

/** Computes the cost of a number with the card, by the longest prefix; undefined if no rate fits. */
function costOf(msisdn: string, rates: Readonly<Record<string, number>> = RATES): number | undefined {
  for (let length = msisdn.length; length > 0; length--) {
    const amount = rates[msisdn.slice(0, length)];
    if (amount !== undefined) return amount;
  }
  return undefined;
}

test('recorded costs are what the carrier’s own log costs by the card', async (t) => {
  const s = await stage(t);
  const simulator = await s.simulator();
  await s.addLink({ port: simulator.smppPort });
  await addCard(s.owner, s.linkId, RATES);
  await s.sender();
  const long = { text: 'x'.repeat(200), parts: 2 };
  const unknown = Array.from({ length: 7 }, (_, i) => ({ msisdn: `4479000000${i}0` }));
  const messages = [...numbers(400), ...unknown, { msisdn: '639171999999', ...long }];
  const campaign = await s.campaign(messages);
  await until('all are delivered', async () => (await s.counters(campaign.id)).delivered === messages.length);
  const taken = logOf(simulator).filter(({ id }) => id !== '');
  assert.equal(taken.length, messages.length + 1);
  const costs = taken.map(({ to }) => costOf(to));
  const cost = costs.reduce((sum: number, each) => sum + (each ?? 0), 0);
  const spend = taken.length * UNIT_PRICE;
  assert.deepEqual(await sumsOf(s), { parts: taken.length, unknown: 7, cost, spend, owed: cost, entries: cost });
  const { wrong } = await s.one<{ wrong: number }>(
    'SELECT count(*)::int AS wrong FROM (SELECT transfer_id FROM cost_entry GROUP BY 1 HAVING sum(amount) <> 0 OR count(*) <> 2) e',
  );
  assert.equal(wrong, 0);
  await assert.rejects(s.owner.query('UPDATE cost_transfer SET amount = 1'), /append-only/);
  await assert.rejects(s.owner.query('DELETE FROM cost_entry'), /append-only/);
});

test('a card on delivery costs delivered messages only, and corrections exactly', async (t) => {
  const s = await stage(t, { chargeOnDelivery: true });
  const carrier = await ownCarrier(s, (submit, { accept }) => accept(submit));
  await s.addLink({ port: carrier.port });
  await addCard(s.owner, s.linkId, RATES, { on: 'delivery' });
  const sender = await s.sender();
  const long = { text: 'x'.repeat(200), parts: 2 };
  const [a, b, c] = numbers(3) as [{ msisdn: string }, { msisdn: string }, { msisdn: string }];
  const campaign = await s.campaign([a, b, { ...c, ...long }], { shared: { charge_on_delivery: true } });
  await until('all were submitted', async () => (await s.counters(campaign.id)).submitted === 3);
  assert.deepEqual(await sumsOf(s), { parts: 4, unknown: 0, cost: 0, spend: 0, owed: 0, entries: 0 });
  const say = async (to: { msisdn: string }, state: 'delivered' | 'undeliverable') => {
    const parts = carrier.submits.filter(({ pdu }) => pdu.destination_addr === to.msisdn);
    const answered = carrier.answers.length;
    for (const submit of parts)
      carrier.receipt(submit, String(submit.number), { state, session: carrier.sessions.at(-1)! });
    await until('it is answered', () => carrier.answers.length >= answered + parts.length);
  };
  const unit = costOf(a.msisdn)!;
  const costs = async (parts: number) => {
    const expected = { cost: parts * unit, spend: parts * UNIT_PRICE, owed: parts * unit };
    await until(`${parts} parts cost`, async () => (await sumsOf(s)).owed === expected.owed);
    const { cost, spend, owed } = await sumsOf(s);
    assert.deepEqual({ cost, spend, owed }, expected);
  };
  await say(a, 'delivered');
  await say(b, 'undeliverable');
  await costs(1);
  await say(c, 'delivered');
  await costs(3);
  // Another sender, which knows nothing of the messages, records their corrections.
  await sender.stop();
  await s.sender();
  await until('it is bound again', () => carrier.sessions.length > 0);
  await say(c, 'undeliverable');
  await costs(1);
  await say(b, 'delivered');
  await costs(2);
  await say(a, 'undeliverable');
  await costs(1);
  const { kinds } = await s.one<{ kinds: string[] }>(
    'SELECT array_agg(DISTINCT kind ORDER BY kind) AS kinds FROM cost_transfer',
  );
  assert.deepEqual(kinds, ['correction', 'cost']);
});

test('without a card the cost is unknown, and nothing is owed', async (t) => {
  const s = await stage(t);
  const simulator = await s.simulator();
  await s.addLink({ port: simulator.smppPort });
  await s.sender();
  const campaign = await s.campaign(numbers(30));
  await until('all are delivered', async () => (await s.counters(campaign.id)).delivered === 30);
  const spend = 30 * UNIT_PRICE;
  assert.deepEqual(await sumsOf(s), { parts: 30, unknown: 30, cost: 0, spend, owed: 0, entries: 0 });
});
