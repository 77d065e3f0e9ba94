/**
 * Colours of what becomes of messages, for light and dark mode: `light-dark()` takes the first or the second. Whatever the
 * kind of colour-blindness, neighbours in a bar differ in lightness or hue, and each stands out from the page.
 */
export const FATE_HUES = {
  delivered: ['#1c6dd0', '#4dabf7'],
  failed: ['#8f1414', '#ff7a66'],
  expired: ['#f2a100', '#ffe066'],
  blocked: ['#9aa1ad', '#666d79'],
} as const;

export type Fate = keyof typeof FATE_HUES;

/** The colour as a style takes it. */
export const fateColor = (fate: Fate): string => `light-dark(${FATE_HUES[fate].join(', ')})`;
