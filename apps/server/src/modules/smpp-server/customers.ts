import type { Session } from '@heliograph/smpp';
import type { Program } from '#modules/intake';
import { TokenBucket } from '#platform/structures/token-bucket';
import type { Delivery } from './delivery-rows.ts';
import type { SystemId } from './system-id-rows.ts';

/** A bind of a customer in this process. */
export interface Bound {
  /** Id of its row in smpp_session. */
  id: number;
  session: Session<Delivery>;
  customer: Customer;
  /** Address of its program; behind a proxy, the address of the client. */
  address: string;
  /** Hash of the password with which it was admitted. */
  passwordHash: string | null;
  /** True once it may no longer be bound: its requests are refused, and it ends soon. */
  isRevoked: boolean;
  version: number;
  /** Number of the customer's requests that are not answered. */
  owed: number;
  submitted: number;
  refused: number;
  throttled: number;
  delivered: number;
  /** Time since which it is too slow, in epoch milliseconds; null while it keeps up. */
  slow_since: number | null;
  /** True once a warning about its slowness was logged. */
  alerted: boolean;
}

export type BoundSession = Session<Delivery>;

/** A system id with its binds in this process. */
export class Customer {
  rules: SystemId;
  readonly binds = new Set<Bound>();
  /** Messages handed in and not yet answered, over all its binds in this process. */
  inHand = 0;
  /** Last known number of its binds in all processes. */
  #bindsEverywhere = 1;
  #bucket: TokenBucket | undefined;

  constructor(rules: SystemId) {
    this.rules = rules;
  }

  /**
   * Takes one message from its rate; false if the rate is used up. This process has a share of the rate in proportion
   * to its binds.
   */
  mayTake(now: number): boolean {
    const { rate } = this.rules;
    if (rate === null) return true;
    const share = (rate * this.binds.size) / Math.max(this.binds.size, this.#bindsEverywhere);
    const burst = Math.max(1, share);
    this.#bucket ??= new TokenBucket(share, burst, now);
    this.#bucket.set(share, burst, now);
    if (this.#bucket.fill(now) < 1) return false;
    this.#bucket.take(1);
    return true;
  }

  /** Number of its binds in all processes. */
  set bindsEverywhere(binds: number) {
    this.#bindsEverywhere = binds;
  }

  /** Binds that take receipts and replies. */
  get receivers(): Bound[] {
    return [...this.binds].filter(({ session }) => session.mode !== 'transmitter' && session.state === 'bound');
  }

  /** Program in whose name its messages are handed in; null if its person has no billing account. */
  get program(): Program | null {
    const { id, corporation_id, department_id, user_id, billing_account_id } = this.rules;
    if (billing_account_id === null) return null;
    return {
      corporation_id,
      department_id,
      user_id,
      billing_account_id,
      api_key_id: null,
      smpp_system_id: id,
      read_national: false,
      is_test: false,
    };
  }
}
