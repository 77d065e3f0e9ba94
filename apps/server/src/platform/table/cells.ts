import { localTime } from '../records/period.ts';

/** A cell that a workbook shows by a format: its text in a CSV, its number and style in a workbook. */
export class StyledCell {
  readonly text: string;
  readonly value: number | string;
  readonly style: CellStyle;

  constructor(text: string, value: number | string, style: CellStyle) {
    this.text = text;
    this.value = value;
    this.style = style;
  }
}

/** Styles of a workbook's cells; their places follow from this order. */
export const CELL_STYLES = ['general', 'heading', 'moment', 'date', 'amount', 'percent'] as const;
export type CellStyle = (typeof CELL_STYLES)[number];

export type Cell = string | number | boolean | null | StyledCell;
export type Cells = readonly Cell[];

const DAY_MS = 86_400_000;
/** Day 0 of a workbook's dates. */
const EPOCH = Date.UTC(1899, 11, 30);
const serialOf = (wall: string) => Number(((Date.parse(wall) - EPOCH) / DAY_MS).toFixed(8));

/** A wall time such as `2026-02-28 13:05:00`, as a date and time; null if there is none. */
export const wallTimeCell = (wall: string | null): Cell =>
  wall ? new StyledCell(wall, serialOf(`${wall.replace(' ', 'T')}Z`), 'moment') : null;

/** Makes a cell of a moment in a time zone, to the second, as a date and time. */
export const momentCell = (instant: string | null, zone: string): Cell => wallTimeCell(localTime(instant, zone));

/** Makes a cell of a calendar date such as `2026-02-28`. */
export const dateCell = (date: string | null): Cell =>
  date ? new StyledCell(date, serialOf(`${date}T00:00:00Z`), 'date') : null;

/** Makes a cell of an amount of money, a decimal string with three decimals. */
export const amountCell = (decimal: string): Cell => new StyledCell(decimal, decimal, 'amount');

/** Makes a cell of a share between 0 and 1, to the hundredth of a percent. */
export function percentCell(share: number | null): Cell {
  if (share === null) return null;
  const rounded = Math.round(share * 10_000) / 10_000;
  return new StyledCell(String(rounded), rounded, 'percent');
}
