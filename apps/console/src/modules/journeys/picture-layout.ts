import { branchesOf, type JourneyStep } from '@heliograph/contract/journeys/journey-definition';
import type { Place } from '@heliograph/contract/journeys/journey-places';

/** Size of a box, and the gap between boxes beside each other, in pixels. */
export const BOX = { width: 190, height: 62, gap: 26 } as const;
/** Gap between boxes below each other: to read, and to edit, with room for the places where steps are added. */
export const GAP = { read: 40, edit: 64 } as const;

interface Point {
  x: number;
  y: number;
}
/** Step at its place in the picture; the center of its upper edge. */
export interface PlacedStep extends Point {
  step: JourneyStep;
}
/** Line from the lower edge of something down to the next. */
export interface PlacedLine {
  from: Point;
  to: Point;
  /** Height at which it turns to the side. */
  turn: number;
  /** Branch that begins with it. */
  branch: { step: JourneyStep; nth: number } | null;
  /** Set if it leads to a step, not to where branches meet. */
  arrow: boolean;
}
/** Place between steps, or at the end of a list, where a step can be added. */
export interface Spot extends Point {
  place: Place;
}
export interface Layout {
  boxes: PlacedStep[];
  lines: PlacedLine[];
  spots: Spot[];
  width: number;
  height: number;
  /** Place of the end: the center of its upper edge. */
  end: Point;
}

/** Places where people are before the next step: several behind branches, none behind an end. */
type Open = Point & { branch: PlacedLine['branch'] };

const UNIT = BOX.width + BOX.gap;
/** Distance of a turn from what the line comes from. */
const TURN = 10;
const END_HEIGHT = 30;

/** Returns how many columns a list of steps needs beside each other. */
export const columnsOf = (steps: readonly JourneyStep[]): number =>
  steps.reduce(
    (most, step) =>
      Math.max(
        most,
        branchesOf(step).reduce((sum, inner) => sum + columnsOf(inner), 0),
      ),
    1,
  );

/**
 * Places the steps of a journey from top to bottom, with branches beside each other. Above them is a box for entering.
 */
export function layoutOf(steps: readonly JourneyStep[], gap: number): Layout {
  const boxes: PlacedStep[] = [];
  const lines: PlacedLine[] = [];
  const spots: Spot[] = [];
  const columns = columnsOf(steps);
  const middle = (columns * UNIT) / 2;

  const connect = (open: readonly Open[], to: Point, turn: number, arrow: boolean) => {
    for (const { branch, ...from } of open)
      lines.push({ from, to, turn: branch ? from.y + TURN : turn, branch, arrow });
  };

  /** Places a list below `y`, a lower edge. Returns where its people are afterwards, and the lowest edge. */
  const placeList = (
    list: readonly JourneyStep[],
    of: Omit<Place, 'at'>,
    left: number,
    width: number,
    begin: readonly Open[],
    from: number,
  ): { open: readonly Open[]; y: number } => {
    const x = left + width / 2;
    let open = begin;
    let y = from;
    for (const [at, step] of list.entries()) {
      const box = { x, y: y + gap };
      connect(open, box, y + TURN, true);
      if (open.length > 0) spots.push({ x, y: y + gap / 2, place: { ...of, at } });
      boxes.push({ step, ...box });
      y = box.y + BOX.height;
      const inner = branchesOf(step);
      const needs = inner.map((branch) => columnsOf(branch) * UNIT);
      let start = x - needs.reduce((sum, each) => sum + each, 0) / 2;
      const done = inner.map((branch, nth) => {
        const place = start;
        start += needs[nth]!;
        const before = [{ x, y, branch: { step, nth } }];
        return placeList(branch, { inside: step.id, branch: nth }, place, needs[nth]!, before, y);
      });
      if (step.do === 'end') open = [];
      else if (done.length === 0) open = [{ x, y, branch: null }];
      else {
        open = done.flatMap((branch) => branch.open);
        y = Math.max(...done.map((branch) => branch.y));
      }
    }
    // The people of a branch meet at its end, also if it has no steps and leads around the others.
    if (of.inside === null || open.length === 0) return { open, y };
    const meeting = { x, y: y + gap / 2 };
    connect(open, meeting, y + TURN, false);
    spots.push({ ...meeting, place: { ...of, at: list.length } });
    return { open: [{ ...meeting, branch: null }], y: meeting.y };
  };

  const enter = { x: middle, y: BOX.height, branch: null };
  const { open, y } = placeList(steps, { inside: null, branch: 0 }, 0, columns * UNIT, [enter], BOX.height);
  const end = { x: middle, y: y + gap };
  connect(open, end, y + TURN, true);
  if (open.length > 0) spots.push({ x: middle, y: y + gap / 2, place: { inside: null, branch: 0, at: steps.length } });
  return { boxes, lines, spots, width: columns * UNIT, height: end.y + END_HEIGHT + 2, end };
}
