import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isLeaked, packPasswords } from '../../src/modules/identity/common-passwords.ts';

const shipped = readFileSync(new URL('../../src/modules/identity/common-passwords.bin', import.meta.url));
const hash = (text: string) => createHash('sha1').update(text).digest().subarray(0, 6).toString('hex');
const entriesOf = (bytes: Buffer): string[] => bytes.toString('hex').match(/.{12}/g) ?? [];

test('a list becomes sorted beginnings of hashes, once for each spelling of a password', () => {
  const packed = packPasswords(['Sunshine1', 'sunshine-1', 'short', 'ｓｕｎｓｈｉｎｅ１', 'iloveyou', '', '!!!!!!!!']);
  assert.deepEqual(entriesOf(packed), [hash('sunshine1'), hash('iloveyou')].sort());
  assert.equal(packed.length, 12);
});

test('the same list in another order gives the same bytes', () => {
  const list = ['baseball', 'football', 'qwertyuiop', 'mustang9'];
  assert.deepEqual(packPasswords(list), packPasswords(list.toReversed()));
});

test('the shipped list has this form, and its passwords are found', () => {
  assert.equal(shipped.length % 6, 0);
  const entries = entriesOf(shipped);
  assert.ok(entries.length > 20_000, `${entries.length} entries`);
  assert.deepEqual(entries, [...new Set(entries)].sort());
  assert.ok(entries.includes(hash('qwertyuiop')));
  for (const [password, leaked] of [
    ['Qwerty-Uiop', true],
    ['letmein!!', true],
    ['1234567890', true],
    ['harbor-lantern-velvet', false],
    ['abc123', false],
  ] as const)
    assert.equal(isLeaked(password), leaked, password);
});
