import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { Context } from '#platform/context';
import { ruleOnWire, type StoredRule } from './margin-rule.ts';
import type { Pricing } from './price.ts';
import { rowsOf } from './sql.ts';

// Row level security hides the row from everybody but the owner of the plan.
const CARD = `
SELECT rule, source_plan_id, source_version FROM margin_rule_card
WHERE price_plan_id = $1 AND version <= $2 ORDER BY version DESC, id DESC LIMIT 1`;

const COST = `
SELECT p.name, coalesce(r.charge, p.default_charge) AS cost
FROM card_plan($1, $2) p LEFT JOIN card_rate($1, $2, $3, $4, $5) r ON true`;

const LINK = 'SELECT name, NULL::bigint AS cost FROM link WHERE id = $1';

interface Card {
  rule: StoredRule | null;
  source_plan_id: number | null;
  source_version: number | null;
}

/** Returns the margin rule behind a price with the cost that it followed, if the caller sells by it; null otherwise. */
export async function marginBehind({ db, caller }: Context, pricing: Pricing, number: string) {
  if (!caller.permissions.has('price-plans-edit')) return null;
  const { price_plan_id, version, rate_zone_id, on } = pricing;
  const [card] = await rowsOf<Card>(db, CARD, [price_plan_id, version]);
  if (!card?.rule) return null;
  const { rule, source_plan_id, source_version } = card;
  const [source] =
    source_plan_id === null
      ? await rowsOf<{ name: string; cost: number | null }>(db, LINK, [rule.link_id])
      : await rowsOf<{ name: string; cost: number | null }>(db, COST, [
          source_plan_id,
          source_version,
          rate_zone_id,
          on,
          number,
        ]);
  return {
    rule: ruleOnWire(rule),
    cost: source && source.cost !== null ? fromThousandths(source.cost) : null,
    cost_name: source?.name ?? null,
  };
}
