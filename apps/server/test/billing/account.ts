import type { Kysely } from 'kysely';
import type { Database } from '../../src/platform/database/db.ts';

/** Creates a corporation with a plan and accounts of a given credit limit (in thousandths), for tests of money. */
export async function makeAccounts(
  db: Kysely<Database>,
  count: number,
  { credit_limit = 0, default_charge = 500, name = 'Lamp Works' } = {},
): Promise<{ corporation_id: number; accounts: number[] }> {
  const corporation = await db.insertInto('corporation').values({ name }).returning('id').executeTakeFirstOrThrow();
  const plan = await db
    .insertInto('price_plan')
    .values({ name: `${name} plan`, type: 'prepaid_package', default_charge })
    .returning('id')
    .executeTakeFirstOrThrow();
  const accounts = await db
    .insertInto('billing_account')
    .values(
      Array.from({ length: count }, (_, i) => ({
        corporation_id: corporation.id,
        name: `Account ${i + 1}`,
        key: `${name}-${i + 1}`,
        price_plan_id: plan.id,
        credit_limit,
      })),
    )
    .returning('id')
    .execute();
  return { corporation_id: corporation.id, accounts: accounts.map(({ id }) => id) };
}
