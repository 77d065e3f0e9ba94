import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { PUBLIC_OPERATIONS } from '../src/api/operations.ts';
import { messageRow } from '../src/campaigns/message.ts';
import { findMask, isMask, maskNumber, maskReply, maskText } from '../src/kernel/masking.ts';
import { personalOf } from '../src/kernel/personal.ts';
import { ALL_OPERATIONS } from './operations.ts';

const digits = (min: number) => fc.stringMatching(new RegExp(`^[1-9]\\d{${min - 1},14}$`));

test('a mask has the length of its number, and hides at least five digits', () => {
  fc.assert(
    fc.property(digits(7), fc.constantFrom('', '+'), (number, plus) => {
      const mask = maskNumber(plus + number);
      assert.equal(mask.length, plus.length + number.length);
      assert.equal(mask.slice(-2), number.slice(-2));
      assert.ok(mask.split('•').length - 1 >= 5, mask);
      assert.ok(isMask(mask));
      assert.equal(maskNumber(mask), mask);
    }),
  );
  assert.equal(maskNumber('639171234567'), '63917•••••67');
});

test('short codes and names of senders stay', () => {
  for (const own of ['4141', '123456', 'ACME', 'Acme 639171234567', '']) assert.equal(maskNumber(own), own);
});

test('numbers in texts are masked; times, amounts and long ids stay', () => {
  assert.equal(maskText('Call +63 917 123 4567, or 639171234567.'), 'Call +63 917 ••• ••67, or 63917•••••67.');
  for (const stays of ['at 2026-01-31 12:30:00', '1234567.000', 'id 5713612173753344', 'evt_1234567890', 'a1234567890'])
    assert.equal(maskText(stays), stays);
});

test('an answer hides a marked number wherever else it is in the answer', () => {
  const row = { number: '37212345', campaign_name: 'To 37212345', name: 'Ana 37212345', text: 'Hello', id: 7 };
  assert.deepEqual(maskReply(z.object({ data: z.array(messageRow) }), { data: [row] as never }), {
    data: [{ number: '3•••••45', campaign_name: 'To 3•••••45', name: 'Ana 3•••••45', text: 'Hello', id: 7 }],
  });
});

test('a mask in a body is found by its path', () => {
  assert.equal(findMask({ to: ['639171234567', '63917•••••67'] }, isMask), 'to.1');
  assert.equal(findMask({ text: 'Your card ends with •••••12 today' }, isMask), undefined);
});

/** Names of fields that may hold a person's number. */
const NAMES = new Set(['number', 'msisdn', 'oa', 'phone', 'to', 'recipient']);

/** Unmarked fields with such a name, with the reason why their values stay. */
const OURS: Readonly<Record<string, string>> = {
  '/api/v1/conversations number': 'our side of the conversation',
  '/api/v1/inbox number': 'our number',
  '/api/v1/invoice-issuers phone': 'phone of a seller',
  '/api/v1/invoices number': 'number of a document',
  '/api/v1/links number': 'selector in the answer of a carrier',
  '/api/v1/number-assignments number': 'our number',
  '/api/v1/opt-outs recipient': 'our number',
  '/api/v1/profiles phone': 'phone of one of our people',
  '/api/v1/routings number': 'our number',
  '/api/v1/test-numbers number': 'number that nobody has, or one of ours',
  '/api/v1/users phone': 'phone of one of our people',
  '/v1/conversations number': 'our side of the conversation',
  '/v1/conversations to': 'our number',
  '/v1/events number': 'number of a document',
  '/v1/events to': 'our number',
  '/v1/events/samples number': 'made up',
  '/v1/events/samples to': 'made up',
  '/v1/inbound to': 'our number',
  '/v1/invoices number': 'number of a document',
};

/** Lists the unmarked fields of answers that have such a name, as `path field`. */
function unmarked(schema: z.ZodType, seen: Set<z.ZodType>): string[] {
  if (seen.has(schema) || personalOf(schema) === 'text') return [];
  seen.add(schema);
  const { innerType, element, options, shape, valueType } = schema._zod.def as {
    innerType?: z.ZodType;
    element?: z.ZodType;
    options?: readonly z.ZodType[];
    shape?: Record<string, z.ZodType>;
    valueType?: z.ZodType;
  };
  const within = [innerType, element, valueType, ...(options ?? [])].filter((each) => each !== undefined);
  const fields = Object.entries(shape ?? {});
  const found = fields.flatMap(([name, field]) =>
    NAMES.has(name) && personalOf(field) === undefined && field.safeParse('639171234567').success ? [name] : [],
  );
  return [...found, ...[...within, ...fields.map(([, field]) => field)].flatMap((each) => unmarked(each, seen))];
}

test('a field named like a number is marked as a person’s, or is known as ours', () => {
  const found = [...ALL_OPERATIONS, ...PUBLIC_OPERATIONS].flatMap((o) =>
    [...new Set(unmarked(o.reply, new Set()))].map((name) => `${o.path.replace(/\/:.*$|\/explain$/, '')} ${name}`),
  );
  assert.deepEqual([...new Set(found)].sort(), Object.keys(OURS).sort(), 'mark it, or say in OURS why it stays');
});
