import type pg from 'pg';
import type { Config } from '../config/config.ts';
import type { Logger } from '../log.ts';
import { fingerprintOf, recordedFingerprint, settleFingerprint } from '../process/key-fingerprint.ts';
import { secretKey } from '../process/seal.ts';
import type { Check, Checker } from './checks.ts';

/** Action for an operator if a process has another key than the installation. */
export const KEY_ACTION =
  'Give this machine the SECRET_KEY (or DATA_DIR/secret.key) of the installation and start its processes again. Where that key is lost: `npm run adopt-key`.';

const OURS: Omit<Check, 'name'> = { ok: true, detail: 'The key of this process is that of the installation.' };

const other = (detail: string): Omit<Check, 'name'> => ({ ok: false, detail, action: KEY_ACTION });

interface Options {
  /** Sessions that may read the fingerprint, and for `records` also the sealed values. */
  database: Pick<pg.Pool, 'query'>;
  config: Pick<Config, 'SECRET_KEY' | 'DATA_DIR'>;
  log: Logger;
  /** Whether this process records its key if none is recorded and the key fits. */
  records: boolean;
}

async function compare({ database, config, records }: Options): Promise<Omit<Check, 'name'>> {
  const key = secretKey(config);
  const settled = records ? await settleFingerprint(database, key) : { recorded: await recordedFingerprint(database) };
  if ('trial' in settled) {
    const { opened, closed } = settled.trial;
    if (opened === 0) return other(`The key of this process opens none of the ${closed.length} sealed secrets.`);
    return {
      ok: true,
      detail: `The key of this process opens ${opened} of ${opened + closed.length} sealed secrets, so no key is recorded yet.`,
    };
  }
  if (settled.recorded === undefined)
    return { ok: true, detail: 'No key is recorded yet: a worker, sender or SMPP server records it.' };
  return settled.recorded === fingerprintOf(key)
    ? OURS
    : other('The key of this process is not that of the installation: what others seal, it cannot open.');
}

/**
 * Checks whether this process has the key of the installation; a change of the answer is logged. `fits` answers the
 * last result.
 */
export function keyCheck(options: Options): Checker & { fits(): boolean } {
  let wasOk = true;
  return {
    name: 'secret_key',
    fits: () => wasOk,
    async look() {
      const found = await compare(options);
      if (!found.ok && wasOk) options.log.error({ reason: found.detail, fix: found.action }, 'wrong secret key');
      if (found.ok && !wasOk) options.log.info('secret key is correct again');
      wasOk = found.ok;
      return found;
    },
  };
}
