import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openPricedWriter } from '#modules/delivery';
import { portedAt } from '../../src/modules/networks/index.ts';
import { makeIntakeStage, PRICES, submission } from '../intake/stage.ts';

const stage = await makeIntakeStage({ after });
const { owner, database } = stage;
const program = await stage.tenant('Acme');
const dito = await database.one(`SELECT id FROM network WHERE mcc = '515' AND mnc = '66'`);
const byDito = await database.one(
  `INSERT INTO link (name, host, port, system_id) VALUES ('Dito', '127.0.0.1', 3, 'x') RETURNING id`,
);
const general = await database.idOf('link', 'Carrier');
for (const [name, network, link] of [
  ['To Dito', dito, byDito],
  ['To all', null, general],
])
  await owner.query(
    `WITH r AS (INSERT INTO carrier_route (name, network_id) VALUES ($1, $2) RETURNING id)
     INSERT INTO carrier_route_link (carrier_route_id, link_id, position, weight) SELECT id, $3, 1, 1 FROM r`,
    [name, network, link],
  );
const source = await database.one(`INSERT INTO number_source (name, driver) VALUES ('File', 'dump') RETURNING id`);
const ported = Array.from({ length: 40 }, (_, i) => String(639_170_000_000 + i * 50));
await owner.query(
  'INSERT INTO number_lookup (msisdn, number_source_id, network_id) SELECT unnest($1::text[]), $2, $3',
  [ported, source, dito],
);

/** Link and recorded network of each message of a corporation. */
async function sent(corporation: number) {
  const { rows } = await owner.query<{ number: string; place: number; link: number; ported: number[] | null }>(
    `SELECT m.msisdn AS number, (m.id & 1023)::int AS place, k.link_id AS link, k.ported
     FROM message m JOIN chunk k ON k.id = m.id >> 10 WHERE m.corporation_id = $1`,
    [corporation],
  );
  return rows.map((row) => ({ number: row.number, link: row.link, network: portedAt(row.ported, row.place) }));
}

/** Asserts that exactly the ported numbers went by their network. */
function assertPorted(rows: Awaited<ReturnType<typeof sent>>): void {
  for (const { number, link, network } of rows) {
    const isPorted = ported.includes(number);
    assert.deepEqual([link, network], isPorted ? [byDito, dito] : [general, undefined], number);
  }
}

test('programs’ messages go by the network that a lookup said, and record only that', async () => {
  const numbers = Array.from({ length: 2_000 }, (_, i) => String(639_170_000_000 + i));
  await Promise.all(numbers.map((to) => stage.intake.accept(program, submission({ to }))));
  const rows = await sent(program.corporation_id);
  assert.equal(rows.length, 2_000);
  assertPorted(rows);
});

test('a campaign’s messages go by the network that a lookup said, in any order', async () => {
  const { corporation_id, user_id, billing_account_id } = await stage.tenant('Bulk');
  await database
    .db('worker')
    .transaction()
    .execute(async (db) => {
      const shared = {
        corporation_id,
        department_id: null,
        user_id,
        billing_account_id,
        campaign_id: null,
        class: 'bulk' as const,
        sender_id: 'Acme',
        flash: false,
        charge_on_delivery: false,
        common_text: 'Hello',
        text_key: null,
      };
      const writer = openPricedWriter(db, shared, null);
      // As in a campaign, several messages are added before a write has ended.
      const writes = Array.from({ length: 2_500 }, (_, i) =>
        writer.add({
          msisdn: String(639_170_000_000 + ((i * 7) % 2_500)),
          name: null,
          text: null,
          unicode: false,
          parts: 1,
          unit_price: PRICES.api,
          reseller_unit_price: null,
        }),
      );
      await Promise.all(writes);
      assert.equal((await writer.flush()).messages, 2_500);
    });
  const rows = await sent(corporation_id);
  assert.equal(rows.length, 2_500);
  assertPorted(rows);
});

test('unknown numbers of programs are noted for services after their commit', async () => {
  await owner.query(`INSERT INTO number_source (name, driver, prefix) VALUES ('Service', 'simulator', '63918')`);
  for (const to of ['639180000001', '639180000001', '639170000050', '639190000001'])
    await stage.intake.accept(program, submission({ to }));
  await stage.intake.close();
  const { rows } = await owner.query('SELECT msisdn FROM number_wanted');
  assert.deepEqual(rows, [{ msisdn: '639180000001' }]);
});
