import { BusinessError } from '#platform/errors';
import { type Db, rowsOf } from './sql.ts';

// The double-entry ledger. Every amount is a positive number of thousandths of the account's currency; the kind of a
// transfer says which books it moves between, and with which signs:
//
//   payment      cash −      credit +        (credit: what the account may still spend)
//   reservation  credit −    reserved +
//   charge       reserved −  revenue +
//   release      reserved −  credit +
//
// `ledger_transfer.amount` is what its owner reads: payments and releases are positive, reservations and charges
// negative. `balance_after` is the account's credit, which a charge leaves alone: it was taken by the reservation.

/** One movement of money. The same key moves money once, however often it is posted. */
export interface Transfer {
  /** Derived from what causes the transfer, so that a replay has the same one. */
  key: string;
  billing_account_id: number;
  /** The corporation the account belongs to. */
  corporation_id: number;
  /** Thousandths, more than 0. */
  amount: number;
  campaign_id?: number | null;
  user_id?: number | null;
  note?: string | null;
  /** When it happened, RFC 3339; now where left out. */
  created_at?: string;
}

/** What ends a reservation: the carrier took the message, or never will. */
export type Settlement = Transfer & { kind: 'charge' | 'release' };

type Kind = 'payment' | 'reservation' | 'charge' | 'release';

/** The account's rows are taken in the order of their ids, so that no two batches wait for each other. */
const LOCK_ACCOUNTS = `
SELECT pg_current_xact_id()::text AS transaction
FROM (SELECT id FROM billing_account WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE) AS locked`;

/**
 * Runs while the accounts are locked, so what it reads of them and of the keys is the newest there is. `direction` is
 * how a transfer changes the credit; a reservation stands only where the limit allows it. `$10` is the transaction that
 * holds the locks: outside it nothing is posted.
 */
const POST = `
WITH wanted AS (
  SELECT DISTINCT ON (w.key) w.*, CASE kind WHEN 'charge' THEN 0 WHEN 'reservation' THEN -1 ELSE 1 END AS direction
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[], $9::timestamptz[])
    WITH ORDINALITY AS w (key, kind, billing_account_id, corporation_id, amount, campaign_id, user_id, note, created_at, place)
  WHERE NOT EXISTS (SELECT FROM ledger_transfer t WHERE t.key = w.key)
    AND pg_current_xact_id_if_assigned()::text = $10
  ORDER BY w.key, w.place
), running AS (
  SELECT w.*, a.credit_limit, a.enabled AND NOT a.suspended AS usable,
    a.credit_balance + sum(w.amount * w.direction) OVER (PARTITION BY a.id ORDER BY w.place) AS balance_after
  FROM wanted w JOIN billing_account a ON a.id = w.billing_account_id
), inserted AS (
  INSERT INTO ledger_transfer
    (key, kind, billing_account_id, corporation_id, amount, balance_after, campaign_id, user_id, note, created_at)
  SELECT key, kind, billing_account_id, corporation_id, CASE direction WHEN 1 THEN amount ELSE -amount END,
    balance_after, campaign_id, user_id, note, coalesce(created_at, now())
  FROM running WHERE kind <> 'reservation' OR (usable AND balance_after >= -credit_limit)
  ORDER BY place
  ON CONFLICT (key) DO NOTHING
  RETURNING id, key, kind, billing_account_id, corporation_id, abs(amount) AS amount
), written AS (
  INSERT INTO ledger_entry (transfer_id, corporation_id, billing_account_id, book, amount)
  SELECT i.id, i.corporation_id, i.billing_account_id, b.book, b.sign * i.amount
  FROM inserted i JOIN (VALUES
    ('payment', 'cash', -1), ('payment', 'credit', 1),
    ('reservation', 'credit', -1), ('reservation', 'reserved', 1),
    ('charge', 'reserved', -1), ('charge', 'revenue', 1),
    ('release', 'reserved', -1), ('release', 'credit', 1)
  ) AS b (kind, book, sign) ON b.kind = i.kind
  RETURNING billing_account_id, book, amount
), moved AS (
  SELECT billing_account_id, coalesce(sum(amount) FILTER (WHERE book = 'credit'), 0) AS credit,
    coalesce(sum(amount) FILTER (WHERE book = 'reserved'), 0) AS reserved
  FROM written GROUP BY billing_account_id
), kept AS (
  UPDATE billing_account a SET credit_balance = a.credit_balance + m.credit, reserved = a.reserved + m.reserved
  FROM moved m WHERE a.id = m.billing_account_id
)
SELECT coalesce((SELECT array_agg(key) FROM inserted), '{}') AS keys, pg_current_xact_id_if_assigned()::text = $10 AS locked`;

/** Posts transfers, each at most once, in a transaction the caller has begun; answers the keys that moved money. */
async function post(db: Db, transfers: readonly (Transfer & { kind: Kind })[]): Promise<string[]> {
  for (const { key, amount } of transfers) {
    if (!Number.isSafeInteger(amount) || amount <= 0) throw new RangeError(`the transfer ${key} moves no amount`);
  }
  const ids = [...new Set(transfers.map((t) => t.billing_account_id))];
  const locks = await rowsOf<{ transaction: string }>(db, LOCK_ACCOUNTS, [ids]);
  if (locks.length < ids.length) throw new BusinessError('billing_account_missing');
  const [posted] = await rowsOf<{ keys: string[]; locked: boolean }>(db, POST, [
    transfers.map((t) => t.key),
    transfers.map((t) => t.kind),
    transfers.map((t) => t.billing_account_id),
    transfers.map((t) => t.corporation_id),
    transfers.map((t) => t.amount),
    transfers.map((t) => t.campaign_id ?? null),
    transfers.map((t) => t.user_id ?? null),
    transfers.map((t) => t.note ?? null),
    transfers.map((t) => t.created_at ?? null),
    locks[0]!.transaction,
  ]);
  if (!posted?.locked) throw new Error('the ledger posts inside a transaction only: nothing has moved');
  return posted.keys;
}

/**
 * Takes an amount out of an account's credit for messages on their way. Answers false where the key was posted before.
 * Throws `insufficient_credit` below the credit limit, `billing_account_suspended` where the account is suspended or
 * switched off, `billing_account_missing` where there is none for the caller; nothing has moved then.
 */
export async function reserve(db: Db, transfer: Transfer): Promise<boolean> {
  const moved = await post(db, [{ ...transfer, kind: 'reservation' }]);
  if (moved.length > 0) return true;
  const [account] = await rowsOf<{ usable: boolean; posted: boolean }>(
    db,
    `SELECT enabled AND NOT suspended AS usable, EXISTS (SELECT FROM ledger_transfer WHERE key = $2) AS posted
     FROM billing_account WHERE id = $1`,
    [transfer.billing_account_id, transfer.key],
  );
  if (account?.posted) return false;
  throw new BusinessError(account?.usable ? 'insufficient_credit' : 'billing_account_suspended');
}

/** Gives a reserved amount back to the account's credit. Answers false where the key was posted before. */
export async function release(db: Db, transfer: Transfer): Promise<boolean> {
  return (await post(db, [{ ...transfer, kind: 'release' }])).length > 0;
}

/** Adds a payment to an account's credit. Answers false where the key was posted before. */
export async function pay(db: Db, transfer: Transfer): Promise<boolean> {
  return (await post(db, [{ ...transfer, kind: 'payment' }])).length > 0;
}

/**
 * Settles reservations in the transaction that records why: two statements whatever the number, one update an account.
 * Answers the keys that moved money; those posted before are left alone.
 */
export async function postTransfers(db: Db, settlements: readonly Settlement[]): Promise<string[]> {
  return settlements.length > 0 ? post(db, settlements) : [];
}
