/** The operator's rules for recipients' numbers, from `validation-rules/number`; browser and server apply the same. */
export interface NumberRules {
  min: number;
  max: number;
  /** Prefix that a number must start with, such as "63"; empty for none. */
  start: string;
  /** True turns the prefix rule off. */
  start_with_any_msisdn: boolean;
  /** Rules for numbers without a country code; left out or null if these are not read. */
  national?: NationalRules | null | undefined;
}

/** Rules for numbers as written in the home country: 0917… and 917… are read as 63917…. */
export interface NationalRules {
  /** Calling code of the home country, such as "63". */
  country_code: string;
  /** Digits before a national number that are not part of it, such as "0"; empty for none. */
  trunk_prefix: string;
  /** First digits of national numbers that are also read without their trunk prefix, such as "9"; empty reads none. */
  start: string;
}

/** Reasons to refuse a number; `dot` is a dot between digits that no rule explains. */
export const NUMBER_FAULTS = [
  'empty',
  'spreadsheet_damage',
  'dot',
  'not_a_number',
  'too_short',
  'too_long',
  'wrong_prefix',
] as const;
export type NumberFault = (typeof NUMBER_FAULTS)[number];

export type CheckedNumber =
  /** `national` is set if the country code was added, or the trunk prefix after it was removed. */
  { msisdn: string; national?: true; fault?: never } | { msisdn?: never; national?: never; fault: NumberFault };

/** Marks that people write between digits: blanks, dashes of all lengths, brackets and slashes, but no dots. */
const SEPARATORS = /[\s\p{Pd}\u2212()/[\]]+/gu;
/** Invisible characters, such as zero-width blanks and marks of direction. */
const UNSEEN = /\p{Cf}+/gu;
/**
 * Digits and punctuation of other scripts. Footnote marks such as ² are not digits: they are not part of the number.
 */
const FOREIGN = /[\p{Nd}\uff01-\uff5e\u066b\u066c]/gu;
/** Quotes that spreadsheets and programs add to a number so that it stays text: '639…, "639…", ="639…". */
const QUOTES = /^=?["'`\u00b4\u2018\u2019\u201c\u201d]+|["'\u00b4\u2019\u201d]+$/g;
/** A number that a spreadsheet shortened; its last digits are lost. */
const EXPONENT = /^[+-]?\d+(?:[.,]\d+)?\s*[eE]\s*[+-]?\d+$/;
/** Zeros after a whole number that was stored as a decimal one: .0 or .00, and with a comma ,0 or ,00. */
const WHOLE = /(?<=^[^.,]*\d)(?:\.0+|,00?)$|(?<=^[^.]*,\d{3})\.0+$/;
/** Digits in groups of thousands or lakhs, as a spreadsheet shows them. */
const GROUPED = /^\+?\d{1,3}(?:(?:,\d{2,3})*,\d{3}|(?:['\u2019]\d{3})+)$/;
/** A second, short number after the first: 639171234567/8, 639171234567 (2). */
const APPENDED = /\d.*[/([]\s*\d{1,2}\s*[)\]]?$/;

/**
 * Converts a number that a person, a spreadsheet or a program wrote to digits in international format. Blanks, dashes,
 * brackets and a leading + or 00 are removed. Digits are never joined across a dot or a letter. 639171234567.0 loses
 * its .0; any other dot is refused. 6.39171E+11 is refused because its digits are lost.
 */
export function checkNumber(raw: string, rules: NumberRules): CheckedNumber {
  const read: Read = isDigits(raw) ? { digits: raw } : readDigits(raw);
  if (read.digits === undefined) return { fault: read.fault };
  const given = read.digits.startsWith('00') ? read.digits.slice(2) : read.digits;
  const abroad = read.plus === true || given !== read.digits;
  const digits = rules.national ? inFull(given, abroad, rules, rules.national) : given;
  if (digits.length < rules.min) return { fault: 'too_short' };
  if (digits.length > rules.max) return { fault: 'too_long' };
  if (!rules.start_with_any_msisdn && !digits.startsWith(rules.start)) return { fault: 'wrong_prefix' };
  return digits === given ? { msisdn: digits } : { msisdn: digits, national: true };
}

/** Maximum digits of a national number without its trunk prefix; longer numbers have a country code. */
const MAX_BARE_DIGITS = 10;

/** Returns a national number with its country code; every other number unchanged. */
function inFull(digits: string, abroad: boolean, rules: NumberRules, national: NationalRules): string {
  const { country_code: code, trunk_prefix: trunk, start: first } = national;
  // +63 (0) 917…: no national number begins with its own trunk prefix.
  if (trunk !== '' && digits.startsWith(code + trunk)) return code + digits.slice(code.length + trunk.length);
  if (abroad) return digits;
  if (trunk !== '' && digits.startsWith(trunk)) return code + digits.slice(trunk.length);
  const bare = first !== '' && digits.startsWith(first) && digits.length <= MAX_BARE_DIGITS;
  return bare && !rules.start_with_any_msisdn && !digits.startsWith(rules.start) ? code + digits : digits;
}

/** Returns the digits of a number or of its beginning, of any length, without + or 00; undefined if it is no number. */
export function plainDigits(text: string): string | undefined {
  const { digits } = isDigits(text) ? { digits: text } : readDigits(text);
  return digits?.startsWith('00') ? digits.slice(2) : digits;
}

type Read = { digits: string; plus?: boolean; fault?: never } | { digits?: never; fault: NumberFault };

function readDigits(raw: string): Read {
  const shown = raw.replace(UNSEEN, '').replace(FOREIGN, plain).trim().replace(QUOTES, '').trim();
  if (EXPONENT.test(shown)) return { fault: 'spreadsheet_damage' };
  const whole = shown.replace(WHOLE, '');
  if (/\d.*[.\u3002\uff61\u2026]|[.\u3002\uff61\u2026].*\d/s.test(whole))
    return { fault: holdsLetters(whole) ? 'not_a_number' : 'dot' };
  if (APPENDED.test(whole)) return { fault: 'not_a_number' };
  const text = GROUPED.test(whole) ? whole.replace(/[,'\u2019]/g, '') : whole.replace(SEPARATORS, '');
  const digits = text.startsWith('+') ? text.slice(1) : text;
  if (digits === '') return { fault: 'empty' };
  return isDigits(digits) ? { digits, plus: digits !== text } : { fault: 'not_a_number' };
}

const holdsLetters = (text: string) => /\p{L}/u.test(text);

/** Returns the ASCII character for one of another script. The digits of a script follow each other from 0 to 9. */
function plain(character: string): string {
  if (character === '\u066b') return '.';
  if (character === '\u066c') return ',';
  const code = character.codePointAt(0)!;
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value % 10);
}

function isDigits(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 48 || unit > 57) return false;
  }
  return text.length > 0;
}
