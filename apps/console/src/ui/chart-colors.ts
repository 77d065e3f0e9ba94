/**
 * Colors of message outcomes, for light and dark mode: `light-dark()` takes the first or the second. Neighbors in a bar
 * differ in lightness or hue for every kind of color blindness. Each color stands out from the page.
 */
export const FATE_HUES = {
  delivered: ['#1c6dd0', '#4dabf7'],
  failed: ['#8f1414', '#ff7a66'],
  expired: ['#f2a100', '#ffe066'],
  blocked: ['#9aa1ad', '#666d79'],
} as const;

export type Fate = keyof typeof FATE_HUES;

/** Returns the color as a CSS value. */
export const fateColor = (fate: Fate): string => `light-dark(${FATE_HUES[fate].join(', ')})`;

/** Parts of a bar, bottom to top. Their position and the table distinguish them, in addition to their colors. */
export const FATES = ['delivered', 'failed', 'expired', 'blocked'] as const satisfies readonly Fate[];
/** Height of the smallest part, in pixels. */
const SMALLEST = 2;
/** Minimum height of a part with round corners, in pixels. Round corners would wash out the color of a lower part. */
const ROUND_FROM = 6;

interface Part<Key extends string> {
  fate: Key;
  top: number;
  height: number;
  round: boolean;
}

/**
 * Returns the non-empty parts of a bar, bottom to top in the order of `keys`. `y` is the position of a count from the
 * top, in pixels.
 */
export function stackedParts<Key extends string>(
  bar: Readonly<Partial<Record<Key, number | null>>>,
  y: (count: number) => number,
  keys: readonly Key[],
): Part<Key>[] {
  let below = 0;
  return keys.flatMap((fate) => {
    const count = bar[fate] ?? 0;
    if (count === 0) return [];
    const bottom = y(below);
    below += count;
    const height = Math.max(SMALLEST, bottom - y(below));
    return [{ fate, top: bottom - height, height, round: height >= ROUND_FROM }];
  });
}
