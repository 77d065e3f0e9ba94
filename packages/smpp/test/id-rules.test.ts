import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom, seedOf } from '@heliograph/fault-kit';
import { type CarrierIdRule, normaliseCarrierId, sameCarrierId } from '../src/index.ts';

const seed = seedOf('FAULT_SEED');
const RUNS = 20_000;

test('matches ids beyond 2^53 and beyond signed 64 bits exactly', () => {
  assert.equal(normaliseCarrierId('812FC7470000001B', 'hex_to_dec'), '9308878062554710043');
  assert.equal(normaliseCarrierId('9308878062554710043', 'dec_to_hex'), '812fc7470000001b');
  assert.ok(sameCarrierId('9308878062554710043', '812FC7470000001B', 'hex_to_dec'));
  assert.ok(!sameCarrierId('9308878062554710044', '812FC7470000001B', 'hex_to_dec'));
});

test(`${RUNS} random ids match under each rule, and no other id (FAULT_SEED=${seed})`, () => {
  const random = seededRandom(seed);
  const digits = (count: number, alphabet: string): string =>
    Array.from({ length: count }, () => alphabet[random.below(alphabet.length)]).join('');
  const padded = (id: string): string => '0'.repeat(random.below(Math.max(1, 65 - id.length))) + id;
  const cased = (id: string): string => (random.chance(0.5) ? id.toUpperCase() : id.toLowerCase());
  for (let i = 0; i < RUNS; i++) {
    // Small numbers, those around 32, 53, 63 and 64 bits, and numbers as long as the field.
    const bits = random.pick([8, 31, 32, 33, 52, 53, 54, 62, 63, 64, 65, 128, 200]);
    const value = (BigInt(`0x${digits(Math.ceil(bits / 4), '0123456789abcdef')}`) & ((1n << BigInt(bits)) - 1n)) | 1n;
    const decimal = value.toString();
    const hex = value.toString(16);
    const pairs: [response: string, receipt: string, rule: CarrierIdRule][] = [
      [decimal, decimal, 'opaque'],
      [hex, hex, 'opaque'],
      [decimal, hex, 'hex_to_dec'],
      [hex, decimal, 'dec_to_hex'],
    ];
    for (const [response, receipt, rule] of pairs) {
      const written: [string, string] = [cased(padded(response)), cased(padded(receipt))];
      assert.ok(sameCarrierId(...written, rule), `${written.join(' and ')} under ${rule}`);
      const next = (value + 1n).toString(
        rule === 'opaque' ? (response === hex ? 16 : 10) : rule === 'hex_to_dec' ? 10 : 16,
      );
      assert.ok(!sameCarrierId(next, written[1], rule), `${next} is not ${written[1]} under ${rule}`);
    }
    // Ids that are not numbers match only themselves, whatever the rule.
    const word = `${digits(1 + random.below(31), 'abcdefghijklmnopqrstuvwxyz-')}-${digits(1 + random.below(31), '0123456789')}`;
    for (const rule of ['opaque', 'hex_to_dec', 'dec_to_hex'] as const) {
      assert.ok(sameCarrierId(word, cased(word), rule));
      assert.ok(!sameCarrierId(word, `${word}1`, rule));
    }
  }
});
