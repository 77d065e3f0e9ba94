import type { JourneyStep } from '@heliograph/contract/journeys/journey-definition';

/** Size of a box, and the gaps between boxes, in pixels. */
export const BOX = { width: 190, height: 62, gapX: 26, gapY: 40 } as const;

/** Step at its place in the picture; the center of its upper edge. */
export interface PlacedStep {
  step: JourneyStep;
  x: number;
  y: number;
}
/** Line from the lower edge of something to the upper edge of the next, with a word at its beginning. */
export interface PlacedLine {
  from: { x: number; y: number };
  to: { x: number; y: number };
  branch: { step: JourneyStep; nth: number } | null;
}
export interface Layout {
  boxes: PlacedStep[];
  lines: PlacedLine[];
  width: number;
  /** Place of the end: the center of its upper edge. */
  end: { x: number; y: number };
}

/** Places where people are before the next step: several behind a branch, none behind an end. */
type Open = { x: number; y: number; branch: PlacedLine['branch'] };

const UNIT = BOX.width + BOX.gapX;
const innerOf = (step: JourneyStep): readonly (readonly JourneyStep[])[] =>
  step.do === 'condition' ? [step.yes, step.no] : step.do === 'split' ? step.branches.map(({ steps }) => steps) : [];

/** Columns that a list of steps needs beside each other. */
const columnsOf = (steps: readonly JourneyStep[]): number =>
  steps.reduce(
    (most, step) =>
      Math.max(
        most,
        innerOf(step).reduce((sum, inner) => sum + columnsOf(inner), 0),
      ),
    1,
  );

/** Places the steps of a journey from top to bottom, with branches beside each other. */
export function layoutOf(steps: readonly JourneyStep[], top: number): Layout {
  const columns = columnsOf(steps);
  const boxes: PlacedStep[] = [];
  const lines: PlacedLine[] = [];
  const middle = (columns * UNIT) / 2;

  const place = (list: readonly JourneyStep[], left: number, width: number, begin: Open[], from: number) => {
    let open = begin;
    let y = from;
    for (const step of list) {
      const x = left + width / 2;
      boxes.push({ step, x, y });
      for (const { branch, ...end } of open) lines.push({ from: end, to: { x, y }, branch });
      y += BOX.height;
      const inner = innerOf(step);
      if (step.do === 'end') open = [];
      else if (inner.length === 0) open = [{ x, y, branch: null }];
      else {
        const needs = inner.map(columnsOf);
        const all = needs.reduce((sum, each) => sum + each, 0);
        let at = left + (width - all * UNIT) / 2;
        const below = y + BOX.gapY;
        let lowest = below;
        open = [];
        for (const [nth, branch] of inner.entries()) {
          const own = needs[nth]! * UNIT;
          const done = place(branch, at, own, [{ x, y, branch: { step, nth } }], below);
          // An empty branch leads around the others, through its own column.
          if (branch.length === 0) {
            const center = at + own / 2;
            lines.push({ from: { x, y }, to: { x: center, y: below }, branch: { step, nth } });
            open.push({ x: center, y: below, branch: null });
          } else open.push(...done.open);
          lowest = Math.max(lowest, done.y);
          at += own;
        }
        y = lowest;
      }
      y += BOX.gapY;
    }
    return { open, y: list.length > 0 ? y - BOX.gapY : y };
  };

  const { open, y } = place(steps, 0, columns * UNIT, [{ x: middle, y: top - BOX.gapY, branch: null }], top);
  const end = { x: middle, y: y + BOX.gapY };
  for (const { branch, ...from } of open) lines.push({ from, to: end, branch });
  return { boxes, lines, width: columns * UNIT, end };
}
