import * as contract from '@heliograph/contract/api/top-up';
import type { z } from 'zod';
import { type TopUpRow, topUpPage, wholeTopUp } from '#modules/top-ups';
import { requirePermission } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { mountPublicOperation, type PublicApi } from './mount-public.ts';

type Shown = z.output<(typeof contract.listPaidTopUps)['reply']>['data'][number];

const shown = (row: TopUpRow): Shown => ({
  id: String(row.id),
  state: row.state,
  billing_account_id: String(row.billing_account_id),
  amount: row.amount,
  fee: row.fee,
  total: row.total,
  currency: row.currency,
  method: row.method_name,
  automatic: row.automatic,
  reference: row.reference,
  client_reference: row.client_reference,
  returned: row.returned,
  taken_back: row.taken_back,
  created_at: row.created_at,
  paid_at: row.paid_at,
});

/** Mounts the calls about the top-ups of a corporation's own accounts. A test key sees no money. */
export function topUpRoutes(api: PublicApi): void {
  mountPublicOperation(api, contract.listPaidTopUps, ({ holder, query, read }) =>
    read(async (ctx) => {
      if (ctx.is_test) return { data: [], next_cursor: null, has_more: false };
      requirePermission(ctx.caller, 'top-ups-index');
      if (query.cursor !== undefined && !/^\d{1,15}$/.test(query.cursor)) throw new BusinessError('cursor_invalid');
      const { data, ...page } = await topUpPage(ctx, { ...query, corporation_id: holder.caller.corporation_id! });
      return { data: data.map(shown), ...page };
    }),
  );
  mountPublicOperation(api, contract.getPaidTopUp, ({ holder, params, read }) =>
    read(async (ctx) => {
      requirePermission(ctx.caller, 'top-ups-index');
      if (ctx.is_test) throw new BusinessError('not_found');
      const { corporation_id, returns, ...row } = await wholeTopUp(ctx, params.id);
      if (corporation_id !== holder.caller.corporation_id) throw new BusinessError('not_found');
      return {
        ...shown(row),
        returns: returns.flatMap(({ kind, state, amount, reason, created_at }) =>
          state === 'requested' || state === 'rejected' ? [] : [{ kind, state, amount, reason, created_at }],
        ),
      };
    }),
  );
}
