import type pg from 'pg';
import { secretKeyContext } from '#modules/top-ups';
import type { Config } from '../platform/config/config.ts';
import { seal, secretKey } from '../platform/process/seal.ts';

/** Payment methods of the demo: seller (null for the platform), name, provider, percent and fixed part of the fee, its payer. */
const METHODS = [
  [null, 'Card', 'stripe', 2_900, 0, 'customer'],
  [null, 'GCash and cards', 'paymongo', 2_500, 15_000, 'customer'],
  [null, 'Maya', 'maya', 0, 0, 'seller'],
  ['Northwind Telecom', 'Card or GCash', 'paymongo', 3_500, 0, 'customer'],
  ['Northwind Telecom', 'Card', 'stripe', 2_900, 0, 'customer'],
] as const;

/**
 * Adds the simulated payment methods, whose providers are a part of `npm start` only: three of the platform, and two of the
 * demo's reseller.
 */
export async function seedPayments(client: Pick<pg.ClientBase, 'query'>, config: Config): Promise<void> {
  for (const [seller, name, driver, percent, fixed, payer] of METHODS) {
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO merchant_account (corporation_id, name, driver, mode, currency, minimum, maximum, fee_percent, fee_fixed, fee_payer)
       VALUES ((SELECT id FROM corporation WHERE name = $1), $2, $3, 'simulated', 'PHP', 100000, 500000000, $4, $5, $6) RETURNING id`,
      [seller, name, driver, percent, fixed, payer],
    );
    const { id } = rows[0]!;
    const key = seal(secretKey(config), `sk${driver === 'maya' ? '-' : '_'}simulated-${id}`, secretKeyContext(id));
    const public_key = driver === 'maya' ? `pk-simulated-${id}` : null;
    await client.query('UPDATE merchant_account SET secret_key_sealed = $2, public_key = $3 WHERE id = $1', [
      id,
      key,
      public_key,
    ]);
  }
}
