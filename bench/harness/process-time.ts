import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Unit of processor times in /proc. */
export const TICKS_A_SECOND = 100;

/** Returns the fields of /proc/{pid}/stat behind the name, from `state` (0) on. */
export function statOf(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/**
 * Returns the processor seconds of a PostgreSQL server and its sessions, including those that have ended. NaN if the
 * system has no /proc.
 */
export function postgresSeconds(dataDir: string): number {
  const folder = readdirSync(dataDir, { recursive: true }).find((name) => String(name).endsWith('postmaster.pid'));
  const server =
    folder &&
    readFileSync(join(dataDir, String(folder)), 'utf8')
      .split('\n')[0]
      ?.trim();
  const own = server && statOf(server);
  if (!own) return Number.NaN;
  const seconds = (fields: readonly string[]) => fields.reduce((sum, each) => sum + Number(each), 0) / TICKS_A_SECOND;
  // The fields are utime and stime, and the same two of the ended children.
  let sum = seconds(own.slice(11, 15));
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const fields = statOf(pid);
    if (fields?.[1] === server) sum += seconds(fields.slice(11, 13));
  }
  return sum;
}
