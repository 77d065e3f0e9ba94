import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core';

type Rgb = readonly [number, number, number];

const parse = (hex: string): Rgb => {
  const digits = /^#?([0-9a-f]{6})$/i.exec(hex)?.[1] ?? '2f5fde';
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) as unknown as Rgb;
};
const print = (rgb: Rgb) => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
const mix = (a: Rgb, b: Rgb, share: number): Rgb => a.map((part, i) => part + (b[i]! - part) * share) as unknown as Rgb;

/** Returns the relative luminance according to WCAG 2.2. */
function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

/** Returns ten shades of an operator's color. Shade 6 carries white text with a contrast of at least 4.6 to 1. */
export function shadesOf(color: string): MantineColorsTuple {
  let base = parse(color);
  while (1.05 / (luminance(base) + 0.05) < 4.6) base = mix(base, BLACK, 0.04);
  const lighter = [0.95, 0.88, 0.77, 0.62, 0.44, 0.2].map((share) => print(mix(base, WHITE, share)));
  const darker = [0.14, 0.28, 0.44].map((share) => print(mix(base, BLACK, share)));
  return [...lighter, print(base), ...darker] as unknown as MantineColorsTuple;
}

/** Typefaces of the language, from fonts.css. */
const FONT = 'var(--app-font)';

/** Motion of panels, 120 to 160 ms. A user who prefers reduced motion sees none. */
const MOTION = { duration: 140, exitDuration: 120, timingFunction: 'cubic-bezier(0.2, 0, 0, 1)' } as const;

/** List of a select's choices. */
const LIST = { options: { maxHeight: 240, overflowY: 'auto' } } as const;

/** Returns the application's look with an operator's color. */
export function themeOf(color: string): MantineThemeOverride {
  return createTheme({
    primaryColor: 'brand',
    primaryShade: 6,
    colors: {
      brand: shadesOf(color),
      gray: [
        '#f7f8fa',
        '#eff1f4',
        '#e4e7ec',
        '#d3d8e0',
        '#b9c0cb',
        '#98a1af',
        '#667085',
        '#4a5365',
        '#333b4a',
        '#1f2530',
      ],
      dark: [
        '#dde1e7',
        '#b9c0ca',
        '#9aa3b0',
        '#747d8b',
        '#3b414b',
        '#2c3139',
        '#22262d',
        '#1a1d22',
        '#14161a',
        '#0d0f12',
      ],
    },
    black: '#1b212c',
    fontFamily: FONT,
    // Scale of type: 12 for notes, 14 for text, 16 and 18 for parts of a screen, 24 for its title. Weights: 400 for text,
    // 500 for labels and names, 600 for headings and figures.
    headings: {
      fontFamily: FONT,
      fontWeight: '600',
      sizes: {
        h1: { fontSize: '1.5rem', lineHeight: '1.3' },
        h2: { fontSize: '1.125rem', lineHeight: '1.4' },
        h3: { fontSize: '1rem', lineHeight: '1.45' },
        h4: { fontSize: '0.9375rem', lineHeight: '1.45' },
      },
    },
    // Scale of space: steps of 4 pixels.
    spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.25rem', xl: '2rem' },
    defaultRadius: 'md',
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: {
      // No target is smaller than 24 pixels.
      ActionIcon: { styles: { root: { overflow: 'visible', minWidth: 24, minHeight: 24 } } },
      CloseButton: { styles: { root: { minWidth: 24, minHeight: 24 } } },
      Badge: { styles: { root: { textTransform: 'none', fontWeight: 500, letterSpacing: 0 } } },
      InputWrapper: {
        styles: { label: { fontSize: 'var(--mantine-font-size-sm)', fontWeight: 500, marginBottom: 4 } },
      },
      Card: { defaultProps: { withBorder: true, padding: 'lg' } },
      Paper: { defaultProps: { radius: 'lg' } },
      Button: { styles: { label: { fontWeight: 500 } } },
      Drawer: {
        defaultProps: {
          position: 'right',
          size: 'lg',
          overlayProps: { backgroundOpacity: 0.35 },
          transitionProps: { ...MOTION, duration: 160 },
        },
      },
      Modal: {
        defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.35 }, transitionProps: MOTION },
      },
      // The library's `header` would count as a second banner of the page.
      DrawerHeader: { defaultProps: { role: 'presentation' } },
      ModalHeader: { defaultProps: { role: 'presentation' } },
      Popover: { defaultProps: { transitionProps: MOTION } },
      // Each choice is as wide as its words. On a phone, long words of some languages break into lines.
      SegmentedControl: {
        styles: { root: { maxWidth: '100%' }, control: { flex: '1 1 auto' }, label: { whiteSpace: 'normal' } },
      },
      // A dropdown opens by a click or a key, not by moving through the fields of a form.
      // Its list scrolls by itself, without a frame around it that keys could not reach.
      Select: { defaultProps: { openOnFocus: false, withScrollArea: false }, styles: LIST },
      MultiSelect: { defaultProps: { openOnFocus: false, withScrollArea: false }, styles: LIST },
      Switch: { defaultProps: { withThumbIndicator: false } },
      // The library puts a placeholder first in a menu, but that role does not allow it among its children.
      Menu: {
        defaultProps: {
          shadow: 'md',
          position: 'bottom-end',
          withInitialFocusPlaceholder: false,
          transitionProps: MOTION,
        },
      },
      Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
    },
  });
}

/** Text colors with a contrast of at least 4.5 to 1 in both modes. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--app-radius': '12px', '--app-ease': MOTION.timingFunction },
  light: {
    '--mantine-color-anchor': 'var(--mantine-color-brand-7)',
    '--mantine-color-dimmed': '#5b6577',
    '--mantine-color-placeholder': '#6b7588',
    '--mantine-color-error': '#c62f2f',
    '--mantine-color-default-border': '#d8dde5',
    '--mantine-color-teal-light-color': '#05583f',
    '--mantine-color-yellow-light-color': '#7a4a00',
    '--mantine-color-orange-light-color': '#8f3c00',
    '--app-chart-1': '#1c6dd0',
    '--app-chart-2': '#0d8f6c',
    '--app-chart-3': '#b0592a',
    '--app-chart-4': '#7a4fc9',
    '--app-chart-5': '#6b7588',
    '--app-ink': '#131821',
    '--app-good': '#05704f',
    '--app-bad': '#b42318',
    '--app-canvas': '#f7f8fa',
    '--app-line': '#e6e9ee',
    '--app-raised': '#ffffff',
  },
  dark: {
    '--mantine-color-dimmed': '#9ba4b1',
    '--mantine-color-placeholder': '#8a93a1',
    '--mantine-color-error': '#ff8a80',
    '--mantine-color-default-border': '#383e48',
    '--app-chart-1': '#4dabf7',
    '--app-chart-2': '#38d9a9',
    '--app-chart-3': '#ffb079',
    '--app-chart-4': '#b197fc',
    '--app-chart-5': '#98a1af',
    '--app-ink': '#f2f4f7',
    '--app-good': '#4ade9f',
    '--app-bad': '#ff8a80',
    '--app-canvas': '#14161a',
    '--app-line': '#2a2f37',
    '--app-raised': '#1a1d22',
  },
});
