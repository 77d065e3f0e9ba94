import type { CREDIT_CHANGE_KINDS } from '@heliograph/contract/billing/credit-change';
import { numberArray } from '#platform/database/array-literal';
import { BusinessError } from '#platform/errors';
import { failpoint } from '#platform/failpoints';
import type { Pricing } from './price.ts';
import { type Db, rowsOf } from './sql.ts';

// The double-entry ledger. Every amount is a number of thousandths of the account's currency. The kind of a transfer
// decides between which books it moves. The database function post_transfers is the only way in; its books and signs
// are described there.
//
// `ledger_transfer.amount` has the sign that the account's owner sees: positive adds to the account, negative takes
// from it. `balance_after` is the account's credit. A charge does not change it, because the reservation has already
// taken the amount.

/** One movement of money. The same key moves money once, however often it is posted. */
export interface Transfer {
  /** Derived from the cause of the transfer, so that a repetition has the same key. */
  key: string;
  billing_account_id: number;
  /** Corporation that owns the account. */
  corporation_id: number;
  /** Thousandths, more than 0; a correction, a transfer or money that is paid back may be less. */
  amount: number;
  campaign_id?: number | null;
  user_id?: number | null;
  note?: string | null;
  /** Time of the transfer, RFC 3339; left out for now. */
  created_at?: string;
  /** Prices that gave the amount of a reservation. */
  pricing?: Pricing | null;
}

/**
 * Transfer that ends a reservation, because the carrier accepted the message or never will. A correction changes such
 * an end later.
 */
export type Settlement = Transfer & { kind: 'charge' | 'release' | 'correction' };

type Kind = (typeof CREDIT_CHANGE_KINDS)[number];
type Result = 'posted' | 'known' | 'missing' | 'suspended' | 'insufficient';

/** Kinds whose amount may be less than 0. */
const MAY_TAKE: readonly Kind[] = ['correction', 'transfer', 'payment'];

/** Throws if a transfer would move no amount. */
function requireAmount({ key, kind, amount }: Transfer & { kind: Kind }): void {
  if (!Number.isSafeInteger(amount) || amount === 0 || (amount < 0 && !MAY_TAKE.includes(kind)))
    throw new RangeError(`the transfer ${key} moves no amount`);
}

const POST = 'SELECT key, result FROM post_transfers($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)';

/** Posts transfers, each at most once, in one statement. Returns the result of each key. */
async function post(db: Db, transfers: readonly (Transfer & { kind: Kind })[]): Promise<Map<string, Result>> {
  for (const transfer of transfers) requireAmount(transfer);
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
 * Reserves an amount (0 reserves nothing) and, with `reseller`, the cost of the same traffic on the reseller's account.
 * Both are reserved or neither: the caller's transaction must end with the error. Returns false if the key was posted
 * before. Throws `insufficient_credit` and `billing_account_suspended`. Throws `reseller_account_unavailable` if the
 * reseller's account cannot pay.
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

/** SQLSTATE by which `reserve_all` fails if an account cannot pay. */
const UNPAID = 'HGRA0';

/**
 * Reserves many amounts in one statement, all or none. If an account cannot pay, the statement fails in the database,
 * so that a COMMIT that was sent behind it commits nothing; `cannotPay` knows the error.
 */
export async function reserveAll(db: Db, transfers: readonly Transfer[]): Promise<void> {
  const wanted = transfers.filter(({ amount }) => amount !== 0);
  if (wanted.length === 0) return;
  for (const transfer of wanted) requireAmount({ ...transfer, kind: 'reservation' });
  failpoint('ledger.before-post');
  await rowsOf(db, 'SELECT reserve_all($1, $2, $3, $4, $5)', [
    wanted.map((t) => t.key),
    numberArray(wanted.map((t) => t.billing_account_id)),
    numberArray(wanted.map((t) => t.corporation_id)),
    numberArray(wanted.map((t) => t.amount)),
    wanted.map((t) => (t.pricing ? JSON.stringify(t.pricing) : null)),
  ]);
  failpoint('ledger.after-post');
}

/** Tells if `reserveAll` failed because an account cannot pay. */
export const cannotPay = (error: unknown): boolean => (error as { code?: unknown }).code === UNPAID;

/** Releases a reserved amount, and its reseller's, to credit. Returns false if the key was posted before. */
export async function release(db: Db, transfer: Transfer, reseller?: Transfer | null): Promise<boolean> {
  return [...(await postPair(db, 'release', transfer, reseller)).values()].includes('posted');
}

/** Posts transfers for the account and the reseller's account. An amount of 0 leaves no transfer. */
async function postPair(db: Db, kind: 'reservation' | 'release', own: Transfer, reseller?: Transfer | null) {
  const wanted = [own, ...(reseller ? [reseller] : [])].filter(({ amount }) => amount !== 0);
  return post(
    db,
    wanted.map((transfer) => ({ ...transfer, kind })),
  );
}

/** Adds a payment to an account's credit. Returns false if the key was posted before. */
export const pay = (db: Db, transfer: Transfer): Promise<boolean> => postOne(db, { ...transfer, kind: 'payment' });

/**
 * Takes back an amount that was paid, because the customer got the money back. It ignores limits, because the money is
 * gone: the balance may fall below zero. Returns false if the key was posted before.
 */
export const payBack = (db: Db, transfer: Transfer): Promise<boolean> =>
  postOne(db, { ...transfer, amount: -transfer.amount, kind: 'payment' });

/** Refunds charged money. Returns false if the key was posted before. */
export const refund = (db: Db, transfer: Transfer): Promise<boolean> => postOne(db, { ...transfer, kind: 'refund' });

/**
 * Charges the missing part of a month's commitment, without regard to limits, because it is owed. Returns false if it
 * was posted before.
 */
export const commit = (db: Db, transfer: Transfer): Promise<boolean> =>
  postOne(db, { ...transfer, kind: 'commitment' });

/** Gives the volume discount of a month. Returns false if the key was posted before. */
export const discount = (db: Db, transfer: Transfer): Promise<boolean> =>
  postOne(db, { ...transfer, kind: 'discount' });

/** Corrects an account: a positive amount gives, a negative one takes. Returns false if the key was posted before. */
export const correct = (db: Db, transfer: Transfer): Promise<boolean> =>
  postOne(db, { ...transfer, kind: 'correction' });

/**
 * Settles reservations in the transaction that records the cause. It uses one statement for any number, and one update
 * for each account. Returns the keys that moved money; keys posted before change nothing. Throws
 * `billing_account_missing`.
 */
export async function postTransfers(db: Db, settlements: readonly Settlement[]): Promise<string[]> {
  if (settlements.length === 0) return [];
  const results = await post(db, settlements);
  if ([...results.values()].includes('missing')) throw new BusinessError('billing_account_missing');
  return [...results].filter(([, result]) => result === 'posted').map(([key]) => key);
}

/**
 * Moves an amount from one account to another: both sides are posted in one statement. Throws `transfer_suspended` and
 * `transfer_insufficient` if the paying account cannot give it. The caller's transaction must end with the error.
 */
export async function moveBetween(db: Db, from: Transfer, to: Transfer): Promise<void> {
  const both = [
    { ...from, kind: 'transfer' as const, amount: -from.amount },
    { ...to, kind: 'transfer' as const },
  ];
  const results = await post(db, both);
  const paid = results.get(from.key);
  if (paid === 'suspended') throw new BusinessError('transfer_suspended');
  if (paid === 'insufficient') throw new BusinessError('transfer_insufficient');
  if ([...results.values()].includes('missing')) throw new BusinessError('billing_account_missing');
}
