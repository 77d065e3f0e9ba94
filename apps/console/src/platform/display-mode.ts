import type { MantineColorSchemeManager } from '@mantine/core';
import { readCookie, writeCookie } from './cookies.ts';

/** Keeps light or dark in the cookie `mode`; light without one. */
export const displayMode: MantineColorSchemeManager = {
  get: () => (readCookie('mode') === 'dark' ? 'dark' : 'light'),
  set: (value) => writeCookie('mode', value),
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => writeCookie('mode', 'light'),
};
