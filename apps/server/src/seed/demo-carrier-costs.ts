import type pg from 'pg';

type Rates = readonly (readonly [prefix: string | null, mcc: string | null, mnc: string | null, amount: number])[];

/** Costs of the demo's carriers by prefix and by network, in millionths of a euro. */
const RATES: Rates = [
  ['63', null, null, 4_200],
  ['63917', null, null, 3_900],
  ['63918', null, null, 3_900],
  ['639', null, null, 4_000],
  ['1', null, null, 7_450],
  ['44', null, null, 31_500],
  ['65', null, null, 26_000],
  [null, '515', '02', 3_900],
  [null, '515', '03', 4_100],
];
const SECOND_RATES: Rates = [
  ['63', null, null, 4_600],
  ['65', null, null, 21_000],
];

/**
 * Adds the prices that the demo's carriers take: a card of each link that is in force since the history begins, and a draft
 * of the first with dearer prices. The second carrier is dearer, except in Singapore.
 */
export async function seedCarrierCosts(client: pg.Client, linkId: number, secondId: number): Promise<void> {
  const present = await addCard(client, linkId, 'Prices of this year', RATES);
  const second = await addCard(client, secondId, 'Prices over HTTP', SECOND_RATES);
  const draft = await addCard(client, linkId, 'Prices of next month', RATES, 1.06);
  await client.query(
    `UPDATE carrier_card SET version = 1, applied_at = now() - interval '8 days', timezone = 'Asia/Manila',
       starts_on = (now() - interval '8 days')::date, from_at = now() - interval '8 days' WHERE id = ANY ($1)`,
    [[present, second]],
  );
  await client.query(
    `UPDATE carrier_card SET starts_on = (date_trunc('month', now()) + interval '1 month')::date WHERE id = $1`,
    [draft],
  );
}

async function addCard(client: pg.Client, linkId: number, name: string, rates: Rates, factor = 1): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO carrier_card (link_id, name, currency, starts_on) VALUES ($1, $2, 'EUR', current_date) RETURNING id`,
    [linkId, name],
  );
  const { id } = rows[0]!;
  await client.query(
    `INSERT INTO carrier_rate (carrier_card_id, prefix, mcc, mnc, amount)
     SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[])`,
    [
      id,
      rates.map(([p]) => p),
      rates.map(([, m]) => m),
      rates.map(([, , n]) => n),
      rates.map(([, , , a]) => Math.round(a * factor)),
    ],
  );
  return id;
}

/** Test numbers of the demo; none is a customer's. No link sends tests until somebody sets its rate. */
const TEST_NUMBERS: readonly (readonly [number: string, kind: 'dead' | 'own' | 'loop', note: string])[] = [
  ['639170990001', 'dead', 'Never given to anybody by its network'],
  ['639180990002', 'dead', 'Returned to its network in 2019'],
  ['639170009005', 'own', 'Phone in the office'],
  ['639180009006', 'loop', 'SIM that answers each message'],
];

/** Adds numbers whose true fate is known, so that the receipts of a link can be judged. */
export async function seedTestNumbers(client: pg.Client): Promise<void> {
  await client.query(
    'INSERT INTO test_number (number, kind, note) SELECT * FROM unnest($1::text[], $2::text[], $3::text[])',
    [TEST_NUMBERS.map(([n]) => n), TEST_NUMBERS.map(([, k]) => k), TEST_NUMBERS.map(([, , note]) => note)],
  );
}
