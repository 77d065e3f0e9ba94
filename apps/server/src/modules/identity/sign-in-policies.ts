import { signInPolicy } from '@heliograph/contract/identity/sign-in-policy';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { isAllowedFrom } from './sign-in-policy.ts';

const stored = tableStore(signInPolicy, { table: 'sign_in_policy', from: 'sign_in_policy_row' });

type Row = Awaited<ReturnType<ResourceHandlers<typeof signInPolicy>['get']>>['data'];

/** Throws a 422 if the rules would lock out the person who saves them, in this very session. */
async function requireWayIn(ctx: Context, rules: Pick<Row, 'corporation_id' | 'addresses' | 'passkeys'>) {
  const { caller } = ctx;
  if (caller.corporation_id !== rules.corporation_id) return;
  if (!isAllowedFrom({ addresses: rules.addresses, reseller_addresses: null }, caller.address))
    throw fieldError('addresses', 'own_address_missing', { address: caller.address });
  if (rules.passkeys === 'optional') return;
  const own = await ctx.db
    .selectFrom('passkey')
    .select('user_id')
    .where('user_id', '=', caller.user_id)
    .limit(1)
    .executeTakeFirst();
  if (!own) throw fieldError('passkeys', 'own_passkey_missing');
}

/** Rules of sign-in. The platform's people set any; others those of their corporation, and a reseller its customers'. */
export const signInPolicies: ResourceHandlers<typeof signInPolicy> = {
  ...stored,
  async create(ctx, { params, query, body }) {
    const corporation_id = body.corporation_id ?? ctx.caller.corporation_id;
    if (corporation_id !== null && !isAdministration(ctx.caller.scope_level))
      await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
    const columns = { ...body, corporation_id };
    await requireWayIn(ctx, columns);
    return stored.create(ctx, { params, query, body: columns });
  },
  async update(ctx, call) {
    const { data: present } = await stored.get(ctx, { params: call.params, query: {}, body: {} });
    const changes = Object.fromEntries(Object.entries(call.body).filter(([, value]) => value !== undefined));
    await requireWayIn(ctx, { ...present, ...changes });
    return stored.update(ctx, call);
  },
};
