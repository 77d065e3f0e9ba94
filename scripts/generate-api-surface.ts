import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { apiSurface } from '@heliograph/contract/api/surface';

// `npm run api-surface`: adds what the public API got to the record of what programs rely on. It takes nothing away: a
// call or field that is to go is first marked as deprecated, and its lines are deleted by hand when its last day is over.

export const SURFACE_FILE = resolve(import.meta.dirname, '../packages/contract/test/api-surface.txt');

const published = existsSync(SURFACE_FILE)
  ? readFileSync(SURFACE_FILE, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  : [];
const lines = [...new Set([...published, ...apiSurface()])].sort();
writeFileSync(SURFACE_FILE, `${lines.join('\n')}\n`);
process.stdout.write(`${lines.length - published.length} lines were added to ${lines.length}.\n`);
