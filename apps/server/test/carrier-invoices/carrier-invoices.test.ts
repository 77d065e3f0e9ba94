import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { carrierInvoiceLines, getCarrierInvoice } from '@heliograph/contract/carrier-invoices/carrier-invoice';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { until } from '@heliograph/fault-kit';
import { startWorker } from '../../src/processes/worker.ts';
import { codeOf } from '../answers.ts';
import { makeTraffic } from '../reports/made-traffic.ts';
import { startTestApi } from '../test-api.ts';
import { sendFile, uploadFile } from '../uploads.ts';

const api = await startTestApi({ after });
const worker = await startWorker({ config: api.config, log: api.log });
after(() => worker.stop());
const owner = api.database.pool('owner');
const [superadmin, reseller] = await Promise.all([api.as('superadmin'), api.as('reseller')]);
const link = Number(await api.database.one('SELECT min(id) AS id FROM link'));

type Invoice = ReplyOf<typeof getCarrierInvoice>['data'];
type Line = ReplyOf<typeof carrierInvoiceLines>['data'][number];

const DAY_MS = 86_400_000;
/** A noon in Manila some days ago, so that no day of the test is cut by a time zone. */
const noon = (daysAgo: number) => new Date(Math.floor(Date.now() / DAY_MS - daysAgo) * DAY_MS + 4 * 3_600_000);
const dayOf = (at: Date) => at.toISOString().slice(0, 10);

const query = (from: Date, to: Date, more: Record<string, string> = {}) =>
  `carrier-invoices/bulk?${new URLSearchParams({
    ...{ link_id: String(link), currency: 'USD', from: dayOf(from), to: dayOf(to), timezone: 'Asia/Manila' },
    ...more,
  })}`;

async function compared(file: string, address: string): Promise<Invoice> {
  const { upload, refused } = await uploadFile(superadmin, address, file);
  assert.equal(upload.state, 'done', JSON.stringify([upload.error_code, refused]));
  const { body } = await superadmin('GET', `/api/v1/carrier-invoices?link_id=${link}&limit=1`);
  return (body as { data: Invoice[] }).data[0]!;
}
const linesOf = async ({ id }: Invoice, level: string, more = '') =>
  ((await superadmin('GET', `/api/v1/carrier-invoices/${id}/lines?level=${level}${more}`)).body as { data: Line[] })
    .data;

/** A card in force since long ago: 0.01 a part to Globe by its prefix, 0.02 to all other numbers of the Philippines. */
async function addCard(): Promise<void> {
  await owner.query(
    `WITH card AS (
      INSERT INTO carrier_card (link_id, name, currency, charged_on, starts_on) VALUES ($1, 'Old card', 'USD', 'submit', '2020-01-01')
      RETURNING id
    ) INSERT INTO carrier_rate (carrier_card_id, prefix, amount)
      SELECT id, r.prefix, r.amount FROM card, (VALUES ('63917', 10000), ('63', 20000)) r(prefix, amount)`,
    [link],
  );
  await owner.query(
    `UPDATE carrier_card SET version = 1000, applied_at = '2020-01-01', from_at = '2020-01-01', timezone = 'Asia/Manila' WHERE name = 'Old card'`,
  );
}
await addCard();

const at = noon(40);
const ids = await makeTraffic(owner, {
  corporation: 'Acme Retail',
  at,
  messages: [
    { msisdn: '639171000001', answers: [0], outcome: 'delivered' },
    { msisdn: '639171000002', answers: [0], outcome: 'delivered' },
    { msisdn: '639171000003', answers: [0], outcome: 'failed_other' },
    { msisdn: '639181000004', parts: 2, answers: [0, 0], outcome: 'delivered' },
    { msisdn: '639181000005', answers: [69], outcome: 'failed_submit' },
    { msisdn: '639181000006', answers: [0] },
    { msisdn: '839181000007', answers: [0], outcome: 'delivered' },
  ],
});
const carrierId = (place: number, part = 0) => `c${ids[place]}-${part}`;

test('messages are paired by the carrier id, and each kind of difference is found', async () => {
  const day = dayOf(at);
  const file = [
    'SMSC Message ID;Submit date;Charge (USD);DLR status',
    `${carrierId(0)};${day} 12:00:01;0.01;DELIVRD`,
    `0${carrierId(1).toUpperCase()};${day} 12:00:01;0,015;DELIVRD`,
    `${carrierId(2)};${day} 12:00:01;0.010000;DELIVRD`,
    `${carrierId(3, 0)};${day} 12:00:02;0.02;DELIVRD`,
    `${carrierId(3, 1)};${day} 12:00:02;0.02;DELIVRD`,
    `${carrierId(3, 1)};${day} 12:00:02;0.02;DELIVRD`,
    `${carrierId(6)};${day} 12:00:02;0.02;DELIVRD`,
    `nobody-1;${day} 12:00:02;0.02;DELIVRD`,
  ].join('\r\n');
  const invoice = await compared(file, query(at, at));
  assert.deepEqual(
    [invoice.by_message, invoice.carrier_parts, invoice.carrier_amount, invoice.own_parts, invoice.own_unknown],
    [true, 8, '0.135', 7, 1],
  );
  assert.equal(invoice.own_amount, '0.090', 'three at 0.01, three at 0.02, one unknown');
  const lines = await linesOf(invoice, 'messages');
  assert.deepEqual(
    lines.map(({ kind, message_id, carrier_parts, own_parts, carrier_amount, own_amount }) =>
      [kind, message_id && ids.indexOf(message_id), carrier_parts, own_parts, carrier_amount, own_amount].join(' '),
    ),
    [
      'missing_here  1 0 0.020 ',
      'missing_there 5 0 1  0.020',
      'count 3 2 1 0.040 0.020',
      'state 2 1 1 0.010 0.010',
      'cost_unknown 6 1 1 0.020 ',
      'price 1 1 1 0.015 0.010',
    ],
  );
  assert.deepEqual(
    invoice.message_differences.map(({ kind, lines: n }) => `${kind} ${n}`).sort(),
    lines.map(({ kind }) => `${kind} 1`).sort(),
  );
  const only = await linesOf(invoice, 'messages', '&kind=price');
  assert.deepEqual(
    only.map(({ kind }) => kind),
    ['price'],
  );
});

test('sums by day and network are compared, and a line within the tolerance agrees', async () => {
  const day = dayOf(at);
  const [{ name, country }] = (
    await owner.query(
      `SELECT n.name, n.country FROM network n JOIN network_prefix p ON p.network_id = n.id AND p.to_version IS NULL
       WHERE '639171000001' LIKE ANY (SELECT x || '%' FROM unnest(p.prefixes) x) ORDER BY length(p.prefixes[1]) DESC LIMIT 1`,
    )
  ).rows as [{ name: string; country: string }];
  const file = [
    'Date,Operator,SMS count,Total',
    `${day},${name},3,0.031`,
    `${day},Nobody Mobile,5,0.10`,
    `${day},"",1,not a number`,
  ].join('\n');
  const { upload, refused } = await uploadFile(superadmin, query(at, at, { tolerance: '0.002' }), file);
  assert.deepEqual([upload.rows_added, refused.map((row) => row[1])], [2, ['amount']]);
  const { body } = await superadmin('GET', `/api/v1/carrier-invoices?link_id=${link}&limit=1`);
  const invoice = (body as { data: Invoice[] }).data[0]!;
  assert.equal(invoice.by_message, false);
  const lines = await linesOf(invoice, 'sums');
  const agreed = lines.find(({ network }) => network === `${name} (${country})`)!;
  assert.deepEqual([agreed.kind, agreed.carrier_parts, agreed.own_parts, agreed.own_amount], [null, 3, 3, '0.030']);
  assert.equal(lines.find(({ network }) => network === 'Nobody Mobile')?.kind, 'missing_here');
  assert.ok(lines.some(({ kind }) => kind === 'missing_there'));

  const asked = await superadmin('POST', '/api/v1/carrier-invoices/exports', { carrier_invoice_id: invoice.id });
  assert.equal(asked.status, 202, JSON.stringify(asked.body));
  const { id } = (asked.body as { data: { id: number } }).data;
  let made: { state: string; rows: number } | undefined;
  await until('the file is written', async () => {
    made = (await owner.query('SELECT state, rows FROM download WHERE id = $1', [id])).rows[0];
    return made?.state === 'done';
  });
  assert.equal(made?.rows, lines.length);
});

test('names of columns are assigned once for a link, and the same file is refused', async () => {
  const day = dayOf(at);
  const file = `Wann;Stück;Summe netto\n${day};7;0,13\n`;
  const unread = await uploadFile(superadmin, query(at, at), file);
  assert.equal(unread.upload.error_code, 'invoice_columns_missing');
  const wrong = await sendFile(superadmin, query(at, at, { columns: 'Wann = when' }), file);
  assert.equal(wrong.status, 422);
  const columns = 'Wann = day, Stück = parts, Summe netto = amount';
  const invoice = await compared(file, query(at, at, { columns }));
  assert.deepEqual([invoice.carrier_parts, invoice.carrier_amount], [7, '0.130']);
  assert.equal(codeOf(await sendFile(superadmin, query(at, at), file)), 'file_already_uploaded');
  const next = await compared(`Wann;Stück;Summe netto\n${day};8;0,13\n`, query(at, at));
  assert.equal(next.carrier_parts, 8, 'the names are remembered');
  assert.equal((await superadmin('DELETE', `/api/v1/carrier-invoices/${invoice.id}`)).status, 200);
  const again = await compared(file, query(at, at));
  assert.equal(again.carrier_parts, 7, 'a deleted comparison can be repeated');
  assert.equal((await reseller('GET', '/api/v1/carrier-invoices')).status, 403);
});

test('a message around midnight is compared on the day of the carrier', async () => {
  const late = new Date(noon(50).getTime() + 11.9 * 3_600_000);
  const [message] = await makeTraffic(owner, {
    corporation: 'Acme Retail',
    at: late,
    messages: [{ msisdn: '639171000009', answers: [0], outcome: 'delivered' }],
  });
  const nextDay = noon(49);
  const file = `message_id,day,amount\nc${message}-0,${dayOf(nextDay)},0.01\n`;
  const invoice = await compared(file, query(nextDay, nextDay));
  assert.deepEqual([invoice.message_differences, invoice.sum_differences], [[], []]);
});
