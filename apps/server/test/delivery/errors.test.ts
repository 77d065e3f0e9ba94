import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LOCALES } from '@heliograph/contract/kernel/scope';
import { reasonCode, reasonTexts, statusReason } from '@heliograph/contract/links/carrier-status';
import { STATUS, type StatusName, statusKind, statusName } from '@heliograph/smpp';
import { reconcile } from '#modules/billing';
import { OPERATIONS_PAGE, withStatusTable } from '../../../../scripts/generate-operations-table.ts';
import { Suspects } from '../../src/modules/delivery/sending/suspects.ts';
import { sentencesOf } from '../sentences.ts';
import { ownCarrier } from './own-carrier.ts';
import { numbers, stage, UNIT_PRICE, until } from './stage.ts';

const NAMES = Object.keys(STATUS) as StatusName[];

test('every command_status of SMPP 3.4 has one meaning and a text in four languages', () => {
  assert.equal(NAMES.length, 48);
  for (const name of NAMES) {
    assert.equal(statusReason(STATUS[name]), `ESME_${name}`);
    assert.equal(statusReason(STATUS[name]), statusName(STATUS[name]));
    assert.equal(statusKind(STATUS[name]) === 'accepted', name === 'ROK');
  }
  for (const locale of LOCALES) {
    const sentences = sentencesOf(locale);
    for (const name of NAMES) assert.ok(sentences.get(`carrier_error.ESME_${name}`), `${locale}: ${name}`);
  }
});

test('a status that SMPP 3.4 does not list is refused and named by its number', () => {
  const known = new Set<number>(Object.values(STATUS));
  for (let status = 0; status <= 0x600; status++) {
    if (known.has(status)) continue;
    assert.equal(statusKind(status), 'refuse');
    assert.equal(statusReason(status), statusName(status));
    const [text] = reasonTexts(statusReason(status));
    assert.equal(text?.key, status >= 0x400 && status <= 0x4ff ? 'vendor' : 'reserved');
  }
  // Statuses as PostgreSQL stores them: signed.
  assert.equal(statusReason(0xffff_0001 | 0), '0xffff0001');
  assert.equal(statusReason(-1), 'no_answer');
});

test('a receipt’s reason names the outcome and its cause, and keeps the code', () => {
  assert.deepEqual(reasonTexts('undeliverable:gsm-27'), [{ key: 'undeliverable' }, { key: 'gsm_27', code: '27' }]);
  assert.deepEqual(reasonTexts('expired:069'), [{ key: 'expired' }, { key: '069', code: '069' }]);
  assert.deepEqual(reasonTexts('no_receipt'), [{ key: 'no_receipt', code: 'no_receipt' }]);
  assert.deepEqual(['undeliverable:gsm-27', 'ESME_RINVDSTADR', 'expired', 'expired:069'].map(reasonCode), [
    'gsm-27',
    'ESME_RINVDSTADR',
    '',
    '069',
  ]);
});

test('the table of answers in docs/operations.md matches the code', () => {
  const page = readFileSync(OPERATIONS_PAGE, 'utf8');
  assert.equal(page, withStatusTable(page), 'run `npm run docs`');
});

test('a refused message fails, and any other error leads to a later delivery', async (t) => {
  const s = await stage(t);
  const tried = NAMES.filter((name) => name !== 'ROK');
  const byNumber = new Map(tried.map((name, i) => [`63917${String(i).padStart(7, '0')}`, name]));
  const seen = new Map<string, number>();
  const carrier = await ownCarrier(s, (submit, own) => {
    const { destination_addr: to } = submit.pdu;
    const before = seen.get(to) ?? 0;
    seen.set(to, before + 1);
    const status = STATUS[byNumber.get(to)!];
    if (before > 0) {
      own.accept(submit);
      own.receipt(submit, String(submit.number));
    } else if (status % 2 === 0) own.refuse(submit, status);
    else own.nack(submit, status);
  });
  await s.addLink({ port: carrier.port });
  await s.sender();
  const campaign = await s.campaign([...byNumber.keys()].map((msisdn) => ({ msisdn })));
  const refused = tried.filter((name) => statusKind(STATUS[name]) === 'refuse');
  await until('all have their end', async () => {
    const { delivered = 0, failed = 0 } = await s.counters(campaign.id);
    return delivered + failed === tried.length;
  });
  const { rows } = await s.owner.query<{ number: string; state: string; error_code: string | null }>(
    'SELECT number, state, error_code FROM message_row',
  );
  for (const { number, state, error_code } of rows) {
    const name = byNumber.get(number)!;
    const is = refused.includes(name) ? ['failed_submit', `ESME_${name}`, 1] : ['delivered', null, 2];
    assert.deepEqual([state, error_code, seen.get(number)], is, name);
  }
  const { charged, released } = await s.counters(campaign.id);
  assert.deepEqual(
    { charged, released },
    { charged: (tried.length - refused.length) * UNIT_PRICE, released: refused.length * UNIT_PRICE },
  );
  assert.deepEqual(await reconcile(s.owner), []);
});

test('a receipt’s error code is stored, and the network’s code by its meaning', async (t) => {
  const s = await stage(t);
  const carrier = await ownCarrier(s, (submit, own) => {
    own.accept(submit);
    const mine = submit.pdu.destination_addr.endsWith('1');
    const text = Buffer.from(
      `id:${submit.number} sub:001 dlvrd:000 submit date:2601010000 done date:2601010000 stat:UNDELIV err:${mine ? '069' : '000'} text:`,
    );
    const tlvs = mine ? {} : { network_error_code: Buffer.from([3, 0, 27]) };
    own.deliver({ esm_class: 4, source_addr: submit.pdu.destination_addr, short_message: text, tlvs }, submit.session);
  });
  await s.addLink({ port: carrier.port });
  await s.sender();
  const campaign = await s.campaign(numbers(2));
  await until('both have failed', async () => (await s.counters(campaign.id)).failed === 2);
  const { rows } = await s.owner.query<{ error_code: string }>('SELECT error_code FROM message_row ORDER BY number');
  assert.deepEqual(
    rows.map((row) => row.error_code),
    ['undeliverable:gsm-27', 'undeliverable:069'],
  );
});

test('codes do not wait behind a message that every generic_nack refuses', async (t) => {
  const s = await stage(t);
  const poisoned = '639170000001';
  let refusals = 0;
  const refusalsBefore: number[] = [];
  const carrier = await ownCarrier(s, (submit, own) => {
    if (submit.pdu.destination_addr === poisoned) {
      refusals++;
      own.nack(submit, STATUS.RINVCMDID);
      return;
    }
    refusalsBefore.push(refusals);
    own.accept(submit);
  });
  await s.addLink({ port: carrier.port, window_size: 10 });
  await s.sender();
  const campaign = await s.campaign([{ msisdn: poisoned }]);
  await until('the message was refused', () => refusals > 0);
  const codes = Array.from({ length: 40 }, (_, i) => ({ msisdn: `63918${String(i).padStart(7, '0')}` }));
  await s.campaign(codes, { shared: { class: 'otp' } });
  await until('all codes were taken', () => refusalsBefore.length === codes.length);
  assert.ok(refusalsBefore.at(-1)! < 5, 'no code waited for the end of the message');
  await until('the message has its end', async () => (await s.counters(campaign.id)).failed === 1);
  assert.equal(refusals, 5);
  const { rows } = await s.owner.query('SELECT state, error_code FROM message_row WHERE number = $1', [poisoned]);
  assert.deepEqual(rows, [{ state: 'failed_submit', error_code: 'ESME_RINVCMDID' }]);
});

test('three different messages in a row with errors of the bind put the link at fault', () => {
  const suspects = new Suspects();
  const [first, second, third] = [1, 2, 3];
  assert.deepEqual(
    [suspects.refused(first), suspects.refused(first), suspects.refused(second)],
    Array(3).fill('message'),
  );
  suspects.accepted(9);
  assert.deepEqual([suspects.refused(second), suspects.refused(third)], ['message', 'message']);
  assert.equal(suspects.refused(first), 'link');
  assert.equal(suspects.refused(first), 'link', 'until something is taken');
  suspects.accepted(9);
  assert.equal(suspects.refused(first), 'spent');
});
