import { isAdministration } from '@heliograph/contract/kernel/scope';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { sql } from 'kysely';
import { requireReader } from '#platform/access/hidden-texts';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { translate } from '#platform/text/i18n';
import { requireLinkHost } from './short-link-host.ts';
import { switchCustomers } from './switch-off.ts';

const stored = tableStore(corporation, { table: 'corporation', from: 'corporation_row' });

/** Throws unless a corporation is a reseller and belongs to no other. */
async function requireReseller(ctx: Context, id: number): Promise<void> {
  await requireVisible(ctx, 'corporation', id, 'reseller_id', sql`is_reseller AND reseller_id IS NULL`);
}

/**
 * Throws if a corporation's money has moved: its amounts are in its currency, which must then stay. The lock waits for
 * transfers that are under way.
 */
async function requireNoMoney(ctx: Context, id: number): Promise<void> {
  await sql`SELECT FROM corporation WHERE id = ${id} FOR UPDATE`.execute(ctx.db);
  const { rows } = await sql`SELECT FROM credit_change WHERE corporation_id = ${id} LIMIT 1`.execute(ctx.db);
  if (rows.length > 0) throw fieldError('currency', 'currency_in_use');
}

/** Corporations. The administration decides the reseller of each; a corporation that a reseller adds is its own. */
export const corporations: ResourceHandlers<typeof corporation> = {
  ...stored,
  async create(ctx, { params, query, body }) {
    const { caller } = ctx;
    if (body.callback_url !== null) requireReader(ctx, 'callback_url');
    requireLinkHost(ctx, body.short_link_host);
    if (isAdministration(caller.scope_level)) {
      if (body.reseller_id !== null) await requireReseller(ctx, body.reseller_id);
      return stored.create(ctx, { params, query, body });
    }
    if (caller.scope_level > 2 || caller.corporation_id === null) throw new BusinessError('forbidden');
    if (body.reseller_id !== null && body.reseller_id !== caller.corporation_id)
      throw fieldError('reseller_id', 'not_visible');
    await requireReseller(ctx, caller.corporation_id);
    return stored.create(ctx, { params, query, body: { ...body, reseller_id: caller.corporation_id } });
  },
  async update(ctx, call) {
    const { data: before } = await stored.get(ctx, call);
    const { with_customers, ...body } = call.body;
    const { currency, callback_url, enabled } = body;
    if (callback_url && callback_url !== before.callback_url) requireReader(ctx, 'callback_url');
    requireLinkHost(ctx, body.short_link_host);
    if (currency !== undefined && currency !== before.currency) await requireNoMoney(ctx, before.id);
    const saved = await stored.update(ctx, { ...call, body });
    if (enabled === undefined || enabled === before.enabled) return saved;
    // It is now switched by itself and no longer follows its reseller.
    await ctx.db.updateTable('corporation').set({ switched_off_with: null }).where('id', '=', before.id).execute();
    if (!before.is_reseller || (!enabled && !with_customers)) return saved;
    const count = await switchCustomers(ctx, before.id, enabled);
    return { ...saved, message: translate(ctx.locale, `switch_off.customers_${enabled ? 'on' : 'off'}`, { count }) };
  },
  async remove(ctx, call) {
    if (call.params.id === ctx.caller.corporation_id) throw new BusinessError('own_corporation');
    return stored.remove(ctx, call);
  },
};
