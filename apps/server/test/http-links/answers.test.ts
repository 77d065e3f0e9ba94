import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { reconcile } from '#modules/billing';
import { resolveOrphans } from '../../src/modules/delivery/sweeps/resolve-orphans.ts';
import { ownWriter } from '../delivery/outcome-writer.ts';
import { logOf, numbers, UNIT_PRICE, until } from '../delivery/stage.ts';
import { httpStage } from './http-stage.ts';
import { ownHttpCarrier, ownMapping } from './own-http-carrier.ts';

describe('answers over HTTP', { concurrency: 3 }, () => {
  test('an unanswered or cut request is not sent again, and its receipt resolves it', async (t) => {
    const s = await httpStage(t);
    const carrier = await ownHttpCarrier(t, ({ query, response }) => {
      if (query.get('to')!.endsWith('1')) response.destroy();
      else if (query.get('to')!.endsWith('2')) response.writeHead(502).end('Bad gateway');
    });
    await s.addHttpLink('get', carrier.port, {
      http: ownMapping(carrier.port),
      settings: { response_seconds: 1 },
    });
    await s.sender();
    const campaign = await s.campaign(numbers(10).concat({ msisdn: '639180000001' }, { msisdn: '639180000002' }));
    await until('all have left', () => carrier.asked.length === 12);
    await sleep(2_500);
    assert.equal(carrier.asked.length, 12, 'none leaves again');
    assert.deepEqual(await s.states(), { submitted: 12 });
    assert.equal((await s.account()).reserved, 12 * UNIT_PRICE);
    const to = await s.callback('receipts');
    for (const { query } of carrier.asked) {
      const receipt = { id: `late-${query.get('to')}`, ref: query.get('ref')!, state: 'DELIVRD', to: query.get('to')! };
      assert.equal((await fetch(`${to}?${new URLSearchParams(receipt)}`)).status, 200);
    }
    await until('the receipts are recorded', async () => {
      const { count } = await s.one<{ count: number }>('SELECT count(*) AS count FROM receipt');
      return count === 12;
    });
    const writer = ownWriter(s);
    await resolveOrphans(s.database.pool('sender'), s.config(), writer, { oldestSeconds: 600, youngestSeconds: 0 });
    await writer.flushed();
    assert.deepEqual(await s.states(), { delivered: 12 });
    assert.equal((await s.counters(campaign.id))['charged'], 12 * UNIT_PRICE);
    assert.deepEqual(await reconcile(s.owner), []);
  });

  test('an answer after the timeout resolves its message, which was sent once', async (t) => {
    const s = await httpStage(t);
    const carrier = await ownHttpCarrier(t, ({ query, response }) => {
      setTimeout(() => response.end(`OK ${query.get('to')}`), 2_500);
    });
    await s.addHttpLink('get', carrier.port, { http: ownMapping(carrier.port), settings: { response_seconds: 1 } });
    await s.sender();
    const campaign = await s.campaign(numbers(5));
    await until('the late answers are on record', async () => (await s.counters(campaign.id))['submitted'] === 5);
    assert.equal(carrier.asked.length, 5);
  });

  test('a one-time code without an answer leaves once more, and never a third time', async (t) => {
    const s = await httpStage(t);
    const carrier = await ownHttpCarrier(t, () => undefined);
    await s.addHttpLink('get', carrier.port, { http: ownMapping(carrier.port), settings: { response_seconds: 1 } });
    await s.sender();
    await s.campaign(numbers(3), { shared: { class: 'otp' } });
    await until('each has left twice', () => carrier.asked.length === 6);
    await sleep(2_500);
    assert.equal(carrier.asked.length, 6);
  });

  test('429 pauses the link for as long as Retry-After says, and loses nothing', async (t) => {
    const s = await httpStage(t);
    let throttledAt = 0;
    const carrier = await ownHttpCarrier(t, ({ query, response, at }) => {
      if (throttledAt === 0) {
        throttledAt = at;
        response.writeHead(429, { 'retry-after': '3' }).end();
      } else response.end(`OK ${query.get('to')}`);
    });
    await s.addHttpLink('get', carrier.port, { http: ownMapping(carrier.port), settings: { window_size: 1 } });
    await s.sender();
    const campaign = await s.campaign(numbers(4));
    await until('all are accepted', async () => (await s.counters(campaign.id))['submitted'] === 4);
    const next = carrier.asked[1]!;
    assert.ok(next.at - throttledAt > 2_800, `the next left ${Math.round(next.at - throttledAt)} ms later`);
    assert.equal(carrier.asked.length, 5);
  });

  test('a refused connection loses nothing, and the link returns with the carrier', async (t) => {
    const s = await httpStage(t);
    const simulator = await s.simulator();
    const { httpPort } = simulator;
    await simulator.stop();
    await s.addHttpLink('twilio', httpPort);
    await s.sender();
    const campaign = await s.campaign(numbers(20));
    await sleep(1_500);
    assert.equal((await s.counters(campaign.id))['submitted'], 0);
    const back = await s.simulator({ httpPort });
    await until('all are delivered', async () => (await s.counters(campaign.id))['delivered'] === 20);
    assert.equal(logOf(back).length, 20);
  });

  test('a wrong password rests the link, and nothing is refused for it', async (t) => {
    const s = await httpStage(t);
    const simulator = await s.simulator({ settings: { accounts: { acme: 'another' } } });
    await s.addHttpLink('vonage', simulator.httpPort);
    await s.sender();
    await s.campaign(numbers(10));
    await until('the refusals are on record', async () => {
      const { rows } = await s.owner.query('SELECT 1 FROM retry');
      return rows.length === 10;
    });
    assert.deepEqual(await s.states(), { pending: 10 });
    simulator.configure({ accounts: {} });
    await s.owner.query('UPDATE retry SET not_before = now()');
    await until('all are delivered', async () => (await s.states())['delivered'] === 10);
  });

  test('requests carry several messages and keep the window and the rate', async (t) => {
    const s = await httpStage(t);
    let open = 0;
    let most = 0;
    const carrier = await ownHttpCarrier(t, ({ body, response }) => {
      most = Math.max(most, ++open);
      const { messages } = JSON.parse(body) as { messages: { destinations: { to: string }[] }[] };
      setTimeout(() => {
        open--;
        const answers = messages.map(({ destinations: [first] }) => ({
          to: first!.to,
          messageId: `id-${first!.to}`,
          status: { groupName: 'PENDING' },
        }));
        // The order of the answers is the carrier's own.
        response.end(JSON.stringify({ messages: answers.reverse() }));
      }, 100);
    });
    await s.addHttpLink('infobip', carrier.port, {
      http: { recipients: 20 },
      settings: { window_size: 3, rate: 200 },
    });
    await s.sender();
    const campaign = await s.campaign(numbers(1_000));
    await until('all are accepted', async () => (await s.counters(campaign.id))['submitted'] === 1_000);
    assert.ok(most <= 3, `${most} requests ran at the same time`);
    assert.ok(carrier.asked.length < 500, `${carrier.asked.length} requests for 1,000 messages`);
    const took = carrier.asked.at(-1)!.at - carrier.asked[0]!.at;
    // A first burst may leave before the rate holds; after it the rate is never passed.
    assert.ok(
      took > 1_000 * ((1_000 - 250) / 200),
      `1,000 messages left within ${Math.round(took)} ms at 200 a second`,
    );
    const { rows } = await s.owner.query<{ msisdn: string; carrier_id: string }>(
      'SELECT m.msisdn, s.carrier_id FROM submission_row s JOIN message m ON m.id = s.message_id',
    );
    assert.ok(rows.every(({ msisdn, carrier_id }) => carrier_id === `id-${msisdn}`));
  });
});
