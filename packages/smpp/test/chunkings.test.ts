import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { seededRandom, seedOf } from '@heliograph/fault-kit';
import fc from 'fast-check';
import { decodePdu, encodePdu, FrameReader, type Pdu, type PduFields } from '../src/index.ts';
import { anyPdu } from './pdu-arbitrary.ts';

const seed = seedOf('FAULT_SEED');
const CHUNKINGS = 10_000;

test(`reads the same PDUs from ${CHUNKINGS} random chunkings (FAULT_SEED=${seed})`, () => {
  const random = seededRandom(seed);
  const pdus = fc.sample(anyPdu, { numRuns: 300, seed }).map((pdu: Pdu) => encodePdu(pdu as PduFields));
  for (let i = 0; i < CHUNKINGS; i++) {
    const sent = Array.from({ length: 1 + random.below(12) }, () => random.pick(pdus));
    const stream = Buffer.concat(sent);
    const frames: Buffer[] = [];
    const reader = new FrameReader((b, at, length) => frames.push(Buffer.from(b.subarray(at, at + length))));
    // From single octets to several PDUs in one chunk.
    const most = random.pick([1, 3, 17, 64, 500, 5_000]);
    for (let at = 0; at < stream.length; ) {
      const end = Math.min(stream.length, at + 1 + random.below(most));
      // Each chunk is overwritten afterwards: the reader must copy what it keeps.
      const chunk = Buffer.from(stream.subarray(at, end));
      reader.push(chunk);
      chunk.fill(0xee);
      at = end;
    }
    assert.equal(reader.pending, 0);
    assert.equal(frames.length, sent.length);
    assert.ok(frames.every((frame, n) => frame.equals(sent[n]!)));
  }
});

test('decodes PDUs cut at any octet to what was encoded', () => {
  const random = seededRandom(seed);
  for (const pdu of fc.sample(anyPdu, { numRuns: 500, seed: seed + 1 })) {
    const bytes = encodePdu(pdu as PduFields);
    const decoded: Pdu[] = [];
    const reader = new FrameReader((b, at, length) => decoded.push(decodePdu(b.subarray(at, at + length))));
    const cut = random.below(bytes.length);
    reader.push(bytes.subarray(0, cut));
    reader.push(bytes.subarray(cut));
    assert.equal(decoded.length, 1);
    assert.deepEqual(encodePdu(decoded[0] as PduFields), bytes);
  }
});
