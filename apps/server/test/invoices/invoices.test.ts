import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { writeFiles } from '../../src/modules/invoices/files.ts';
import { issueDraft } from '../../src/modules/invoices/issue.ts';
import { settlePayments } from '../../src/modules/invoices/settle.ts';
import { verifyInvoices } from '../../src/modules/invoices/verify.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { codeOf } from '../answers.ts';
import { startTestApi } from '../test-api.ts';
import { done, type Invoice, line, sellingPlatform } from './stage.ts';

const api = await startTestApi({ after });
const selling = await sellingPlatform(api);
const { admin, customer, draft } = selling;
const owner = api.database.db('owner');
const worker = { database: api.database.db('worker'), clock: systemClock, config: api.config };

const issued = async (lines = [line('112')], more: object = {}): Promise<Invoice> => {
  const { id } = await draft(lines, more);
  return done(admin, 'POST', `invoices/${id}/issue`);
};
const show = (id: number) => done(admin, 'GET', `invoices/${id}`);
const numbers = async () =>
  (
    await owner
      .selectFrom('invoice')
      .select('number')
      .where('kind', '=', 'invoice')
      .where('number', 'is not', null)
      .execute()
  )
    .map(({ number }) => Number(number!.split('-').at(-1)))
    .sort((a, b) => a - b);

test('a draft has no number, and only its seller sees it', async () => {
  const { id, number, net, tax, payable } = await draft([line('112', '2')]);
  assert.deepEqual([number, net, tax, payable], [null, '200.000', '24.000', '224.000']);
  const boss = await api.as('corporate');
  assert.equal((await boss('GET', `/api/v1/invoices/${id}`)).status, 404);
  const changed = await done(admin, 'PATCH', `invoices/${id}`, { lines: [line('56')] });
  assert.equal(changed.payable, '56.000');
  assert.equal((await admin('DELETE', `/api/v1/invoices/${id}`)).status, 200);
  assert.equal((await admin('GET', `/api/v1/invoices/${id}`)).status, 404);
});

test('a few lines of a draft with 1,200 lines change, and the others stay', async () => {
  const { id } = await draft([line('112')]);
  const more = Array.from({ length: 400 }, (_, i) => ({ ...line('1.12', '2'), description: `Line ${i + 2}` }));
  const change = (line_changes: object) => admin('PATCH', `/api/v1/invoices/${id}`, { line_changes });
  for (let times = 0; times < 3; times++)
    assert.equal((await change({ changed: [], removed: [], added: more })).status, 200);
  const lines = async (cursor: number) =>
    (
      (await admin('GET', `/api/v1/invoices/${id}/lines?limit=200&cursor=${cursor}`)).body as {
        data: { id: number; position: number; description: string; amount: string }[];
      }
    ).data;
  const [one, two] = await lines(900);
  const body = {
    changed: [{ id: one!.id, ...line('224'), description: 'Dear' }],
    removed: [two!.id],
    added: [line('5.6')],
  };
  const { data } = (await change(body)).body as { data: Invoice };
  // 112 + 1,198 × 2.24 + 224 + 5.60
  assert.deepEqual([data.payable, data['lines']], ['3025.120', 1_201]);
  const [same, next] = await lines(900);
  assert.deepEqual([same!.description, next!.description, next!.position], ['Dear', 'Line 103', 902]);
  assert.equal((await lines(1_200))[0]!.amount, '5.600');
  assert.equal(codeOf(await change(body)), 'changed_meanwhile');
  const wrong = await change({ changed: [{ id: same!.id, ...line('1'), quantity: '0' }], removed: [], added: [] });
  assert.deepEqual(Object.keys((wrong.body as { errors: object }).errors), ['line_changes.changed.0.quantity']);
  assert.equal((await admin('DELETE', `/api/v1/invoices/${id}`)).status, 200);
});

test('nobody changes an issued document, its lines or its files, not even the owner', async () => {
  const { id, status } = await issued();
  assert.equal(status, 'open');
  await writeFiles(worker, { invoice_id: id });
  for (const change of [
    sql`UPDATE invoice SET payable = 1, net = 1, tax = 0 WHERE id = ${id}`,
    sql`DELETE FROM invoice WHERE id = ${id}`,
    sql`UPDATE invoice_line SET description = 'other' WHERE invoice_id = ${id}`,
    sql`DELETE FROM invoice_line WHERE invoice_id = ${id}`,
    sql`INSERT INTO invoice_line (invoice_id, position, description, quantity, unit_price, tax_category, tax_rate, amount, net)
      VALUES (${id}, 99, 'more', 1, 1, 'zero', 0, 1, 1)`,
    sql`UPDATE invoice_document SET content = 'x' WHERE invoice_id = ${id}`,
    sql`DELETE FROM invoice_document WHERE invoice_id = ${id}`,
    sql`TRUNCATE invoice CASCADE`,
  ])
    await assert.rejects(change.execute(owner), /an issued document is final/);
  assert.equal(codeOf(await admin('PATCH', `/api/v1/invoices/${id}`, { note: 'x' })), 'invoice_issued');
  assert.equal(codeOf(await admin('DELETE', `/api/v1/invoices/${id}`)), 'invoice_issued');
  assert.equal(codeOf(await admin('POST', `/api/v1/invoices/${id}/issue`)), 'invoice_issued');
});

test('200 issues at the same time leave no gap and no twin, with rollbacks and kills', async () => {
  const before = await numbers();
  const ids: number[] = [];
  const first = await draft([line('1')]);
  for (let i = 0; i < 200; i++) {
    const { rows } = await sql<{ id: number }>`
      WITH made AS (INSERT INTO invoice (invoice_issuer_id, seller_id, corporation_id, kind, currency, timezone, language, prices_include_tax, net, payable)
        SELECT invoice_issuer_id, seller_id, corporation_id, kind, currency, timezone, language, prices_include_tax, 1000, 1000 FROM invoice WHERE id = ${first.id}
        RETURNING id),
      lined AS (INSERT INTO invoice_line (invoice_id, position, description, quantity, unit_price, tax_category, tax_rate, amount, net)
        SELECT id, 1, 'Messages', 1000, 1000, 'zero', 0, 1000, 1000 FROM made)
      SELECT id FROM made`.execute(owner);
    ids.push(rows[0]!.id);
  }
  const caller = { user_id: null, corporation_id: null };
  const kept: number[] = [];
  await Promise.all(
    ids.map((id, place) =>
      worker.database
        .transaction()
        .execute(async (db) => {
          await issueDraft({ db, clock: systemClock, caller }, id);
          // Some fail after they took their number, and some lose their session.
          if (place % 5 === 1) throw new Error('rolled back');
          if (place % 17 === 3) await sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(db);
          kept.push(id);
        })
        .catch(() => undefined),
    ),
  );
  assert.ok(kept.length > 100 && kept.length < 200, String(kept.length));
  const after_ = await numbers();
  assert.equal(after_.length, before.length + kept.length);
  assert.deepEqual(
    after_,
    after_.map((_, place) => place + 1),
  );
});

test('a series begins again with each year of the customer’s time zone', async () => {
  const at = async (now: string) => {
    const { id } = await draft([line('1')]);
    const clock = { now: () => new Date(now) };
    return worker.database
      .transaction()
      .execute((db) => issueDraft({ db, clock, caller: { user_id: null, corporation_id: null } }, id));
  };
  // Midnight in Manila is 16:00 UTC.
  assert.equal(await at('2030-12-31T15:59:59Z'), 'INV-2030-00001');
  assert.equal(await at('2030-12-31T16:00:00Z'), 'INV-2031-00001');
  assert.equal(await at('2031-01-02T00:00:00Z'), 'INV-2031-00002');
  assert.equal(await at('2030-12-31T00:00:00Z'), 'INV-2030-00002');
});

test('credit notes never exceed the invoice, and the last one ends exactly with it', async () => {
  const { id } = await issued([line('0.99', '3'), line('10.05', '1', { tax_category: 'exempt' }), line('33.33')]);
  const part = await done(admin, 'POST', `invoices/${id}/credit`, {
    reason: 'Wrong number of messages',
    lines: [{ position: 3, amount: '11.11' }],
  });
  assert.deepEqual([part.payable, part['kind']], ['11.110', 'credit_note']);
  const tooMuch = await admin('POST', `/api/v1/invoices/${id}/credit`, {
    reason: 'Again',
    lines: [{ position: 3, amount: '22.23' }],
  });
  assert.equal(tooMuch.status, 422);
  assert.match(JSON.stringify(tooMuch.body), /22\.220/);
  assert.equal((await show(id)).status, 'part_paid');
  const both = await Promise.all([1, 2].map(() => admin('POST', `/api/v1/invoices/${id}/credit`, { reason: 'Rest' })));
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409]);
  const { status, credited, payable, open } = await show(id);
  assert.deepEqual([status, credited, open], ['credited', payable, '0.000']);
});

test('a draft without a profile or quantity, or below zero, is refused', async () => {
  const other = selling.corporations.find(({ reseller_id, id }) => reseller_id === null && id !== customer.id)!;
  const { id } = await done(admin, 'POST', 'invoices', { corporation_id: other.id, lines: [line('1')] });
  assert.equal(codeOf(await admin('POST', `/api/v1/invoices/${id}/issue`)), 'invoice_buyer_missing');
  const body = { corporation_id: customer.id, lines: [line('1', '0')] };
  const zero = await admin('POST', '/api/v1/invoices', body);
  assert.match(JSON.stringify(zero.body), /lines\.0\.quantity/);
  const negative = await draft([line('1', '-1')]);
  assert.equal(codeOf(await admin('POST', `/api/v1/invoices/${negative.id}/issue`)), 'invoice_negative');
  const resold = selling.corporations.find(({ reseller_id }) => reseller_id !== null)!;
  const missing = await admin('POST', '/api/v1/invoices', { corporation_id: resold.id, lines: [line('1')] });
  assert.equal(codeOf(missing), 'invoice_issuer_missing');
});

test('a reseller sells to its customers only, and reads no drafts of its own seller', async () => {
  const reseller = await api.as('reseller');
  const own = selling.corporations.find(({ is_reseller }) => is_reseller)!;
  const toReseller = await done(admin, 'POST', 'invoices', { corporation_id: own.id, lines: [line('1')] });
  const mine = await done<{ id: number; legal_name: string }>(reseller, 'POST', 'invoice-issuers', {
    legal_name: 'Resold Ltd',
    address: 'x',
    city: 'y',
    country: 'PH',
    tax_number: '1',
  });
  assert.equal(mine.legal_name, 'Resold Ltd');
  assert.equal((await reseller('GET', `/api/v1/invoices/${toReseller.id}`)).status, 404);
  const refused = await reseller('POST', '/api/v1/invoices', { corporation_id: own.id, lines: [line('1')] });
  assert.equal(refused.status, 422);
  const sold = selling.corporations.find(({ reseller_id }) => reseller_id === own.id)!;
  const made = await done(reseller, 'POST', 'invoices', { corporation_id: sold.id, lines: [line('1')] });
  assert.equal(made.status, 'draft');
});

test('a payment pays the open invoices of its account once, by due date', async () => {
  const account = await owner
    .selectFrom('billing_account')
    .select(['id', 'corporation_id'])
    .where('corporation_id', '=', customer.id)
    .executeTakeFirstOrThrow();
  const mine = { billing_account_id: account.id };
  const late = await issued([line('100')], { ...mine, payment_days: 30 });
  const soon = await issued([line('50')], { ...mine, payment_days: 5 });
  const other = await issued([line('10')]);
  await settlePayments(worker);
  await done(admin, 'POST', `billing-accounts/${account.id}/payments`, { amount: '80', reference: 'bank 1' });
  await Promise.all([settlePayments(worker), settlePayments(worker)]);
  const states = async () =>
    (await Promise.all([soon, late, other].map(({ id }) => show(id)))).map((v) => [v.status, v.open]);
  assert.deepEqual(await states(), [
    ['paid', '0.000'],
    ['part_paid', '70.000'],
    ['open', '10.000'],
  ]);
  await done(admin, 'POST', `billing-accounts/${account.id}/payments`, { amount: '500', reference: 'bank 2' });
  await settlePayments(worker);
  assert.deepEqual((await states())[1], ['paid', '0.000']);
  const { rows } = await sql<{ used: number }>`SELECT sum(amount) AS used FROM invoice_payment`.execute(owner);
  assert.equal(Number(rows[0]!.used), 150_000);
});

test('the log finds an altered document and an altered file', async () => {
  const [one, two] = [await issued(), await issued()];
  for (const { id } of [one, two]) await writeFiles(worker, { invoice_id: id });
  assert.deepEqual((await verifyInvoices(owner)).altered, []);
  await owner.transaction().execute(async (db) => {
    for (const name of ['invoice', 'invoice_document'])
      await sql`ALTER TABLE ${sql.table(name)} DISABLE TRIGGER USER`.execute(db);
    await sql`UPDATE invoice SET net = net + 1, payable = payable + 1 WHERE id = ${one!.id}`.execute(db);
    await sql`UPDATE invoice_document SET content = content || 'x' WHERE invoice_id = ${two!.id} AND kind = 'pdf'`.execute(
      db,
    );
  });
  assert.deepEqual((await verifyInvoices(owner)).altered.sort(), [one!.id, two!.id].sort());
});
