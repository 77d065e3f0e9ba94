import { charge as chargeField, prefix as prefixField } from '@heliograph/contract/billing/rate';
import { CARD_COLUMNS, type CardFault } from '@heliograph/contract/billing/rate-card';
import { toThousandths } from '@heliograph/contract/kernel/money';
import { nameKey } from '@heliograph/contract/kernel/name-key';
import { plainDigits } from '@heliograph/contract/kernel/number-rules';
import type { TableRow } from '#platform/table/read-table';

export type CardColumn = (typeof CARD_COLUMNS)[number];
/** Position of each column in a row; a column without a position is left out. */
export type CardHeader = Readonly<Partial<Record<CardColumn, number>>>;

/** Good row of a card. */
export interface CardRow {
  line: number;
  rate_zone_id: number;
  prefix: string;
  /** Thousandths. */
  charge: number;
  starts_on: string;
  ends_on: string | null;
  enabled: boolean;
}

export interface RefusedRow {
  line: number;
  field: CardColumn;
  value: string;
  fault: CardFault;
}

const REQUIRED = ['zone', 'prefix', 'charge'] as const;
const DATE = /^\d{4}-\d\d-\d\d$/;
const YES = new Set(['', 'true', 'yes', '1']);
const NO = new Set(['false', 'no', '0']);

/**
 * Reads the header of a card, with columns in any order and case. Returns null if a column is unknown, repeated or
 * missing.
 */
export function parseCardHeader(cells: readonly string[]): CardHeader | null {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  while (names.at(-1) === '') names.pop();
  if (new Set(names).size < names.length) return null;
  if (names.some((name) => !(CARD_COLUMNS as readonly string[]).includes(name))) return null;
  const header = Object.fromEntries(names.map((name, place) => [name, place])) as CardHeader;
  return REQUIRED.every((name) => header[name] !== undefined) ? header : null;
}

/** Reads one row. `zones` are ids by the key of their name; `today` is the start of a row without a start date. */
export function parseCardRow(
  { line, cells, exact, hidden }: TableRow,
  header: CardHeader,
  zones: ReadonlyMap<string, number>,
  today: string,
): CardRow | RefusedRow {
  const cell = (column: CardColumn) => cells[header[column] ?? -1]?.trim() ?? '';
  const refused = (field: CardColumn, fault: CardFault): RefusedRow => ({
    line,
    field,
    value: cell(field).slice(0, 100),
    fault,
  });
  /** Returns the value of a workbook's date or amount, whatever its format is. */
  const value = (column: CardColumn) => exact?.[header[column] ?? -1] ?? cell(column);
  if (hidden) return refused('prefix', 'hidden_row');
  const rate_zone_id = zones.get(nameKey(cell('zone')));
  if (rate_zone_id === undefined) return refused('zone', 'zone_unknown');
  const prefix = prefixField.safeParse(plainDigits(value('prefix')) ?? cell('prefix'));
  if (!prefix.success) return refused('prefix', 'prefix_invalid');
  const charge = chargeField.safeParse(value('charge'));
  if (!charge.success) return refused('charge', 'charge_invalid');
  const starts_on = value('starts_on') || today;
  if (!isDate(starts_on)) return refused('starts_on', 'date_invalid');
  const ends_on = value('ends_on') || null;
  if (ends_on !== null && !isDate(ends_on)) return refused('ends_on', 'date_invalid');
  if (ends_on !== null && ends_on < starts_on) return refused('ends_on', 'date_order');
  const enabled = value('enabled').toLowerCase();
  if (!YES.has(enabled) && !NO.has(enabled)) return refused('enabled', 'enabled_invalid');
  return {
    line,
    rate_zone_id,
    prefix: prefix.data,
    charge: toThousandths(charge.data),
    starts_on,
    ends_on,
    enabled: YES.has(enabled),
  };
}

function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  try {
    return Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}

/**
 * Separates rows of one prefix that contradict each other. Rows with the same start are all refused, because the right
 * one is unknown. Of overlapping rows the later is refused. A rate without an end ends where the next one of its prefix
 * starts.
 */
export function consistentRows(rows: readonly CardRow[]): { good: CardRow[]; refused: RefusedRow[] } {
  const good: CardRow[] = [];
  const refused: RefusedRow[] = [];
  for (const same of Map.groupBy(rows, ({ rate_zone_id, prefix }) => `${rate_zone_id} ${prefix}`).values()) {
    const byStart = same.toSorted((a, b) =>
      a.starts_on < b.starts_on ? -1 : a.starts_on > b.starts_on ? 1 : a.line - b.line,
    );
    let last: CardRow | undefined;
    for (const [i, row] of byStart.entries()) {
      if (row.starts_on === byStart[i - 1]?.starts_on || row.starts_on === byStart[i + 1]?.starts_on) {
        refused.push({ line: row.line, field: 'prefix', value: row.prefix, fault: 'duplicate' });
      } else if (last?.ends_on && last.ends_on >= row.starts_on) {
        refused.push({ line: row.line, field: 'starts_on', value: row.starts_on, fault: 'overlaps' });
      } else {
        if (last && last.ends_on === null) last.ends_on = dayBefore(row.starts_on);
        last = { ...row };
        good.push(last);
      }
    }
  }
  return { good: good.sort((a, b) => a.line - b.line), refused };
}

const dayBefore = (date: string) => Temporal.PlainDate.from(date).subtract({ days: 1 }).toString();
