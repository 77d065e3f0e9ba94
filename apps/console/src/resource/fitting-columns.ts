import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';
import type { RowsProps, Shown } from './table-model.tsx';

/** Columns that are folded first, in this order. All others follow from the last to the first; figures go last. */
const FIRST = ['created_at', 'updated_at', 'currency', 'created_by_name', 'user_name', 'timezone', 'department_name'];
/** Columns that stay beside the name. */
const KEPT = new Set(['state', 'status', 'enabled', 'active']);
/** Tolerance for rounded widths, in pixels. */
const ROUNDING = 2;

/**
 * Returns the columns for which the table has room, and those that fold below the name. Nothing is clipped at the edge,
 * and every column that the screen shows by default stays readable. Columns that the user has chosen are not folded;
 * the table scrolls instead.
 */
export function useFittingColumns<Row>(
  { shown, rows, query, titleColumn }: RowsProps<Row>,
  viewport: RefObject<HTMLDivElement | null>,
): { fitting: readonly Shown<Row>[]; folded: readonly Shown<Row>[] } {
  const [width, setWidth] = useState(0);
  const [away, setAway] = useState<ReadonlySet<string>>(NONE);
  const sorted = query.sort?.replace(/^-/, '');
  const order = useMemo(
    () =>
      query.columns
        ? []
        : shown
            .filter(({ field, keep }) => !keep && !KEPT.has(field) && field !== titleColumn && field !== sorted)
            .toSorted((a, b) => rankOf(a, shown) - rankOf(b, shown))
            .map(({ field }) => field),
    [shown, query.columns, titleColumn, sorted],
  );

  useLayoutEffect(() => {
    const element = viewport.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [viewport]);

  // Screens that write their columns inline pass a new list at each render.
  const key = order.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width or other columns have other room
  useLayoutEffect(() => setAway(NONE), [width, key]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows need other room
  useLayoutEffect(() => {
    const element = viewport.current;
    if (!element) return;
    let missing = element.scrollWidth - element.clientWidth - ROUNDING;
    if (missing <= 0) return;
    const left = order.filter((field) => !away.has(field));
    const fields = shown.filter(({ field }) => !away.has(field)).map(({ field }) => field);
    const cells = [...element.querySelectorAll<HTMLElement>('thead th')].slice(-fields.length - 1);
    const next = new Set(away);
    for (const field of left) {
      next.add(field);
      missing -= cells[fields.indexOf(field)]?.offsetWidth ?? 0;
      if (missing <= 0) break;
    }
    if (next.size > away.size) setAway(next);
  }, [away, width, rows, key]);

  return useMemo(
    () => ({
      fitting: shown.filter(({ field }) => !away.has(field)),
      folded: shown.filter(({ field }) => away.has(field)),
    }),
    [shown, away],
  );
}

const NONE: ReadonlySet<string> = new Set();

function rankOf<Row>({ field, figure }: Shown<Row>, shown: readonly Shown<Row>[]): number {
  const place = FIRST.indexOf(field);
  if (place >= 0) return place;
  return FIRST.length + (figure ? shown.length : 0) + shown.length - shown.findIndex((each) => each.field === field);
}
