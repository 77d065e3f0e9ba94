import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type PasswordPolicy, passwordFault } from '../../src/modules/identity/index.ts';

const standard: PasswordPolicy = { rule: 'standard', max_length: 0 };
const strong: PasswordPolicy = { rule: 'strong', max_length: 0 };

test('standard: 8 to 16 characters with a special character and a number', () => {
  for (const good of ['lantern#41', 'Helio#2026', 'ilaw-sa-7-gabi', '灯塔守夜人的灯光#7', 'l4ntern light-16']) {
    assert.equal(passwordFault(good, standard), undefined, good);
  }
  for (const bad of ['lamp#41', 'lantern-41-lantern', 'lantern41', 'lantern#', 'lantern 41', '']) {
    assert.equal(passwordFault(bad, standard), 'password_standard', bad);
  }
});

test('strong: 8 to 14 characters with a special character, a number and both cases', () => {
  assert.equal(passwordFault('Lantern#41', strong), undefined);
  for (const bad of ['lantern#41', 'LANTERN#41', 'Lantern##', 'Lantern41', 'Lantern#41-long']) {
    assert.equal(passwordFault(bad, strong), 'password_strong', bad);
  }
});

test('an operator can raise the maximum length, but not lower it', () => {
  assert.equal(passwordFault('a-much-longer-lantern-4-you', { rule: 'standard', max_length: 64 }), undefined);
  assert.equal(passwordFault('lantern-41-light', { rule: 'standard', max_length: 8 }), undefined);
});

test('common passwords are refused, also with usual substitutions', () => {
  for (const common of [
    'Password1!',
    'P@ssw0rd1',
    'qwerty#123',
    'admin@2024',
    'W3lcome!2025',
    '12345678!',
    '11111111#',
  ]) {
    assert.equal(passwordFault(common, standard), 'password_common', common);
  }
});

const letters = fc.string({ maxLength: 20, unit: fc.constantFrom(...'aZé4७#\u0301 灯😀') });

test('every accepted password follows the rule that accepted it', () => {
  fc.assert(
    fc.property(letters, fc.constantFrom(standard, strong), (password, policy) => {
      if (passwordFault(password, policy)) return;
      const length = [...password].length;
      assert.ok(length >= 8 && length <= (policy.rule === 'strong' ? 14 : 16));
      assert.match(password, /\p{N}/u);
      assert.match(password, /[^\p{L}\p{N}\s]/u);
      if (policy.rule === 'strong') assert.match(password, /\p{Lu}.*\p{Ll}|\p{Ll}.*\p{Lu}/su);
    }),
  );
});
