import { firstWord, fold, restOf, wholeOf } from './opt-words.ts';

/** What of a routing decides about a text. */
export interface InboundRule {
  id: number;
  corporation_id: number;
  /** Whether the number is the corporation's own; others have the keywords alone that the platform gave them. */
  holds: boolean;
  /** Null: whatever no other rule of the number takes. */
  keyword: string | null;
  valid_replies: readonly string[];
  valid_reply_message: string | null;
  invalid_reply_message: string | null;
}

/** The word (folded) that a word (folded) is an alias of in a corporation; undefined where it is none. */
export type AliasOf = (corporationId: number, word: string) => string | undefined;

/** Which rule takes a text, and by what. */
export interface Taken<Rule extends InboundRule> {
  rule: Rule;
  by: 'keyword' | 'alias' | 'catch_all';
  /** Whether the reply is in the rule's list; null where it has none. */
  valid: boolean | null;
  /** What is answered by itself; null for nothing. */
  answer: string | null;
}

/** The number as routings have it: digits alone, where it is one; the case of a sender ID makes no difference. */
export const numberOf = (address: string): string => {
  const digits = address.replace(/[\s+().-]/g, '');
  return /^\d+$/.test(digits) ? digits.replace(/^00/, '') : address.trim().toUpperCase();
};

/**
 * The rule that takes a text, of the enabled ones of its number: that of its first word, else that of the word whose
 * alias it is, else the catch-all. Null where there is none.
 */
export function takeText<Rule extends InboundRule>(
  rules: readonly Rule[],
  text: string,
  aliasOf: AliasOf,
): Taken<Rule> | null {
  const word = firstWord(text);
  const keyword = (rule: Rule) => rule.keyword !== null && fold(rule.keyword) === word;
  const alias = (rule: Rule) =>
    rule.holds && rule.keyword !== null && aliasOf(rule.corporation_id, word) === fold(rule.keyword);
  const found: [Rule | undefined, Taken<Rule>['by']][] = [
    [word === '' ? undefined : rules.find(keyword), 'keyword'],
    [word === '' ? undefined : rules.find(alias), 'alias'],
    [rules.find((rule) => rule.keyword === null), 'catch_all'],
  ];
  for (const [rule, by] of found)
    if (rule) return { rule, by, ...replyTo(rule, by === 'catch_all' ? wholeOf(text) : restOf(text)) };
  return null;
}

function replyTo(rule: InboundRule, reply: string): Pick<Taken<InboundRule>, 'valid' | 'answer'> {
  const valid =
    rule.valid_replies.length === 0
      ? null
      : rule.valid_replies.some((each) => wholeOf(each) === reply.replace(/\s+/gu, ' '));
  return { valid, answer: valid === false ? rule.invalid_reply_message : rule.valid_reply_message };
}
