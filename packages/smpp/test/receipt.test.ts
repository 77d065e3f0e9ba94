import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  buildReceipt,
  type DeliverSm,
  decodePdu,
  encodePdu,
  formatAbsoluteTime,
  formatRelativeTime,
  MESSAGE_STATE,
  type MessageState,
  normaliseCarrierId,
  parseReceipt,
  parseTime,
  sameCarrierId,
  type Tlvs,
} from '../src/index.ts';

function deliver(text: string, tlvs?: Tlvs, esm_class = 0x04, data_coding = 0): DeliverSm {
  const short_message = data_coding === 8 ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'latin1');
  return decodePdu(encodePdu({ command: 'deliver_sm', esm_class, data_coding, short_message, tlvs })) as DeliverSm;
}

type Expected = [text: string, id: string, state: MessageState | undefined, error: string];
const B = 'sub:001 dlvrd:001 submit date:2601021503 done date:2601021504';
const CORPUS: Expected[] = [
  [`id:0123456789 ${B} stat:DELIVRD err:000 text:hello`, '0123456789', 'delivered', '000'],
  [`id:0123456789 ${B} stat:UNDELIV err:011 Text:hello`, '0123456789', 'undeliverable', '011'],
  [`id:ab-cd-ef ${B} stat:EXPIRED err:254 text:`, 'ab-cd-ef', 'expired', '254'],
  [`id:812FC7470000001B ${B} stat:REJECTD err:0x45`, '812FC7470000001B', 'rejected', '0x45'],
  [`id:1 ${B} stat:DELETED err:1 text:x`, '1', 'deleted', '1'],
  [`id:1 ${B} stat:ACCEPTD err:0 text:x`, '1', 'accepted', '0'],
  [`id:1 ${B} stat:UNKNOWN err:0 text:x`, '1', 'unknown', '0'],
  [`id:1 ${B} stat:ENROUTE err:0 text:x`, '1', 'enroute', '0'],
  [
    `ID:77 SUB:001 DLVRD:001 SUBMIT DATE:2601021503 DONE DATE:2601021504 STAT:DELIVRD ERR:000 TEXT:hi`,
    '77',
    'delivered',
    '000',
  ],
  ['id:77 submit date:260102150300 done date:260102150400 stat:DELIVRD err:000', '77', 'delivered', '000'],
  ['id:77 stat:DELIVRD', '77', 'delivered', ''],
  ['id:77 stat:DELIVRD err:', '77', 'delivered', ''],
  ['stat:UNDELIV err:5 id:77', '77', 'undeliverable', '5'],
  ['id: 77 stat: DELIVRD err: 000', '77', 'delivered', '000'],
  ['id:77,stat:FAILED,err:12', '77', 'undeliverable', '12'],
  ['id:77;status:DELIVERED;error:0', '77', 'delivered', '0'],
  ['id=77 stat=EXPIRED', '77', 'expired', ''],
  [`id:77 ${B} stat:Delivered err:000 text:ok`, '77', 'delivered', '000'],
  [`id:77 ${B} stat:UNDELIVERABLE err:000 text:ok`, '77', 'undeliverable', '000'],
  [`id:77 ${B} stat:REJECTED err:000 text:ok`, '77', 'rejected', '000'],
  [`id:77 ${B} stat:BUFFERED err:000 text:ok`, '77', 'enroute', '000'],
  [`id:77 ${B} stat:XYZ err:000 text:ok`, '77', undefined, '000'],
  [`id:77 ${B} stat:DELIVRD err:000 text:id:99 stat:UNDELIV`, '77', 'delivered', '000'],
  ['text:id:99 stat:UNDELIV', '', undefined, ''],
  ['stat:DELIVRD text:id:99', '', 'delivered', ''],
  ['id:77\nstat:DELIVRD\nerr:000', '77', 'delivered', '000'],
  [`  id:77 ${B} stat:DELIVRD err:000`, '77', 'delivered', '000'],
  [
    `id:77 sub:1 dlvrd:1 submit date:20260102150300 done date:20260102150400 stat:DELIVRD err:0`,
    '77',
    'delivered',
    '0',
  ],
  [`${'id:'}${'9'.repeat(64)} ${B} stat:DELIVRD err:000 text:`, '9'.repeat(64), 'delivered', '000'],
  [`id: ${B} stat:DELIVRD err:000`, '', 'delivered', '000'],
  ['id:77 stat: err: text:id:78 stat:DELIVRD', '77', undefined, ''],
  ['', '', undefined, ''],
  ['Thank you', '', undefined, ''],
];

test('receipts of many vendors are read from their text', () => {
  for (const [text, id, state, error] of CORPUS) {
    const receipt = parseReceipt(deliver(text));
    assert.ok(receipt, text);
    assert.deepEqual({ id: receipt.id, state: receipt.state, error: receipt.error }, { id, state, error }, text);
  }
});

test('the text may sit in message_payload, in a data_sm, or in UCS-2', () => {
  const text = CORPUS[0]![0];
  const payload = parseReceipt(deliver('', { message_payload: Buffer.from(text) }));
  assert.equal(payload?.id, '0123456789');
  const data = decodePdu(encodePdu({ command: 'data_sm', esm_class: 4, tlvs: { message_payload: Buffer.from(text) } }));
  assert.ok(data.command === 'data_sm');
  assert.equal(parseReceipt(data)?.state, 'delivered');
  assert.equal(parseReceipt(deliver(text, undefined, 0x04, 8))?.id, '0123456789');
});

test('parameters win over the text, and the text fills in what they lack', () => {
  const tlvs = { receipted_message_id: 'tlv-id', message_state: 5, network_error_code: Buffer.from([3, 0, 27]) };
  const both = parseReceipt(deliver('id:text-id stat:DELIVRD', tlvs));
  assert.deepEqual([both?.id, both?.state, both?.error, both?.network], ['tlv-id', 'undeliverable', '27', 3]);
  const idOnly = parseReceipt(deliver('id:text-id stat:EXPIRED err:9', { receipted_message_id: 'tlv-id' }));
  assert.deepEqual([idOnly?.id, idOnly?.state, idOnly?.error], ['tlv-id', 'expired', '9']);
});

test('a message from a subscriber is no receipt, whatever it says', () => {
  assert.equal(parseReceipt(deliver('id:1 stat:DELIVRD', undefined, 0x00)), undefined);
  assert.equal(parseReceipt(deliver('id:1 stat:DELIVRD', undefined, 0x40)), undefined);
  assert.equal(parseReceipt(deliver('id:1 stat:DELIVRD', undefined, 0x00), true)?.id, '1');
  assert.equal(parseReceipt(deliver('my id: is lost', undefined, 0x00), true), undefined);
  assert.equal(parseReceipt(deliver('id:1 stat:ENROUTE', undefined, 0x20))?.intermediate, true);
});

test('reads the receipts it built, in every style', () => {
  const states = Object.keys(MESSAGE_STATE) as MessageState[];
  const id = fc.stringMatching(/^[0-9a-zA-Z-]{1,64}$/);
  const style = fc.constantFrom('both' as const, 'text' as const, 'tlv' as const);
  fc.assert(
    fc.property(id, fc.constantFrom(...states), style, fc.string({ maxLength: 30 }), (carrierId, state, how, text) => {
      const built = buildReceipt({ id: carrierId, state, submitted: 1.7e12, done: 1.7e12 + 9e4, style: how, text });
      const receipt = parseReceipt(decodePdu(encodePdu({ command: 'deliver_sm', ...built })) as DeliverSm);
      assert.equal(receipt?.id, carrierId);
      assert.equal(receipt?.state, state);
      if (how !== 'tlv') assert.equal(receipt?.done_date, '2311142214');
    }),
    { numRuns: 1_000 },
  );
});

test('damaged receipts never throw and never invent an id', () => {
  const texts = CORPUS.map(([text]) => text);
  const edit = fc.tuple(fc.nat(200), fc.constantFrom('', ':', ' ', 'id:', '\0', 'text:', 'stat:', '\xff'));
  fc.assert(
    fc.property(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 4 }), (text, edits) => {
      let damaged = text;
      for (const [at, insert] of edits) damaged = damaged.slice(0, at) + insert + damaged.slice(at + 1);
      const receipt = parseReceipt(deliver(damaged.slice(0, 254)));
      assert.ok(receipt !== undefined && damaged.includes(receipt.id) && receipt.id.length <= 64);
    }),
    { numRuns: 20_000 },
  );
});

test('matches ids under the rule of the link: base, padding, case, beyond 64 bits', () => {
  assert.equal(normaliseCarrierId('812FC7470000001B', 'hex_to_dec'), '9308878062554710043');
  assert.equal(normaliseCarrierId('9308878062554710043', 'dec_to_hex'), '812fc7470000001b');
  assert.ok(sameCarrierId('812FC7470000001B', '9308878062554710043', 'dec_to_hex'));
  assert.ok(sameCarrierId('9308878062554710043', '812fc7470000001b', 'hex_to_dec'));
  assert.ok(!sameCarrierId('9308878062554710043', '9308878062554710042', 'opaque'));
  assert.equal(normaliseCarrierId('not-a-number', 'hex_to_dec'), 'not-a-number');
  assert.equal(normaliseCarrierId('000', 'opaque'), '0');
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 200n }), fc.nat(9), fc.boolean(), (value, zeros, upper) => {
      const pad = '0'.repeat(zeros);
      const hex = pad + (upper ? value.toString(16).toUpperCase() : value.toString(16));
      const decimal = pad + value.toString();
      assert.ok(sameCarrierId(decimal, hex, 'hex_to_dec'));
      assert.ok(sameCarrierId(hex, decimal, 'dec_to_hex'));
      assert.ok(sameCarrierId(value.toString(), decimal, 'opaque'));
      assert.ok(!sameCarrierId(decimal, (value + 1n).toString(16), 'hex_to_dec'));
    }),
    { numRuns: 5_000 },
  );
});

test('times are written as carriers read them and read back to the second', () => {
  assert.equal(formatRelativeTime(12 * 3_600), '000000120000000R');
  assert.equal(formatAbsoluteTime(Date.UTC(2026, 10, 21, 14, 5, 9)), '261121140509000+');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 30 * 86_400 }), fc.integer({ min: 1.6e9, max: 4e9 }), (seconds, at) => {
      assert.equal(parseTime(formatRelativeTime(seconds), 0), seconds * 1_000);
      assert.equal(parseTime(formatAbsoluteTime(at * 1_000), 0), at * 1_000);
    }),
  );
  assert.equal(parseTime('261121140509008-', 0), Date.UTC(2026, 10, 21, 16, 5, 9));
  assert.equal(parseTime('', 0), undefined);
  assert.equal(parseTime('999999999999999+', 0), undefined);
});
