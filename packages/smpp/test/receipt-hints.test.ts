import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type DeliverSm,
  dateMayLieBetween,
  decodePdu,
  encodePdu,
  parseReceipt,
  quotes,
  receiptHints,
} from '../src/index.ts';

const MINUTE = 60_000;

function receipt(text: string, tlvs = {}): DeliverSm {
  return decodePdu(
    encodePdu({
      command: 'deliver_sm',
      esm_class: 4,
      source_addr: '+639170000001',
      short_message: Buffer.from(text),
      tlvs,
    }),
  ) as DeliverSm;
}

test('reads the hints to its message from a receipt', () => {
  const text =
    'id:1 sub:001 dlvrd:001 submit date:2601021503 done date:2601021504 stat:DELIVRD err:000 text:Your code is id:9';
  assert.deepEqual(receiptHints(receipt(text, { user_message_reference: 4711 })), {
    reference: 4711,
    msisdn: '639170000001',
    submit_date: '2601021503',
    text: 'Your code is id:9',
  });
  assert.deepEqual(receiptHints(receipt('')), {
    reference: undefined,
    msisdn: '639170000001',
    submit_date: '',
    text: '',
  });
});

test('a date fits its span in every time zone, and no other span', () => {
  const at = Date.UTC(2026, 0, 2, 15, 3);
  const span = [at - 2 * MINUTE, at + 2 * MINUTE] as const;
  for (const written of ['2601021503', '260102150359', '20260102150300'])
    assert.ok(dateMayLieBetween(written, ...span), written);
  assert.ok(dateMayLieBetween('2601022303', ...span), 'Manila');
  assert.ok(dateMayLieBetween('2601022048', ...span), 'Kathmandu');
  assert.ok(!dateMayLieBetween('2601021510', ...span), 'seven minutes off in every zone');
  assert.ok(!dateMayLieBetween('2601041503', ...span), 'another day');
  for (const nonsense of ['', '0', '2601', 'yesterday', '26010215031'])
    assert.ok(!dateMayLieBetween(nonsense, ...span));
  const quarters = fc.integer({ min: -56, max: 56 });
  fc.assert(
    fc.property(fc.integer({ min: 1.7e9, max: 1.9e9 }), quarters, fc.nat(600), (seconds, zone, length) => {
      const moment = seconds * 1_000;
      const local = new Date(moment + zone * 15 * MINUTE).toISOString().replace(/\D/g, '').slice(2, 14);
      assert.ok(dateMayLieBetween(local, moment - 1_000, moment + length * 1_000));
    }),
  );
});

test('a quoted start fits its text, but not if the quote is too short', () => {
  assert.ok(quotes('Your code is 123456.', 'Your code is 123456. Keep it.'));
  assert.ok(quotes('Your code is', 'Your code is 123456'));
  assert.ok(quotes('Hi', 'Hi'));
  assert.ok(!quotes('Your', 'Your code is 123456'));
  assert.ok(!quotes('', 'Hi'));
  assert.ok(!quotes('', ''));
  assert.ok(!quotes('Your bill is 123456', 'Your code is 123456'));
});

test("the error of a receipt is the network's where the text has none", () => {
  const code = { network_error_code: Buffer.from([3, 0, 27]) };
  const of = (text: string, tlvs = {}) => {
    const { error, network } = parseReceipt(receipt(text, tlvs))!;
    return [error, network];
  };
  assert.deepEqual(of('id:1 stat:UNDELIV err:000', code), ['27', 3]);
  assert.deepEqual(of('id:1 stat:UNDELIV err:027', code), ['027', 3]);
  assert.deepEqual(of('id:1 stat:UNDELIV err:069', code), ['069', undefined]);
  assert.deepEqual(of('id:1 stat:UNDELIV err:069'), ['069', undefined]);
});
