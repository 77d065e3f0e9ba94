import { createHmac } from 'node:crypto';
import type { ConnectedConfig } from '../config/config.ts';
import { secretKey } from '../process/seal.ts';

let key: Buffer | undefined;

/** Derives this process's key for hashes of numbers from the installation's key. */
export function useNumberKey(config: Pick<ConnectedConfig, 'SECRET_KEY' | 'DATA_DIR'>): void {
  key = createHmac('sha256', secretKey(config)).update('heliograph numbers of people').digest();
}

/**
 * Returns the keyed hash of a number in the form of lists: 43 characters, equal for equal numbers. Without the key of
 * the installation it cannot be tried for all numbers. Throws before `useNumberKey`.
 */
export function numberDigest(msisdn: string): string {
  if (!key) throw new Error('the key for hashes of numbers is not set');
  return createHmac('sha256', key).update(msisdn).digest('base64url');
}
