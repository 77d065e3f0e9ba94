import { type Bind, type Session, STATUS } from '@heliograph/smpp';
import { Account, type InFlight } from './account.ts';
import type { SimulatorSettings } from './settings.ts';

/** The customers of the simulated carrier that have ever bound, and which of them each session is. */
export class Accounts {
  readonly #bySystemId = new Map<string, Account>();
  readonly #of = new WeakMap<Session<InFlight>, Account>();

  [Symbol.iterator](): IterableIterator<Account> {
    return this.#bySystemId.values();
  }

  /** What a bind is refused with; undefined where it may bind. Without accounts in the settings everybody may. */
  refusalOf(bind: Bind, { accounts, max_binds }: SimulatorSettings): number | undefined {
    const open = Object.keys(accounts).length === 0;
    if (!open && !Object.hasOwn(accounts, bind.system_id)) return STATUS.RINVSYSID;
    if (!open && accounts[bind.system_id] !== bind.password) return STATUS.RINVPASWD;
    const binds = this.#bySystemId.get(bind.system_id)?.sessions.size ?? 0;
    return max_binds > 0 && binds >= max_binds ? STATUS.RALYBND : undefined;
  }

  /** Notes a session that has bound, and answers whose it is. */
  enter(session: Session<InFlight>): Account {
    let account = this.#bySystemId.get(session.systemId);
    if (account === undefined) {
      account = new Account(session.systemId);
      this.#bySystemId.set(session.systemId, account);
    }
    account.sessions.add(session);
    this.#of.set(session, account);
    return account;
  }

  /** Whose a session is; undefined before it has bound. */
  of(session: Session<InFlight>): Account | undefined {
    return this.#of.get(session);
  }

  /** The customer to whom a reply goes: the named one, or any with a bound receiver. */
  receiver(systemId: string | undefined): Account | undefined {
    if (systemId !== undefined) {
      const account = this.#bySystemId.get(systemId);
      return account?.hasReceiver ? account : undefined;
    }
    for (const account of this) if (account.hasReceiver) return account;
    return undefined;
  }
}
