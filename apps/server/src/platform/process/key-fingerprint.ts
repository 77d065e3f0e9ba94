import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { open } from './seal.ts';

type Session = Pick<pg.Pool, 'query'>;

/** Value that is sealed in the database, and the context with which it was sealed: table, column and row. */
interface SealedValue {
  context: string;
  sealed: string;
}

/** Number of sealed values that a key opens, and the contexts of those that it does not open. */
export interface KeyTrial {
  opened: number;
  closed: readonly string[];
}

/** Fingerprint of a key: equal for equal keys, and of no help to find the key. */
export const fingerprintOf = (key: Buffer): string =>
  createHmac('sha256', key).update('heliograph key fingerprint').digest('base64url');

/** Reads the fingerprint of the installation's key; undefined while none is recorded. */
export async function recordedFingerprint(database: Session): Promise<string | undefined> {
  const { rows } = await database.query<{ fingerprint: string }>('SELECT fingerprint FROM key_fingerprint');
  return rows[0]?.fingerprint;
}

const opens = (key: Buffer, { context, sealed }: SealedValue): boolean => {
  try {
    open(key, sealed, context);
    return true;
  } catch {
    return false;
  }
};

/** Tries a key with the newest values of each kind that are sealed in the database. */
export async function tryKey(database: Session, key: Buffer): Promise<KeyTrial> {
  const { rows } = await database.query<SealedValue>('SELECT context, sealed FROM sealed_values()');
  const closed = rows.filter((value) => !opens(key, value)).map(({ context }) => context);
  return { opened: rows.length - closed.length, closed };
}

/**
 * Records the fingerprint of a key if none is recorded and the key opens at least half of the sealed values: a lost key
 * may have left some behind. Answers the recorded fingerprint, or else the result of the key's trial.
 */
export async function settleFingerprint(
  database: Session,
  key: Buffer,
): Promise<{ recorded: string } | { trial: KeyTrial }> {
  const recorded = await recordedFingerprint(database);
  if (recorded !== undefined) return { recorded };
  const trial = await tryKey(database, key);
  if (trial.opened < trial.closed.length) return { trial };
  const { rows } = await database.query<{ recorded: string }>('SELECT record_key_fingerprint($1) AS recorded', [
    fingerprintOf(key),
  ]);
  return rows[0]!;
}

/** Records a key as the installation's in place of the one before; only the owner may. */
export async function replaceFingerprint(database: Session, key: Buffer): Promise<void> {
  await database.query(
    `INSERT INTO key_fingerprint (fingerprint) VALUES ($1)
     ON CONFLICT (single) DO UPDATE SET fingerprint = excluded.fingerprint, recorded_at = now()`,
    [fingerprintOf(key)],
  );
}
