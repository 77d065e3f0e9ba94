import { z } from 'zod';

// Rules by which a link rewrites what it sends: recipients' numbers, sender IDs, and texts. Each is one line.

/** Rule of numbers `FROM=TO`: a number that begins with FROM begins with TO instead. Either may be empty. */
export interface NumberRule {
  from: string;
  to: string;
}

/** Rule of senders `SENDER@NETWORK=NEW`. `*` is every sender ID. */
export interface SenderRule {
  /** Sender ID, or `*`. */
  sender: string;
  /** First digits of a number, a network such as 515-03, or empty for all numbers. */
  network: string;
  to: string;
}

/** Rule of texts. */
export type TextRule =
  | { kind: 'append'; text: string }
  | { kind: 'replace'; from: string; to: string }
  | { kind: 'transliterate' };

const NUMBER_RULE = /^(\d{0,15})=(\d{0,15})$/;
const SENDER_RULE = /^([^@=]{1,15})(?:@(\d{1,15}|\d{3}-\d{2,3}))?=([^@=]{1,15})$/;
const APPEND = /^append:(.{1,200})$/s;
const REPLACE = /^replace:(.{1,200}?)=>(.{0,200})$/s;

/** Reads a rule of numbers; undefined if the line is none. */
export function parseNumberRule(line: string): NumberRule | undefined {
  const [, from, to] = NUMBER_RULE.exec(line.trim()) ?? [];
  return from === undefined || to === undefined || from === to ? undefined : { from, to };
}

/** Reads a rule of senders; undefined if the line is none. */
export function parseSenderRule(line: string): SenderRule | undefined {
  const [, sender, network = '', to] = SENDER_RULE.exec(line.trim()) ?? [];
  return sender?.trim() && to?.trim() && /^[\x20-\x7e]*$/.test(to)
    ? { sender: sender.trim(), network, to: to.trim() }
    : undefined;
}

/** Reads a rule of texts; undefined if the line is none. */
export function parseTextRule(line: string): TextRule | undefined {
  if (line.trim() === 'transliterate') return { kind: 'transliterate' };
  const [, text] = APPEND.exec(line) ?? [];
  if (text) return { kind: 'append', text };
  const [, from, to] = REPLACE.exec(line) ?? [];
  return from && to !== undefined ? { kind: 'replace', from, to } : undefined;
}

const lines = (parse: (line: string) => unknown, error: string, max = 420) =>
  z
    .array(
      z
        .string()
        .max(max)
        .refine((line) => parse(line) !== undefined, { error }),
    )
    .max(100);

/** Rules of a link, in the order in which they are tried. */
export const numberRules = lines(parseNumberRule, 'number_rule');
export const senderRules = lines(parseSenderRule, 'sender_rule');
export const textRules = lines(parseTextRule, 'text_rule');

/** Maximum digits of a number at a carrier (SMPP 3.4 §5.2.9). */
const LONGEST_NUMBER = 20;

/**
 * Returns a number as the carrier wants it, by the first rule that fits, and the place of that rule; null for none. A rule
 * that would leave nothing of a number, or more digits than SMPP carries, does not fit.
 */
export function rewriteNumber(rules: readonly NumberRule[], number: string): { number: string; rule: number | null } {
  for (const [place, { from, to }] of rules.entries()) {
    if (!number.startsWith(from)) continue;
    const rewritten = to + number.slice(from.length);
    if (rewritten !== '' && rewritten.length <= LONGEST_NUMBER) return { number: rewritten, rule: place };
  }
  return { number, rule: null };
}

/**
 * Returns the number that the rules turn into the one that a carrier wrote. A number that a rule with a beginning
 * changes counts as an original already, because many carriers write senders in the international form. Of several
 * possible originals, that of the rule with the longest new beginning is meant.
 */
export function originalNumber(rules: readonly NumberRule[], written: string): string {
  if (rules.some(({ from }) => from !== '' && written.startsWith(from))) return written;
  let best = { to: '', original: written };
  for (const [place, { from, to }] of rules.entries()) {
    if (!written.startsWith(to) || (best.original !== written && to.length <= best.to.length)) continue;
    const original = from + written.slice(to.length);
    if (rewriteNumber(rules, original).rule === place) best = { to, original };
  }
  return best.original;
}
