import { pay } from '#modules/billing';
import type { Scope } from '../template-database.ts';
import { type Body, makeMoneyStage } from './stage.ts';

/**
 * Builds the money stage with an account whose credit was paid in: reconciliation would report credit without a
 * transfer. `running` starts a campaign to the given numbers.
 */
export async function moneyAccount(t: Scope) {
  const stage = await makeMoneyStage(t);
  const { owner, tenant } = stage;
  const id = tenant.billing_account_id;
  const of = { billing_account_id: id, corporation_id: tenant.corporation_id };

  await owner.updateTable('billing_account').set({ credit_balance: 0 }).execute();
  await owner.transaction().execute((db) => pay(db, { ...of, key: 'opening', amount: 1_000_000 }));

  async function running(numbers: string): Promise<number> {
    const quote = await stage.quote({ custom_numbers: numbers });
    const { body } = await stage.call<Body>('boss', 'POST', '/api/v1/campaigns', { quote_id: quote.id, name: 'Sale' });
    await stage.prepare(body.data.id);
    return body.data.id;
  }

  return { ...stage, stage, id, of, running };
}
