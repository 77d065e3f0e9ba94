import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { writeFiles } from '../../src/modules/invoices/files.ts';
import { mailInvoiceJob } from '../../src/modules/invoices/jobs.ts';
import { mailInvoice, remindOfInvoices } from '../../src/modules/invoices/mail-invoices.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createLogger } from '../../src/platform/log.ts';
import { startTestApi } from '../test-api.ts';
import { done, type Invoice, line, sellingPlatform } from './stage.ts';

const api = await startTestApi({ after });
const issuer = { mail_documents: true, remind_before: 3, remind_after: 5 };
const { admin, issuer_id, buyer_id, draft } = await sellingPlatform(api, issuer, { language: 'fp' });
const pool = api.database.pool('owner');
const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
const worker = { database: api.database.db('worker'), clock: systemClock, config: api.config, log };

const issue = async (): Promise<Invoice> => {
  const { id } = await draft([line('112', '10')], { payment_days: 10 });
  const issued = await done(admin, 'POST', `invoices/${id}/issue`);
  await Promise.all([writeFiles(worker, { invoice_id: id }), writeFiles(worker, { invoice_id: id })]);
  await writeFiles(worker, { invoice_id: id });
  return issued;
};
type Kind = 'issued' | 'due_soon' | 'overdue';
/** Returns the kinds of the mails that are asked for, in their order. */
const asked = async ({ id }: Invoice) =>
  (
    await pool.query<{ kind: Kind }>(
      `SELECT data ->> 'kind' AS kind FROM jobs.job WHERE name = $1 AND data ->> 'invoice_id' = $2 ORDER BY created_on, id`,
      [mailInvoiceJob.name, String(id)],
    )
  ).rows.map(({ kind }) => kind);
const folder = join(api.config.DATA_DIR, 'mail');
mkdirSync(folder, { recursive: true });
/** Sends a mail, and returns what was sent. */
async function sent({ id }: Invoice, kind: Kind): Promise<string | undefined> {
  const before = new Set(readdirSync(folder));
  await mailInvoice(worker, { invoice_id: id, kind });
  const file = readdirSync(folder).find((name) => !before.has(name));
  return file && readFileSync(join(folder, file), 'utf8');
}
/** Looks for reminders in the morning of a day in Manila, by two workers. */
const remindOn = async ({ issue_date }: Invoice, days: number) => {
  const day = Temporal.PlainDate.from(String(issue_date)).add({ days });
  const clock = { now: () => new Date(`${day}T01:00:00Z`) };
  await Promise.all([remindOfInvoices({ ...worker, clock }), remindOfInvoices({ ...worker, clock })]);
};

test('an issued document is mailed once, with its PDF, in the language of the buyer', async () => {
  const invoice = await issue();
  assert.deepEqual(await asked(invoice), ['issued']);
  const mail = (await sent(invoice, 'issued'))!;
  assert.match(mail, /^To: accounts@blueharbor\.test/m);
  assert.match(mail.replaceAll(/\r?\n /g, ' '), new RegExp(`^Subject: .*${invoice.number}.* mula sa Lamp Works`, 'm'));
  assert.match(mail, /Narito ang /);
  const encoded = /Content-Type: application\/pdf[\s\S]*?\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)/.exec(mail)![1]!;
  const digest = createHash('sha256').update(Buffer.from(encoded, 'base64')).digest('hex');
  const { rows } = await pool.query<{ sha256: string }>(
    "SELECT sha256 FROM invoice_document WHERE invoice_id = $1 AND kind = 'pdf'",
    [invoice.id],
  );
  assert.equal(digest, rows[0]!.sha256);
});

test('due dates are reminded of once before and once after, while something is open', async () => {
  const invoice = await issue();
  const steps: [number, Kind[]][] = [
    [6, []],
    [7, ['due_soon']],
    [8, ['due_soon']],
    [14, ['due_soon']],
    [15, ['due_soon', 'overdue']],
    [16, ['due_soon', 'overdue']],
  ];
  for (const [days, kinds] of steps) {
    await remindOn(invoice, days);
    assert.deepEqual((await asked(invoice)).slice(1), kinds, `day ${days}`);
  }
  assert.match((await sent(invoice, 'overdue'))!, /1,120\.00/);
  await done(admin, 'POST', `invoices/${invoice.id}/credit`, { reason: 'Agreed' });
  assert.equal(await sent(invoice, 'overdue'), undefined, 'nothing is open any more');
});

test('a seller that asks for no mails sends none, nor does one without address', async () => {
  await done(admin, 'PATCH', `invoice-issuers/${issuer_id}`, {
    mail_documents: false,
    remind_before: null,
    remind_after: null,
  });
  const quiet = await issue();
  for (const days of [7, 10, 15]) await remindOn(quiet, days);
  assert.deepEqual(await asked(quiet), []);
  await done(admin, 'PATCH', `invoice-buyers/${buyer_id}`, { email: null });
  const unknown = await issue();
  assert.equal(await sent(unknown, 'issued'), undefined);
});
