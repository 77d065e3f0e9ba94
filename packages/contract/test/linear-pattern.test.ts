import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinearPattern } from '@heliograph/contract/links/linear-pattern';
import fc from 'fast-check';

const find = (source: string, text: string) => LinearPattern.of(source)?.find(text);

test('a linear pattern finds what answers of carriers contain', () => {
  assert.deepEqual(find('^OK ([\\w-]+)', 'ok abc-1 more'), { whole: 'ok abc-1', group: 'abc-1' });
  assert.deepEqual(find('<id>(.*?)</id>', '<a><id>7</id><id>8</id>'), { whole: '<id>7</id>', group: '7' });
  assert.deepEqual(find('(?:id|ref)=(\\d{2,4})', 'ref=12345'), { whole: 'ref=1234', group: '1234' });
  assert.deepEqual(find('x|(y)', 'x'), { whole: 'x', group: undefined });
  assert.deepEqual(find('', 'abc'), { whole: '', group: undefined });
  assert.equal(find('^(?:error|fehler)\\b', 'errors'), undefined);
  assert.equal(find('a$', 'ab'), undefined);
});

test('an expression that cannot be linear, or is none, is refused', () => {
  const refused = [
    '(',
    'a)',
    '[a',
    '*a',
    'a**',
    'a{3,2}',
    '(?=a)',
    '(?<!a)b',
    '(a)\\1',
    '\\p{L}',
    '[z-a]',
    '^*',
    'a{2}{3}',
  ];
  for (const source of [...refused, 'x'.repeat(201), '((a{99}){99}){99}'])
    assert.equal(LinearPattern.of(source), undefined, source);
});

test('expressions that take engines for ever end in time', () => {
  const slow = [
    '(a+)+$',
    '((a+))+$',
    '(a|aa)+$',
    '(a?){25}a{25}$',
    'a*a*a*a*a*a*b',
    '(.*)(.*)(.*)(.*)x',
    '(\\w|\\d)+!',
  ];
  const begun = performance.now();
  for (const source of slow) assert.equal(LinearPattern.of(source)!.test(`${'a'.repeat(3_998)}?`), false, source);
  assert.ok(performance.now() - begun < 20_000, 'even on a busy machine');
});

const letter = fc.constantFrom('a', 'b', 'B', '0', ' ', '-', 'é', '\n');
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'pattern' },
    fc.constantFrom('a', 'b', 'B', '0', '.', '\\d', '\\w', '\\s', '[ab]', '[^a]', '[a-z0-9]', '\\-', 'é'),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '*?', '+?', '{2}', '{1,2}'))
      .map(([p, sign]) => `(?:b${p})${sign}`),
    tie('pattern').map((inside) => `(${inside})`),
  ),
}));

test('a linear pattern finds the same text as the expressions of the language', () => {
  fc.assert(
    fc.property(
      pattern,
      fc.constantFrom('', '^'),
      fc.constantFrom('', '$'),
      fc.array(letter, { maxLength: 12 }),
      (source, from, to, letters) => {
        const text = letters.join('');
        const expression = from + source + to;
        const expected = new RegExp(expression, 'i').exec(text);
        assert.equal(find(expression, text)?.whole, expected?.[0], `${expression} in ${JSON.stringify(text)}`);
      },
    ),
    { numRuns: 2_000 },
  );
});
