/** One moment, day or period of a chart. */
export interface ChartPoint {
  key: string;
  /** Label below the axis. If there are many points, only some labels have room. */
  label: string;
  /** Heading of the tooltip and of the table's row. */
  title: string;
  values: Readonly<Record<string, number | null>>;
  /** Total of the same part of the period before. */
  before?: number | null;
  /** Set for a part that has not ended, such as today. It is hatched. */
  open?: boolean;
}

export interface ChartSeries {
  key: string;
  label: string;
  color: string;
}

export interface ChartProps {
  label: string;
  kind: 'bars' | 'area' | 'lines';
  series: readonly ChartSeries[];
  points: readonly ChartPoint[];
  format: (value: number) => string;
  height?: number;
  /** Width of a label below the axis, in pixels. */
  labelWidth?: number;
  /** Name of the comparison with the period before. */
  before?: string | undefined;
  /** Name of the sum of all series, for the tooltip. */
  total?: string | undefined;
  /** Line across the chart, such as a rate limit. */
  limit?: { value: number; label: string } | undefined;
  /** Top of the axis, such as 1 for shares. */
  most?: number | undefined;
  /** Called with the point that is clicked, here or in the table. */
  onPick?: ((point: ChartPoint) => void) | undefined;
  /** Heading of the table's first column, and the line that opens the table. */
  table: { summary: string; when: string; more?: readonly ChartColumn[] };
}

/** Column of the table that the chart does not draw. */
export interface ChartColumn {
  label: string;
  value: (point: ChartPoint) => string;
}

/** Positions in pixels. */
export interface Scale {
  step: number;
  bottom: number;
  x: (place: number) => number;
  y: (value: number) => number;
}

export const TOP = 12;
export const BOTTOM = 34;

/** Returns the total of the series at a point. */
export const sumOf = (point: ChartPoint, series: readonly ChartSeries[]): number =>
  series.reduce((sum, { key }) => sum + (point.values[key] ?? 0), 0);

/** Returns the figure at the top of the axis. */
export function axisTop({ points, kind, series, most }: ChartProps): number {
  if (most !== undefined) return most;
  const heights = points.flatMap((point) => [
    kind === 'lines' ? Math.max(0, ...series.map(({ key }) => point.values[key] ?? 0)) : sumOf(point, series),
    point.before ?? 0,
  ]);
  return roundUp(Math.max(0, ...heights));
}

/** Returns the width of the labels beside the axis, in pixels. */
export const gutterOf = (format: (value: number) => string, top: number): number =>
  Math.max(32, Math.max(format(top).length, format(top / 2).length) * 7 + 14);

/** Returns the next higher number that reads well on an axis. Whole numbers have a whole half. */
export function roundUp(value: number): number {
  if (value <= 0) return 4;
  const power = 10 ** Math.floor(Math.log10(value));
  const nice = ([1, 2, 4, 5, 6, 8, 10].find((factor) => factor * power >= value) ?? 10) * power;
  return Number.isInteger(value) ? Math.max(4, nice) : nice;
}

const MINUTE_MS = 60_000;
/** Steps in minutes that people read easily. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1_440, 10_080];

interface Minute {
  minute: string;
  delivered: number;
}

/**
 * Returns bars of equal length from the first to the last minute, at most `most` of them, and their length in minutes.
 * Times without deliveries have empty bars.
 */
export function groupMinutes(minutes: readonly Minute[], most: number): { bars: Minute[]; step: number } {
  const first = minutes[0];
  const last = minutes.at(-1);
  if (!first || !last) return { bars: [], step: 1 };
  const span = (Date.parse(last.minute) - Date.parse(first.minute)) / MINUTE_MS + 1;
  const step = STEPS.find((each) => span / each <= most - 1) ?? Math.ceil(span / (most - 1));
  const length = step * MINUTE_MS;
  const begin = Math.floor(Date.parse(first.minute) / length);
  const count = Math.floor(Date.parse(last.minute) / length) - begin + 1;
  const bars = Array.from({ length: count }, (_, at) => ({
    minute: new Date((begin + at) * length).toISOString(),
    delivered: 0,
  }));
  for (const { minute, delivered } of minutes)
    bars[Math.floor(Date.parse(minute) / length) - begin]!.delivered += delivered;
  return { bars, step };
}
