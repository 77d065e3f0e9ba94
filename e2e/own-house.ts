import { after } from 'node:test';
import { openBrowser, startHouse } from './house.ts';

/** House of a test file, which its parts share: a start takes as much work as many of the tests. */
export const house = await startHouse({ after });
export const browser = await openBrowser({ after });
