import { invoiceBuyer } from '@heliograph/contract/invoices/invoice-buyer';
import { invoiceIssuer } from '@heliograph/contract/invoices/invoice-issuer';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import { sql } from 'kysely';
import { requireVisible } from '#platform/access/visible';
import type { Caller } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';

const owns = (caller: Caller, corporationId: number | null) =>
  isAdministration(caller.scope_level) || corporationId === caller.corporation_id;

const storedIssuers = tableStore(invoiceIssuer, {
  table: 'invoice_issuer',
  from: 'invoice_issuer_row',
  may(issuer, caller) {
    const own = owns(caller, issuer.corporation_id);
    return { edit: own, delete: own };
  },
});

/** Sellers' profiles: the platform's, and one for each reseller that sells. */
export const invoiceIssuers: ResourceHandlers<typeof invoiceIssuer> = {
  ...storedIssuers,
  async create(ctx, call) {
    const { caller } = ctx;
    const wanted = call.body.corporation_id;
    if (isAdministration(caller.scope_level)) {
      if (wanted !== null) await requireVisible(ctx, 'corporation', wanted, 'corporation_id', sql`is_reseller`);
      return storedIssuers.create(ctx, call);
    }
    if (wanted !== null && wanted !== caller.corporation_id) throw fieldError('corporation_id', 'not_visible');
    // Only resellers have customers to sell to.
    await requireVisible(ctx, 'corporation', caller.corporation_id!, 'corporation_id', sql`is_reseller`);
    return storedIssuers.create(ctx, { ...call, body: { ...call.body, corporation_id: caller.corporation_id } });
  },
};

const storedBuyers = tableStore(invoiceBuyer, {
  table: 'invoice_buyer',
  from: 'invoice_buyer_row',
  searched: ['legal_name', 'corporation_name'],
  may(buyer, caller) {
    const sold = isAdministration(caller.scope_level) || buyer.corporation_id !== caller.corporation_id;
    return { edit: sold, delete: sold };
  },
});

/** Throws `forbidden` for the caller's own corporation: its seller decides how it is taxed. */
function requireToSell(caller: Caller, corporationId: number): void {
  if (!isAdministration(caller.scope_level) && corporationId === caller.corporation_id)
    throw new BusinessError('forbidden');
}

/** Buyers' profiles, which their sellers keep. */
export const invoiceBuyers: ResourceHandlers<typeof invoiceBuyer> = {
  ...storedBuyers,
  async create(ctx, call) {
    await requireVisible(ctx, 'corporation', call.body.corporation_id, 'corporation_id');
    requireToSell(ctx.caller, call.body.corporation_id);
    return storedBuyers.create(ctx, call);
  },
  async update(ctx, call) {
    requireToSell(ctx.caller, (await storedBuyers.get(ctx, call)).data.corporation_id);
    return storedBuyers.update(ctx, call);
  },
  async remove(ctx, call) {
    requireToSell(ctx.caller, (await storedBuyers.get(ctx, call)).data.corporation_id);
    return storedBuyers.remove(ctx, call);
  },
};
