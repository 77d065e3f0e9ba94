import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeMonths, correct, pay, refund, type Transfer } from '#modules/billing';
import { issueDraft } from '../../src/modules/invoices/issue.ts';
import { makeMonthInvoices } from '../../src/modules/invoices/month-invoices.ts';
import { settlePayments } from '../../src/modules/invoices/settle.ts';
import { makeMoneyStage } from '../billing/stage.ts';
import { randomFrom } from '../margins/made-month.ts';
import { sentParts } from './sent-parts.ts';
import { buyerBody, issuerBody } from './stage.ts';

const stage = await makeMoneyStage({ after });
const { owner, tenant, clock, home } = stage;
const pool = home.pool('owner');
const of = { billing_account_id: tenant.billing_account_id, corporation_id: tenant.corporation_id };
const worker = { database: home.db('worker'), clock };
const NOBODY = { user_id: null, corporation_id: null };
const MONTHS = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'];

await owner
  .updateTable('billing_account')
  .set({ credit_balance: 0, credit_limit: 100_000_000, created_at: '2026-01-01T12:00:00Z' })
  .execute();
await owner.updateTable('corporation').set({ timezone: 'America/New_York' }).execute();
await owner.updateTable('price_plan').set({ type: 'postpaid_special' }).execute();
const { tax_rate: _, ...seller } = issuerBody();
await owner
  .insertInto('invoice_issuer')
  .values({ ...seller, tax_rate: 12_000, issue_automatically: true })
  .execute();
await owner
  .insertInto('invoice_buyer')
  .values({ ...buyerBody(of.corporation_id), invoices_from: '2026-01-15' })
  .execute();
const issuer = (more: object) => owner.updateTable('invoice_issuer').set(more).execute();
const buyer = (more: object) => owner.updateTable('invoice_buyer').set(more).execute();

const post = (work: (db: typeof owner) => Promise<unknown>) => owner.transaction().execute((db) => work(db));
let keys = 0;
const at = (created_at: string, amount: number): Transfer => ({ ...of, key: `m${keys++}`, amount, created_at });
const { charge, send } = sentParts(stage, () => keys++);
const monthsOver = () => closeMonths({ database: home.db('worker'), clock });
const make = () => makeMonthInvoices(worker);
const sum = async (text: string, ...values: unknown[]) =>
  Number((await pool.query<{ sum: string | null }>(`SELECT sum(${text}`, values)).rows[0]!.sum ?? 0);

interface Made {
  id: number;
  month: string;
  billed: number;
  payable: number;
  tax: number;
  prices_include_tax: boolean;
  state: string;
  billed_from: string;
  /** Sum of the lines, in thousandths. */
  lines: number;
}
const made = async (): Promise<Made[]> =>
  (
    await pool.query<Made>(
      `SELECT v.id, to_char(s.month, 'YYYY-MM') AS month, v.billed, v.payable, v.tax, v.prices_include_tax, v.state, to_char(v.billed_from, 'YYYY-MM') AS billed_from,
        (SELECT sum(l.quantity * l.unit_price / 1000)::bigint FROM invoice_line l WHERE l.invoice_id = v.id) AS lines
       FROM invoice v JOIN statement s ON s.id = v.statement_id ORDER BY s.month`,
    )
  ).rows;

/** Amount that the ledger has for the months of an invoice, in the sign of a debt. */
const owed = (from: string, to: string) =>
  sum(
    `-amount) FROM ledger_transfer WHERE kind IN ('charge', 'refund', 'commitment', 'correction') AND key NOT LIKE 'invoice:%'
     AND created_at >= ($1 || '-01')::timestamp AT TIME ZONE 'America/New_York'
     AND created_at < (($2 || '-01')::date + interval '1 month') AT TIME ZONE 'America/New_York'`,
    from,
    to,
  );
/** Number of accounts that the list of a month has as not invoiced. */
const missing = async (month: string) =>
  (
    await pool.query<{ missing: number }>("SELECT missing FROM month_checks(NULL, $1) WHERE name = 'invoices'", [
      `${month}-01`,
    ])
  ).rows[0]!.missing;
const balance = () => sum("amount) FROM ledger_transfer WHERE kind NOT IN ('reservation', 'release')");

test('lines of each month add up to the ledger, and paying the total settles it', async () => {
  const random = randomFrom(20_261_128);
  const phones = (count: number) =>
    Array.from(
      { length: count },
      () => ['63917', '63918', '1202', '99999'][random(4)] + String(1_000_000 + random(9_000_000)),
    );
  for (const [place, month] of MONTHS.entries()) {
    const day = () => `${month}-${String(1 + random(27)).padStart(2, '0')}T12:00:00.${random(900) + 100}Z`;
    for (let i = random(3); i >= 0; i--) await send(day(), phones(1 + random(40)), 101 + random(3) * 249);
    // Accepted in the last second of the month there, charged in the first of the next.
    const next = Temporal.PlainYearMonth.from(month).add({ months: 1 }).toPlainDate({ day: 1 });
    const midnight = next.toZonedDateTime('America/New_York').toInstant();
    await send(
      midnight.subtract({ milliseconds: 3 }).toString(),
      phones(3),
      333,
      midnight.add({ seconds: 1 }).toString(),
    );
    if (random(2)) await charge(day(), 1 + random(90_000));
    if (random(2)) await post((db) => refund(db, at(day(), 1 + random(9_000))));
    if (random(2)) await post((db) => correct(db, at(day(), random(9_999) - 5_000 || 1)));
    // A month with more credit than charges gives no invoice: the next one carries it.
    if (place === 2) await post((db) => correct(db, at(day(), 500_001)));
    if (place === 3) await charge(day(), 900_000);
    clock.set(midnight.add({ hours: 1 }).toString());
    await monthsOver();
    await issuer({ prices_include_tax: place % 2 === 0 });
    await buyer({ invoice_lines: place % 3 === 0 ? 'campaign' : 'network' });
    await Promise.all([make(), make(), make()]);
    assert.equal(await make(), 0, 'a second run makes nothing');
  }
  const invoices = await made();
  assert.deepEqual(
    invoices.map(({ month, billed_from }) => `${billed_from}..${month}`),
    ['2026-01..2026-01', '2026-02..2026-02', '2026-03..2026-04', '2026-05..2026-05', '2026-06..2026-06'],
  );
  for (const { month, billed_from, billed, lines, payable, tax, prices_include_tax, state } of invoices) {
    assert.equal(state, 'issued');
    assert.deepEqual([billed, lines], [await owed(billed_from, month), billed], month);
    assert.ok(Math.abs(payable - billed - (prices_include_tax ? 0 : tax)) < 500, month);
    assert.equal(payable % 10, 0, 'payable in whole centavos');
  }
  for (const month of MONTHS) assert.equal(await missing(month), 0, month);
  const total = invoices.reduce((all, { payable }) => all + payable, 0);
  const unbilled = await owed('2026-07', '2026-12');
  await post((db) => pay(db, { ...of, key: 'all', amount: total }));
  assert.equal(await balance(), 0 - unbilled, 'nothing is left but the month that is not over');
  await settlePayments(worker);
  assert.equal(await sum('payable - paid) FROM invoice_row WHERE statement_id IS NOT NULL'), 0);
});

test('usage by network has a line for each network and price, with its parts', async () => {
  const { rows } = await pool.query<{ description: string; quantity: number; unit_price: number }>(
    `SELECT l.description, l.quantity, l.unit_price FROM invoice_line l JOIN invoice v ON v.id = l.invoice_id
     JOIN statement s ON s.id = v.statement_id WHERE s.month = '2026-05-01' ORDER BY l.position`,
  );
  const parts = rows.filter(({ description }) => description.startsWith('Messages to '));
  assert.ok(
    parts.some(({ description }) => /\(PH\), parts$/.test(description)),
    JSON.stringify(rows),
  );
  assert.ok(parts.some(({ description }) => description === 'Messages to other networks, parts'));
  assert.equal(new Set(parts.map(({ description, unit_price }) => description + unit_price)).size, parts.length);
  const { rows: sent } = await pool.query<{ parts: number }>(
    `SELECT count(*)::int AS parts FROM answer_pack a, string_to_table(a.places, ',') WHERE a.at >= '2026-05-01T04:00:00Z' AND a.at < '2026-06-01T04:00:00Z'`,
  );
  assert.equal(
    parts.reduce((all, { quantity }) => all + quantity / 1_000, 0),
    sent[0]!.parts,
  );
});

test('a posted difference is not billed again, and a kill makes no twin', async () => {
  await issuer({ prices_include_tax: false, issue_automatically: false });
  const now = new Date().toISOString();
  await charge(now, 10_005);
  const [year, month] = now.split('-');
  clock.set(
    `${Number(year) + (month === '12' ? 1 : 0)}-${month === '12' ? '01' : String(Number(month) + 1).padStart(2, '0')}-01T12:00:00Z`,
  );
  await monthsOver();
  const before = await made();
  const running = Promise.allSettled([make(), make(), make()]);
  // Sessions of workers that write an invoice are ended.
  await pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE '%worker%' AND state <> 'idle' AND datname = current_database()`,
  );
  await running;
  await make();
  const invoices = (await made()).slice(before.length);
  const last = invoices.at(-1)!;
  assert.equal(new Set(invoices.map((each) => each.month)).size, invoices.length);
  assert.deepEqual(
    [last.state, last.billed, last.lines],
    ['draft', await owed(last.billed_from, last.month), last.billed],
  );
  assert.equal(await missing(last.month), 1, 'a draft is no invoice');
  const open = await balance();
  for (const { id } of invoices)
    await worker.database.transaction().execute((db) => issueDraft({ db, clock, caller: NOBODY }, id));
  assert.equal(await missing(last.month), 0);
  const posted = invoices.reduce((all, { payable, billed }) => all + payable - billed, 0);
  assert.equal(await balance(), open - posted);
  const total = invoices.reduce((all, { payable }) => all + payable, 0);
  await post((db) => pay(db, { ...of, key: 'rest', amount: total }));
  assert.equal(await balance(), 0);
});
