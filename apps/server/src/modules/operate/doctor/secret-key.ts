import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { passwordContext } from '#modules/delivery';
import type { Config } from '#platform/config/config';
import { KEY_ACTION } from '#platform/operate/key-check';
import { fingerprintOf, recordedFingerprint, tryKey } from '#platform/process/key-fingerprint';
import { open, secretKey } from '#platform/process/seal';
import { bad, type Found, ok } from './finding.ts';

/** Compares the key of this machine with that of the installation, and tries it on the sealed values. */
export async function secretKeyOf(pool: pg.Pool, config: Config): Promise<Found> {
  const { rows } = await pool.query<{ id: number; name: string; password_sealed: string }>(
    "SELECT id, name, password_sealed FROM link WHERE password_sealed <> '' ORDER BY id",
  );
  const recorded = await recordedFingerprint(pool);
  if (config.SECRET_KEY === undefined && !existsSync(join(config.DATA_DIR, 'secret.key'))) {
    if (rows.length === 0 && recorded === undefined) return ok('There is no key yet, and no data needs one.');
    return bad(
      rows.length === 0
        ? 'This machine has no key, but the installation has one.'
        : `This machine has no key, but ${rows.length} links have passwords that need it.`,
      `${KEY_ACTION} Do this before you start anything: a start creates a new key.`,
    );
  }
  const key = secretKey(config);
  if (recorded !== undefined && recorded !== fingerprintOf(key))
    return bad('The key of this machine is not the key of the installation.', KEY_ACTION);
  const locked = rows.filter(({ id, password_sealed }) => {
    try {
      open(key, password_sealed, passwordContext(id));
      return false;
    } catch {
      return true;
    }
  });
  if (locked.length > 0) {
    return bad(
      `The key does not open the passwords of ${locked.map(({ name }) => name).join(', ')}.`,
      recorded === undefined ? KEY_ACTION : 'Enter these passwords again on the page of each link.',
    );
  }
  const { closed } = await tryKey(pool, key);
  const others = closed.length === 0 ? '' : ` ${closed.length} other secrets were encrypted with another key.`;
  return ok(`The key opens all ${rows.length} passwords of links.${others}`);
}
