import { MOST_TAGS } from '@heliograph/contract/audience/contact';
import { FIELD_TARGET } from '@heliograph/contract/audience/contact-import';
import { plainName } from '@heliograph/contract/kernel/column-names';
import type { MessageKey } from '@heliograph/contract/kernel/message-keys';
import { checkNumber, type NumberRules } from '@heliograph/contract/kernel/number-rules';
import { FAULT_TEXT } from '#modules/contacts';
import { type DayOrder, dateOfSerial, readDate } from './contact-dates.ts';
import { type ContactField, FAULTS, storedValue, type Value } from './field-values.ts';

/** Text of a cell, and its exact value if the sheet shows it otherwise. */
export interface ContactCell {
  text: string;
  exact?: string | undefined;
}

/** Rules by which the rows of a file are read. */
export interface CellRules {
  /** Fields of the columns, by their meaning in the call. */
  fields: ReadonlyMap<string, ContactField>;
  numbers: NumberRules;
  /** The same rules with those for national numbers, for suggestions. */
  configured: NumberRules;
  order: DayOrder | undefined;
  /** Tags that every contact of the file gets. */
  tags: readonly string[];
}

/** Reason why a cell is refused, and a value that would be accepted. */
export interface CellFault {
  /** Meaning of the column. */
  target: string;
  /** Name of the column for people. */
  field: string;
  value: string;
  fault: MessageKey;
  params: Record<string, string | number>;
  suggestion: string | null;
}

/** A contact as a row of a file describes it: values by their columns; null for an empty cell. */
export interface IncomingContact {
  number: string;
  national: boolean;
  name: string | null;
  tags: string[];
  values: Record<string, Value>;
}

const [LONGEST_NAME, LONGEST_TAG, LONGEST_TEXT] = [100, 50, 500];
const GROUPED = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const PLAIN = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/;
const WORDS: Readonly<Record<string, boolean>> = {
  y: true,
  oo: true,
  on: true,
  是: true,
  x: true,
  '✓': true,
  n: false,
  hindi: false,
  off: false,
  否: false,
};

/** Reads the cells of a row, by the meaning of their columns. Every cell that cannot be read is among the faults. */
export function readContact(
  cells: Readonly<Record<string, ContactCell>>,
  rules: CellRules,
): { contact: IncomingContact; faults: CellFault[] } {
  const faults: CellFault[] = [];
  const refuse = (target: string, value: string, fault: MessageKey, more: Partial<CellFault> = {}) =>
    void faults.push({ target, field: target, value, fault, params: {}, suggestion: null, ...more });
  const contact: IncomingContact = { number: '', national: false, name: null, tags: [...rules.tags], values: {} };
  for (const [target, cell] of Object.entries(cells)) {
    const text = cell.text.replaceAll('\0', '').trim();
    const field = rules.fields.get(target);
    if (target === 'number') {
      const read = checkNumber(text, rules.numbers);
      if (read.fault === undefined) Object.assign(contact, { number: read.msisdn, national: read.national === true });
      else
        refuse(target, text, `validation.${FAULT_TEXT[read.fault]}`, {
          suggestion: read.fault === 'spreadsheet_damage' ? null : suggestedNumber(text, rules.configured),
        });
    } else if (target === 'name') {
      contact.name = text || null;
      if (text.length > LONGEST_NAME)
        refuse(target, text, 'validation.too_long', {
          params: { count: LONGEST_NAME },
          suggestion: text.slice(0, LONGEST_NAME).trim(),
        });
    } else if (target === 'tags') {
      contact.tags = tagsOf(`${text},${rules.tags.join(',')}`);
      if (contact.tags.length > MOST_TAGS || contact.tags.some((tag) => tag.length > LONGEST_TAG))
        refuse(target, text, 'validation.contact_tags', {
          params: { count: MOST_TAGS, length: LONGEST_TAG },
          suggestion: tagsOf(text)
            .map((tag) => tag.slice(0, LONGEST_TAG).trim())
            .slice(0, MOST_TAGS - rules.tags.length)
            .join(', '),
        });
    } else if (field) {
      const read = readValue(field, text, cell.exact, rules.order);
      if (read.fault === undefined) contact.values[field.slot] = read.value;
      else
        refuse(target, text, `validation.${read.fault}`, {
          field: field.name,
          params: { field: field.name, choices: field.choices.join(', ') },
          suggestion: read.suggestion,
        });
    }
  }
  return { contact, faults };
}

/** Returns the tags in a cell, without repetitions; commas, semicolons, bars and line breaks separate them. */
export const tagsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,;|\n]/)
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
];

/** Returns the meaning of a column that holds a field. */
export const targetOf = ({ key }: Pick<ContactField, 'key'>): string => `${FIELD_TARGET}${key}`;

type ReadValue =
  | { value: Value; fault?: never }
  | {
      fault: (typeof FAULTS)[keyof typeof FAULTS] | 'contact_date_order';
      suggestion: string | null;
    };

function readValue(field: ContactField, text: string, exact: string | undefined, order?: DayOrder): ReadValue {
  if (text === '') return { value: null };
  const refused = (suggestion: string | null): ReadValue => ({ fault: FAULTS[field.type], suggestion });
  switch (field.type) {
    case 'text':
      return text.length > LONGEST_TEXT ? refused(text.slice(0, LONGEST_TEXT).trim()) : { value: text };
    case 'number': {
      const number = numberOf(text, exact);
      if (number !== undefined) return { value: number };
      const digits = text.replace(/[^\d.,+-]/g, '');
      return refused(digits === text || numberOf(digits, undefined) === undefined ? null : digits.replaceAll(',', ''));
    }
    case 'date': {
      const stored = exact !== undefined && /^\d{4}-\d\d-\d\d/.test(exact);
      const read = readDate(stored ? exact.slice(0, 10) : text, order);
      if (read.day !== undefined) return { value: read.day };
      if (read.fault === 'date') return refused(dateOfSerial(text));
      const first = readDate(text, 'day_first');
      return { fault: 'contact_date_order', suggestion: first.day ?? null };
    }
    case 'choice': {
      const value = storedValue(field, text);
      return value === undefined ? refused(nearChoice(text, field.choices)) : { value };
    }
    case 'yes_no': {
      const value = storedValue(field, text) ?? storedValue(field, exact ?? '') ?? WORDS[text.toLowerCase()];
      return value === undefined || value === null ? refused(null) : { value };
    }
  }
}

/** Returns a number as its sheet shows it: 12% is 12, and 1,234.50 is 1234.5. */
function numberOf(text: string, exact: string | undefined): number | undefined {
  const percent = text.endsWith('%');
  const stored = exact !== undefined && exact.trim() !== '' ? Number(exact) : Number.NaN;
  if (Number.isFinite(stored)) return percent && exact !== text ? Number((stored * 100).toPrecision(15)) : stored;
  const shown = (percent ? text.slice(0, -1) : text).trim();
  const plain = GROUPED.test(shown) ? shown.replaceAll(',', '') : shown;
  return PLAIN.test(plain) ? Number(plain) : undefined;
}

/** Returns the choice that a text means: written in another case, with other marks, or with one letter wrong. */
function nearChoice(text: string, choices: readonly string[]): string | null {
  const plain = plainName(text);
  const same = choices.filter((choice) => plainName(choice) === plain);
  const near = same.length > 0 ? same : choices.filter((choice) => isNear(plainName(choice), plain));
  return near.length === 1 ? near[0]! : null;
}

/** Returns whether two words of at least four letters differ in one letter that is added, missing or another. */
function isNear(one: string, other: string): boolean {
  const [long, short] = one.length >= other.length ? [one, other] : [other, one];
  if (short.length < 3 || long.length < 4 || long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && long[at] === short[at]) at++;
  return long.slice(at + 1) === short.slice(long.length === short.length ? at + 1 : at);
}

/** Returns the number that a text probably means; null if none follows from its digits. */
function suggestedNumber(text: string, rules: NumberRules): string | null {
  // The first of two numbers in a cell counts.
  for (const part of [...text.split(/[/,;|]|\s+or\s+/i), text]) {
    const digits = part.normalize('NFKC').replace(/\D/g, '');
    if (digits.length < 6) continue;
    const bare = digits.replace(/^0+/, '');
    for (const given of [digits, `${rules.national?.country_code ?? rules.start}${bare}`]) {
      const { msisdn } = checkNumber(given, rules);
      if (msisdn !== undefined) return `+${msisdn}`;
    }
  }
  return null;
}
