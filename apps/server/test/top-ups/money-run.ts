import { type Kysely, sql } from 'kysely';
import type { Settlement } from '#modules/billing';
import { createDatabase, createPool, type Database } from '#platform/database/db';
import { type Random, seededRandom } from '../../../../packages/fault-kit/src/index.ts';
import { moveBetween } from '../../src/modules/billing/ledger.ts';
import { takeNumber } from '../../src/modules/invoices/numbers.ts';
import type { Issuer } from '../../src/modules/invoices/parties.ts';
import type { SeenReturn } from '../../src/modules/top-ups/drivers/driver.ts';
import { applySeen, lockTopUp } from '../../src/modules/top-ups/settle.ts';
import { makeAccounts } from '../billing/account.ts';
import type { TestDatabase } from '../template-database.ts';
import { credits, DAYS, issues, prepareDocuments, redeems, settles } from './money-documents.ts';

type Db = Kysely<Database>;
type Account = { id: number; corporation_id: number };
/** Payment as its provider knows it. */
interface Payment {
  id: number;
  reference: string;
  amount: number;
  returns: SeenReturn[];
}
interface Reservation extends Account {
  key: string;
  amount: number;
}
interface Run {
  random: Random;
  accounts: Account[];
  issuer: Issuer;
  /** Codes of vouchers, redeemed ones too. */
  codes: string[];
  payments: Payment[];
  open: Reservation[];
}
/** Work of one transaction. It may run again: all that it writes has the keys of `n`. */
type Batch = (db: Db, n: number) => Promise<{ operations: number; done?: () => void }>;

const SESSIONS = 8;
const CUSTOMERS = 3;
const ACCOUNTS = 4;
/** Reservations of one transaction. */
const AT_ONCE = 80;
const LIMITS = [0, 20_000, 500_000];
/** Milliseconds from one killed session to the next. */
const KILL_MS = 150;

/** Tables of the run, beside those of the product: numbers that were taken, and limits with the entry after which they hold. */
const TABLES = `CREATE TABLE money_number (number text PRIMARY KEY);
  CREATE TABLE money_limit (billing_account_id bigint, credit_limit bigint, after bigint)`;

/** Runs random operations with money in several sessions, some of which are killed. Returns what tests compare. */
export async function runMoney(home: TestDatabase, wanted: number, seed: number) {
  const owner = home.db('owner');
  await home.pool('owner').query(TABLES);
  const random = seededRandom(seed);
  const accounts: Account[] = [];
  for (let customer = 0; customer < CUSTOMERS; customer++) {
    const made = await makeAccounts(owner, ACCOUNTS, { name: `Money ${customer}` });
    accounts.push(...made.accounts.map((id) => ({ id, corporation_id: made.corporation_id })));
  }
  const issuer = await owner
    .insertInto('invoice_issuer')
    .values({ legal_name: 'Money', address: '1', city: 'Manila', country: 'PH', tax_number: '1' })
    .returningAll()
    .executeTakeFirstOrThrow();
  const codes = await prepareDocuments(owner, [...new Set(accounts.map(({ corporation_id }) => corporation_id))]);
  const run: Run = { random, accounts, issuer: issuer as unknown as Issuer, codes, payments: [], open: [] };
  const pool = createPool({ DATABASE_URL: home.url }, 'owner', { max: SESSIONS });
  pool.on('error', () => undefined);
  const database = createDatabase(pool);
  const busy = new Set<number>();
  const killed = new Set<number>();
  let [done, n] = [0, 0];

  const session = async () => {
    while (done < wanted) {
      const batch = choose(run);
      const own = ++n;
      for (;;) {
        let pid = 0;
        try {
          const made = await database.transaction().execute(async (db) => {
            const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
            pid = rows[0]!.pid;
            busy.add(pid);
            return batch(db, own);
          });
          made.done?.();
          done += made.operations;
          break;
        } catch (error) {
          if (!killed.has(pid) && !(pid === 0 && isCut(error))) throw error;
        } finally {
          busy.delete(pid);
        }
      }
    }
  };
  const killer = setInterval(() => {
    const [pid] = busy;
    if (pid === undefined) return;
    killed.add(pid);
    void home
      .pool('owner')
      .query('SELECT pg_terminate_backend($1)', [pid])
      .catch(() => undefined);
  }, KILL_MS);
  try {
    await Promise.all(Array.from({ length: SESSIONS }, session));
  } finally {
    clearInterval(killer);
    await pool.end();
  }
  for (const payment of run.payments) await owner.transaction().execute((db) => see(db, payment));
  return { ...run, done, kills: killed.size };
}

/** Tells if a session was killed before its transaction began. */
const isCut = (error: unknown): boolean => /terminat|EPIPE|ECONNRESET|closed|not queryable/i.test(String(error));

function choose(run: Run): Batch {
  const dice = run.random.next();
  if (dice < 0.3) return sends(run);
  if (dice < 0.4) return transfers(run);
  if (dice < 0.45) return limit(run);
  if (dice < 0.52) return numbers(run);
  if (dice < 0.59) return redeems(run.random, run.accounts, run.codes);
  if (dice < 0.67) return issues(run.random, run.accounts);
  if (dice < 0.76) return credits(run.random);
  if (dice < 0.81) return settles();
  return run.payments.length < 5 || dice < 0.87 ? topUps(run) : notices(run);
}

/** Reserves for messages of an account, and charges or releases reserves of before. */
function sends({ random, accounts, open }: Run): Batch {
  const account = random.pick(accounts);
  const amounts = Array.from({ length: AT_ONCE }, () => 1 + random.below(3_000));
  const settled = open.splice(0, random.below(2 * AT_ONCE));
  const settlements = settled.map(({ key, id, corporation_id, amount }): Settlement => {
    const kind = random.chance(0.7) ? 'charge' : 'release';
    return { key: `${key} end`, billing_account_id: id, corporation_id, amount, kind };
  });
  return async (db, n) => {
    const keys = amounts.map((_, at) => `money ${n} ${at}`);
    const of = { billing_account_id: account.id, corporation_id: account.corporation_id, kind: 'reservation' };
    const all = [...keys.map((key, at) => ({ ...of, key, amount: amounts[at]! })), ...settlements];
    const none = all.map(() => null);
    const { rows } = await sql<{ key: string; result: string }>`
      SELECT key, result FROM post_transfers(${all.map(({ key }) => key)}::text[], ${all.map(({ kind }) => kind)}::text[],
        ${all.map((each) => each.billing_account_id)}::bigint[], ${all.map((each) => each.corporation_id)}::bigint[],
        ${all.map(({ amount }) => amount)}::bigint[], ${none}::bigint[], ${none}::bigint[], ${none}::text[],
        ${none}::timestamptz[], ${none}::jsonb[])`.execute(db);
    const results = new Map(rows.map(({ key, result }) => [key, result]));
    return {
      operations: all.length,
      done() {
        for (const [at, key] of keys.entries())
          if (results.get(key) === 'posted' || results.get(key) === 'known')
            open.push({ ...account, key, amount: amounts[at]! });
      },
    };
  };
}

/** Moves credit between accounts, and takes some of it back. */
function transfers({ random, accounts }: Run): Batch {
  const moves = Array.from({ length: 10 }, () => ({
    from: random.pick(accounts),
    to: random.pick(accounts),
    amount: 1 + random.below(30_000),
    back: random.chance(0.3),
  })).filter(({ from, to }) => from !== to);
  return async (db, n) => {
    let operations = 0;
    // In one order, or two transactions would wait for each other.
    await sql`SELECT FROM billing_account WHERE id = ANY (${moves.flatMap(({ from, to }) => [from.id, to.id])}::bigint[])
      ORDER BY id FOR NO KEY UPDATE`.execute(db);
    for (const [at, { from, to, amount, back }] of moves.entries())
      for (const way of back ? ['there', 'back'] : ['there']) {
        const [giver, taker] = way === 'there' ? [from, to] : [to, from];
        const side = ({ id, corporation_id }: Account, which: string) => ({
          ...{ key: `money ${n} ${at} ${way} ${which}`, billing_account_id: id, corporation_id, amount },
        });
        operations++;
        await sql`SAVEPOINT moved`.execute(db);
        const moved = await moveBetween(db, side(giver, 'from'), side(taker, 'to')).then(
          () => true,
          (error: { code?: string }) => {
            if (error.code !== 'transfer_insufficient') throw error;
            return false;
          },
        );
        if (!moved) await sql`ROLLBACK TO SAVEPOINT moved`.execute(db);
        if (!moved) break;
      }
    return { operations };
  };
}

/** Changes the credit limit of an account, and notes the entry after which it holds. */
function limit({ random, accounts }: Run): Batch {
  const { id } = random.pick(accounts);
  const credit_limit = random.pick(LIMITS);
  return async (db) => {
    await db.updateTable('billing_account').set({ credit_limit }).where('id', '=', id).execute();
    await sql`INSERT INTO money_limit SELECT ${id}, ${credit_limit}, coalesce(max(id), 0) FROM ledger_transfer
      WHERE billing_account_id = ${id}`.execute(db);
    return { operations: 1 };
  };
}

/** Takes numbers of invoices and credit notes around a new year; some transactions end without a document. */
function numbers({ random, issuer }: Run): Batch {
  const wanted = Array.from({ length: 6 }, () => ({
    kind: random.chance(0.7) ? ('invoice' as const) : ('credit_note' as const),
    day: random.pick(DAYS),
  })).sort((a, b) => `${a.kind} ${a.day}`.localeCompare(`${b.kind} ${b.day}`));
  const fails = random.chance(0.2);
  return async (db) => {
    await sql`SAVEPOINT issued`.execute(db);
    for (const { kind, day } of wanted) {
      const number = await takeNumber(db as never, issuer, kind, day);
      await sql`INSERT INTO money_number VALUES (${number})`.execute(db);
    }
    if (fails) await sql`ROLLBACK TO SAVEPOINT issued`.execute(db);
    return { operations: wanted.length };
  };
}

const newTopUp = ({ id, corporation_id }: Account, amount: number, reference: string, driver: string) => ({
  ...{
    corporation_id,
    billing_account_id: id,
    driver,
    method_name: driver,
    amount,
    total: amount,
    currency: 'PHP',
    reference,
  },
  state: 'awaiting_payment',
});

/** Adds paid top-ups at a provider; their notices follow. */
function topUps({ random, accounts, payments }: Run): Batch {
  const account = random.pick(accounts);
  const amount = 10 * (1 + random.below(200_000));
  return async (db, n) => {
    const reference = `TUMONEY${n}`;
    await db
      .insertInto('top_up')
      .values(newTopUp(account, amount, reference, 'stripe'))
      .onConflict((conflict) => conflict.column('reference').doNothing())
      .execute();
    const { id } = await db
      .selectFrom('top_up')
      .select('id')
      .where('reference', '=', reference)
      .executeTakeFirstOrThrow();
    return { operations: 1, done: () => void payments.push({ id, reference, amount, returns: [] }) };
  };
}

/** Applies what a provider knows of a payment, as a look after a notice does. */
async function see(db: Db, { id, reference, amount: total, returns }: Payment): Promise<void> {
  const topUp = await lockTopUp(db, id);
  const payment = { payment_id: `pi_${id}`, method_label: 'visa 4242', saved: null };
  await applySeen(db, topUp!, { ...payment, state: 'paid', reference, total, currency: 'PHP', returns }, new Date());
}

/** Repeats a notice, after a refund or a step of a dispute at the provider. */
function notices({ random, payments }: Run): Batch {
  const payment = random.pick(payments);
  const { returns, amount } = payment;
  const dispute = returns.find(({ kind }) => kind === 'chargeback');
  const part = 10 * (1 + random.below(amount / 10));
  const key = { key: null, provider_id: `${payment.id} ${returns.length}` };
  const dice = random.next();
  if (dice < 0.2) returns.push({ ...key, kind: 'refund', amount: part, state: 'done' });
  else if (dice < 0.3 && !dispute) returns.push({ ...key, kind: 'chargeback', amount, state: 'open' });
  else if (dice < 0.5 && dispute) dispute.state = random.chance(0.5) ? 'won' : 'lost';
  return async (db) => {
    await see(db, payment);
    return { operations: 1 };
  };
}
