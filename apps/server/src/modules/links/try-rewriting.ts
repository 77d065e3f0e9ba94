import { countParts } from '@heliograph/contract/kernel/segments';
import type { tryRewriting } from '@heliograph/contract/links/try-rewriting';
import { sql } from 'kysely';
import { Rewriting, type TriedTextRule } from '#modules/delivery';
import { readNetworks } from '#modules/networks';
import { rowsOf } from '#platform/database/queryable';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';

interface Rules {
  number_rules: string[];
  sender_rules: string[];
  text_rules: string[];
}

/** Shows how a link would write a number, a sender ID and a text, by its saved rules. */
export const tryRules: Handler<typeof tryRewriting> = async (ctx, { params, body }) => {
  const { rows } = await sql<Rules>`
    SELECT number_rules, sender_rules, text_rules FROM link_row WHERE id = ${params.id}`.execute(ctx.db);
  const [rules] = rows;
  if (!rules) throw new BusinessError('not_found');
  const networks = await readNetworks((text, values) => rowsOf(ctx.db, text, values));
  const networkOf = (msisdn: string) => networks.networkOf(msisdn);
  const rewriting = Rewriting.of(rules, networkOf);
  const tried: TriedTextRule[] = [];
  const { parts } = countParts(body.text);
  const number = rewriting?.number(body.number) ?? { number: body.number, rule: null };
  const sender = rewriting?.sender(body.sender_id, body.number) ?? { sender: body.sender_id, rule: null };
  const text = rewriting?.text(body.text, parts, tried) ?? body.text;
  const applied = (lines: readonly string[], rule: number | null) =>
    rule === null ? null : { place: rule + 1, rule: lines[rule]! };
  return {
    data: {
      number: number.number,
      number_rule: applied(rules.number_rules, number.rule),
      network: networkOf(body.number)?.name ?? null,
      sender_id: sender.sender,
      sender_rule: applied(rules.sender_rules, sender.rule),
      text,
      parts,
      text_rules: tried.map(({ rule, result }) => ({ rule: rules.text_rules[rule]!, result })),
    },
  };
};
