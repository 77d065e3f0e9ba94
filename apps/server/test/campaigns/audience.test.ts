import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { segment } from '@heliograph/contract/kernel/segments';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { optOut } from '#modules/contacts';
import { MsisdnSet } from '#platform/structures/msisdn-set';
import { makeList } from '../contacts/tenant.ts';
import { makeStage, PRICE } from './stage.ts';

const stage = await makeStage({ after });
const { owner, tenant } = stage;
let names = 0;

async function listOf(rows: readonly { number: string; name?: string; param1?: string }[]): Promise<number> {
  const id = await makeList(owner, tenant, `List ${++names}`);
  if (rows.length > 0) {
    await owner
      .insertInto('number_list_number')
      .values(rows.map((row) => ({ number_list_id: id, ...row })))
      .execute();
  }
  return id;
}

async function fileOf(content: string | Buffer): Promise<number> {
  const { status, body } = await stage.upload<{ data: { id: number } }>(
    'boss',
    '/api/v1/campaigns/files',
    'people.csv',
    content,
  );
  assert.equal(status, 201, JSON.stringify(body));
  return body.data.id;
}

const msisdn = (i: number) => `63917${String(i).padStart(7, '0')}`;

test('a set of numbers behaves like a Set of strings', () => {
  const number = fc.stringMatching(/^0{0,2}[0-9]{1,13}$/);
  fc.assert(
    fc.property(fc.array(number, { maxLength: 400 }), (numbers) => {
      const [ours, plain] = [new MsisdnSet(), new Set<string>()];
      for (const [at, each] of numbers.entries()) {
        assert.equal(ours.add(each), !plain.has(each));
        plain.add(each);
        const other = numbers[(at * 7) % numbers.length]!;
        if (at % 3 === 0) assert.equal(ours.delete(other), plain.delete(other));
        assert.equal(ours.has(other), plain.has(other));
      }
      for (const each of numbers) assert.equal(ours.has(each), plain.has(each));
      assert.equal(ours.size, plain.size);
    }),
  );
  const many = new MsisdnSet();
  for (let i = 0; i < 200_000; i++) assert.ok(many.add(msisdn(i)));
  for (let i = 0; i < 200_000; i += 7) assert.ok(!many.add(msisdn(i)));
});

test('forty spellings of a number are one recipient', async () => {
  const marks = [' ', '-', '\u2011', ') ', '\u00a0', '\u200e'];
  const spellings = Array.from({ length: 40 }, (_, i) => {
    const digits = msisdn(1);
    const at = 2 + (i % 9);
    const mark = marks[i % marks.length]!;
    return `${['', '+', '00', ' +', '+ '][i % 5]}${digits.slice(0, at)}${mark}${digits.slice(at)}`;
  });
  const quote = await stage.quote({
    list_ids: [await listOf([{ number: msisdn(1) }])],
    custom_numbers: spellings.join('\n'),
  });
  assert.deepEqual([quote.state, quote.total_count, quote.rejected], ['ready', 1, { duplicate: 40 }]);
});

test('a quote counts the national numbers it read, and reads none if told not to', async () => {
  const rule = {
    number_read_national: 'true',
    number_country_code: '63',
    number_trunk_prefix: '0',
    number_national_start: '9',
  };
  for (const [key, value] of Object.entries(rule))
    await owner
      .insertInto('global_configuration')
      .values({ key, name: key, value, description: '' })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
  const numbers = [`0${msisdn(91).slice(2)}`, msisdn(92).slice(2), msisdn(93), '447700900123'];
  const asked = {
    custom_numbers: numbers.join('\n'),
    file_id: await fileOf(`number\n0${msisdn(94).slice(2)}\n`),
    blacklist_numbers: msisdn(92).slice(2),
  };
  const read = await stage.quote(asked);
  assert.deepEqual([read.total_count, read.national_count], [3, 2]);
  assert.deepEqual(read.rejected, { left_out: 1, wrong_prefix: 1 });
  assert.deepEqual(read.samples.map(({ number }) => number).sort(), [msisdn(91), msisdn(93), msisdn(94)]);
  const undone = await stage.quote({ ...asked, read_national: false });
  assert.deepEqual([undone.total_count, undone.national_count, undone.rejected], [1, 0, { wrong_prefix: 4 }]);
  await owner.deleteFrom('global_configuration').where('key', 'in', Object.keys(rule)).execute();
});

test('every reason to reject a number is counted and listed with its line', async () => {
  await owner
    .insertInto('blacklist_number')
    .values([
      { corporation_id: tenant.corporation_id, number: msisdn(10) },
      { corporation_id: tenant.corporation_id, number: msisdn(12), sender_id_id: tenant.sender_id },
    ])
    .execute();
  await optOut(owner, { corporation_id: tenant.corporation_id, number: msisdn(11), source: 'person', at: new Date() });
  await owner.insertInto('blacklist_text').values({ text: 'Jackpot' }).execute();
  const file_id = await fileOf(
    [
      'number,name',
      `${msisdn(10)},x`,
      `${msisdn(11)},x`,
      `${msisdn(12)},x`,
      `${msisdn(13)},JACKPOT`,
      `${msisdn(14)},${'é'.repeat(300)}${'😀'.repeat(400)}`,
      `${msisdn(15)},`,
      '6.39171E+11,x',
      '639170000.999,x',
      ',x',
      '=cmd(),x',
      '639,x',
      `${'6'.repeat(14)},x`,
      '12345678901,x',
      `${msisdn(16)}.0,fine`,
      `${msisdn(16)},again`,
    ].join('\n'),
  );
  const quote = await stage.quote({ content: 'Hi {name}', skip_default_param: true, file_id });
  assert.deepEqual(quote.rejected, {
    blacklisted: 2,
    opted_out: 1,
    blocked_text: 1,
    text_too_long: 1,
    missing_value: 1,
    spreadsheet_damage: 1,
    dot: 1,
    empty: 1,
    not_a_number: 1,
    too_short: 1,
    too_long: 1,
    wrong_prefix: 1,
    duplicate: 1,
  });
  assert.deepEqual([quote.rows_read, quote.total_count, quote.rejected_count], [15, 1, 14]);
  assert.deepEqual(quote.samples, [{ number: msisdn(16), text: 'Hi fine', parts: 1 }]);
  const file = await stage.call<string>('boss', 'GET', quote.rejected_file!);
  const rows = parse(file.body, { bom: true, from_line: 2 }) as string[][];
  assert.equal(rows.length, 14);
  assert.deepEqual(
    rows.find(([, line]) => line === '11'),
    ['people.csv', '11', "'=cmd()", 'number', 'This is not a phone number.'],
  );
  stage.callers.set('skipper', { ...stage.callers.get('boss')! });
  await owner.updateTable('user_account').set({ skip_blacklist: true }).where('id', '=', tenant.user_id).execute();
  const skipped = await stage.quote({ file_id, content: 'Hi' });
  await owner.updateTable('user_account').set({ skip_blacklist: false }).where('id', '=', tenant.user_id).execute();
  assert.equal(skipped.rejected.blacklisted, undefined);
  assert.equal(skipped.rejected.opted_out, 1);
});

test('defaults fill missing values; signature and opt-out text end every text', async () => {
  await owner
    .updateTable('department')
    .set({ signature: ' Your {name} team ' })
    .where('id', '=', tenant.department_id)
    .execute();
  await owner
    .updateTable('corporation')
    .set({ opt_out_message: 'STOP to end' })
    .where('id', '=', tenant.corporation_id)
    .execute();
  await owner.updateTable('sender_id').set({ add_optout: true }).where('id', '=', tenant.sender_id).execute();
  const list = await listOf([{ number: msisdn(21), name: 'Ana' }, { number: msisdn(22) }]);
  const quote = await stage.quote({ content: 'Hi {name}', defaults: { name: 'you' }, list_ids: [list] });
  assert.deepEqual(
    quote.samples.map(({ text }) => text),
    ['Hi Ana\nYour {name} team\nSTOP to end', 'Hi you\nYour {name} team\nSTOP to end'],
  );
  await owner.updateTable('department').set({ signature: null }).execute();
  await owner.updateTable('sender_id').set({ add_optout: false }).execute();
});

test('a file of bare numbers needs no header; an unknown header is refused on upload', async () => {
  const quote = await stage.quote({ file_id: await fileOf(`${msisdn(31)}\n+${msisdn(32)}\n${msisdn(31)}\n`) });
  assert.deepEqual([quote.rows_read, quote.total_count, quote.rejected], [3, 2, { duplicate: 1 }]);
  for (const content of ['name\nAna', 'name;city\nAna;Cebu', '', 'hello there']) {
    const { status, body } = await stage.upload<{ code: string }>('boss', '/api/v1/campaigns/files', 'x.csv', content);
    assert.deepEqual([status, body.code], [422, 'file_headers_invalid'], content);
  }
  const binary = await stage.upload<{ code: string }>(
    'boss',
    '/api/v1/campaigns/files',
    'x.csv',
    Buffer.from([1, 2, 3]),
  );
  assert.deepEqual([binary.status, binary.body.code], [422, 'file_type_unknown']);
});

test('messages cost exactly what was quoted, for any audience and text', async () => {
  const person = fc.record({
    number: fc.oneof(
      fc.integer({ min: 0, max: 40 }).map((i) => msisdn(1_000 + i)),
      fc.constantFrom('abc', '6.39E+11', '639', ''),
    ),
    name: fc.oneof(
      fc.constant(''),
      fc.string({ unit: 'grapheme', maxLength: 30 }).filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text)),
    ),
  });
  const pieces = fc.constantFrom('Hello ', '{name}', '{param1}', ' €', '😀', ' x'.repeat(70), '^{');
  const scenario = fc.record({
    pasted: fc.array(person, { maxLength: 12 }),
    file: fc.array(person, { minLength: 1, maxLength: 25 }),
    text: fc.array(pieces, { minLength: 1, maxLength: 6 }).map((parts) => `a${parts.join('')}`),
    skip_default_param: fc.boolean(),
    defaults: fc.constantFrom({}, { name: 'friend', param1: 'Ω' }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ pasted, file, text, skip_default_param, defaults }) => {
      const csv = [
        'number,name',
        ...file.map(({ number, name }) => `"${number}","${name.replaceAll('"', '""')}"`),
      ].join('\n');
      const quote = await stage.quote({
        content: text,
        skip_default_param,
        defaults,
        custom_numbers: pasted.map(({ number }) => number).join(';'),
        file_id: await fileOf(csv),
      });
      assert.equal(quote.state, 'ready');
      assert.equal(quote.total_count + quote.rejected_count, quote.rows_read);
      if (quote.total_count === 0) return;
      const created = await stage.call<{ data: { id: number } }>('boss', 'POST', '/api/v1/campaigns', {
        quote_id: quote.id,
        name: 'As quoted',
      });
      assert.equal(created.status, 201, JSON.stringify(created.body));
      await stage.prepare(created.body.data.id);
      const messages = await owner
        .selectFrom('message')
        .innerJoin('chunk', (join) => join.on((eb) => eb('chunk.campaign_id', '=', created.body.data.id)))
        .select([
          'message.msisdn',
          'message.text',
          'chunk.common_text',
          'message.parts',
          'message.unit_price',
          'message.unicode',
        ])
        .where('message.campaign_id', '=', created.body.data.id)
        .execute();
      assert.equal(messages.length, quote.total_count);
      assert.equal(new Set(messages.map((m) => m.msisdn)).size, messages.length);
      let [parts, cost, unicode] = [0, 0, 0];
      for (const m of messages) {
        const measured = segment((m.text ?? m.common_text)!);
        assert.equal(m.parts, measured.parts.length);
        assert.equal(m.unicode, measured.encoding === 'ucs2');
        assert.equal(m.unit_price, PRICE);
        parts += m.parts;
        cost += m.parts * m.unit_price;
        if (m.unicode) unicode++;
      }
      assert.deepEqual([parts, unicode], [quote.total_sms, quote.unicode_count]);
      assert.equal((cost / 1000).toFixed(3), quote.cost);
      const reserved = await owner
        .selectFrom('ledger_transfer')
        .select('amount')
        .where('campaign_id', '=', created.body.data.id)
        .executeTakeFirstOrThrow();
      assert.equal(-reserved.amount, cost);
    }),
    { numRuns: 25 },
  );
});
