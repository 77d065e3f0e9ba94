import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitPassed } from '../../src/modules/billing/limits.ts';

const account = (
  credit_balance: string,
  low_balance_limit: string | null,
  cost_warning_limit: string | null,
  reserved = '0.000',
  credit_limit = '0.000',
) => ({
  credit_balance,
  credit_limit,
  reserved,
  low_balance_limit,
  cost_warning_limit,
});

test('a balance is low below its limit, not at it', () => {
  assert.equal(limitPassed(account('99.999', '100.000', null)), 'low');
  assert.equal(limitPassed(account('100.000', '100.000', null)), undefined);
});

test('a debt above the cost warning limit is reported before any other limit', () => {
  assert.equal(limitPassed(account('-500.001', '100.000', '500.000')), 'owes_much');
  assert.equal(limitPassed(account('-500.000', '100.000', '500.000')), 'low');
  assert.equal(limitPassed(account('-500.001', null, null)), undefined);
});

test('the credit limit counts as available, and a reserved amount does not', () => {
  assert.equal(limitPassed(account('40.000', '100.000', null, '60.000')), 'low');
  assert.equal(limitPassed(account('40.000', '100.000', null, '0.000', '60.000')), undefined);
  assert.equal(limitPassed(account('40.000', '100.000', null, '0.000', '59.999')), 'low');
});

test('a reserved amount is not owed until it is charged', () => {
  assert.equal(limitPassed(account('-600.000', null, '500.000', '100.000')), undefined);
  assert.equal(limitPassed(account('-600.000', null, '500.000', '99.999')), 'owes_much');
});
