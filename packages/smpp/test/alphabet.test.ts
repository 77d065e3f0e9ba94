import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  concatenationOf,
  concatenationUdh,
  decodeGsm,
  decodeShortMessage,
  encodeGsm,
  encodeShortMessage,
  gsmUnits,
  isGsm,
  PduError,
  packGsm,
  splitUdh,
  unpackGsm,
} from '../src/index.ts';

const EXTENSION_SEPTETS = [10, 20, 40, 41, 47, 60, 61, 62, 64, 101];

test('the alphabet is a bijection: 127 basic septets and 10 escaped ones', () => {
  const seen = new Set<string>();
  for (let septet = 0; septet < 128; septet++) {
    if (septet === 0x1b) continue;
    const character = decodeGsm(Buffer.from([septet]));
    assert.equal(character.length, 1);
    assert.deepEqual([...encodeGsm(character)], [septet]);
    seen.add(character);
  }
  for (const septet of EXTENSION_SEPTETS) {
    const character = decodeGsm(Buffer.from([0x1b, septet]));
    assert.deepEqual([...encodeGsm(character)], [0x1b, septet]);
    seen.add(character);
  }
  assert.equal(seen.size, 137);
});

test('every code unit of the basic plane is classified, and 137 are in the alphabet', () => {
  let count = 0;
  for (let code = 0; code < 0x10000; code++) {
    const character = String.fromCharCode(code);
    if (!isGsm(character)) continue;
    count++;
    assert.equal(decodeGsm(encodeGsm(character)), character);
    assert.equal(encodeGsm(character).length, gsmUnits(character));
  }
  assert.equal(count, 137);
});

test('known texts have the septets of 3GPP TS 23.038', () => {
  assert.equal(encodeGsm('@£$¥_^{}\\[~]|€').toString('hex'), '00010203111b141b281b291b2f1b3c1b3d1b3e1b401b65');
  assert.equal(packGsm(encodeGsm('hellohello')).toString('hex'), 'e8329bfd4697d9ec37');
  assert.throws(() => encodeGsm('Ω≈'), PduError);
});

test('decodes an unknown escape as the basic character, a last escape as a space', () => {
  assert.equal(decodeGsm(Buffer.from([0x1b, 0x41])), 'A');
  assert.equal(decodeGsm(Buffer.from([0x41, 0x1b])), 'A ');
});

const gsmText = fc.string({
  unit: fc.oneof(
    fc
      .integer({ min: 0, max: 127 })
      .filter((s) => s !== 0x1b)
      .map((s) => decodeGsm(Buffer.from([s]))),
    fc.constantFrom(...EXTENSION_SEPTETS).map((s) => decodeGsm(Buffer.from([0x1b, s]))),
  ),
  maxLength: 160,
});

test('decodes every text that it encoded, with or without a UDH', () => {
  const udh = concatenationUdh({ ref: 200, total: 3, number: 2 });
  fc.assert(
    fc.property(gsmText, fc.boolean(), (text, parted) => {
      const head = parted ? udh : undefined;
      const check = (encoding: 'gsm' | 'ucs2', dataCoding: number): void => {
        const octets = encodeShortMessage(text, encoding, head);
        const { body } = splitUdh(octets, parted ? 0x40 : 0);
        assert.equal(decodeShortMessage(body, dataCoding), text);
      };
      check('gsm', 0);
      check('ucs2', 8);
      const septets = encodeGsm(text);
      for (const fill of [0, 1, 6]) assert.deepEqual(unpackGsm(packGsm(septets, fill), fill, septets.length), septets);
    }),
    { numRuns: 2_000 },
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 70 }), (text) => {
      assert.equal(decodeShortMessage(encodeShortMessage(text, 'ucs2'), 8), text.toWellFormed());
    }),
  );
});

test('UCS-2 is big-endian without a byte order mark', () => {
  assert.equal(encodeShortMessage('Aж😀', 'ucs2').toString('hex'), '00410436d83dde00');
});

test('data_coding 0 follows the charset of the link', () => {
  const octets = Buffer.from([0x00, 0xe9, 0x24]);
  assert.equal(decodeShortMessage(Buffer.from([0x00, 0x02, 0x24]), 0), '@$¤');
  assert.equal(decodeShortMessage(octets, 0, 'latin1'), '\0é$');
  assert.equal(decodeShortMessage(octets, 3), '\0é$');
  assert.equal(decodeShortMessage(packGsm(encodeGsm('packed')), 0, 'gsm_packed').slice(0, 6), 'packed');
  assert.equal(decodeShortMessage(Buffer.from('0041', 'hex'), 0x18), 'A');
  assert.equal(decodeShortMessage(Buffer.from([0x00]), 0x10), '@');
});

test('finds concatenation in 8-bit, 16-bit and SAR form', () => {
  const of = (udh: Buffer) =>
    concatenationOf({ esm_class: 0x40, short_message: Buffer.concat([udh, Buffer.from('x')]) });
  assert.deepEqual(of(concatenationUdh({ ref: 77, total: 3, number: 2 })), { ref: 77, total: 3, number: 2 });
  assert.deepEqual(of(concatenationUdh({ ref: 777, total: 3, number: 2 }, true)), { ref: 777, total: 3, number: 2 });
  assert.deepEqual(of(Buffer.from('0804021234000305030a', 'hex')), undefined);
  assert.deepEqual(of(Buffer.from([0x0a, 0x24, 0x01, 0x05, 0x00, 0x03, 9, 2, 1, 0x70, 0x00])), {
    ref: 9,
    total: 2,
    number: 1,
  });
  const sar = { sar_msg_ref_num: 40_000, sar_total_segments: 2, sar_segment_seqnum: 1 };
  assert.deepEqual(concatenationOf({ esm_class: 0, short_message: Buffer.from('x'), tlvs: sar }), {
    ref: 40_000,
    total: 2,
    number: 1,
  });
  assert.equal(of(concatenationUdh({ ref: 1, total: 2, number: 3 })), undefined);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      concatenationOf({ esm_class: 0x40, short_message: bytes });
      splitUdh(bytes, 0x40);
    }),
  );
});
