import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { Heliograph } from '../../../../packages/client/src/index.ts';
import { writeFiles } from '../../src/modules/invoices/files.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { apiStage, codeOf } from '../api/stage.ts';
import { buyerBody, done, type Invoice, issuerBody, line, sellingPlatform } from './stage.ts';

const stage = await apiStage({ after });
const { api, acme } = stage;
const { admin, corporations, draft } = await sellingPlatform(api);
// Acme buys from a reseller.
const seller = corporations.find(({ id }) => id === acme.corporation_id)!.reseller_id;
await done(admin, 'POST', 'invoice-issuers', issuerBody({ corporation_id: seller }));
await done(admin, 'POST', 'invoice-buyers', buyerBody(acme.corporation_id, { legal_name: 'Acme Retail Inc.' }));
const worker = { database: api.database.db('worker'), clock: systemClock };
const toAcme = (lines: object[], more: object = {}) =>
  done(admin, 'POST', 'invoices', { corporation_id: acme.corporation_id, lines, ...more });
const issue = ({ id }: Invoice) => done(admin, 'POST', `invoices/${id}/issue`);
const { key } = await stage.makeKey({ name: 'books' });
const client = new Heliograph({ url: api.url, key });

/** Reads the events of a type from the feed of a program. */
async function events(type: 'invoice.issued' | 'payment.received') {
  const found = [];
  for await (const event of client.events({ types: [type] })) found.push(event);
  return found;
}

test('a program reads the documents that its corporation received', async () => {
  const mine = await issue(await toAcme([line('112', '10')]));
  const note = await done(admin, 'POST', `invoices/${mine.id}/credit`, { reason: 'Agreed' });
  const listed = [];
  for await (const invoice of client.invoices({}, { limit: 1 })) listed.push(invoice);
  assert.deepEqual(
    listed.map(({ id, number, status }) => [id, number, status]),
    [
      [String(note.id), note.number, 'issued'],
      [String(mine.id), mine.number, 'credited'],
    ],
  );
  const call = stage.by(key);
  assert.equal(codeOf(await call('GET', `/v1/invoices/${mine.id}/pdf`)), '409 invoice_preparing');
  await writeFiles(worker, { invoice_id: mine.id });
  const whole = await client.invoice(String(mine.id));
  const { files_ready, total, credited, taxes, credit_notes } = whole;
  assert.deepEqual([files_ready, total, credited], [true, '1120.000', '1120.000']);
  assert.deepEqual(taxes, [{ category: 'standard', rate: '12.000', taxable: '1000.000', tax: '120.000' }]);
  assert.equal(credit_notes[0]!.number, note.number);
  const { rows } = await api.database
    .pool('owner')
    .query<{ kind: 'pdf' | 'xml'; sha256: string }>('SELECT kind, sha256 FROM invoice_document WHERE invoice_id = $1', [
      mine.id,
    ]);
  assert.equal(rows.length, 2);
  for (const { kind, sha256 } of rows) {
    const bytes = await client.invoiceFile(String(mine.id), kind);
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256, kind);
  }
});

test('a key sees no drafts or foreign documents, and none without its rights', async () => {
  const waiting = await toAcme([line('1')]);
  const foreign = await issue(await draft([line('1')]));
  const mine = await issue(await toAcme([line('1')]));
  const call = stage.by(key);
  for (const id of [waiting.id, foreign.id, 999_999])
    for (const path of [`/v1/invoices/${id}`, `/v1/invoices/${id}/pdf`, `/v1/invoices/${id}/xml`])
      assert.equal(codeOf(await call('GET', path)), '404 not_found', path);
  const ids = ((await call('GET', '/v1/invoices')).body as { data: { id: string }[] }).data.map(({ id }) => id);
  assert.ok(ids.includes(String(mine.id)) && !ids.includes(String(waiting.id)) && !ids.includes(String(foreign.id)));
  assert.equal(codeOf(await call('GET', '/v1/invoices?cursor=x')), '422 cursor_invalid');
  const narrow = stage.by((await stage.makeKey({ name: 'sends', scopes: ['messages:send'] })).key);
  const tests = stage.by((await stage.makeKey({ name: 'tests', mode: 'test' })).key);
  const { user_id } = await stage.one<{ user_id: number }>(
    "SELECT id AS user_id FROM user_account WHERE email = 'user@heliograph.test'",
  );
  const corporate = await api.as('corporate');
  const user = stage.by((await done<{ key: string }>(corporate, 'POST', 'api-keys', { name: 'user', user_id })).key);
  for (const path of ['/v1/invoices', `/v1/invoices/${mine.id}`, `/v1/invoices/${mine.id}/pdf`]) {
    assert.equal(codeOf(await narrow('GET', path)), '403 scope_missing', path);
    assert.equal(codeOf(await user('GET', path)), '403 forbidden', path);
  }
  assert.deepEqual(((await tests('GET', '/v1/invoices')).body as { data: unknown[] }).data, []);
  assert.equal(codeOf(await tests('GET', `/v1/invoices/${mine.id}`)), '404 not_found');
});

test('an issue and a payment are told once, however often they are asked for', async () => {
  const before = await events('invoice.issued');
  const { id } = await toAcme([line('112')]);
  const tries = await Promise.all([1, 2, 3].map(() => admin('POST', `/api/v1/invoices/${id}/issue`)));
  assert.deepEqual(tries.map(({ status }) => status).sort(), [200, 409, 409]);
  const told = (await events('invoice.issued')).slice(before.length);
  assert.equal(told.length, 1);
  const { data } = told[0]!;
  assert.ok('number' in data);
  assert.deepEqual([data.id, data.kind, data.total], [String(id), 'invoice', '112.000']);
  const account = await stage.one<{ id: number }>('SELECT id FROM billing_account WHERE corporation_id = $1', [
    acme.corporation_id,
  ]);
  const pay = (amount: string) =>
    admin('POST', `/api/v1/billing-accounts/${account.id}/payments`, { amount, reference: 'bank 77' });
  const paid = await Promise.all([pay('80'), pay('80')]);
  assert.deepEqual(
    [...paid, await pay('80')].map(({ status }) => status),
    [201, 201, 201],
  );
  assert.equal(codeOf(await pay('81')), '409 reference_used');
  const payments = await events('payment.received');
  assert.equal(payments.length, 1);
  const payment = payments[0]!.data;
  assert.ok('method' in payment);
  const { reference, amount, billing_account_id } = payment;
  assert.deepEqual([reference, amount, billing_account_id], ['bank 77', '80.000', String(account.id)]);
});
