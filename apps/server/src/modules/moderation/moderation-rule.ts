import { moderationRule } from '@heliograph/contract/moderation/moderation';
import { fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';

const stored = tableStore(moderationRule, { table: 'moderation_rule', from: 'moderation_rule_row' });

interface Conditions {
  corporation_id: number | null;
  sender: string | null;
  words: readonly string[];
  web_address: boolean;
  min_messages: number | null;
  new_days: number | null;
}

/** Throws if a rule has no condition: it would hold everybody's messages. */
function requireCondition(rule: Conditions): void {
  const { corporation_id, sender, words, web_address, min_messages, new_days } = rule;
  const some = [corporation_id, sender, min_messages, new_days].some((each) => each !== null);
  if (!some && words.length === 0 && !web_address) throw fieldError('words', 'moderation_condition');
}

/** Rules of moderation. */
export const moderationRules: ResourceHandlers<typeof moderationRule> = {
  ...stored,
  async create(ctx, call) {
    requireCondition(call.body);
    return stored.create(ctx, call);
  },
  async update(ctx, call) {
    const { data: before } = await stored.get(ctx, call);
    requireCondition({ ...(before as Conditions), ...(call.body as Partial<Conditions>) });
    return stored.update(ctx, call);
  },
};
