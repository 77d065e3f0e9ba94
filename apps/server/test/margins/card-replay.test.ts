import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { cardReplayLines, getCardReplay } from '@heliograph/contract/margins/card-replay';
import { until } from '@heliograph/fault-kit';
import { startWorker } from '../../src/processes/worker.ts';
import { dataOf } from '../answers.ts';
import { makeTraffic } from '../reports/made-traffic.ts';
import { startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const worker = await startWorker({ config: api.config, log: api.log });
after(() => worker.stop());
const owner = api.database.pool('owner');
const [superadmin, reseller] = await Promise.all([api.as('superadmin'), api.as('reseller')]);
const link = Number(await api.database.one('SELECT min(id) AS id FROM link'));

type Replay = NonNullable<ReplyOf<typeof getCardReplay>['data']>;
type Line = ReplyOf<typeof cardReplayLines>['data'][number];

/** Writes a card with rates by prefix, in millionths; an applied one counts since 2020. */
async function card(name: string, currency: string, rates: Record<string, number>, version: number | null) {
  const { rows } = await owner.query<{ id: number }>(
    `INSERT INTO carrier_card (link_id, name, currency, starts_on) VALUES ($1, $2, $3, '2020-01-01') RETURNING id`,
    [link, name, currency],
  );
  const { id } = rows[0]!;
  await owner.query(
    'INSERT INTO carrier_rate (carrier_card_id, prefix, amount) SELECT $1, * FROM unnest($2::text[], $3::bigint[])',
    [id, Object.keys(rates), Object.values(rates)],
  );
  if (version !== null)
    await owner.query(
      `UPDATE carrier_card SET version = $2, applied_at = '2020-01-01', from_at = '2020-01-01', timezone = 'Asia/Manila' WHERE id = $1`,
      [id, version],
    );
  return id;
}

test('a draft is tried on past traffic with the exact cost of each part', async () => {
  // The demo's traffic of the last days stays: the link's newest card, and the draft, know only the made numbers.
  const at = new Date(Date.now() - 20 * 86_400_000);
  await owner.query(
    `INSERT INTO exchange_rate (from_currency, to_currency, day, digits, scale) VALUES ('CHF', 'PHP', '2020-01-01', 645, 1)`,
  );
  await card('Tried before', 'PHP', { '88351': 200_000, '88352': 100_000 }, 900);
  const draft = await card('Tried draft', 'CHF', { '88351': 6_001, '88352': 1_000, '88353': 1_000 }, null);
  await makeTraffic(owner, {
    corporation: 'Acme Retail',
    at,
    unit_price: 350,
    messages: [
      ...Array.from({ length: 7 }, (_, i) => ({ msisdn: `8835100000${i}`, answers: [0], outcome: 'delivered' })),
      { msisdn: '88352000001', parts: 2, answers: [0, 0], outcome: 'delivered' },
      { msisdn: '88353000001', answers: [0] },
      { msisdn: '88351000099', answers: [69], outcome: 'failed_submit' },
    ],
  });
  const asked = await superadmin('POST', `/api/v1/carrier-cards/${draft}/replay`, {});
  assert.equal(asked.status, 202, JSON.stringify(asked.body));
  const replay = await until('the card is tried', async () => {
    const { body } = await superadmin('GET', `/api/v1/carrier-cards/${draft}/replay`);
    return (body as { data: Replay | null }).data ?? undefined;
  });
  const { body } = await superadmin('GET', `/api/v1/carrier-cards/${draft}/replay-lines?limit=200`);
  const { data } = body as { data: Line[] };
  const own = data.filter(
    ({ unknown_after, corporation_name }) => corporation_name === 'Acme Retail' && unknown_after === 0,
  );
  // 6,001 millionths of 64.5 are 387,064.5, rounded half up once; seven parts at 350,000.
  const sum = (field: 'price' | 'cost_before' | 'cost_after') =>
    own.reduce((total, line) => total + Number(line[field]) * 1e6, 0);
  assert.deepEqual(
    [own.reduce((n, { parts }) => n + parts, 0), sum('price'), sum('cost_before'), sum('cost_after')],
    [10, 3_500_000, 7 * 200_000 + 2 * 100_000, 7 * 387_065 + 3 * 64_500],
  );
  assert.ok(
    own.every(
      ({ margin_after, price, cost_after }) =>
        Number(margin_after).toFixed(6) === (Number(price) - Number(cost_after)).toFixed(6),
    ),
  );
  assert.equal(replay.currency, 'PHP');
  assert.ok(replay.unknown_before >= 1, 'no cost is invented for the number that the old card does not have');
  assert.equal((await reseller('GET', `/api/v1/carrier-cards/${draft}/replay`)).status, 403);
});

test('a currency without a rate ends the replay with the missing rate', async () => {
  await owner.query(`UPDATE global_configuration SET value = 'XAU' WHERE key = 'currency'`);
  const draft = await card('Without a rate', 'CHF', { '63': 1_000 }, null);
  const asked = await superadmin('POST', `/api/v1/carrier-cards/${draft}/replay`, {});
  const { id } = dataOf(asked) as { id: number };
  const failed = await until('the replay fails', async () => {
    const { rows } = await owner.query('SELECT error_code, error_params FROM download WHERE id = $1 AND state = $2', [
      id,
      'failed',
    ]);
    return rows[0] as { error_code: string } | undefined;
  });
  assert.equal(failed.error_code, 'exchange_rate_missing');
});
