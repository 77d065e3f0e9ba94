import type { Operation } from '@heliograph/contract/kernel/operation';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import { RULE_SETTERS, type RuleSetter, retentionRule } from '@heliograph/contract/privacy/retention-rule';
import { requireVisible } from '#platform/access/visible';
import type { Caller, Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import type { Call, ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { requireWholeCorporation } from './request-rows.ts';

/** Returns the side on which a caller stands for a corporation. */
function setterOf(caller: Caller, corporationId: number): RuleSetter {
  if (isAdministration(caller.scope_level)) return 'platform';
  return corporationId === caller.corporation_id ? 'corporation' : 'reseller';
}

/** Tells whether a caller may change a rule: those who set it, and everybody above them. */
const mayChange = (caller: Caller, rule: { corporation_id: number; set_by: RuleSetter }): boolean =>
  RULE_SETTERS.indexOf(setterOf(caller, rule.corporation_id)) <= RULE_SETTERS.indexOf(rule.set_by);

const stored = tableStore(retentionRule, {
  table: 'retention_rule',
  from: 'retention_rule_row',
  searched: ['corporation_name'],
  may(rule, caller) {
    const may = mayChange(caller, rule);
    return { edit: may, delete: may };
  },
});

/** Throws `forbidden` unless the caller may change the rule. */
async function requireChangeable(ctx: Context, call: Call<Operation>): Promise<void> {
  const { data } = await stored.get(ctx, { params: call.params as { id: number }, query: {}, body: {} });
  if (!mayChange(ctx.caller, data)) throw new BusinessError('forbidden');
}

/** Rules of retention. Each side sets its own; a corporation sees those that were set for it. */
export const retentionRules: ResourceHandlers<typeof retentionRule> = {
  ...stored,
  async create(ctx, call) {
    requireWholeCorporation(ctx);
    const { corporation_id } = call.body;
    await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
    const body = { ...call.body, set_by: setterOf(ctx.caller, corporation_id) };
    return stored.create(ctx, { ...call, body });
  },
  async update(ctx, call) {
    await requireChangeable(ctx, call);
    return stored.update(ctx, call);
  },
  async remove(ctx, call) {
    await requireChangeable(ctx, call);
    return stored.remove(ctx, call);
  },
};
