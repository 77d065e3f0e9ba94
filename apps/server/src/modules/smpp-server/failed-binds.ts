import type pg from 'pg';
import { rowsOf } from '#platform/queryable';

/** Failures of one system id from one address, and of an address with any, until it is locked out: many may share one. */
const MOST_OF_PAIR = 5;
const MOST_OF_ADDRESS = 1_000;
const MINUTES = 15;

const keysOf = (address: string, systemId: string): [pair: string, address: string] => [
  `${address} ${systemId}`,
  address,
];

/**
 * What is locked out: a system id for this address, or the address for all. Other addresses are not, or anybody could
 * lock a customer out.
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

const COUNT = `
  INSERT INTO smpp_failure AS f (key, failures)
  SELECT key, 1 FROM unnest($1::text[]) AS key ORDER BY key
  ON CONFLICT (key) DO UPDATE SET
    failures = CASE WHEN f.locked_until > now() THEN f.failures
      WHEN f.locked_until IS NULL AND f.first_at > now() - make_interval(mins => ${MINUTES}) THEN f.failures + 1 ELSE 1 END,
    first_at = CASE WHEN f.locked_until > now()
        OR f.locked_until IS NULL AND f.first_at > now() - make_interval(mins => ${MINUTES}) THEN f.first_at ELSE now() END,
    locked_until = CASE WHEN f.locked_until > now() THEN f.locked_until
      WHEN f.locked_until IS NULL AND f.first_at > now() - make_interval(mins => ${MINUTES})
        AND f.failures + 1 >= CASE WHEN f.key = $2 THEN ${MOST_OF_ADDRESS} ELSE ${MOST_OF_PAIR} END
      THEN now() + make_interval(mins => ${MINUTES}) END
  RETURNING locked_until > now() AS locked`;

/** Counts a bind that failed: the fifth within 15 minutes locks the pair for 15 minutes, the thousandth the address. Answers whether it is locked now. */
export async function countFailure(pool: pg.Pool, address: string, systemId: string): Promise<boolean> {
  const rows = await rowsOf<{ locked: boolean | null }>(pool, COUNT, [keysOf(address, systemId), address]);
  return rows.some(({ locked }) => locked === true);
}

/** Forgets the failures of a system id from an address: the password was right. */
export async function forgetFailures(pool: pg.Pool, address: string, systemId: string): Promise<void> {
  await rowsOf(pool, 'DELETE FROM smpp_failure WHERE key = $1', [keysOf(address, systemId)[0]]);
}

/** Forgets what is over. */
export async function forgetOldFailures(pool: pg.Pool): Promise<void> {
  await rowsOf(
    pool,
    `DELETE FROM smpp_failure WHERE coalesce(locked_until, first_at + make_interval(mins => ${MINUTES})) < now()`,
  );
}
