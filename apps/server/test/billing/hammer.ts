import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import type pg from 'pg';
import * as billing from '../../src/modules/billing/index.ts';
import { createPool } from '../../src/platform/database/db.ts';
import { BusinessError } from '../../src/platform/errors.ts';
import type { TestDatabase } from '../template-database.ts';
import { makeAccounts } from './account.ts';

const LIMIT = 20_000;
const ACCOUNTS = 5;
const CONNECTIONS = 64;

/** Amounts that the database acknowledged, kept outside of it. */
interface Truth {
  credit: number;
  reserved: number;
  paid: number;
  charged: number;
}

/**
 * Runs random operations on five accounts over 64 connections, and every settlement and refund twice at the same time.
 * Throws if a limit is passed, a deadlock happens, both or none of two replays win, or an acknowledged change is lost.
 */
export async function hammer(database: TestDatabase, operations: number): Promise<{ refusals: number }> {
  const db = database.db('owner');
  const { corporation_id, accounts } = await makeAccounts(db, ACCOUNTS, { credit_limit: LIMIT, name: 'Hammered' });
  const pool = createPool({ DATABASE_URL: database.url }, 'sender', { max: CONNECTIONS });
  const truth = new Map<number, Truth>(accounts.map((id) => [id, { credit: 0, reserved: 0, paid: 0, charged: 0 }]));
  /** Reserved amounts that are not settled yet. */
  const open: { account: number; amount: number }[] = [];
  let left = operations;
  let keys = 0;
  let refusals = 0;

  const of = (account: number, amount: number) => ({
    key: `hammer ${keys++}`,
    billing_account_id: account,
    corporation_id,
    amount,
  });
  /** Runs both replays at the same time: one moves the money, the other learns that it was moved. */
  const twice = async <T>(run: () => Promise<T>, won: (answer: T) => boolean) => {
    const answers = await Promise.all([run(), run()]);
    assert.equal(answers.filter(won).length, 1, 'one of two replays wins');
  };

  const step = async (client: pg.PoolClient) => {
    const account = accounts[randomInt(ACCOUNTS)]!;
    const books = truth.get(account)!;
    const dice = randomInt(10);
    if (dice < 2) {
      const payment = of(account, randomInt(1, 4_000));
      assert.equal(await billing.pay(client, payment), true);
      books.credit += payment.amount;
      books.paid += payment.amount;
    } else if (dice < 6) {
      const taken = of(account, randomInt(1, 6_000));
      const stands = await billing.reserve(client, taken).catch((error: unknown) => {
        if (!(error instanceof BusinessError) || error.code !== 'insufficient_credit') throw error;
        refusals++;
        return false;
      });
      if (!stands) return;
      books.credit -= taken.amount;
      books.reserved += taken.amount;
      open.push({ account, amount: taken.amount });
    } else if (dice < 9) {
      const one = open.splice(randomInt(open.length || 1), 1)[0];
      if (!one) return;
      const charged = randomInt(0, one.amount + 1);
      const settlements = [
        { ...of(one.account, charged), kind: 'charge' as const },
        { ...of(one.account, one.amount - charged), kind: 'release' as const },
      ].filter(({ amount }) => amount > 0);
      await twice(
        () => billing.postTransfers(pool, settlements),
        (posted) => posted.length === settlements.length,
      );
      const settled = truth.get(one.account)!;
      settled.reserved -= one.amount;
      settled.charged += charged;
      settled.credit += one.amount - charged;
    } else {
      const given = of(account, randomInt(1, 200));
      await twice(() => billing.refund(pool, given), Boolean);
      books.credit += given.amount;
      books.charged -= given.amount;
    }
  };

  try {
    // The loops hold half of the connections; the others are for the replays.
    await Promise.all(
      Array.from({ length: CONNECTIONS / 2 }, async () => {
        const client = await pool.connect();
        try {
          while (left-- > 0) {
            await step(client);
            if (left % 50 !== 0) continue;
            const { rows } = await client.query(
              'SELECT min(credit_balance + credit_limit) AS least FROM billing_account',
            );
            assert.ok(rows[0].least >= 0, 'below the limit');
          }
        } finally {
          client.release();
        }
      }),
    );
    for (const id of accounts) {
      const row = await db
        .selectFrom('billing_account')
        .select(['credit_balance', 'reserved'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const { credit, reserved, paid, charged } = truth.get(id)!;
      assert.deepEqual(row, { credit_balance: credit, reserved });
      assert.equal(row.credit_balance + row.reserved, paid - charged);
    }
    const wrong = (await billing.reconcile(db, accounts)).filter(({ rule }) => rule !== 'open_reservations');
    assert.deepEqual(wrong, []);
  } finally {
    await pool.end();
  }
  return { refusals };
}
