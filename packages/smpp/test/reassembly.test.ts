import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Charset,
  concatenationUdh,
  type DataSm,
  type DeliverSm,
  decodePdu,
  type Encoding,
  encodePdu,
  encodeShortMessage,
  joinSegments,
  type KnownPart,
  mobileOriginatedSegment,
  type PartPlace,
  placeOfPart,
  type SegmentBody,
} from '../src/index.ts';

interface Part extends SegmentBody {
  number: number;
}

const part = (number: number, text: string, alphabet: Encoding = 'gsm', dataCoding = 0): Part => ({
  number,
  data_coding: dataCoding,
  udh_octets: 6,
  body: encodeShortMessage(text, alphabet),
});

/** Yields all orders of a list. */
function* orders<T>(list: readonly T[]): Generator<T[]> {
  if (list.length === 0) yield [];
  for (const [i, first] of list.entries()) for (const rest of orders(list.toSpliced(i, 1))) yield [first, ...rest];
}

const TEXTS = ['one ', 'two ', 'three ', 'four ', 'five'];

test('joins five parts in each of the 120 orders and marks each missing part', () => {
  let seen = 0;
  for (const order of orders(TEXTS.map((text, i) => part(i + 1, text)))) {
    assert.equal(joinSegments(order, 5, 'gsm'), TEXTS.join(''));
    assert.equal(
      joinSegments(order.toSpliced(0, 1), 5, 'gsm').replace('…', ''),
      TEXTS.with(order[0]!.number - 1, '').join(''),
    );
    seen++;
  }
  assert.equal(seen, 120);
  assert.equal(joinSegments([part(2, 'b'), part(5, 'e')], 6, 'gsm'), '…b…e…');
});

test('joins escape pairs, surrogate pairs and septets that a phone cut in two', () => {
  const euro = encodeShortMessage('a€b', 'gsm');
  const cut = (octets: Buffer, at: number, coding: number): Part[] => [
    { number: 1, data_coding: coding, udh_octets: 6, body: octets.subarray(0, at) },
    { number: 2, data_coding: coding, udh_octets: 6, body: octets.subarray(at) },
  ];
  assert.equal(joinSegments(cut(euro, 2, 0), 2, 'gsm'), 'a€b');
  assert.equal(joinSegments(cut(encodeShortMessage('x😀y', 'ucs2'), 4, 8), 2, 'gsm'), 'x😀y');
  const packed = ['abcdefg', 'hij€'].map((text, i): Part => {
    const udh = concatenationUdh({ ref: 1, total: 2, number: i + 1 });
    const body = encodeShortMessage(text, 'gsm_packed', udh).subarray(udh.length);
    return { number: i + 1, data_coding: 0, udh_octets: udh.length, body };
  });
  assert.equal(joinSegments(packed, 2, 'gsm_packed'), 'abcdefghij€');
  assert.equal(joinSegments([part(1, 'plain '), part(2, 'жук', 'ucs2', 8)], 2, 'gsm'), 'plain жук');
});

test('joins any text from any cuts in any order', () => {
  const charset = fc.constantFrom<Charset>('gsm', 'latin1');
  const text = fc.array(fc.constantFrom(...'abc XYZ019@£$é^{}€|~'), { maxLength: 300 }).map((c) => c.join(''));
  fc.assert(
    fc.property(
      text,
      charset,
      fc.array(fc.nat(300), { minLength: 1, maxLength: 9 }),
      fc.nat(),
      (words, how, cuts, seed) => {
        const latin = how === 'latin1' ? words.replaceAll('€', 'E') : words;
        const octets = encodeShortMessage(latin, how);
        const at = [0, ...cuts.map((cut) => Math.min(cut, octets.length)).sort((a, b) => a - b), octets.length];
        const parts = at.slice(1).map((end, i): Part => {
          return { number: i + 1, data_coding: 0, udh_octets: 6, body: octets.subarray(at[i], end) };
        });
        const shuffled = parts.toSorted((a, b) => ((a.number * 7919 + seed) % 13) - ((b.number * 7919 + seed) % 13));
        assert.equal(joinSegments(shuffled, parts.length, how), latin);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('finds a part in either UDH, sar parameters, message_payload and data_sm', () => {
  const text = Buffer.from('hello');
  const position = { ref: 7, total: 3, number: 2 };
  const read = (pdu: Parameters<typeof encodePdu>[0]) => {
    const {
      kind,
      part: found,
      body,
      udh_octets,
    } = mobileOriginatedSegment(decodePdu(encodePdu(pdu)) as DeliverSm | DataSm);
    return { kind, found, text: Buffer.from(body).toString(), udh_octets };
  };
  const udh = (wide: boolean) => Buffer.concat([concatenationUdh(position, wide), text]);
  const sar = { sar_msg_ref_num: 7, sar_total_segments: 3, sar_segment_seqnum: 2 };
  const found = position;
  assert.deepEqual(read({ command: 'deliver_sm', esm_class: 0x40, short_message: udh(false) }), {
    kind: 'udh_8',
    found,
    text: 'hello',
    udh_octets: 6,
  });
  assert.deepEqual(read({ command: 'deliver_sm', esm_class: 0x40, tlvs: { message_payload: udh(true) } }), {
    kind: 'udh_16',
    found,
    text: 'hello',
    udh_octets: 7,
  });
  assert.deepEqual(read({ command: 'data_sm', tlvs: { ...sar, message_payload: text } }), {
    kind: 'sar',
    found,
    text: 'hello',
    udh_octets: 0,
  });
  assert.deepEqual(read({ command: 'deliver_sm', short_message: text }), {
    kind: undefined,
    found: undefined,
    text: 'hello',
    udh_octets: 0,
  });
});

test('tells a repeated part from a reference used again', () => {
  const known: KnownPart[] = [];
  const bring = (number: number, text: string): PartPlace => {
    const incoming = { number, body: Buffer.from(text) };
    const place = placeOfPart(incoming, known);
    if (place === 'restarts') for (const each of known) each.handed_on = true;
    if (place !== 'duplicate') known.push({ ...incoming, handed_on: false });
    return place;
  };
  assert.equal(bring(1, 'a'), 'joins');
  assert.equal(bring(1, 'a'), 'duplicate');
  assert.equal(bring(2, 'b'), 'joins');
  for (const each of known) each.handed_on = true;
  assert.equal(bring(2, 'b'), 'duplicate', 'the answer to it was lost');
  assert.equal(bring(2, 'other'), 'joins', 'a new message under the same reference');
  assert.equal(bring(2, 'third'), 'restarts', 'the one before stays incomplete');
});

test('reassembly never throws, whatever a phone sends', () => {
  const bytes = fc.uint8Array({ maxLength: 160 });
  fc.assert(
    fc.property(
      bytes,
      fc.integer({ min: 0, max: 255 }),
      fc.integer({ min: 0, max: 255 }),
      (body, esm_class, coding) => {
        const pdu = decodePdu(
          encodePdu({ command: 'deliver_sm', esm_class, data_coding: coding, short_message: body }),
        ) as DeliverSm;
        const segment = mobileOriginatedSegment(pdu);
        for (const charset of ['gsm', 'gsm_packed', 'latin1', 'ascii'] as const) {
          joinSegments([{ ...segment, number: segment.part?.number ?? 1 }], segment.part?.total ?? 1, charset);
        }
      },
    ),
    { numRuns: 5_000 },
  );
});
