import { type Kysely, sql } from 'kysely';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import type { Random } from '../../../../packages/fault-kit/src/index.ts';
import { creditOne } from '../../src/modules/invoices/credit.ts';
import { insertDraft, storeDraftLines } from '../../src/modules/invoices/draft.ts';
import { issueDraft } from '../../src/modules/invoices/issue.ts';
import { partiesOf } from '../../src/modules/invoices/parties.ts';
import { settleNext } from '../../src/modules/invoices/settle.ts';
import { createVouchers, redeemCode } from '../../src/modules/top-ups/vouchers.ts';

type Db = Kysely<Database>;
type Account = { id: number; corporation_id: number };
type Batch = (db: Db, n: number) => Promise<{ operations: number }>;

/** Days on both sides of a new year, in which numbers begin again; before the run, so that its payments pay these invoices. */
export const DAYS = ['2025-12-31', '2026-01-01'];
const VOUCHERS = 400;
/** Payments that one transaction settles at most. */
const SETTLED = 5;

const at = (day: string) => ({ now: () => new Date(`${day}T04:00:00Z`) });
const now = { now: () => new Date() };

/** Context of the platform, as a call of its administration has it. */
const contextOf = (db: Db, clock: Context['clock'], user_id: number | null = null): Context =>
  ({
    ...{ db, clock, locale: 'en' },
    caller: { user_id, corporation_id: null, scope_level: 1, permissions: new Set(['vouchers-create']) },
  }) as unknown as Context;

/** Adds profiles of the customers and vouchers. Returns the codes. */
export async function prepareDocuments(owner: Db, corporations: readonly number[]): Promise<string[]> {
  for (const corporation_id of corporations)
    await owner
      .insertInto('invoice_buyer')
      .values({ corporation_id, legal_name: 'Buyer', address: '1', city: 'Manila', country: 'PH' })
      .execute();
  return owner.transaction().execute(async (db) => {
    const body = { name: 'Money', amount: '37.50', currency: 'PHP', count: VOUCHERS, expires_on: null };
    const { data } = await createVouchers(contextOf(db, now), { body } as never);
    return data.codes;
  });
}

/** Redeems codes for an account, as a person does. A code that was redeemed before is refused. */
export function redeems(random: Random, accounts: readonly Account[], codes: readonly string[]): Batch {
  const account = random.pick(accounts);
  // In one order, or two transactions would wait for each other.
  const chosen = Array.from({ length: 4 }, () => random.pick(codes)).sort();
  return async (db, n) => {
    // Wrong codes are counted by person; here each try is that of another one.
    await sql`SELECT set_config('app.level', '1', true)`.execute(db);
    for (const code of chosen) {
      await sql`SAVEPOINT redeemed`.execute(db);
      const body = { billing_account_id: account.id, code };
      await redeemCode(null, { body } as never, (work) => work(contextOf(db, now, n))).catch(async (error: unknown) => {
        if (!(error instanceof BusinessError) || error.code !== 'voucher_unknown') throw error;
        await sql`ROLLBACK TO SAVEPOINT redeemed`.execute(db);
      });
    }
    return { operations: chosen.length };
  };
}

/** Issues invoices of some lines to an account, and notes their numbers. */
export function issues(random: Random, accounts: readonly Account[]): Batch {
  const account = random.pick(accounts);
  const day = random.pick(DAYS);
  const documents = Array.from({ length: 3 }, () =>
    Array.from({ length: 1 + random.below(4) }, (_, i) => ({
      ...{
        description: `Line ${i + 1}`,
        quantity: 1_000 * (1 + random.below(20)),
        unit_price: 10 * (1 + random.below(900)),
      },
      ...{ tax_category: 'standard' as const, tax_rate: 12_000 },
    })),
  );
  return async (db) => {
    const { issuer, ...parties } = await partiesOf(db, account.corporation_id);
    const sides = { ...parties, issuer: issuer! };
    const created_at = at(day).now().toISOString();
    for (const lines of documents) {
      const id = await insertDraft(db, sides, { billing_account_id: account.id, created_at });
      const draft = { id, currency: sides.corporation.currency, prices_include_tax: sides.issuer.prices_include_tax };
      await storeDraftLines(db, draft, lines, 0);
      const number = await issueDraft(contextOf(db, at(day)), id);
      await sql`INSERT INTO money_number VALUES (${number})`.execute(db);
    }
    return { operations: documents.length };
  };
}

/** Lets payments pay the open invoices of their accounts. */
export const settles = (): Batch => async (db) => {
  let operations = 1;
  while (operations <= SETTLED && (await settleNext(db, now))) operations++;
  return { operations };
};

/** Credits an amount of an invoice's first line, or all that is left. */
export function credits(random: Random): Batch {
  const [share, day, whole] = [random.next(), random.pick(DAYS), random.chance(0.4)];
  const amount = `${1 + random.below(5)}.00`;
  return async (db) => {
    await sql`SELECT set_config('app.level', '1', true)`.execute(db);
    const { rows } = await sql<{ id: number }>`
      SELECT id FROM invoice WHERE kind = 'invoice' AND state = 'issued' ORDER BY id
      OFFSET (SELECT floor(count(*) * ${share}::float8)::bigint FROM invoice WHERE kind = 'invoice' AND state = 'issued') LIMIT 1`.execute(
      db,
    );
    const [invoice] = rows;
    if (!invoice) return { operations: 1 };
    await sql`SAVEPOINT credited`.execute(db);
    const body = { reason: 'Wrong', ...(whole ? {} : { lines: [{ position: 1, amount }] }) };
    try {
      const { data } = await creditOne(contextOf(db, at(day)), { params: { id: invoice.id }, body } as never);
      await sql`INSERT INTO money_number VALUES (${data.number})`.execute(db);
    } catch (error) {
      // The line or the invoice is credited already.
      if (!(error instanceof BusinessError)) throw error;
      await sql`ROLLBACK TO SAVEPOINT credited`.execute(db);
    }
    return { operations: 1 };
  };
}

/** Settles what is left, and returns what must not be in the books: documents and vouchers that do not add up. */
export async function faultsOfDocuments(owner: Db) {
  while (await owner.transaction().execute((db) => settleNext(db, now)));
  const { rows } = await sql<Record<string, number>>`SELECT
    (SELECT count(*) FROM invoice WHERE kind = 'invoice' AND state = 'issued')::integer AS invoices,
    (SELECT count(*) FROM invoice WHERE kind = 'credit_note' AND state = 'issued')::integer AS notes,
    (SELECT count(*) FROM invoice_payment)::integer AS allocations,
    (SELECT count(*) FROM voucher WHERE redeemed_at IS NOT NULL)::integer AS redeemed,
    (SELECT count(*) FROM invoice WHERE number IS NOT NULL AND number NOT IN (SELECT number FROM money_number))::integer AS unnoted,
    (SELECT count(*) FROM invoice_row WHERE kind = 'invoice' AND state = 'issued'
      AND (credited > payable OR paid + credited > payable OR paid < 0))::integer AS overpaid,
    (SELECT count(*) FROM account_payment a WHERE a.amount > 0
      AND (SELECT sum(p.amount) FROM invoice_payment p WHERE p.payment_id = a.id) > a.amount)::integer AS overspent,
    (SELECT count(*) FROM account_payment WHERE settled_at IS NULL)::integer AS unsettled,
    (SELECT count(*) FROM voucher v JOIN top_up t ON t.id = v.top_up_id WHERE v.redeemed_at IS NOT NULL
      AND (t.state <> 'paid' OR t.amount <> 37500 OR (SELECT count(*) FROM ledger_transfer l WHERE l.key = 'top-up ' || t.id || ' paid'
        AND l.amount = t.amount) <> 1))::integer AS unpaid_vouchers,
    (SELECT count(*) FROM voucher WHERE redeemed_at IS NOT NULL)::integer
      - (SELECT count(DISTINCT top_up_id) FROM voucher WHERE redeemed_at IS NOT NULL)::integer AS shared_vouchers`.execute(
    owner,
  );
  const { invoices, notes, allocations, redeemed, ...faults } = rows[0]!;
  return { counts: { invoices, notes, allocations, redeemed }, faults };
}
