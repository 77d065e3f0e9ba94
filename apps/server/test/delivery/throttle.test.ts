import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATUS } from '@heliograph/smpp';
import { reconcile } from '#modules/billing';
import { startFanOut } from '#platform/fan-out/tell';
import { createLogger } from '#platform/log';
import { LinkRate } from '../../src/modules/delivery/sending/link-rate.ts';
import { ownCarrier, type Submitted } from './own-carrier.ts';
import { logOf, numbers, stage, UNIT_PRICE, until } from './stage.ts';

const TICK_MS = 20;
const LATENCY_MS = 60;
/** Part of one second's rate that fits into the carrier's bucket. */
const BURST = 0.25;

interface Second {
  accepted: number;
  throttled: number;
}

interface Part {
  number: number;
  tried: boolean;
}

/**
 * Simulates a link and a carrier with a hard bucket on one clock, tick by tick. A segment is answered after a while; a
 * throttled one goes first when the link continues. A third of the messages have three parts. `rate` is the carrier's,
 * by second.
 */
function simulate(rate: (second: number) => number, seconds: number) {
  let now = 0;
  const linkRate = new LinkRate(null, () => now);
  const perSecond: Second[] = [];
  const again: Part[] = [];
  const flying: { part: Part; at: number; ok: boolean }[] = [];
  const taken: number[] = [];
  let tokens = 0;
  let next = 0;
  for (let second = 0; second < seconds; second++) {
    const count: Second = { accepted: 0, throttled: 0 };
    for (let tick = 0; tick < 1_000 / TICK_MS; tick++) {
      now += TICK_MS;
      tokens = Math.min(Math.max(1, rate(second) * BURST), tokens + (rate(second) * TICK_MS) / 1_000);
      while (flying[0] && flying[0].at <= now) {
        const { part, ok } = flying.shift()!;
        if (ok) {
          linkRate.accepted(1);
          taken.push(part.number);
          count.accepted++;
        } else {
          linkRate.throttled();
          again.push(part);
          count.throttled++;
        }
      }
      again.sort((a, b) => a.number - b.number);
      // The window limits how much a link without a known rate sends at a time.
      let room = Math.min(linkRate.available(), 200 - flying.length);
      while (room > 0) {
        const parts =
          again.length > 0
            ? [again.shift()!]
            : Array.from({ length: next % 3 === 0 ? 3 : 1 }, () => ({ number: next++, tried: false }));
        linkRate.take(parts.length);
        room -= parts.length;
        for (const part of parts) {
          const ok = tokens >= 1;
          if (ok) tokens--;
          flying.push({ part: { ...part, tried: true }, at: now + LATENCY_MS, ok });
        }
      }
    }
    perSecond.push(count);
  }
  return { perSecond, taken };
}

/** Returns how many were accepted a second, and the share of refusals among the answers, between two seconds. */
function between(perSecond: readonly Second[], from: number, to: number) {
  const part = perSecond.slice(from, to);
  const accepted = part.reduce((sum, second) => sum + second.accepted, 0);
  const throttled = part.reduce((sum, second) => sum + second.throttled, 0);
  return { rate: accepted / (to - from), share: throttled / Math.max(1, accepted + throttled) };
}

test('a bucket of 50 segments a second is used to 95 %, with under 1 % throttled', () => {
  const { perSecond, taken } = simulate(() => 50, 600);
  const { rate, share } = between(perSecond, 30, 600);
  assert.ok(rate >= 0.95 * 50, `${rate} a second`);
  assert.ok(share < 0.01, `${share} throttled`);
  assert.equal(new Set(taken).size, taken.length, 'nothing twice');
  const late = taken.filter((number, place) => Math.abs(number - place) > 400);
  assert.equal(late.length, 0, 'what was throttled keeps its place within a window or two');
});

test('a link follows a bucket that changes from 50 to 10 to 200', () => {
  const at = (second: number) => (second < 300 ? 50 : second < 600 ? 10 : 200);
  const { perSecond } = simulate(at, 1_200);
  // A bucket of 10 cannot take all three parts of one message, so some parts are always refused at first.
  for (const [from, to, wanted, least, most] of [
    [30, 300, 50, 0.95, 0.01],
    [400, 600, 10, 0.6, 0.3],
    [900, 1_200, 200, 0.9, 0.01],
  ] as const) {
    const { rate, share } = between(perSecond, from, to);
    assert.ok(rate >= least * wanted && rate <= 1.01 * wanted, `${rate} of ${wanted} a second`);
    assert.ok(share < most, `${share} throttled at ${wanted}`);
  }
});

test('a throttled real link neither loses nor doubles a message', async (t) => {
  const s = await stage(t);
  const simulator = await s.simulator({ settings: { rate: 150 } });
  await s.addLink({ port: simulator.smppPort, window_size: 100 });
  await s.sender();
  const total = 300;
  const messages = numbers(total).map((m, i) => (i % 3 === 0 ? { ...m, text: 'x'.repeat(200), parts: 2 } : m));
  const parts = messages.reduce((sum, m) => sum + ('parts' in m ? m.parts : 1), 0);
  const campaign = await s.campaign(messages);
  await until('it was throttled', () => simulator.counts().throttled > 0);
  await until('all are delivered', async () => (await s.counters(campaign.id)).delivered === total, 90_000);
  const { accepted, throttled } = simulator.counts();
  assert.equal(accepted, parts, 'each part was taken once');
  const taken = logOf(simulator).filter(({ status }) => status === 0);
  assert.equal(new Set(taken.map(({ to, part }) => `${to}/${part?.number ?? 1}`)).size, parts);
  // A refused message does not wait for the end of the campaign. It may fall behind by about one window, plus those
  // that were ahead of it.
  const order = new Map(messages.map(({ msisdn }, place) => [msisdn, place]));
  const places = taken.map(({ to }) => order.get(to)!);
  const displaced = places.filter((place, i) => Math.abs(place - (i * total) / parts) > 300);
  assert.ok(
    displaced.length < total / 10,
    `${displaced.length} of ${parts} lost their place, ${throttled} were throttled`,
  );
  assert.deepEqual(await s.account(), { ...(await s.account()), reserved: 0 });
  assert.equal((await s.counters(campaign.id)).charged, parts * UNIT_PRICE);
  assert.deepEqual(await reconcile(s.owner), []);
});

test('one-time codes pass all bulk retries of a throttled link, even after a refusal', async (t) => {
  const s = await stage(t);
  const codes = Array.from({ length: 200 }, (_, i) => ({ msisdn: `63918${String(i).padStart(7, '0')}` }));
  const tried = new Map<string, number>();
  let bulkTaken = 0;
  const carrier = await ownCarrier(s, (submit, own) => {
    const { destination_addr: to } = submit.pdu;
    const tries = (tried.get(to) ?? 0) + 1;
    tried.set(to, tries);
    // Each code is refused once. Of the bulk tries, only every tenth is accepted.
    const isTaken = to.startsWith('63918') ? tries > 1 : submit.number % 10 === 0;
    if (isTaken) own.accept(submit);
    else own.refuse(submit, STATUS.RTHROTTLED);
    if (isTaken && to.startsWith('63917')) bulkTaken++;
  });
  await s.addLink({ port: carrier.port, window_size: 200 });
  await s.sender();
  await s.campaign(numbers(5_000));
  await until('many bulk messages wait to be tried again', async () => {
    const { count } = await s.one<{ count: number }>('SELECT count(*)::int AS count FROM retry');
    return count >= 150;
  });
  const before = carrier.submits.length;
  await s.campaign(codes, { shared: { class: 'otp' } });
  await until('all codes were taken', () => codes.every(({ msisdn }) => tried.get(msisdn) === 2), 60_000);
  const last = carrier.submits.findLastIndex(({ pdu }) => pdu.destination_addr.startsWith('63918'));
  const bulkBetween = last - before - 2 * codes.length;
  // A few bulk messages leave while the codes are read and while they wait for their second try.
  assert.ok(bulkBetween < codes.length, `${bulkBetween} bulk messages left before the last code`);
  assert.ok(bulkTaken < 5_000, 'bulk still waits');
});

test('codes do not queue behind a window of bulk at a carrier that answers slowly', async (t) => {
  const s = await stage(t);
  const waiting: Submitted[] = [];
  const ahead: number[] = [];
  const carrier = await ownCarrier(s, (submit) => {
    if (submit.pdu.destination_addr.startsWith('63918')) ahead.push(waiting.length);
    waiting.push(submit);
  });
  // It answers 200 a second, one after another.
  let answered = 0;
  const began = performance.now();
  const timer = setInterval(() => {
    for (; waiting.length > 0 && answered < (performance.now() - began) / 5; answered++)
      carrier.accept(waiting.shift()!);
    if (waiting.length === 0) answered = Math.floor((performance.now() - began) / 5);
  }, 5);
  s.closing.push(async () => clearInterval(timer));
  await s.addLink({ port: carrier.port, window_size: 1_000 });
  await s.sender();
  await s.campaign(numbers(20_000));
  await until('bulk has filled the carrier', () => waiting.length > 150);
  await until('its queue is short', () => waiting.length < 80, 60_000);
  const codes = Array.from({ length: 20 }, (_, i) => ({ msisdn: `63918${String(i).padStart(7, '0')}` }));
  await s.campaign(codes, { shared: { class: 'otp' } });
  await until('all codes came', () => ahead.length === codes.length);
  assert.ok(Math.max(...ahead) < 300, `${Math.max(...ahead)} segments were ahead of a code, of a window of 1,000`);
});

test('messages that a carrier throttled wait while their campaign runs on', async (t) => {
  const s = await stage(t);
  const simulator = await s.simulator({ settings: { rate: 1 } });
  await s.addLink({ port: simulator.smppPort, window_size: 100 });
  const news: Record<string, number>[] = [];
  const fanOut = await startFanOut(s.config(), 'sender', createLogger(s.config(), 'test', process.stderr));
  s.closing.push(() => fanOut.stop());
  await fanOut.subscribe('events', (payload) => {
    const { event, data } = JSON.parse(payload) as { event: string; data: Record<string, number> };
    if (event === 'campaign.progress') news.push(data);
  });
  // Fewer than the window, so that all are handed over before the link learns how slow its carrier is.
  const total = 40;
  const campaign = await s.campaign(numbers(total));
  const sender = await s.sender();
  // Both places that can hold a message are read by one query.
  const look = () =>
    s.one<Record<'processed' | 'waiting' | 'handed_over' | 'pending', number> & { state: string }>(
      `SELECT f.processed, f.waiting, n.processed AS handed_over, c.state,
         (SELECT count(*) FROM message_row WHERE campaign_id = c.id AND state = 'pending') AS pending
       FROM campaign c JOIN campaign_figure f ON f.campaign_id = c.id JOIN campaign_counter n ON n.campaign_id = c.id
       WHERE c.id = $1`,
      [campaign.id],
    );
  await until('all were handed over and most are refused', async () => {
    const { handed_over, waiting } = await look();
    return handed_over === total && waiting > total / 2;
  });
  const completion = performance.now() + 2_500;
  await until('the campaign could have been completed', async () => {
    const { processed, waiting, pending, state } = await look();
    assert.deepEqual([processed, pending, state], [total - waiting, waiting, 'running']);
    return performance.now() > completion;
  });
  await until('live news tells what waits', () =>
    news.some(({ processed, waiting }) => waiting! > total / 2 && processed! + waiting! === total),
  );
  simulator.configure({ rate: 0 });
  await until('all have left', async () => (await look()).state === 'completed');
  await until('the last live news tells it', () =>
    news.some(({ processed, waiting }) => processed === total && waiting === 0),
  );
  await sender.stop();
  assert.equal(simulator.counts().accepted, total);
});
