import type { Fate } from './chart-colors.ts';

/** Parts of a bar, bottom to top. Their position and the table distinguish them, in addition to their colors. */
export const FATES = ['delivered', 'failed', 'expired', 'blocked'] as const satisfies readonly Fate[];
/** Height of the smallest part, in pixels. */
const SMALLEST = 2;
/** Minimum height of a part with round corners, in pixels. Round corners would wash out the color of a lower part. */
const ROUND_FROM = 6;

interface Part {
  fate: Fate;
  top: number;
  height: number;
  round: boolean;
}

/** Returns the non-empty parts of a bar, bottom to top. `y` is the position of a count from the top, in pixels. */
export function stackedParts(bar: Readonly<Record<Fate, number>>, y: (count: number) => number): Part[] {
  return FATES.flatMap((fate, i) => {
    if (bar[fate] === 0) return [];
    const below = FATES.slice(0, i).reduce((sum, lower) => sum + bar[lower], 0);
    const height = Math.max(SMALLEST, y(below) - y(below + bar[fate]));
    return [{ fate, top: y(below) - height, height, round: height >= ROUND_FROM }];
  });
}
