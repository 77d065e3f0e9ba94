import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readExchangeRates } from '#modules/exchange-rates';
import { shownRate } from '../../src/modules/exchange-rates/rate-table.ts';
import { startWorker } from '../../src/processes/worker.ts';
import { codeOf, dataOf } from '../answers.ts';
import { startTestApi } from '../test-api.ts';
import { uploadFile } from '../uploads.ts';

const api = await startTestApi({ after });
const worker = await startWorker({ config: api.config, log: api.log });
after(() => worker.stop());
const [superadmin, reseller] = await Promise.all([api.as('superadmin'), api.as('reseller')]);
const db = api.database.db('worker');

const add = (from_currency: string, to_currency: string, day: string, rate: string) =>
  superadmin('POST', '/api/v1/exchange-rates', { from_currency, to_currency, day, rate });
const counts = async (from: string, to: string, day: string) => {
  const { body } = await superadmin(
    'GET',
    `/api/v1/exchange-rates/explain?from_currency=${from}&to_currency=${to}&day=${day}`,
  );
  return (body as { data: { rate: string } | null }).data?.rate ?? null;
};

test('a rate is stored as it was entered, once for a pair and day', async () => {
  const made = await add('CHF', 'PHP', '2026-05-01', '64.123456789012');
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.equal(dataOf(made)['rate'], '64.123456789012');
  assert.equal(codeOf(await add('CHF', 'PHP', '2026-05-01', '65')), 'exchange_rate_already_exists');
  assert.equal(codeOf(await add('PHP', 'CHF', '2026-05-01', '0.0155')), 'exchange_rate_already_exists');
  for (const [pair, rate] of [
    ['CHF CHF', '1'],
    ['CHF PHP', '0.000'],
    ['CHF PHP', '-1'],
    ['CHF PHP', '1e3'],
    ['CHF PHP', '1234567890'],
    ['CHF PHP', '12345.12345678901'],
  ] as const) {
    const [from, to] = pair.split(' ');
    assert.equal((await add(from!, to!, '2026-05-02', rate)).status, 422, `${pair} ${rate}`);
  }
  const changed = await superadmin('PATCH', `/api/v1/exchange-rates/${dataOf(made)['id']}`, { rate: '64.10' });
  assert.equal(dataOf(changed)['rate'], '64.1');
  assert.equal((await reseller('GET', '/api/v1/exchange-rates')).status, 403);
});

test('a file of rates replaces those of its days and tells of each wrong row', async () => {
  const file = [
    'Day,from_currency,to_currency,rate,source',
    '2026-05-01,sek,PHP,"5,62",bank',
    '2026-05-02,SEK,PHP,5.63,bank',
    '2026-05-03,SEK,PHP,"1,250",bank',
    '2026-05-04,SEK,SEK,1,bank',
    '32/05/2026,SEK,PHP,5.6,bank',
    '2026-05-05,SEK,PHP,,bank',
    '2026-05-02,PHP,SEK,0.17,bank',
  ].join('\r\n');
  const { upload, refused } = await uploadFile(superadmin, 'exchange-rates/bulk', file);
  assert.deepEqual([upload.state, upload.rows_added, upload.rows_rejected], ['done', 2, 4]);
  assert.deepEqual(
    refused.map(([line, field]) => `${line} ${field}`),
    ['4 rate', '5 to_currency', '6 day', '7 rate', '8 day'],
  );
  assert.equal(await counts('SEK', 'PHP', '2026-05-01'), '5.62');
  const again = await uploadFile(
    superadmin,
    'exchange-rates/bulk',
    'day,from_currency,to_currency,rate\n2026-05-02,SEK,PHP,5.7\n2026-05-01,SEK,PHP,5.62\n',
  );
  assert.equal(again.upload.rows_added, 2, 'the source is written again with the rate');
  assert.equal(await counts('SEK', 'PHP', '2026-05-09'), '5.7');
});

test('a process sees a changed rate with its next read', async () => {
  const rate = async () => shownRate((await readExchangeRates(db)).rateOn('NOK', 'PHP', '2026-06-01')!);
  const made = await add('NOK', 'PHP', '2026-05-01', '5.5');
  const before = await readExchangeRates(db);
  assert.equal(await rate(), '5.5');
  assert.equal(await readExchangeRates(db), before, 'unchanged rates are read once');
  await superadmin('PATCH', `/api/v1/exchange-rates/${dataOf(made)['id']}`, { rate: '5.6' });
  assert.equal(await rate(), '5.6');
  assert.equal(await counts('NOK', 'SEK', '2026-06-01'), '0.982456140351');
});
