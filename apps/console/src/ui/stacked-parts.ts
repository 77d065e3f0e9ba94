import type { Fate } from './chart-colors.ts';

/** Bottom to top. Beside their colors they are told apart by their place and by the table. */
export const FATES = ['delivered', 'failed', 'expired', 'blocked'] as const satisfies readonly Fate[];
/** Height of the smallest part, in pixels. */
const SMALLEST = 2;
/** Parts that are lower have no round corners, which would wash their color out. */
const ROUND_FROM = 6;

interface Part {
  fate: Fate;
  top: number;
  height: number;
  round: boolean;
}

/** The parts of a bar that are not empty, bottom to top; `y` is the place of a count from the top, in pixels. */
export function stackedParts(bar: Readonly<Record<Fate, number>>, y: (count: number) => number): Part[] {
  return FATES.flatMap((fate, i) => {
    if (bar[fate] === 0) return [];
    const below = FATES.slice(0, i).reduce((sum, lower) => sum + bar[lower], 0);
    const height = Math.max(SMALLEST, y(below) - y(below + bar[fate]));
    return [{ fate, top: y(below) - height, height, round: height >= ROUND_FROM }];
  });
}
