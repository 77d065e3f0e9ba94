import { CarrierIds } from '../outcomes/carrier-ids.ts';
import type { IncomingReceipt } from '../outcomes/entry.ts';
import type { Segment } from '../segment.ts';
import type { Link } from './link.ts';

/** Maximum receipts before their response that an account remembers; a sweep finds the others. */
const PARKED = 50_000;

/** Links of one account at a carrier. The carrier sends a receipt through any of them. */
class Account {
  /** Ids of all links of the account, also of those that other processes hold. */
  links: readonly number[] = [];
  /** Memories of the links that this process holds. */
  readonly memories = new Set<CarrierIds>();
  readonly parked = new Map<string, IncomingReceipt[]>();
}

/** Accounts at carriers, as far as this process holds links of them. */
export class Accounts {
  readonly #accounts = new Map<string, Account>();

  #of({ host, port, system_id }: Link): Account {
    const key = JSON.stringify([host, port, system_id]);
    const present = this.#accounts.get(key);
    if (present) return present;
    const account = new Account();
    this.#accounts.set(key, account);
    return account;
  }

  /** Notes all links that there are. */
  know(links: readonly Link[]): void {
    const ofAccount = Map.groupBy(links, (link) => this.#of(link));
    for (const [key, account] of this.#accounts) {
      account.links = (ofAccount.get(account) ?? []).map(({ id }) => id);
      if (account.links.length === 0 && account.memories.size === 0) this.#accounts.delete(key);
    }
  }

  /** Makes the memory of a link that this process begins to hold. */
  idsOf(link: Link): AccountIds {
    return new AccountIds(link.id, this.#of(link));
  }
}

/** Segments and receipts that wait for each other on one link, and on the other links of its account. */
export class AccountIds {
  readonly #linkId: number;
  readonly #account: Account;
  readonly #own = new CarrierIds();

  constructor(linkId: number, account: Account) {
    this.#linkId = linkId;
    this.#account = account;
    account.memories.add(this.#own);
  }

  /** Ids of the links whose messages may get a receipt here, this one first. */
  get links(): readonly number[] {
    return [this.#linkId, ...this.#account.links.filter((id) => id !== this.#linkId)];
  }

  /** Adds a segment that was answered on this link. */
  add(carrierId: string, segment: Segment): void {
    this.#own.add(carrierId, segment);
  }

  /** Adds a segment that the database knew. */
  recall(carrierId: string, segment: Segment): void {
    if (!this.find(carrierId)) this.#own.recall(carrierId, segment);
  }

  /** Removes a segment after its final receipt. */
  forget(carrierId: string): void {
    if (this.#own.forget(carrierId)) return;
    for (const memory of this.#account.memories) if (memory !== this.#own && memory.forget(carrierId)) return;
  }

  /** Answers the segment, without its recipient and text. */
  find(carrierId: string): Segment | undefined {
    return this.#first((memory) => memory.find(carrierId));
  }

  /** Answers the last digits of the segment's recipient. */
  recipientTail(carrierId: string): string | undefined {
    return this.#first((memory) => memory.recipientTail(carrierId));
  }

  #first<T>(look: (memory: CarrierIds) => T | undefined): T | undefined {
    const own = look(this.#own);
    if (own !== undefined) return own;
    for (const memory of this.#account.memories) {
      const found = memory === this.#own ? undefined : look(memory);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Keeps a receipt that came before its response. */
  park(receipt: IncomingReceipt): void {
    const { parked } = this.#account;
    if (parked.size >= PARKED) parked.delete(parked.keys().next().value!);
    parked.set(receipt.carrier_id, [...(parked.get(receipt.carrier_id) ?? []), receipt]);
  }

  /** Answers the receipts that came before the response with this id, once. */
  takeParked(carrierId: string): readonly IncomingReceipt[] {
    const receipts = this.#account.parked.get(carrierId);
    if (receipts) this.#account.parked.delete(carrierId);
    return receipts ?? [];
  }

  /** Forgets the segments of this link, because another process may hold it from now on. */
  end(): void {
    this.#account.memories.delete(this.#own);
  }
}
