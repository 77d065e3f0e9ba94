import { type Bind, STATUS } from '@heliograph/smpp';
import { Account, type CarrierSession } from './account.ts';
import type { SimulatorSettings } from './settings.ts';

/** Customers of the simulated carrier that have ever bound, and the customer of each session. */
export class Accounts {
  readonly #bySystemId = new Map<string, Account>();
  readonly #of = new WeakMap<CarrierSession, Account>();

  [Symbol.iterator](): IterableIterator<Account> {
    return this.#bySystemId.values();
  }

  /**
   * Returns the status that refuses a bind; undefined if it may bind. Without accounts in the settings all may bind.
   */
  refusalOf(bind: Bind, { accounts, max_binds }: SimulatorSettings): number | undefined {
    const open = Object.keys(accounts).length === 0;
    if (!open && !Object.hasOwn(accounts, bind.system_id)) return STATUS.RINVSYSID;
    if (!open && accounts[bind.system_id] !== bind.password) return STATUS.RINVPASWD;
    const binds = this.#bySystemId.get(bind.system_id)?.sessions.size ?? 0;
    return max_binds > 0 && binds >= max_binds ? STATUS.RALYBND : undefined;
  }

  /** Registers a session that has bound, and returns its customer. */
  enter(session: CarrierSession): Account {
    let account = this.#bySystemId.get(session.systemId);
    if (account === undefined) {
      account = new Account(session.systemId);
      this.#bySystemId.set(session.systemId, account);
    }
    account.sessions.add(session);
    this.#of.set(session, account);
    return account;
  }

  /** Returns the customer of a session; undefined before it has bound. */
  of(session: CarrierSession): Account | undefined {
    return this.#of.get(session);
  }

  /**
   * Returns the customer that gets a reply: the named one, or any with a bound receiver; undefined without a receiver.
   */
  receiver(systemId: string | undefined): Account | undefined {
    if (systemId !== undefined) {
      const account = this.#bySystemId.get(systemId);
      return account?.hasReceiver ? account : undefined;
    }
    for (const account of this) if (account.hasReceiver) return account;
    return undefined;
  }
}
