import { checkNumber } from '@heliograph/contract/kernel/number-rules';
import { moderationRule, type tryModeration } from '@heliograph/contract/moderation/moderation';
import { requireVisible } from '#platform/access/visible';
import { fieldError } from '#platform/errors';
import type { Handler, ResourceHandlers } from '#platform/http/http';
import { readNumberRules } from '#platform/operator/number-rules';
import { tableStore } from '#platform/records/table-store';
import { readModeration } from './screening.ts';
import { namedHost, readWebRules } from './web-rules.ts';

const stored = tableStore(moderationRule, { table: 'moderation_rule', from: 'moderation_rule_row' });

interface Conditions {
  corporation_id: number | null;
  network_id: number | null;
  sender: string | null;
  words: readonly string[];
  web_address: boolean;
  min_messages: number | null;
  new_days: number | null;
}

/** Throws if a rule has no condition: it would hold everybody's messages. */
function requireCondition(rule: Conditions): void {
  const { corporation_id, network_id, sender, words, web_address, min_messages, new_days } = rule;
  const some = [corporation_id, network_id, sender, min_messages, new_days].some((each) => each !== null);
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

/**
 * Makes the handler that tells what the rules would do with a text, by the same rules that judge what is sent. Texts may
 * always link to `ownHosts`.
 */
export const explainWith =
  (ownHosts: readonly string[]): Handler<typeof tryModeration> =>
  async (ctx, { query }) => {
    const { corporation_id, sender, text, traffic, messages } = query;
    const number = query.number === '' ? null : checkNumber(query.number, await readNumberRules(ctx.db));
    if (number?.fault) throw fieldError('number', number.fault);
    const msisdn = number?.msisdn ?? '';
    await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
    const check = (await readWebRules(ctx.db, ownHosts, corporation_id)).of(corporation_id, sender);
    const found = check?.find(text) ?? null;
    const screening = (await readModeration(ctx.db)).of(traffic, corporation_id, sender);
    const { passing, holding } = screening?.explain({ text, messages, msisdn }) ?? { passing: null, holding: null };
    return {
      data: {
        checks_links: check !== null,
        web: found && { domain: namedHost(found.host), reason: found.reason, refused: check?.enforced ?? false },
        passed_by: passing?.name ?? null,
        held_by: passing ? null : (holding?.name ?? null),
      },
    };
  };
