/** The operator's rules for recipients' numbers; served by `validation-rules/number`, applied alike on both sides. */
export interface NumberRules {
  min: number;
  max: number;
  /** The prefix a number must start with, such as "63"; empty for none. */
  start: string;
  /** True lifts the prefix rule. */
  start_with_any_msisdn: boolean;
}

export type NumberFault = 'empty' | 'spreadsheet_damage' | 'not_a_number' | 'too_short' | 'too_long' | 'wrong_prefix';

export type CheckedNumber = { msisdn: string; fault?: never } | { msisdn?: never; fault: NumberFault };

/** Spaces, brackets, dots, slashes, dashes of all lengths, and what is not seen. */
const SEPARATORS = /[\s\-.()/[\]\u00ad\u200b-\u200f\u2010-\u2015\u202a-\u202e\u2060\u2212\ufeff]+/g;

/**
 * A number as a person or a spreadsheet wrote it, brought to digits in international format: spaces, dashes, dots and
 * brackets go, a leading + or 00 goes. Letters and spreadsheet damage such as 6.39171E+11 are refused with that reason.
 */
export function checkNumber(raw: string, rules: NumberRules): CheckedNumber {
  let digits = raw;
  if (!isDigits(digits)) {
    if (/^\s*\d+([.,]\d+)?[eE]\+?\d+\s*$/.test(raw)) return { fault: 'spreadsheet_damage' };
    digits = raw.normalize('NFKC').replace(SEPARATORS, '');
    if (digits.startsWith('+')) digits = digits.slice(1);
    if (digits === '') return { fault: 'empty' };
    if (!isDigits(digits)) return { fault: 'not_a_number' };
  }
  if (digits.startsWith('00')) digits = digits.slice(2);
  if (digits.length < rules.min) return { fault: 'too_short' };
  if (digits.length > rules.max) return { fault: 'too_long' };
  if (!rules.start_with_any_msisdn && !digits.startsWith(rules.start)) return { fault: 'wrong_prefix' };
  return { msisdn: digits };
}

function isDigits(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 48 || unit > 57) return false;
  }
  return text.length > 0;
}
