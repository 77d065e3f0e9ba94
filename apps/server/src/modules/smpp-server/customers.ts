import type { Session } from '@heliograph/smpp';
import type { Program } from '#modules/intake';
import { TokenBucket } from '#platform/token-bucket';
import type { Delivery } from './delivery-rows.ts';
import type { SystemId } from './system-id-rows.ts';

/** A bind of a customer in this process. */
export interface Bound {
  /** Of its row in smpp_session. */
  id: number;
  session: Session<Delivery>;
  customer: Customer;
  /** Of its program; that of the client where a proxy stands between. */
  address: string;
  /** Hash of the password that it was let in by. */
  passwordHash: string | null;
  /** It may no longer be bound: its requests are refused, and it is about to end. */
  isRevoked: boolean;
  version: number;
  /** Requests of the customer that were not answered yet. */
  owed: number;
  submitted: number;
  refused: number;
  throttled: number;
  delivered: number;
  /** Epoch milliseconds; null while it keeps up. */
  slow_since: number | null;
  /** So much of that was said in the log. */
  alerted: boolean;
}

export type BoundSession = Session<Delivery>;

/** A system id with its binds in this process. */
export class Customer {
  rules: SystemId;
  readonly binds = new Set<Bound>();
  /** Messages that are handed in and not answered, over all its binds here. */
  inHand = 0;
  /** Binds everywhere, as far as is known. */
  #bindsEverywhere = 1;
  #bucket: TokenBucket | undefined;

  constructor(rules: SystemId) {
    this.rules = rules;
  }

  /** Takes one message from its rate, of which this process has the share of its binds; false where that is used up. */
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

  /** Binds there are everywhere, in other processes too. */
  set bindsEverywhere(binds: number) {
    this.#bindsEverywhere = binds;
  }

  /** Binds that take receipts and replies. */
  get receivers(): Bound[] {
    return [...this.binds].filter(({ session }) => session.mode !== 'transmitter' && session.state === 'bound');
  }

  /** What its messages are handed in as; null where its person has no billing account. */
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
