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
