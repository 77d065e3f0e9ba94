import { firstWord, fold, restOf, wholeOf } from './opt-words.ts';

/** Settings of a routing that decide about a text. */
export interface InboundRule {
  id: number;
  corporation_id: number;
  /**
   * True if the number is the corporation's own. Other corporations have only the keywords that the platform gave them.
   */
  holds: boolean;
  /** Null means any text that no other rule of the number takes. */
  keyword: string | null;
  valid_replies: readonly string[];
  valid_reply_message: string | null;
  invalid_reply_message: string | null;
}

/** Returns the word (folded) that a word (folded) is an alias of in a corporation; undefined if it is no alias. */
export type AliasOf = (corporationId: number, word: string) => string | undefined;

/** Rule that takes a text, and the way it matched. */
export interface Taken<Rule extends InboundRule> {
  rule: Rule;
  by: 'keyword' | 'alias' | 'catch_all';
  /** Tells if the reply is in the rule's list; null if the rule has none. */
  valid: boolean | null;
  /** Automatic answer; null for none. */
  answer: string | null;
}

/**
 * Returns a number as routings store it: digits only if it is a number. Sender IDs are compared without regard to case.
 */
export const numberOf = (address: string): string => {
  const digits = address.replace(/[\s+().-]/g, '');
  return /^\d+$/.test(digits) ? digits.replace(/^00/, '') : address.trim().toUpperCase();
};

/**
 * Finds the rule that takes a text, among the enabled ones of its number. It is the rule of its first word, or of the
 * word with that alias, or the catch-all. Returns null if there is none.
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
