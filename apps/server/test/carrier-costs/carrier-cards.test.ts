import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { codeOf, errorsOf } from '../answers.ts';
import { bookOfRows } from '../contacts/table-file.ts';
import { costStage } from './stage.ts';

const stage = await costStage({ after });
const { admin, api, draft, rate, apply, changes, upload, cost, link_id } = stage;
const owner = api.database.pool('owner');

/** Returns a moment at which a card that was applied now counts. */
const soon = () => new Date(Date.now() + 120_000).toISOString();

/** Takes the link's cards away, as nobody can through the API. */
const clear = () =>
  owner.query(`ALTER TABLE carrier_card DISABLE TRIGGER USER; ALTER TABLE carrier_rate DISABLE TRIGGER USER;
    DELETE FROM carrier_card WHERE link_id = ${link_id};
    ALTER TABLE carrier_card ENABLE TRIGGER USER; ALTER TABLE carrier_rate ENABLE TRIGGER USER`);

test('an applied card counts after a minute, and its costs never change', async () => {
  const card = await draft({ charged_on: 'delivery' });
  assert.equal((await rate(card, { prefix: '63917', amount: '0.00215' })).status, 201);
  assert.equal((await rate(card, { prefix: '63', amount: '0.5' })).status, 201);
  assert.equal(await cost({ number: '+639171234567', at: soon() }), null);
  const applied = await apply(card);
  assert.deepEqual([applied.version, applied.state, applied.rates], [1, 'scheduled', 2]);
  const wait = Date.parse(applied.from_at!) - Date.now();
  assert.ok(wait > 30_000 && wait <= 60_000, String(wait));
  assert.equal(await cost({ number: '+639171234567' }), null);
  await owner.query('SELECT 1');
  assert.equal(codeOf(await rate(card, { prefix: '1', amount: '1' })), 'carrier_card_applied');
  const patch = await admin('PATCH', `/api/v1/carrier-cards/${card.id}`, { name: 'Other' });
  assert.equal(codeOf(patch), 'carrier_card_applied');
  assert.equal(codeOf(await admin('DELETE', `/api/v1/carrier-cards/${card.id}`)), 'carrier_card_applied');
  assert.equal(codeOf(await admin('POST', `/api/v1/carrier-cards/${card.id}/apply`)), 'carrier_card_applied');
  await assert.rejects(owner.query('UPDATE carrier_rate SET amount = 1 WHERE carrier_card_id = $1', [card.id]));
  await assert.rejects(owner.query('DELETE FROM carrier_card WHERE id = $1', [card.id]));
  await clear();
});

test('a rate of the number’s network goes before one of its prefix', async () => {
  const card = await draft();
  await rate(card, { prefix: '63917', amount: '0.02' });
  await rate(card, { mcc: '515', mnc: '02', amount: '0.01' });
  await apply(card);
  const found = await cost({ number: '+639171234567', at: soon() });
  assert.deepEqual([found?.amount, found?.matched], ['0.010', '51502']);
  await clear();
});

test('a card without rates, or from a past day, is not applied', async () => {
  const card = await draft();
  assert.equal(codeOf(await admin('POST', `/api/v1/carrier-cards/${card.id}/apply`)), 'carrier_card_empty');
  await rate(card, { prefix: '63', amount: '1' });
  await admin('PATCH', `/api/v1/carrier-cards/${card.id}`, { starts_on: '2020-01-01' });
  const refused = await admin('POST', `/api/v1/carrier-cards/${card.id}/apply`);
  assert.deepEqual(Object.keys(errorsOf(refused)), ['starts_on']);
  await clear();
});

test('a draft shows what it changes, and may begin with the present rates', async () => {
  const first = await draft();
  for (const [prefix, amount] of [
    ['63917', '0.0100'],
    ['63918', '0.0200'],
    ['63919', '0.0300'],
    ['63920', '0.0400'],
  ])
    await rate(first, { prefix, amount });
  await apply(first);
  const copied = await draft({ copy: true });
  assert.equal(copied.rates, 4);
  assert.deepEqual((await changes(copied)).counts.same, 4);
  const next = await draft();
  const file = 'Dial code;Price (EUR)\r\n63917;0,0110\r\n63918;0,0190\r\n63919;0,0300\r\n63921;0,05\r\n';
  const read = await upload(next, file);
  assert.deepEqual([read['state'], read['rows_added'], read['rows_rejected']], ['done', 4, 0]);
  const { counts, present, data } = await changes(next);
  assert.deepEqual(counts, { new: 1, dearer: 1, cheaper: 1, changed: 0, removed: 1, same: 1 });
  assert.equal(present!.version, 1);
  assert.deepEqual(
    data.map(({ change, prefix, present_amount, amount }) => [change, prefix, present_amount, amount]),
    [
      ['dearer', '63917', '0.010', '0.011'],
      ['removed', '63920', '0.040', null],
      ['new', '63921', null, '0.050'],
      ['cheaper', '63918', '0.020', '0.019'],
    ],
  );
  assert.equal((await changes(next, '?change=same')).data.length, 1);
  const dollars = await draft({ currency: 'USD' });
  await rate(dollars, { prefix: '63917', amount: '0.01' });
  assert.equal((await changes(dollars)).counts.changed, 1);
  await clear();
});

test('carriers’ workbooks are read as they come: networks, days and formats', async (t) => {
  const card = await draft();
  const path = await bookOfRows(
    t,
    [
      ['Country', 'Operator', 'MCC', 'MNC', 'Rate', 'Effective Date'],
      ['Philippines', 'Globe', 515, 2, [0.0125, '0.00'], [46357, 'dd/mm/yyyy']],
      ['Philippines', 'Smart', 515, 3, [0.0119, '"€"0.0'], [46357, 'dd/mm/yyyy']],
      ['Singapore', 'All', 525, null, 0.026, null],
    ],
    [],
  );
  const read = await upload(card, readFileSync(path));
  assert.deepEqual([read['state'], read['rows_added'], read['rows_rejected']], ['done', 3, 0], JSON.stringify(read));
  const { rows } = await owner.query(
    'SELECT mcc, mnc, amount, starts_on FROM carrier_rate WHERE carrier_card_id = $1 ORDER BY mcc, mnc',
    [card.id],
  );
  assert.deepEqual(rows, [
    { mcc: '515', mnc: '02', amount: 12_500, starts_on: '2026-12-01' },
    { mcc: '515', mnc: '03', amount: 11_900, starts_on: '2026-12-01' },
    { mcc: '525', mnc: null, amount: 26_000, starts_on: null },
  ]);
  await clear();
});

test('unknown columns are named, assigned once, and remembered for the link', async () => {
  const card = await draft();
  const file = 'Zone,Tariff X\n63917,0.01\n63918,0.02\n';
  const refused = await upload(card, file);
  assert.deepEqual([refused['state'], refused['error_code']], ['failed', 'carrier_columns_missing']);
  assert.deepEqual(refused['columns'], [
    { name: 'Zone', field: null },
    { name: 'Tariff X', field: null },
  ]);
  const assigned = await upload(card, file, { columns: 'Zone = prefix, Tariff X = price' });
  assert.deepEqual([assigned['state'], assigned['rows_added']], ['done', 2]);
  const again = await upload(card, 'Zone,Tariff X\n63919,0.03\n');
  assert.deepEqual([again['state'], again['rows_added']], ['done', 1]);
  await clear();
});

test('a refused row names its field and reason, and the rest is read', async () => {
  const card = await draft();
  const lines = [
    'Prefix,Price,Currency,Effective from,Class',
    '63917,0.01,EUR,,',
    '63917,0.02,EUR,,',
    '63918,0.01,USD,,',
    '63919,0.01,EUR,01/02/2026,',
    '6392x,0.01,EUR,,',
    '63921,free,EUR,,',
    '63922,0.01,EUR,,gold',
    '63923-63925,0.01,EUR,,promo',
  ];
  const read = await upload(card, lines.join('\n'));
  assert.deepEqual([read['state'], read['rows_added'], read['rows_rejected']], ['done', 2, 6]);
  const report = String((await admin('GET', read['error_file'] as string)).body);
  const fields = report
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(',').slice(0, 2).join());
  assert.deepEqual(fields, ['3,prefix', '4,currency', '5,starts_on', '6,prefix', '7,price', '8,class']);
  await clear();
});

test('nobody but the platform sees a card, a rate or a cost', async () => {
  const card = await draft();
  await rate(card, { prefix: '63', amount: '1' });
  for (const login of ['reseller', 'corporate', 'department', 'user'])
    for (const path of [
      'carrier-cards',
      'carrier-rates',
      `carrier-cards/${card.id}`,
      'carrier-cards/cost?number=639171234567',
    ]) {
      const answer = await (await api.as(login))('GET', `/api/v1/${path}`);
      assert.equal(answer.status, 403, `${login} ${path}`);
    }
  await clear();
});
