import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bind, STATUS } from '@heliograph/smpp';
import type pg from 'pg';
import { HASH_OF_NOBODY, verifyPassword } from '#modules/identity';
import { allowedBy } from '#platform/http/address-list';
import { countFailure, forgetFailures, lockedOut } from './failed-binds.ts';
import { findSystemId, type SystemId } from './system-id-rows.ts';

/** Delay of the answer to a failed bind, so that guessing is slow. */
const FAILURE_DELAY_MS = 1_000;

/** The system id of an admitted bind, or the command_status that refuses it. */
export type Verdict = { systemId: SystemId } | { status: number; reason: string; delay: boolean };

const refused = (status: number, reason: string): Verdict => ({ status, reason, delay: true });

/** Decides which programs may bind: by password, by address, and by whether the system id is usable. */
export class BindAdmission {
  readonly #pool: pg.Pool;
  /** Digests of recently verified passwords, by stored hash: a customer that binds again costs no second derivation. */
  readonly #known = new Map<string, string>();
  readonly #key = randomBytes(32);
  /**
   * Last attempt of each system id and address. Attempts run one after another, so that many at the same time gain
   * nothing.
   */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Decides on a bind. The answer comes late if it is refused. */
  async admit(bind: Pick<Bind, 'system_id' | 'password'>, address: string): Promise<Verdict> {
    const turn = `${address} ${bind.system_id}`;
    const before = this.#turns.get(turn);
    const mine = (before ?? Promise.resolve()).then(() => this.#look(bind, address));
    const settled = mine.catch(() => undefined);
    this.#turns.set(turn, settled);
    void settled.then(() => this.#turns.get(turn) === settled && this.#turns.delete(turn));
    const verdict = await mine;
    if ('status' in verdict && verdict.delay) await sleep(FAILURE_DELAY_MS);
    return verdict;
  }

  async #look({ system_id, password }: Pick<Bind, 'system_id' | 'password'>, address: string): Promise<Verdict> {
    const locked = await lockedOut(this.#pool, address, system_id);
    if (locked === 'pair') return refused(STATUS.RBINDFAIL, 'locked out');
    const systemId = await findSystemId(this.#pool, system_id);
    const hash = systemId?.password_hash ?? HASH_OF_NOBODY;
    // The failures may be those of others behind the address. A customer admitted recently is known without another
    // derivation.
    if (locked && this.#known.get(hash) !== this.#digest(password))
      return refused(STATUS.RBINDFAIL, 'the address is locked out');
    if (!systemId || !(await this.#isRight(password, hash))) {
      const isLockedNow = await countFailure(this.#pool, address, system_id);
      // An unknown system id is answered like a wrong password, or existing names could be guessed.
      return refused(STATUS.RINVPASWD, isLockedNow ? 'wrong password, locked out now' : 'wrong password');
    }
    if (!allowedBy(systemId.addresses)(address)) return refused(STATUS.RBINDFAIL, 'the address is not in its list');
    if (!systemId.usable) return refused(STATUS.RBINDFAIL, 'it is switched off');
    if (!this.#known.has(hash)) this.#remember(hash, password);
    await forgetFailures(this.#pool, address, system_id);
    return { systemId };
  }

  async #isRight(password: string, hash: string): Promise<boolean> {
    const known = this.#known.get(hash);
    return known === undefined ? verifyPassword(password, hash) : known === this.#digest(password);
  }

  #remember(hash: string, password: string): void {
    if (this.#known.size >= 10_000) this.#known.clear();
    this.#known.set(hash, this.#digest(password));
  }

  #digest(password: string): string {
    return createHmac('sha256', this.#key).update(password).digest('base64');
  }
}
