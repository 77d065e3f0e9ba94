import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { z } from 'zod';
import type { ConnectedConfig } from '#platform/config/config';
import { anchorFile } from './anchor.ts';

/** Result of the check: the number of correct entries, and the first fault. */
export interface Verdict {
  checked: number;
  fault?: { position: number; what: 'missing' | 'altered' | 'moved' | 'cut off' };
}

const anchorLine = z.object({ position: z.int().positive(), hash: z.string() });
export type Anchor = z.output<typeof anchorLine>;

/** Reads the links of the chain that were written outside the database; none if there is no such file. */
export async function readAnchors(config: Pick<ConnectedConfig, 'DATA_DIR'>): Promise<Anchor[]> {
  const text = await readFile(anchorFile(config), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => anchorLine.parse(JSON.parse(line)));
}

const PAGE = 2_000;

// Statement that builds the text of each hash. It is written here, because a function in the database could be replaced
// by the person it should expose.
const READ = `
  SELECT position, previous_hash, hash, jsonb_build_array(position, id, corporation_id, name, description, subject_type,
    subject_id, causer_type, causer_id, properties,
    to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text AS text
  FROM activity_log WHERE position > $1 ORDER BY position LIMIT ${PAGE}`;

interface Entry {
  position: number;
  previous_hash: Buffer | null;
  hash: Buffer;
  text: string;
}

const NOTHING = Buffer.alloc(0);

// Entries from which a person was erased: their places, and the hashes of what is left. The entries that list them are part
// of the chain themselves.
const ERASED = `
  SELECT (e ->> 0)::bigint AS position, e ->> 1 AS content FROM activity_log,
    jsonb_array_elements(properties -> 'after' -> 'entries') AS e
  WHERE name = 'privacy' AND description = 'log entries erased' ORDER BY activity_log.position`;

/**
 * Checks the activity log from its first entry: each must fit the one before. It finds entries that were altered,
 * removed, added between or moved. It also finds a cut-off end that `anchors` had recorded. Stops at the first fault.
 */
export async function verifyActivity(
  client: Pick<pg.ClientBase, 'query'>,
  anchors: readonly Anchor[] = [],
): Promise<Verdict> {
  const wanted = new Map(anchors.map(({ position, hash }) => [position, hash]));
  const { rows: gone } = await client.query<{ position: number; content: string }>(ERASED);
  const erased = new Map(gone.map(({ position, content }) => [position, content]));
  let last: Entry | undefined;
  for (;;) {
    const { rows } = await client.query<Entry>(READ, [last?.position ?? Number.MIN_SAFE_INTEGER]);
    for (const entry of rows) {
      const checked = last?.position ?? 0;
      const position = checked + 1;
      if (entry.position !== position) return { checked, fault: { position, what: 'missing' } };
      const before = last?.hash ?? NOTHING;
      if (!(entry.previous_hash ?? NOTHING).equals(before)) return { checked, fault: { position, what: 'moved' } };
      const isErased = erased.get(position) === createHash('sha256').update(entry.text).digest('hex');
      // The entry's own hash is that of its former content, which the next entry and the anchors confirm.
      const hash = isErased ? entry.hash : createHash('sha256').update(before).update(entry.text).digest();
      const anchored = wanted.get(position);
      if (!hash.equals(entry.hash) || (anchored !== undefined && anchored !== hash.toString('hex')))
        return { checked, fault: { position, what: 'altered' } };
      last = entry;
    }
    if (rows.length < PAGE) break;
  }
  const checked = last?.position ?? 0;
  const beyond = Math.max(0, ...anchors.map(({ position }) => position));
  return beyond > checked ? { checked, fault: { position: checked + 1, what: 'cut off' } } : { checked };
}
