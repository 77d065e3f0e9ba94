import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Intake } from '#modules/intake';
import { losingTraffic } from '#modules/margin-guard';
import { systemClock } from '#platform/clock';
import { createLogger } from '#platform/log';
import { addCard } from '../carrier-costs/applied-card.ts';
import { makeIntakeStage, PRICES, submission } from '../intake/stage.ts';

const stage = await makeIntakeStage({ after });
const { owner, one, database } = stage;
const link = Number(await database.one(`SELECT id FROM link WHERE name = 'Carrier'`));
const program = await stage.tenant('Losing');
// At 60 pesos, 5,834 millionths of a euro are 350,040 millionths, and 5,833 are 349,980. The price is 350,000.
await owner.query(
  `INSERT INTO exchange_rate (from_currency, to_currency, day, digits, scale) VALUES ('EUR', 'PHP', '2020-01-01', 60, 0)`,
);
await owner.query("UPDATE corporation SET currency = 'PHP'");
await addCard(owner, link, { '63917': 5_834, '63918': 5_833 });
const LOSING = '639170000001';
const GAINING = '639180000001';
const UNKNOWN = '639990000001';

const setting = (value: string) =>
  owner.query(
    `INSERT INTO global_configuration (key, name, value, description) VALUES ('negative_margins', 'n', $1, '')
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    [value],
  );
/** Hands messages in by an intake that has read the setting, and returns the codes of their refusals. */
async function handIn(mode: string, numbers: readonly string[]): Promise<(string | null)[]> {
  await setting(mode);
  await owner.query('DELETE FROM margin_loss');
  const intake = new Intake(database.pool('intake'), {
    clock: systemClock,
    log: createLogger({ LOG_LEVEL: 'silent' }, 'test'),
  });
  const results = await intake.acceptMany(
    program,
    numbers.map((to) => submission({ to })),
  );
  await intake.close();
  return results.map((result) => ('code' in result ? result.code : null));
}
const losses = () =>
  one<{ messages: number; refused: boolean; price: number; cost: number } | undefined>(
    'SELECT messages::int, refused, price::int, cost::int FROM margin_loss',
  );

test('a message at a loss is taken and counted with the sum at stake', async () => {
  assert.deepEqual(await handIn('warn', [LOSING, LOSING, GAINING, UNKNOWN]), [null, null, null, null]);
  assert.deepEqual(await losses(), { messages: 2, refused: false, price: 2 * PRICES.api * 1_000, cost: 2 * 350_040 });
});

test('a refused message costs nothing and tells the customer no cost', async () => {
  const reserved = () => one<{ reserved: number }>('SELECT sum(reserved)::int AS reserved FROM billing_account');
  const before = await reserved();
  assert.deepEqual(await handIn('refuse', [LOSING, UNKNOWN]), ['destination_unavailable', null]);
  assert.deepEqual(await reserved(), { reserved: before.reserved + PRICES.api });
  assert.deepEqual(await losses(), { messages: 1, refused: true, price: PRICES.api * 1_000, cost: 350_040 });
});

test('with the setting off nothing is judged', async () => {
  assert.deepEqual(await handIn('off', [LOSING]), [null]);
  assert.equal(await losses(), undefined);
});

test('the gain on one network does not hide the loss on another in the alarm', async () => {
  await setting('warn');
  const card = Number(await database.one('SELECT id FROM carrier_card'));
  const now = new Date();
  const put = (network: number, hours: number, cost: number, spend: number) =>
    owner.query(
      `INSERT INTO traffic_cost (quarter, corporation_id, department_id, user_id, campaign_id, link_id, network_id, carrier_card_id, parts, cost, spend)
       VALUES ($1, $2, 0, 0, 0, $3, $4, $5, 10, $6, $7)`,
      [
        new Date(now.getTime() - hours * 3_600_000).toISOString(),
        program.corporation_id,
        link,
        network,
        card,
        cost,
        spend,
      ],
    );
  await put(1, 3, 60_000, 3_500); // 3.6 pesos for 3.5
  await put(1, 4, 1, 0);
  await put(2, 5, 10_000, 9_000); // a gain
  await put(1, 30, 900_000, 0); // the day before
  await put(2, 0, 900_000, 0); // under way
  assert.deepEqual(await losingTraffic(database.db('worker'), now), [
    { link_id: link, link_name: 'Carrier', currency: 'PHP', lost: '0.10006', parts: 20 },
  ]);
});
