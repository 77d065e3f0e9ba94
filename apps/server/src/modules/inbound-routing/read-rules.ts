import type { RouteAction } from '@heliograph/contract/inbound-routing/routing';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { type AliasOf, type InboundRule, numberOf } from './inbound-rules.ts';

/** Routing as it is applied. */
export interface Rule extends InboundRule {
  number: string;
  action: RouteAction;
  campaign_name: string | null;
  sender_id_id: number | null;
  /** Mask of the answers; null if they leave from the number itself. */
  sender: string | null;
  user_id: number | null;
  department_id: number | null;
  reply_with_answer: boolean;
}

const RULES = `
  SELECT r.id, r.corporation_id, r.number, r.keyword, r.action, r.campaign_name, r.valid_replies, r.valid_reply_message,
    r.invalid_reply_message, r.sender_id_id, s.sender_id AS sender, r.user_id, u.department_id, r.reply_with_answer,
    number_holder(r.number) IS NOT DISTINCT FROM r.corporation_id AS holds
  FROM routing r LEFT JOIN sender_id s ON s.id = r.sender_id_id AND NOT s.withheld LEFT JOIN user_account u ON u.id = r.user_id
  WHERE r.enabled AND NOT r.withheld AND r.number = ANY ($1::text[]) ORDER BY r.id`;

const ALIASES = `
  SELECT w.corporation_id, w.word AS alias, name_key(a.word) AS word FROM alias_word w JOIN alias a ON a.id = w.alias_id
  WHERE a.enabled AND w.corporation_id = ANY ($1::bigint[])`;

/** Reads the enabled routings of some numbers (in the form of `numberOf`), by number. */
export async function readRules(db: Queryable, numbers: readonly string[]): Promise<Map<string, Rule[]>> {
  const rules = await rowsOf<Rule>(db, RULES, [[...new Set(numbers)]]);
  return Map.groupBy(rules, ({ number }) => numberOf(number));
}

/** Reads the aliases of some corporations. */
export async function readAliases(db: Queryable, corporations: readonly number[]): Promise<AliasOf> {
  if (corporations.length === 0) return () => undefined;
  const rows = await rowsOf<{ corporation_id: number; alias: string; word: string }>(db, ALIASES, [
    [...new Set(corporations)],
  ]);
  const words = new Map(rows.map(({ corporation_id, alias, word }) => [`${corporation_id} ${alias}`, word]));
  return (corporationId, word) => words.get(`${corporationId} ${word}`);
}
