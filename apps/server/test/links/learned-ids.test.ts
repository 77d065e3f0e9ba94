import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Simulator } from '@heliograph/carrier-simulator';
import fc from 'fast-check';
import type { IdRule } from '../../src/modules/delivery/sending/link.ts';
import { ReceiptIds } from '../../src/modules/delivery/sending/receipt-ids.ts';
import { numbers, type Stage, stage, until } from '../delivery/stage.ts';

const RULES: readonly IdRule[] = ['as_is', 'hex_to_decimal', 'decimal_to_hex'];
const from = (source_addr: string) => ({ source_addr, destination_addr: 'Acme' });

/** Returns the id that a carrier with this rule writes in the response, and the one in the receipt. */
const written = (rule: IdRule, id: bigint): [response: string, receipt: string] =>
  rule === 'as_is'
    ? [id.toString(), id.toString()]
    : rule === 'hex_to_decimal'
      ? [id.toString(), id.toString(16).toUpperCase().padStart(18, '0')]
      : [id.toString(16), id.toString()];

test('the learned rule is the one that the carrier follows, whatever its ids', () => {
  const id = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n });
  fc.assert(
    fc.property(fc.constantFrom(...RULES), fc.uniqueArray(id, { minLength: 40, maxLength: 60 }), (rule, ids) => {
      const known = new Map<string, string>();
      const learned: IdRule[] = [];
      const receipts = new ReceiptIds(
        { id_rule: 'learn', learned_id_rule: null },
        (carrierId) => known.get(carrierId),
        (found) => learned.push(found),
      );
      const numberOf = (place: number) => `63917${String(place).padStart(7, '0')}`;
      for (const [place, each] of ids.entries()) known.set(written(rule, each)[0], numberOf(place).slice(-7));
      ids.forEach((each, place) => {
        const [response, receipt] = written(rule, each);
        assert.equal(receipts.keyOf(receipt, from(numberOf(place))), response, 'the receipt meets its message at once');
      });
      assert.ok(learned.length <= 1);
      for (const found of learned) assert.equal(found, rule);
      assert.equal(learned.length === 1, receipts.learning === undefined);
    }),
    { numRuns: 300 },
  );
});

test('no rule is learned from ambiguous ids or from another phone’s receipts', () => {
  const known = new Map([
    ['100', '0000001'],
    ['256', '0000002'],
    ['7', '0000003'],
  ]);
  const receipts = new ReceiptIds(
    { id_rule: 'learn', learned_id_rule: null },
    (id) => known.get(id),
    () => assert.fail('nothing may be learned'),
  );
  // 100 is the id of the first message as it is, and of the second in hexadecimal. The phone number decides.
  assert.equal(receipts.keyOf('100', from('639170000002')), '256');
  assert.equal(receipts.keyOf('100', from('639170000001')), '100');
  for (let i = 0; i < 20; i++) receipts.keyOf('7', from('639170000003'));
  for (let i = 0; i < 20; i++) assert.ok(!known.has(receipts.keyOf('100', from('639179999999'))));
  assert.deepEqual(receipts.learning, { seen: 42, as_is: 1, hex_to_decimal: 1, decimal_to_hex: 0 });
});

const ruleOf = (s: Stage) =>
  s.one<{ learned_id_rule: string | null; learned_receipts: number | null; live: { learning: object | null } }>(
    'SELECT learned_id_rule, learned_receipts, live FROM link l JOIN link_state s ON s.link_id = l.id',
  );

async function carrierWithHexReceipts(s: Stage): Promise<Simulator> {
  return s.simulator({ settings: { response_id_format: 'decimal', receipt_id_format: 'hex' } });
}

test('a link learns that receipts are hexadecimal and remembers it after a restart', async (t) => {
  const s = await stage(t);
  const carrier = await carrierWithHexReceipts(s);
  await s.addLink({ port: carrier.smppPort, id_rule: 'learn' });
  const sender = await s.sender();
  const first = await s.campaign(numbers(3));
  await until('three are delivered', async () => (await s.counters(first.id))['delivered'] === 3);
  assert.equal((await ruleOf(s)).learned_id_rule, null, 'three are not enough');
  const second = await s.campaign(numbers(30));
  await until('all are delivered', async () => (await s.counters(second.id))['delivered'] === 30);
  await until('the rule is kept', async () => (await ruleOf(s)).learned_id_rule === 'hex_to_decimal');
  assert.equal((await ruleOf(s)).learned_receipts, 5);
  await sender.stop();

  // A receipt for a message of an earlier process is found only by the rule.
  carrier.configure({ receipt_delay_ms: 4_000 });
  const early = await s.sender();
  const third = await s.campaign(numbers(10));
  await until('all are submitted', async () => (await s.counters(third.id))['submitted'] === 10);
  await early.stop();
  await s.sender();
  await until('their receipts are matched', async () => (await s.counters(third.id))['delivered'] === 10);
});
