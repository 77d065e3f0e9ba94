import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { getCarrierInvoice } from '@heliograph/contract/carrier-invoices/carrier-invoice';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { margins } from '@heliograph/contract/margins/margin';
import { judgeTruth } from '../../src/modules/link-truth/judge-truth.ts';
import { countMargins } from '../../src/modules/margins/index.ts';
import { startWorker } from '../../src/processes/worker.ts';
import { startTestApi } from '../test-api.ts';
import { uploadFile } from '../uploads.ts';
import { CARRIERS, PORTED_TO, RATES } from './made-carriers.ts';
import { DAYS, makeMonth, randomFrom } from './made-month.ts';
import { recompute, type Sums } from './recompute.ts';

// A month of a made-up operator: three carriers, two resellers, ten corporations, ported numbers, a change of all cards on
// the 15th and of an exchange rate, an invoice with errors, and a carrier whose receipts are false.

const MESSAGES = Number(process.env['OPERATOR_MESSAGES'] ?? 2_800);
const SEED = Number(process.env['FAULT_SEED'] ?? 1);
const DAY_MS = 86_400_000;

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const superadmin = await api.as('superadmin');
const folder = mkdtempSync(join(tmpdir(), 'operator-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const month = await makeMonth(owner, folder, MESSAGES, SEED);
// The demo counted its days when it was made, and a worker counts on the hour: the month is counted before one starts.
await owner.query('DELETE FROM margin_counted');
await countMargins(
  { database: api.database.db('worker'), clock: { now: () => new Date() } },
  new AbortController().signal,
);
const worker = await startWorker({ config: api.config, log: api.log });
after(() => worker.stop());
const network = Number(
  await api.database.one(`SELECT id FROM network WHERE mcc = '${PORTED_TO.mcc}' AND mnc = '${PORTED_TO.mnc}'`),
);
const dayAt = (day: number) => new Date(month.start + day * DAY_MS + 8 * 3_600_000).toISOString().slice(0, 10);
const [from, to] = [dayAt(0), dayAt(DAYS - 1)];
type Report = ReplyOf<typeof margins>;

const micros = (decimal: string) => {
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  return BigInt(whole + fraction.padEnd(6, '0')) * (decimal.startsWith('-') ? -1n : 1n);
};
async function report(by: string, more = ''): Promise<Report['data']> {
  const { status, body } = await superadmin('GET', `/api/v1/margins?by=${by}&from=${from}&to=${to}&limit=200${more}`);
  assert.equal(status, 200, JSON.stringify(body));
  return (body as Report).data;
}
const sumsOf = (row: Report['data'][number] | undefined): Sums | undefined =>
  row && {
    parts: BigInt(row.parts),
    price: micros(row.price),
    cost: micros(row.cost),
    unknownParts: BigInt(row.unknown_parts),
    unknownPrice: micros(row.unknown_price),
  };

test('every sum of cost, price and margin agrees with the carriers’ own files', async () => {
  const second = await recompute(
    CARRIERS.map(({ currency }, place) => ({ file: month.logs[place]!, currency })),
    month.customers,
    RATES.map((rate) => ({ ...rate, day: dayAt(rate.day) })),
  );
  const shown = new Map<string, Sums | undefined>();
  for (const [place, { name }] of CARRIERS.entries()) {
    shown.set(`link ${place}`, sumsOf((await report('link')).find((row) => row.name === name)));
    for (const row of await report('day', `&link_id=${month.links[place]}`))
      shown.set(`day ${place} ${row.name}`, sumsOf(row));
    const ported = (await report('network', `&link_id=${month.links[place]}&network_id=${network}`))[0];
    shown.set(`ported ${place}`, sumsOf(ported));
  }
  for (const row of await report('corporation'))
    if (row.name.startsWith('Operator')) shown.set(`corporation ${row.name}`, sumsOf(row));
  for (const row of await report('reseller'))
    if (row.name.startsWith('Operator')) shown.set(`reseller ${row.name}`, sumsOf(row));
  second.delete('reseller ');
  assert.deepEqual([...shown.keys()].sort(), [...second.keys()].sort());
  for (const [key, sums] of second) assert.deepEqual(shown.get(key), sums, key);
  assert.ok(
    [...second.values()].some(({ unknownParts }) => unknownParts > 0n),
    'a cost that nobody knows',
  );
});

test('the errors of a carrier’s invoice are found, and no others', async () => {
  const random = randomFrom(SEED + 1);
  const [head = '', ...lines] = readFileSync(month.logs[0]!, 'utf8').trim().split('\n');
  // Rows without a price belong to numbers that the carrier has no price for; it does not charge them.
  const days = [dayAt(13), dayAt(14), dayAt(15)];
  const charged = lines.filter((line) => days.includes(line.split(',')[1]!));
  const wrong = { missing_there: 0, price: 0, count: 0, state: 0, cost_unknown: 0, missing_here: 2 };
  const invoice = charged.flatMap((line) => {
    const [id, day, number, state, amount] = line.split(',');
    if (amount === '') {
      wrong.cost_unknown++;
      return [[id, day, number, state, '0.002'].join()];
    }
    switch (random(12)) {
      case 0:
        wrong.missing_there++;
        return [];
      case 1:
        wrong.price++;
        return [[id, day, number, state, (Number(amount) + 0.000001).toFixed(6)].join()];
      case 2:
        wrong.count++;
        return [line, line];
      case 3:
        if (state === 'DELIVRD') return [line];
        wrong.state++;
        return [[id, day, number, 'DELIVRD', amount].join()];
      default:
        return [line];
    }
  });
  invoice.push(`made-up-1,${days[0]},639170000000,DELIVRD,0.0021`, `made-up-2,${days[2]},639170000000,DELIVRD,0.0021`);
  const query = {
    link_id: String(month.links[0]),
    currency: 'USD',
    from: days[0]!,
    to: days[2]!,
    timezone: 'Asia/Manila',
  };
  const { upload } = await uploadFile(
    superadmin,
    `carrier-invoices/bulk?${new URLSearchParams(query)}`,
    [head, ...invoice].join('\n'),
  );
  assert.deepEqual([upload.state, upload.rows_rejected], ['done', 0]);
  const { body } = await superadmin('GET', `/api/v1/carrier-invoices?link_id=${month.links[0]}&limit=1`);
  const [compared] = (body as { data: ReplyOf<typeof getCarrierInvoice>['data'][] }).data;
  const found = Object.fromEntries(compared!.message_differences.map(({ kind, lines: n }) => [kind, n]));
  assert.deepEqual(found, Object.fromEntries(Object.entries(wrong).filter(([, n]) => n > 0)));
  assert.equal(compared!.carrier_parts, invoice.length);
});

/** Writes the answered tests of a link to dead numbers: a liar reports them as delivered. */
async function testLink(link: number, lies: boolean): Promise<void> {
  await owner.query('UPDATE link SET test_rate = 50 WHERE id = $1', [link]);
  await owner.query(
    `INSERT INTO link_test (link_id, number, kind, sent_at, carrier_id, state, reported_at)
     SELECT $1, '63999' || lpad(n::text, 7, '0'), 'dead', at, 'test-' || n, CASE WHEN $2 THEN 'delivered' ELSE 'undeliverable' END,
       at + interval '9 seconds'
     FROM generate_series(1, 100) n CROSS JOIN LATERAL (SELECT now() - interval '1 hour' - n * interval '5 minutes' AS at) a`,
    [link, lies],
  );
}

test('the carrier whose receipts are false is accused, and no other', async () => {
  for (const [place, link] of month.links.entries()) await testLink(link, place === 1);
  await judgeTruth({ database: api.database.db('worker'), log: api.log });
  const { rows } = await owner.query<{ name: string }>(
    'SELECT l.name FROM link_truth u JOIN link l ON l.id = u.link_id WHERE u.accused_at IS NOT NULL ORDER BY 1',
  );
  assert.deepEqual(
    rows.map(({ name }) => name),
    [CARRIERS[1]!.name],
  );
});
