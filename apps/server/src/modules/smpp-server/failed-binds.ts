import type pg from 'pg';
import { countFailure as count, isForgotten } from '#platform/access/lock-out';
import { rowsOf } from '#platform/database/queryable';

/**
 * Number of failures that locks one system id from one address, or one address with any system id. Many customers may
 * share an address.
 */
const MOST_OF_PAIR = 5;
const MOST_OF_ADDRESS = 1_000;

const keysOf = (address: string, systemId: string): [pair: string, address: string] => [
  `${address} ${systemId}`,
  address,
];

/**
 * Answers which lock is in force: one on the system id from this address, one on the address, or none. A system id is
 * never locked for other addresses, or anybody could lock a customer out.
 */
export async function lockedOut(pool: pg.Pool, address: string, systemId: string): Promise<'pair' | 'address' | null> {
  const keys = keysOf(address, systemId);
  const rows = await rowsOf<{ key: string }>(
    pool,
    'SELECT key FROM smpp_failure WHERE key = ANY ($1) AND locked_until > now()',
    [keys],
  );
  if (rows.some(({ key }) => key === keys[0])) return 'pair';
  return rows.length > 0 ? 'address' : null;
}

const COLUMNS = { failures: 'failures', first: 'first_at', locked: 'locked_until' };
const MOST = `CASE WHEN f.key = $2 THEN ${MOST_OF_ADDRESS} ELSE ${MOST_OF_PAIR} END`;
const COUNT = `
  INSERT INTO smpp_failure AS f (key, failures)
  SELECT key, 1 FROM unnest($1::text[]) AS key ORDER BY key
  ON CONFLICT (key) DO UPDATE SET ${count(COLUMNS, 'f', 'now()', MOST)}
  RETURNING locked_until > now() AS locked`;

/**
 * Counts a failed bind, and answers whether it is locked now. Within 15 minutes the fifth failure locks the pair, the
 * thousandth the address, for 15 minutes.
 */
export async function countFailure(pool: pg.Pool, address: string, systemId: string): Promise<boolean> {
  const rows = await rowsOf<{ locked: boolean | null }>(pool, COUNT, [keysOf(address, systemId), address]);
  return rows.some(({ locked }) => locked === true);
}

/** Deletes the failures of a system id from an address after a right password. */
export async function forgetFailures(pool: pg.Pool, address: string, systemId: string): Promise<void> {
  await rowsOf(pool, 'DELETE FROM smpp_failure WHERE key = $1', [keysOf(address, systemId)[0]]);
}

/** Deletes failures and locks whose time is over. */
export async function forgetOldFailures(pool: pg.Pool): Promise<void> {
  await rowsOf(pool, `DELETE FROM smpp_failure WHERE ${isForgotten(COLUMNS, 'now()')}`);
}
