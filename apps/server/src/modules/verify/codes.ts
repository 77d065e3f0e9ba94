import { createHmac, hkdfSync } from 'node:crypto';
import { randomPiece } from '#platform/process/random';

const SEED_BYTES = 16;

/** Makes codes and their digests with keys of the installation. Who has only the database has no code. */
export class Codes {
  readonly #codeKey: Buffer;
  readonly #digestKey: Buffer;

  constructor(installation: Buffer) {
    const key = (purpose: string) => Buffer.from(hkdfSync('sha256', installation, '', `verification ${purpose}`, 32));
    this.#codeKey = key('codes');
    this.#digestKey = key('digests');
  }

  /** Returns a new seed, from the random source of the system. */
  newSeed(): Buffer {
    return randomPiece(SEED_BYTES);
  }

  /** Returns the code of a seed: `length` decimal digits. The 64 bits make all codes equally likely to a part in a billion. */
  codeOf(seed: Buffer, length: number): string {
    const number = createHmac('sha256', this.#codeKey).update(seed).digest().readBigUInt64BE();
    return String(number % 10n ** BigInt(length)).padStart(length, '0');
  }

  /**
   * Returns the digest by which a code of a verification is compared. How long the comparison of two digests takes says
   * nothing about the code, because nobody without the key can choose a digest.
   */
  digestOf(verificationId: number, code: string): Buffer {
    return createHmac('sha256', this.#digestKey).update(`${verificationId} ${code}`).digest();
  }
}
