import { BusinessError } from '#platform/errors';
import { failpoint } from '#platform/failpoints';
import type { Pricing } from './price.ts';
import { type Db, rowsOf } from './sql.ts';

// The double-entry ledger. Every amount is a number of thousandths of the account's currency; the kind of a transfer
// says which books it moves between. The function post_transfers of the database is the only way in; its books and
// signs are described there.
//
// `ledger_transfer.amount` is what its owner reads: what adds to the account is positive, what takes from it negative.
// `balance_after` is the account's credit, which a charge leaves alone: it was taken by the reservation.

/** One movement of money. The same key moves money once, however often it is posted. */
export interface Transfer {
  /** Derived from what causes the transfer, so that a replay has the same one. */
  key: string;
  billing_account_id: number;
  /** The corporation the account belongs to. */
  corporation_id: number;
  /** Thousandths, more than 0; a correction may be less. */
  amount: number;
  campaign_id?: number | null;
  user_id?: number | null;
  note?: string | null;
  /** When it happened, RFC 3339; now where left out. */
  created_at?: string;
  /** By what the amount of a reservation was found. */
  pricing?: Pricing | null;
}

/** What ends a reservation: the carrier took the message, or never will; and what puts such an end right later. */
export type Settlement = Transfer & { kind: 'charge' | 'release' | 'correction' };

type Kind = 'payment' | 'reservation' | 'charge' | 'release' | 'refund' | 'commitment' | 'correction';
type Result = 'posted' | 'known' | 'missing' | 'suspended' | 'insufficient';

const POST = 'SELECT key, result FROM post_transfers($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)';

/** Posts transfers, each at most once, in one statement; answers what became of each key. */
async function post(db: Db, transfers: readonly (Transfer & { kind: Kind })[]): Promise<Map<string, Result>> {
  for (const { key, kind, amount } of transfers) {
    if (!Number.isSafeInteger(amount) || amount === 0 || (amount < 0 && kind !== 'correction'))
      throw new RangeError(`the transfer ${key} moves no amount`);
  }
  failpoint('ledger.before-post');
  const rows = await rowsOf<{ key: string; result: Result }>(db, POST, [
    transfers.map((t) => t.key),
    transfers.map((t) => t.kind),
    transfers.map((t) => t.billing_account_id),
    transfers.map((t) => t.corporation_id),
    transfers.map((t) => t.amount),
    transfers.map((t) => t.campaign_id ?? null),
    transfers.map((t) => t.user_id ?? null),
    transfers.map((t) => t.note ?? null),
    transfers.map((t) => t.created_at ?? null),
    transfers.map((t) => (t.pricing ? JSON.stringify(t.pricing) : null)),
  ]);
  failpoint('ledger.after-post');
  return new Map(rows.map(({ key, result }) => [key, result]));
}

async function postOne(db: Db, transfer: Transfer & { kind: Kind }): Promise<boolean> {
  const result = (await post(db, [transfer])).get(transfer.key);
  if (result === 'missing') throw new BusinessError('billing_account_missing');
  return result === 'posted';
}

/**
 * Reserves an amount (0 reserves nothing), and with `reseller` what the same traffic costs the reseller's account: both or neither, which
 * the caller's transaction sees to by ending with the error. Answers false where the key was posted before. Throws
 * `insufficient_credit` and `billing_account_suspended`, and `reseller_account_unavailable` where it is the reseller's
 * account that cannot pay.
 */
export async function reserve(db: Db, transfer: Transfer, reseller?: Transfer | null): Promise<boolean> {
  const results = await postPair(db, 'reservation', transfer, reseller);
  const own = results.get(transfer.key);
  if (own === 'missing') throw new BusinessError('billing_account_missing');
  if (own === 'suspended') throw new BusinessError('billing_account_suspended');
  if (own === 'insufficient') throw new BusinessError('insufficient_credit');
  const all = [...results.values()];
  if (all.some((result) => result !== 'posted' && result !== 'known'))
    throw new BusinessError('reseller_account_unavailable');
  return all.includes('posted');
}

/**
 * Reserves many amounts in one statement, all or none, for whoever has seen behind the accounts' locks that there is enough.
 * Throws `insufficient_credit` where there was not.
 */
export async function reserveAll(db: Db, transfers: readonly Transfer[]): Promise<void> {
  const wanted = transfers.filter(({ amount }) => amount !== 0);
  if (wanted.length === 0) return;
  const results = await post(
    db,
    wanted.map((transfer) => ({ ...transfer, kind: 'reservation' })),
  );
  for (const result of results.values()) if (result !== 'posted') throw new BusinessError('insufficient_credit');
}

/** Gives a reserved amount, and its reseller's, back to credit. Answers false where the key was posted before. */
export async function release(db: Db, transfer: Transfer, reseller?: Transfer | null): Promise<boolean> {
  return [...(await postPair(db, 'release', transfer, reseller)).values()].includes('posted');
}

/** What costs nothing on one of the two accounts leaves no transfer there. */
async function postPair(db: Db, kind: 'reservation' | 'release', own: Transfer, reseller?: Transfer | null) {
  const wanted = [own, ...(reseller ? [reseller] : [])].filter(({ amount }) => amount !== 0);
  return post(
    db,
    wanted.map((transfer) => ({ ...transfer, kind })),
  );
}

/** Adds a payment to an account's credit. Answers false where the key was posted before. */
export const pay = (db: Db, transfer: Transfer): Promise<boolean> => postOne(db, { ...transfer, kind: 'payment' });

/** Gives charged money back. Answers false where the key was posted before. */
export const refund = (db: Db, transfer: Transfer): Promise<boolean> => postOne(db, { ...transfer, kind: 'refund' });

/** Charges what a month lacks of its commitment, beyond any limit: it is owed. Answers false where it was posted before. */
export const commit = (db: Db, transfer: Transfer): Promise<boolean> =>
  postOne(db, { ...transfer, kind: 'commitment' });

/** Puts an account right: a positive amount gives, a negative one takes. Answers false where the key was posted before. */
export const correct = (db: Db, transfer: Transfer): Promise<boolean> =>
  postOne(db, { ...transfer, kind: 'correction' });

/**
 * Settles reservations in the transaction that records why: one statement whatever the number, one update an account.
 * Answers the keys that moved money; those posted before are left alone. Throws `billing_account_missing`.
 */
export async function postTransfers(db: Db, settlements: readonly Settlement[]): Promise<string[]> {
  if (settlements.length === 0) return [];
  const results = await post(db, settlements);
  if ([...results.values()].includes('missing')) throw new BusinessError('billing_account_missing');
  return [...results].filter(([, result]) => result === 'posted').map(([key]) => key);
}
