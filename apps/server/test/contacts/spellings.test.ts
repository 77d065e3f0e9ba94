import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkNumber } from '@heliograph/contract/kernel/number-rules';
import fc from 'fast-check';
import { dataOf } from '../answers.ts';
import { uploadFile } from '../uploads.ts';
import { at, listStage } from './list-stage.ts';

const { owner, corporate, corporation_id, listOf, numbersOf } = await listStage({ after });

test('forty spellings of a number are one number', async () => {
  const rules = { min: 10, max: 13, start: '63', start_with_any_msisdn: false };
  const marks = [' ', '-', '\u00a0', '\u2009', '\u2011', '\u2013', '\u200b', '\u200e', '\u202a', '\ufeff', ''];
  const spelling = fc.tuple(
    fc.constantFrom('', '+', '00', ' + ', '\u200e+', '\u202a+'),
    fc.array(fc.constantFrom(...marks), { minLength: 12, maxLength: 12 }),
    fc.boolean(),
  );
  const number = fc.integer({ min: 0, max: 9_999_999 }).map((i) => at(i));
  fc.assert(
    fc.property(number, fc.array(spelling, { minLength: 40, maxLength: 40 }), (digits, spellings) => {
      for (const [prefix, between, wide] of spellings) {
        const written =
          prefix +
          [...digits]
            .map((digit, i) => (wide ? String.fromCharCode(digit.charCodeAt(0) + 0xfee0) : digit) + between[i])
            .join('');
        assert.equal(checkNumber(written, rules).msisdn, digits, JSON.stringify(written));
      }
    }),
    { numRuns: 50 },
  );
  const list = await listOf([]);
  const add = (written: string) => corporate('POST', '/api/v1/numbers', { number_list_id: list, number: written });
  assert.equal((await add(at(77))).status, 201);
  const again = await add(`+63 (917) 000\u201300-77`);
  assert.equal((again.body as { message: string }).message, 'Number(s) already added');
});

test('decimal numbers are read alike in lists, opt-outs, blacklists and fields', async () => {
  const [whole, split] = [(i: number) => `${at(i)}.0`, (i: number) => `${at(i).slice(0, 8)}.${at(i).slice(8)}`];
  const file = `number\n${whole(820)}\n${split(821)}\n`;
  const list = await listOf([]);
  const form = new FormData();
  form.append('file', new Blob([file]), 'pandas.csv');
  const sent = await corporate('POST', `/api/v1/number-lists/${list}/imports`, form);
  assert.equal(sent.status, 202, JSON.stringify(sent.body));
  let imported = dataOf(sent);
  while (imported['finished_at'] === null) {
    await sleep(50);
    imported = dataOf(await corporate('GET', `/api/v1/imports/${imported.id}`));
  }
  assert.deepEqual([imported['rows_added'], imported['rows_rejected']], [1, 1]);
  assert.deepEqual(await numbersOf(list), [at(820)]);
  const report = String((await corporate('GET', `/api/v1/imports/${imported.id}/errors`)).body);
  assert.match(report, /\bdot\b/);
  for (const address of [
    `opt-outs/bulk?corporation_id=${corporation_id}`,
    `blacklist-numbers/bulk?corporation_id=${corporation_id}&channel=all`,
  ]) {
    const { upload, refused } = await uploadFile(corporate, address, file);
    assert.deepEqual([upload.rows_added, upload.rows_rejected], [1, 1], address);
    assert.deepEqual(refused[0]?.[2], split(821));
    assert.match(refused[0]?.[3] ?? '', /dot/);
  }
  const stored = await owner.query<{ number: string }>(
    `SELECT number FROM opt_out WHERE number LIKE $1 UNION ALL SELECT number FROM blacklist_number WHERE number LIKE $1`,
    [`${at(820)}%`],
  );
  assert.deepEqual(stored.rows, [{ number: at(820) }, { number: at(820) }]);
  const add = (number: string) => corporate('POST', '/api/v1/numbers', { number_list_id: list, number });
  assert.equal(dataOf(await add(whole(822)))['number'], at(822));
  assert.equal((await add(split(823))).status, 422);
  const phone = async (value: string) => (await corporate('PATCH', '/api/v1/profiles', { phone: value })).status;
  assert.equal(await phone(split(824)), 422);
  assert.equal(await phone(whole(824)), 200);
  const mine = await owner.query('SELECT 1 FROM user_account WHERE phone = $1', [at(824)]);
  assert.equal(mine.rowCount, 1);
});

test('imports read and count national numbers, and reject them if reading is off', async () => {
  const file = `number\n0${at(830).slice(2)}\n${at(831).slice(2)}\n${at(832)}\n14155550100\n`;
  const imported = async (query: string) => {
    const list = await listOf([]);
    const form = new FormData();
    form.append('file', new Blob([file]), 'home.csv');
    let row = dataOf(await corporate('POST', `/api/v1/number-lists/${list}/imports${query}`, form));
    while (row['finished_at'] === null) {
      await sleep(50);
      row = dataOf(await corporate('GET', `/api/v1/imports/${row.id}`));
    }
    return [row['rows_added'], row['rows_national'], row['rows_rejected'], await numbersOf(list)];
  };
  assert.deepEqual(await imported(''), [3, 2, 1, [at(830), at(831), at(832)]]);
  assert.deepEqual(await imported('?read_national=false'), [1, 0, 3, [at(832)]]);
  const { upload } = await uploadFile(corporate, `opt-outs/bulk?corporation_id=${corporation_id}`, file);
  assert.deepEqual([upload.rows_added, upload.rows_national, upload.rows_rejected], [3, 2, 1]);
});
