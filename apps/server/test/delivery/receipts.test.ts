import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reconcile } from '#modules/billing';
import { adoptReceipts } from '../../src/modules/delivery/sweeps/adopt-receipts.ts';
import { ownWriter } from './outcome-writer.ts';
import { type OwnCarrier, ownCarrier, type Submitted } from './own-carrier.ts';
import { FUNDS, numbers, type Stage, stage, UNIT_PRICE, until } from './stage.ts';

const TOTAL = Number(process.env.RECEIPTS_TOTAL ?? 10_000);
/** Maximum time between a receipt and its response, before or after it, in milliseconds. */
const SPREAD_MS = Number(process.env.RECEIPTS_SPREAD_MS ?? 400);

/** Makes a generator of numbers that look random and are the same in every run. */
function dice(seed: number): () => number {
  let x = seed;
  return () => {
    x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0;
    return x / 0x1_0000_0000;
  };
}

test(`each of ${TOTAL} receipts counts once, across binds and changes of the sender`, async (t) => {
  const s = await stage(t);
  const random = dice(42);
  const timers = new Set<NodeJS.Timeout>();
  const later = (milliseconds: number, task: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      task();
    }, milliseconds);
    timers.add(timer);
  };
  s.closing.push(async () => timers.forEach(clearTimeout));
  let receipts = 0;
  const report = (carrier: OwnCarrier, submit: Submitted) => {
    receipts++;
    const other = random() < 0.5 ? carrier.sessions.find((each) => each !== submit.session) : undefined;
    carrier.receipt(submit, String(submit.number), {
      ...(other && { session: other }),
      command: random() < 0.1 ? 'data_sm' : 'deliver_sm',
    });
  };
  const carrier = await ownCarrier(s, (submit, own) => {
    const response = random() * SPREAD_MS;
    const receipt = Math.max(0, response + (random() * 2 - 1) * SPREAD_MS);
    later(response, () => own.accept(submit));
    later(receipt, () => report(own, submit));
    if (random() < 0.05) later(receipt + random() * SPREAD_MS, () => report(own, submit));
  });
  await s.addLink({ port: carrier.port, binds: 2, window_size: 1_000 });
  const campaign = await s.campaign(numbers(TOTAL));
  for (const share of [0.3, 0.6]) {
    const sender = await s.sender();
    await until(`${share} were submitted`, () => carrier.submits.length >= TOTAL * share, 90_000 + TOTAL * 10);
    await sender.stop();
  }
  await s.sender();
  await until(
    'all are delivered',
    async () => {
      const { delivered = 0, submitted = 0 } = await s.counters(campaign.id);
      return delivered >= TOTAL && submitted >= TOTAL;
    },
    120_000 + TOTAL * 10,
  );
  await until(
    'every receipt is answered',
    () => timers.size === 0 && carrier.answers.filter((a) => a === 0).length >= receipts,
  );
  assert.equal(carrier.submits.length, TOTAL);
  assert.deepEqual(await s.states(), { delivered: TOTAL });
  const { delivered, charged, failed, submitted } = await s.counters(campaign.id);
  assert.deepEqual(
    { delivered, charged, failed, submitted },
    { delivered: TOTAL, charged: TOTAL * UNIT_PRICE, failed: 0, submitted: TOTAL },
  );
  const hours = await s.one<{ delivered: number; spend: number }>(
    'SELECT sum(delivered)::bigint AS delivered, sum(spend)::bigint AS spend FROM traffic_quarter',
  );
  assert.deepEqual(hours, { delivered: TOTAL, spend: TOTAL * UNIT_PRICE });
  const { stored, matched } = await s.one<{ stored: number; matched: number }>(
    'SELECT count(*) AS stored, count(DISTINCT message_id) AS matched FROM receipt_row',
  );
  assert.ok(stored >= receipts, `${stored} of ${receipts} receipts are on record`);
  await until('every receipt is with its message', async () => {
    const writer = ownWriter(s);
    await adoptReceipts(s.database.pool('sender'), writer, 600);
    await writer.flushed();
    const { open } = await s.one<{ open: number }>('SELECT count(*) AS open FROM receipt WHERE message_id IS NULL');
    return open === 0;
  });
  assert.ok(matched <= TOTAL);
  assert.deepEqual(await s.one('SELECT count(*) AS corrections FROM correction'), { corrections: 0 });
  assert.deepEqual(await reconcile(s.owner), []);
});

test('a receipt that comes through another link of the same account finds its message', async (t) => {
  const s = await stage(t);
  const carrier = await ownCarrier(s, (submit, { accept }) => accept(submit, `a${submit.number}`));
  await s.addLink({ port: carrier.port, name: 'First' });
  await s.sender();
  const campaign = await s.campaign(numbers(3));
  await until('all were accepted', async () => (await s.counters(campaign.id)).submitted === 3);
  await s.addLink({ port: carrier.port, name: 'Second' });
  await until('both are bound', () => carrier.sessions.length === 2);
  const other = carrier.sessions.find((each) => each !== carrier.submits[0]!.session);
  for (const submit of carrier.submits) {
    carrier.receipt(submit, `A${submit.number}`, { session: other!, withReference: false });
  }
  await until('they are answered', () => carrier.answers.filter((status) => status === 0).length >= 3);
  // The sender searches for them as well, and skips those that it is working on.
  await until('each is with its message', async () => {
    const writer = ownWriter(s);
    await adoptReceipts(s.database.pool('sender'), writer, 600);
    await writer.flushed();
    return (await s.states())['delivered'] === 3;
  });
  assert.deepEqual(await s.states(), { delivered: 3 });
});

/** Returns what accounts and reports show of each message, in the order of their numbers. */
async function told(s: Stage) {
  const { rows } = await s.owner.query<{
    state: string;
    charge: number;
    correction: string | null;
    amount: number | null;
  }>(
    `SELECT m.state, m.charge, c.state AS correction, c.amount FROM message_row m LEFT JOIN correction c ON c.message_id = m.id
     ORDER BY number`,
  );
  return rows;
}

test('links of one account match early and late receipts of each other in memory', async (t) => {
  const s = await stage(t);
  const held: Submitted[] = [];
  const carrier = await ownCarrier(s, (submit) => void held.push(submit));
  await s.addLink({ port: carrier.port, name: 'First' });
  await s.addLink({ port: carrier.port, name: 'Second' });
  await s.sender();
  await until('both are bound', () => carrier.sessions.length === 2);
  const campaign = await s.campaign(numbers(4));
  await until('all were submitted', () => held.length === 4);
  const other = carrier.sessions.find((each) => each !== held[0]!.session)!;
  const report = (submits: readonly Submitted[]) => {
    for (const submit of submits)
      carrier.receipt(submit, `a${submit.number}`, { session: other, withReference: false });
  };
  report(held.slice(0, 2));
  await until('the early ones are stored', () => carrier.answers.filter((status) => status === 0).length === 2);
  for (const submit of held) carrier.accept(submit, `a${submit.number}`);
  await until('all were accepted', async () => (await s.counters(campaign.id)).submitted === 4);
  report(held.slice(2));
  await until('all are delivered', async () => (await s.states())['delivered'] === 4, 10_000);
  const { own } = await s.one<{ own: number }>('SELECT count(*)::int AS own FROM receipt');
  assert.equal(own, 2, 'only the early ones were stored without their message');
  assert.deepEqual(await reconcile(s.owner), []);
});

test('a receipt that contradicts the final state is stored beside it, once', async (t) => {
  const s = await stage(t, { chargeOnDelivery: true });
  const carrier = await ownCarrier(s, (submit, { accept }) => accept(submit));
  await s.addLink({ port: carrier.port });
  const sender = await s.sender();
  const long = { text: 'x'.repeat(200), parts: 2 };
  const [a, b, c, d] = numbers(4) as [{ msisdn: string }, { msisdn: string }, { msisdn: string }, { msisdn: string }];
  const campaign = await s.campaign([a, b, { ...c, ...long }, d], { shared: { charge_on_delivery: true } });
  await until('all were submitted', () => carrier.submits.length === 5);
  const all = (msisdn: string) => carrier.submits.filter(({ pdu }) => pdu.destination_addr === msisdn);
  const taken = () => carrier.answers.filter((status) => status === 0).length;
  const say = async (
    to: { msisdn: string },
    state: 'delivered' | 'expired' | 'undeliverable',
    parts = all(to.msisdn),
  ) => {
    const answered = taken();
    for (const submit of parts) carrier.receipt(submit, String(submit.number), { state, error: '027' });
    await until('it is answered', () => taken() === answered + parts.length);
  };
  await say(a, 'delivered');
  await say(b, 'expired');
  await say(c, 'undeliverable');
  await say(d, 'delivered');
  await until('all have their end', async () => {
    const { delivered = 0, failed = 0, expired = 0 } = await s.counters(campaign.id);
    return delivered + failed + expired === 4;
  });
  assert.equal((await s.account()).credit_balance, FUNDS - 2 * UNIT_PRICE);
  await say(a, 'undeliverable');
  await say(b, 'delivered');
  await say(c, 'delivered', all(c.msisdn).slice(0, 1));
  await say(d, 'delivered');
  assert.equal((await told(s))[2]!.correction, null, 'one part of two is not the message');
  await say(c, 'delivered', all(c.msisdn).slice(1));
  // The carrier continues to change the state, before and after another sender has taken over.
  await say(a, 'delivered');
  await say(b, 'expired');
  await sender.stop();
  await s.sender();
  await until('it is bound again', () => carrier.sessions.length === 1);
  for (const submit of carrier.submits) {
    carrier.receipt(submit, String(submit.number), { state: 'undeliverable', session: carrier.sessions[0]! });
  }
  await until('all is answered', () => taken() >= 17);
  const error = 'undeliverable:027';
  assert.deepEqual(await told(s), [
    { state: 'delivered', charge: 0, correction: 'failed_other', amount: -UNIT_PRICE },
    { state: 'expired', charge: UNIT_PRICE, correction: 'delivered', amount: UNIT_PRICE },
    { state: 'failed_other', charge: 2 * UNIT_PRICE, correction: 'delivered', amount: 2 * UNIT_PRICE },
    { state: 'delivered', charge: 0, correction: 'failed_other', amount: -UNIT_PRICE },
  ]);
  assert.deepEqual(await s.one(`SELECT error_code FROM correction ORDER BY message_id LIMIT 1`), { error_code: error });
  assert.deepEqual(await s.account(), { credit_balance: FUNDS - 3 * UNIT_PRICE, reserved: 0 });
  const { delivered, charged } = await s.counters(campaign.id);
  assert.deepEqual({ delivered, charged }, { delivered: 2, charged: 3 * UNIT_PRICE });
  assert.deepEqual(await reconcile(s.owner), []);
});

test('contradicting receipts that arrive together keep their correction', async (t) => {
  const s = await stage(t);
  const carrier = await ownCarrier(s, (submit, { accept }) => accept(submit));
  await s.addLink({ port: carrier.port });
  await s.sender();
  const total = 50;
  const campaign = await s.campaign(numbers(total));
  await until('all were accepted', async () => (await s.counters(campaign.id)).submitted === total);
  for (const submit of carrier.submits)
    for (const state of ['undeliverable', 'delivered', 'undeliverable'] as const)
      carrier.receipt(submit, String(submit.number), { state });
  const taken = () => carrier.answers.filter((status) => status === 0).length;
  await until('all is answered', () => taken() === 3 * total);
  for (const { state, correction } of await told(s))
    assert.deepEqual([state, correction], ['failed_other', 'delivered']);
});
