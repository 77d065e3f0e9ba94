import type pg from 'pg';

/** Adds a card of a link that counts since long ago, with its rates by prefix in millionths. */
export async function addCard(
  owner: Pick<pg.Pool, 'query'>,
  linkId: number,
  rates: Readonly<Record<string, number>>,
  { on = 'submit', version = 1, from = '2020-01-01T00:00:00Z' } = {},
): Promise<number> {
  const { rows } = await owner.query<{ id: number }>(
    `INSERT INTO carrier_card (link_id, name, currency, charged_on, starts_on) VALUES ($1, $2, 'EUR', $3, '2020-01-01') RETURNING id`,
    [linkId, `Card ${version}`, on],
  );
  const { id } = rows[0]!;
  await owner.query(
    'INSERT INTO carrier_rate (carrier_card_id, prefix, amount) SELECT $1, * FROM unnest($2::text[], $3::bigint[])',
    [id, Object.keys(rates), Object.values(rates)],
  );
  await owner.query(
    `UPDATE carrier_card SET version = $2, applied_at = $3, from_at = $3, timezone = 'UTC' WHERE id = $1`,
    [id, version, from],
  );
  return id;
}
