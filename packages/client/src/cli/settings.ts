import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { HeliographError } from '../errors.ts';

/** Returns address and key from the environment, else from a file. Throws if one of them is missing. */
export function readSettings(file: string | undefined): { url: string; key: string } {
  const { HELIOGRAPH_URL, HELIOGRAPH_API_KEY, XDG_CONFIG_HOME } = process.env;
  const usual = join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'heliograph/config.json');
  const kept = HELIOGRAPH_URL && HELIOGRAPH_API_KEY && !file ? {} : readKept(file ?? usual, file !== undefined);
  const url = HELIOGRAPH_URL || kept.url;
  const key = HELIOGRAPH_API_KEY || kept.key;
  if (!url)
    throw new HeliographError(`The address of the platform is missing. Set HELIOGRAPH_URL, or "url" in ${usual}.`);
  if (!key) throw new HeliographError(`The key is missing. Set HELIOGRAPH_API_KEY, or "key" in ${usual}.`);
  return { url, key };
}

function readKept(path: string, needed: boolean): { url?: string; key?: string } {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as { url?: string; key?: string };
  } catch (error) {
    if (!needed && (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new HeliographError(`${path} cannot be read: ${(error as Error).message}`);
  }
}
