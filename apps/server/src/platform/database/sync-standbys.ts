import type pg from 'pg';

/** Action for an operator if commits wait for a standby that is gone. */
export const STANDBY_ACTION = `Bring the standby back, or let the primary go on alone: on it ALTER SYSTEM SET synchronous_standby_names = '' and SELECT pg_reload_conf() (docs/operate/database.md, "The standby is gone").`;

/** Standbys that a commit waits for. */
export interface SyncStandbys {
  /** Value of the setting synchronous_standby_names; empty if commits wait for no standby. */
  setting: string;
  /** Names of the standbys that are connected. */
  connected: readonly string[];
  /** Number of standbys that are missing until a commit can end. */
  lacking: number;
}

/** Reads `FIRST 1 (a, b)`, `ANY 2 (a, b, c)`, `1 (a)` or `a, b`: the number of standbys, and their names. */
function wantedOf(setting: string): { count: number; names: readonly string[] } {
  const [, count = '1', listed = setting] = /^(?:(?:first|any)\s+)?(\d+)\s*\((.*)\)$/is.exec(setting.trim()) ?? [];
  const names = listed.split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  return { count: Number(count), names: names.filter((name) => name !== '') };
}

/**
 * Counts the standbys that a commit still lacks when `connected` are there, under a setting of
 * synchronous_standby_names.
 */
export function lackingStandbys(setting: string, connected: readonly string[]): number {
  const { count, names } = wantedOf(setting);
  if (names.length === 0) return 0;
  const isWanted = (name: string) => names.some((wanted) => wanted === '*' || wanted === name.toLowerCase());
  return Math.max(0, count - connected.filter(isWanted).length);
}

/** Reads which standbys commits wait for, and which are connected. */
export async function readSyncStandbys(database: Pick<pg.Pool, 'query'>): Promise<SyncStandbys> {
  const { rows } = await database.query<{ setting: string; connected: string[] }>(
    `SELECT current_setting('synchronous_standby_names') AS setting,
       ARRAY(SELECT application_name FROM pg_stat_replication ORDER BY 1) AS connected`,
  );
  const { setting, connected } = rows[0]!;
  return { setting, connected, lacking: lackingStandbys(setting, connected) };
}

/** Names the standbys that commits wait for and those that are connected, for a sentence about waiting commits. */
export const standbySentence = ({ setting, connected }: SyncStandbys): string =>
  `synchronous_standby_names is "${setting}", connected: ${connected.join(', ') || 'none'}`;
