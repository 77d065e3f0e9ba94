import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { after, beforeEach, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { billingJobs } from '#modules/billing';
import { systemClock } from '#platform/clock';
import { startFanOut } from '#platform/fan-out/tell';
import { filePath } from '#platform/files/files';
import { startJobs } from '#platform/jobs/jobs';
import { createLogger } from '#platform/log';
import { endLostTasks } from '#platform/tasks/end-lost-tasks';
import { TASKS } from '../../src/processes/tasks.ts';
import { bookOfRows } from '../contacts/table-file.ts';
import { type Body, makeMoneyStage, rateOf } from './stage.ts';

const stage = await makeMoneyStage({ after });
const { admin, owner, plan_id } = stage;

const rate = rateOf(stage);
const cardNow = () => owner.selectFrom('rate').selectAll().orderBy('id').execute();

beforeEach(async () => {
  await owner.deleteFrom('task').execute();
  await owner.deleteFrom('rate').execute();
});

test('a downloaded template or card can be uploaded, and only applying changes rates', async () => {
  const template = await stage.call<string>('admin', 'GET', '/api/v1/rates/template');
  const card = await stage.card(template.body);
  assert.deepEqual([card.state, card.rows_read, card.rows_rejected, card.rows_new], ['ready', 2, 0, 2]);
  assert.deepEqual(
    card.preview.map(({ zone, prefix, charge, change, present_charge }) => [
      zone,
      prefix,
      charge,
      change,
      present_charge,
    ]),
    [
      ['WEB', '63', '0.500', 'new', null],
      ['API', '63917', '0.450', 'new', null],
    ],
  );
  assert.deepEqual(await cardNow(), []);
  assert.equal((await stage.apply(card.id)).state, 'applied');
  assert.equal((await cardNow()).length, 2);
  const again = await stage.call<string>('admin', 'GET', `/api/v1/price-plans/${plan_id}/card`);
  const same = await stage.card(again.body);
  assert.deepEqual([same.rows_same, same.rows_new, same.rows_changed, same.rates_missing], [2, 0, 0, 0]);
});

test('a card from a workbook takes dates, amounts and switches in any format', async (t) => {
  const path = await bookOfRows(
    t,
    [
      ['zone', 'prefix', 'charge', 'starts_on', 'ends_on', 'enabled'],
      ['WEB', 63, [0.1 + 0.2, 'General'], [46357, 'dd/mm/yyyy'], [46387, 'd mmm yyyy'], true],
      ['API', [63917, '#,##0'], [0.45, '"$"0.00'], '2026-12-01', null, false],
      ['API', 63918, 0.5, null, null, null],
    ],
    [4],
  );
  const card = await stage.card(readFileSync(path));
  assert.deepEqual(
    card.preview.map(({ prefix, charge, starts_on, ends_on, enabled }) => [
      prefix,
      charge,
      starts_on,
      ends_on,
      enabled,
    ]),
    [
      ['63', '0.300', '2026-12-01', '2026-12-31', true],
      ['63917', '0.450', '2026-12-01', null, false],
    ],
  );
  assert.deepEqual(
    card.faults.map(({ line, fault }) => [line, fault]),
    [[4, 'hidden_row']],
  );
});

test('a card with semicolons, decimal commas and a title is read, and reports how', async () => {
  const card = await stage.card('Tarife;;\r\nzone;prefix;charge\r\nWEB;63;0,35\r\nAPI;63917;1,5\r\n');
  assert.deepEqual(
    [card.state, card.rows_rejected, card.preview.map(({ charge }) => charge)],
    ['ready', 0, ['0.350', '1.500']],
  );
  assert.deepEqual([card.read_as?.separator, card.read_as?.header_row], ['semicolon', 2]);
});

test('a file uploaded twice is refused, unless the first card was discarded', async () => {
  const text = 'zone,prefix,charge\nWEB,1,0.5\n';
  const path = `/api/v1/price-plans/${plan_id}/card-uploads`;
  const first = await stage.card(text);
  const second = await stage.upload<Body>('admin', path, 'other name.csv', text);
  assert.deepEqual([second.status, second.body.message], [409, 'Uploaded file already exists.']);
  assert.equal((await admin('POST', `card-uploads/${first.id}/discard`)).status, 200);
  assert.equal((await stage.upload<Body>('admin', path, 'card.csv', text)).status, 202);
  assert.equal((await stage.upload<Body>('admin', path, 'card.csv', 'zone,price\nWEB,1\n')).status, 202);
  await assert.rejects(stage.apply(first.id), /invalid_transition/);
});

test('every bad row of a card is reported with its line and field', async () => {
  await admin('POST', 'rates', rate({ prefix: '44', starts_on: '2026-05-01' }));
  const before = await cardNow();
  const card = await stage.card(
    [
      'zone,prefix,charge,starts_on,ends_on,enabled',
      'WEB,63917,0.250,2026-01-01,,',
      'MOON,63918,0.250,2026-01-01,,',
      'WEB,6391x,0.250,2026-01-01,,',
      'WEB,6.3917E+4,0.250,2026-01-01,,',
      'WEB,63919,-1,2026-01-01,,',
      'WEB,63919,NaN,2026-01-01,,',
      'WEB,63919,1e9,2026-01-01,,',
      'WEB,63919,0.1234,2026-01-01,,',
      'WEB,63920,0.1,2026-13-01,,',
      'WEB,63920,0.1,2026-02-01,2026-01-31,',
      'WEB,63920,0.1,2026-02-01,,perhaps',
      'WEB,63921,0.1,2026-02-01,,',
      'WEB,63921,0.2,2026-02-01,,',
      'WEB,63922,0.1,2026-02-01,2026-03-01,',
      'WEB,63922,0.2,2026-03-01,,',
      'WEB,44,0.2,2026-04-01,2026-05-01,',
      'api,63917,0.2,2026-04-01,,no',
    ].join('\n'),
  );
  assert.deepEqual(
    card.faults.map(({ line, field, fault }) => `${line} ${field} ${fault}`),
    [
      '3 zone zone_unknown',
      '4 prefix prefix_invalid',
      '5 prefix prefix_invalid',
      '6 charge charge_invalid',
      '7 charge charge_invalid',
      '8 charge charge_invalid',
      '9 charge charge_invalid',
      '10 starts_on date_invalid',
      '11 ends_on date_order',
      '12 enabled enabled_invalid',
      '13 prefix duplicate',
      '14 prefix duplicate',
      '16 starts_on overlaps',
      '17 starts_on overlaps',
    ],
  );
  assert.deepEqual([card.rows_read, card.rows_rejected, card.rows_new], [17, 14, 3]);
  const report = await stage.call<string>('admin', 'GET', card.error_file!);
  assert.equal(report.body.trim().split('\n').length, 15);
  assert.match(report.body, /^3,zone,MOON,Unknown rate zone$/m);
  await assert.rejects(stage.apply(card.id), /card_has_errors/);
  assert.deepEqual(await cardNow(), before);
  assert.equal((await stage.apply(card.id, { skip_errors: true })).state, 'applied');
  assert.equal((await cardNow()).length, before.length + 3);
});

test('the current card of 10,001 rates downloads completely', async () => {
  const rows = Array.from({ length: 10_001 }, (_, at) => `WEB,63${at},0.250,2026-01-01,,`);
  await stage.apply((await stage.card(`zone,prefix,charge,starts_on,ends_on,enabled\n${rows.join('\n')}`)).id);
  const { body } = await stage.call<string>('admin', 'GET', `/api/v1/price-plans/${plan_id}/card`);
  assert.equal((await stage.card(body)).rows_same, rows.length);
});

test('a card with too many rows fails, and the error names the limit', async () => {
  const card = await stage.card(`zone,prefix,charge\n${'WEB,1,1\n'.repeat(500_001)}`);
  assert.deepEqual(
    [card.state, card.error_code, card.error_params],
    ['failed', 'card_too_large', { limit: '500,000' }],
  );
});

test('a merged card keeps the other rates; a replacing card keeps none', async () => {
  for (const body of [rate(), rate({ prefix: '1', charge: '5' }), rate({ prefix: '63917', starts_on: '2027-01-01' })])
    await admin(
      'POST',
      'rates',
      body.starts_on === '2026-01-01' && body.prefix === '63917' ? { ...body, ends_on: '2026-12-31' } : body,
    );
  const merged = await stage.card('zone,prefix,charge,starts_on\nWEB,63917,0.5,2026-06-01\nWEB,44,0.7,2026-06-01\n');
  assert.equal(merged.rates_missing, 3);
  await stage.apply(merged.id);
  const shown = async () =>
    (
      await owner
        .selectFrom('rate')
        .select(['prefix', 'charge', 'starts_on', 'ends_on'])
        .orderBy('prefix')
        .orderBy('starts_on')
        .execute()
    ).map((row) => Object.values(row).join(' '));
  assert.deepEqual(await shown(), [
    '1 5000 2026-01-01 ',
    '44 700 2026-06-01 ',
    '63917 250 2026-01-01 2026-05-31',
    '63917 500 2026-06-01 2026-12-31',
    '63917 250 2027-01-01 ',
  ]);
  const whole = await stage.card('zone,prefix,charge,starts_on\nWEB,63917,0.6,2026-06-01\n');
  await stage.apply(whole.id, { mode: 'replace' });
  assert.deepEqual(await shown(), ['63917 600 2026-06-01 ']);
});

test('a card fails if its job is lost, and its file can be uploaded again', async () => {
  const ready = await stage.card('zone,prefix,charge,starts_on\nWEB,63917,0.9,2026-07-01\n');
  const path = `/api/v1/price-plans/${plan_id}/card-uploads`;
  const text = 'zone,prefix,charge,starts_on\nWEB,63918,0.9,2026-07-01\n';
  const lost = (await stage.upload<Body>('admin', path, 'card.csv', text)).body.data.id;
  const old = "UPDATE card_upload SET created_at = now() - interval '1 hour' WHERE id = ANY ($1)";
  await stage.home.pool('owner').query(old, [[ready.id, lost]]);
  const worker = { database: stage.home.db('worker'), config: stage.config, clock: systemClock };
  await endLostTasks(worker, TASKS);
  await stage.home.pool('owner').query("UPDATE jobs.job SET state = 'failed' WHERE name = 'check-card'");
  const stateOf = async (id: number) =>
    (await owner.selectFrom('task').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state;
  assert.equal(await stateOf(lost), 'checking');
  await endLostTasks(worker, TASKS);
  assert.deepEqual([await stateOf(lost), await stateOf(ready.id)], ['failed', 'ready']);
  assert.equal((await stage.upload<Body>('admin', path, 'card.csv', text)).status, 202);
});

test('discarding a card that is being checked ends its statement in the database', async () => {
  const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  const fanOut = await startFanOut(stage.config, 'worker', log);
  const jobs = await startJobs(stage.home.pool('worker'), fanOut, log);
  const billing = await billingJobs(
    {
      jobs,
      fanOut,
      pool: stage.home.pool('worker'),
      database: stage.home.db('worker'),
      config: stage.config,
      clock: systemClock,
      log,
    },
    () => Promise.resolve(null),
  );
  await stage.home.pool('owner').query('DELETE FROM jobs.job');
  const blocker = await stage.home.pool('owner').connect();
  const waiting = async () =>
    (
      await blocker.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
    ).rowCount;
  // The check reads the rates, so it waits until this transaction ends.
  await blocker.query('BEGIN; LOCK TABLE rate IN ACCESS EXCLUSIVE MODE');
  try {
    const path = `/api/v1/price-plans/${plan_id}/card-uploads`;
    const { id } = (await stage.upload<Body>('admin', path, 'slow.csv', 'zone,prefix,charge\nWEB,71,0.5\n')).body.data;
    await until('the check waits', async () => (await waiting()) !== 0);
    assert.equal((await admin('POST', `card-uploads/${id}/discard`)).status, 200);
    await until('the check is cancelled', async () => (await waiting()) === 0);
    const { file_path, state } = await owner
      .selectFrom('task')
      .select(['file_path', 'state'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(state, 'discarded');
    await until('the file is deleted', () => !existsSync(filePath(stage.config, file_path!)));
  } finally {
    await blocker.query('ROLLBACK');
    blocker.release();
    await jobs.stop();
    await billing.stop();
    await fanOut.stop();
  }
});
