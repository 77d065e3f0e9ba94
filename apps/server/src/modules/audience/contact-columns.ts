import { createHash } from 'node:crypto';
import type { ContactFieldType } from '@heliograph/contract/audience/contact-field';
import { CONTACT_IMPORT } from '@heliograph/contract/audience/contact-import';
import { means, plainName } from '@heliograph/contract/kernel/column-names';
import { findColumns } from '@heliograph/contract/kernel/find-columns';
import { checkNumber, type NumberRules } from '@heliograph/contract/kernel/number-rules';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import type { TableRow } from '#platform/table/read-table';
import { targetOf } from './contact-cells.ts';
import { type DayOrder, orderOfDates } from './contact-dates.ts';
import { type ContactField, storedValue } from './field-values.ts';

/** Column of a file with its suggested meaning, and the type of a field that its values would fit. */
export interface SuggestedColumn {
  name: string;
  target: string;
  type: ContactFieldType;
  choices: string[];
  dates: 'clear' | 'unclear' | DayOrder | null;
}

/** Beginning of a stored meaning that is a field; its id follows. */
const FIELD = 'field:';
/** Maximum choices of a suggested field, and minimum rows for each of them. */
const [MOST_CHOICES, ROWS_FOR_CHOICE] = [12, 3];
const TAG_NAMES = new Set(['tag', 'tags', 'label', 'labels', 'group', 'groups', '标签', '標籤'].map(plainName));

/** Returns how columns are stored: fields by their ids, so that a field keeps its column if its key changes. */
export const storedTargets = (targets: readonly string[], fields: readonly ContactField[]): string[] =>
  targets.map((target) => {
    const field = fields.find((each) => targetOf(each) === target);
    return field ? `${FIELD}${field.id}` : target;
  });

/** Returns the meaning of stored columns; a column whose field is gone is left out. */
export const shownTargets = (stored: readonly string[], fields: readonly ContactField[]): string[] =>
  stored.map((target) => {
    if (!target.startsWith(FIELD)) return target;
    const field = fields.find(({ id }) => `${FIELD}${id}` === target);
    return field ? targetOf(field) : '';
  });

/** Returns the digest of headings, by which the meaning of the columns is remembered. */
export const headingsDigest = (headings: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(headingsOf(headings).map(plainName)))
    .digest('hex');

/** Returns headings without empty ones at the end. */
export function headingsOf(cells: readonly string[]): string[] {
  const names = cells.slice(0, CONTACT_IMPORT.mostColumns).map((cell) => cell.trim().slice(0, 100));
  while (names.at(-1) === '') names.pop();
  return names;
}

/** Returns the meanings that a corporation chose for these headings; null if they are new. */
export async function rememberedTargets(
  db: Queryable,
  corporationId: number,
  headings: readonly string[],
): Promise<string[] | null> {
  const [row] = await rowsOf<{ targets: string[] }>(
    db,
    'SELECT targets FROM contact_mapping WHERE corporation_id = $1 AND headings_sha256 = $2',
    [corporationId, headingsDigest(headings)],
  );
  return row?.targets ?? null;
}

/** Suggests what the columns of a file mean: as remembered, else by their headings and values. */
export function suggestColumns(
  rows: readonly TableRow[],
  { fields, rules, remembered }: { fields: readonly ContactField[]; rules: NumberRules; remembered: string[] | null },
): SuggestedColumn[] {
  const [first, ...records] = rows;
  const headings = headingsOf(first?.cells ?? []);
  const known = remembered && shownTargets(remembered, fields);
  const found = findColumns(
    rows.map(({ cells }) => cells),
    ['number', 'name'],
    rules,
  ).columns;
  const used = new Set<string>();
  return headings.map((name, at) => {
    const suggested = known?.[at] ?? found[at]?.field ?? fieldNamed(name, fields);
    // Two columns cannot hold the same.
    const target = suggested !== '' && used.has(suggested) ? '' : suggested;
    used.add(target);
    const texts = records.map(({ cells }) => cells[at]?.trim() ?? '').filter(Boolean);
    const stored = records.filter(({ cells }) => cells[at]?.trim()).map(({ exact }) => exact?.[at]);
    const isStored = stored.length > 0 && stored.every((exact) => /^\d{4}-\d\d-\d\d/.test(exact ?? ''));
    const dates = isStored ? 'clear' : orderOfDates(texts);
    return { name: name || String(at + 1), target, dates, ...typeOf(texts, dates !== null) };
  });
}

function fieldNamed(name: string, fields: readonly ContactField[]): string {
  if (TAG_NAMES.has(plainName(name))) return 'tags';
  const field = fields.find((each) => means(name, each.key) || plainName(name) === plainName(each.name));
  return field ? targetOf(field) : '';
}

/** Suggests the type of a field by the values of a column. */
function typeOf(texts: readonly string[], isDate: boolean): Pick<SuggestedColumn, 'type' | 'choices'> {
  const fits = (type: ContactFieldType) =>
    texts.length > 0 &&
    texts.every((text) => storedValue({ type, choices: [] }, text.replace(/,(?=\d{3})|%$/g, '')) !== undefined);
  if (isDate) return { type: 'date', choices: [] };
  if (fits('yes_no') && texts.some((text) => !/^[01]$/.test(text))) return { type: 'yes_no', choices: [] };
  // Leading zeros belong to codes, which are texts.
  if (fits('number') && !texts.some((text) => /^0\d/.test(text))) return { type: 'number', choices: [] };
  const choices = [...new Set(texts)];
  const few = choices.length <= MOST_CHOICES && choices.length * ROWS_FOR_CHOICE <= texts.length;
  return few && choices.every((choice) => choice.length <= 60) && choices.length > 1
    ? { type: 'choice', choices }
    : { type: 'text', choices: [] };
}

/** Tells whether the row that should hold the headings has a phone number in the column of numbers. */
export const isHeadless = (headings: readonly string[], numberAt: number, rules: NumberRules): boolean =>
  checkNumber(headings[numberAt] ?? '', rules).msisdn !== undefined;
