import type { campaignRow } from '@heliograph/contract/campaigns/campaign-row';
import type { z } from 'zod';
import { reconcile } from '#modules/billing';
import { makeTenant } from '../contacts/tenant.ts';
import type { Scope } from '../template-database.ts';
import { callerOf, makeSendingTenant, makeStage, type Quote } from './stage.ts';

export type Row = z.output<typeof campaignRow>;
export type Answer = { data: Row; code: string; errors?: Record<string, string[]> };

export const msisdn = (i: number) => `63917${String(i).padStart(7, '0')}`;
export const numbers = (count: number) => Array.from({ length: count }, (_, i) => msisdn(i)).join();

/**
 * Builds the stage with its people. `boss` is a department admin, `asker` needs approval, `reader` may only read,
 * and `stranger` belongs to another tenant.
 */
export async function makeCast(scope: Scope) {
  const stage = await makeStage(scope);
  const { owner, tenant, callers } = stage;
  const stranger = await makeSendingTenant(owner);
  callers.set('stranger', callerOf(stranger));
  const asker = await makeTenant(owner);
  await owner
    .updateTable('user_account')
    .set({ corporation_id: tenant.corporation_id, department_id: tenant.department_id })
    .where('id', '=', asker.user_id)
    .execute();
  callers.set('asker', callerOf(tenant, 'corporate_user', { user_id: asker.user_id, scope_level: 4 }));
  callers.set('reader', callerOf(tenant, 'read_only_user', { content_visible: false }));

  const create = (quote: Pick<Quote, 'id'>, token = 'boss', more: object = {}) =>
    stage.call<Answer>(token, 'POST', '/api/v1/campaigns', { quote_id: quote.id, name: 'Sale', ...more });
  const campaignOf = (id: number) =>
    owner.selectFrom('campaign').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return {
    stage,
    stranger,
    asker,
    create,
    campaignOf,
    account: () =>
      owner
        .selectFrom('billing_account')
        .select(['credit_balance', 'reserved'])
        .where('id', '=', tenant.billing_account_id)
        .executeTakeFirstOrThrow(),
    /**
     * Finds differences between the ledger and the messages of campaigns. Other rules are left out: the credit of the
     * test accounts has no transfer.
     */
    contradictions: async () =>
      (await reconcile(owner)).filter(({ rule }) => rule === 'open_reservations' || rule === 'campaign_counters'),
    setAccount: (set: object) =>
      owner.updateTable('billing_account').set(set).where('id', '=', tenant.billing_account_id).execute(),
    /** Sets an entry of the operator's global configuration. */
    setting: (key: string, value: string) =>
      owner
        .insertInto('global_configuration')
        .values({ key, name: key, value, description: '' })
        .onConflict((at) => at.column('key').doUpdateSet({ value }))
        .execute(),
    campaigns: async () => (await owner.selectFrom('campaign').select('id').execute()).length,
    messagesOf: async (id: number) =>
      (await owner.selectFrom('message').select('id').where('campaign_id', '=', id).execute()).length,
    change: (id: number, action: string, token = 'boss', body: object = {}) =>
      stage.call<Answer>(token, 'POST', `/api/v1/campaigns/${id}/${action}`, body),
    /** Approves a campaign with its current fingerprint. */
    approve: async (id: number, token = 'boss', more: object = {}) => {
      const { fingerprint } = await campaignOf(id);
      return stage.call<Answer>(token, 'POST', `/api/v1/campaigns/${id}/approve`, { fingerprint, ...more });
    },
    /** Creates a campaign from a new quote and prepares its messages. */
    begin: async (content: object, schedule: object = {}, token = 'boss') => {
      const quote = await stage.quote(content, token);
      const { body } = await create(quote, token, { schedule });
      if (!body.data) throw new Error(JSON.stringify(body));
      await stage.prepare(body.data.id);
      return campaignOf(body.data.id);
    },
  };
}
