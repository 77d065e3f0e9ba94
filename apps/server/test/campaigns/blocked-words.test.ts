import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockedWords } from '../../src/modules/campaigns/blocked-words.ts';
import { cleanTexts, evasions, PHRASES } from './blocked-corpus.ts';

const blocked = blockedWords(PHRASES);

test('at most one in 200 of 5,000 disguised blocked phrases passes', () => {
  assert.ok(PHRASES.length >= 200, String(PHRASES.length));
  const passed = [...evasions(1, 5_000)].filter(({ text }) => !blocked(text));
  const share = passed.length / 5_000;
  assert.ok(share <= 0.005, `${passed.length}: ${JSON.stringify(passed.slice(0, 40))}`);
});

test('at most one in 1,000 of 10,000 clean texts in eight languages is blocked', () => {
  const held = [...cleanTexts(2, 10_000)].filter((text) => blocked(text));
  assert.ok(held.length <= 10, `${held.length}: ${JSON.stringify(held.slice(0, 20), null, 1)}`);
});

test('a word is found only as a whole word, however it is written', () => {
  const some = blockedWords(['Casino', 'free money', '澳門', 'a.b', 'pill', 'казино', 'well', 'ass', '$$$']);
  for (const text of [
    'best CASINO',
    'Ｃａｓｉｎｏ',
    'ca\u200bsi\u00adno',
    'get Free Money now',
    'freemoney',
    'cas ino',
    'c.a.s.i.n.o',
    'C4$1no',
    'c*s*no',
    'саsinо',
    'кaзинo',
    '去澳 門',
    'A.B',
    'a$$',
    'fr33\nm0ney',
    'casino24',
    'win $$$ today',
    '\u{1f1e8}\u{1f1e6}\u{1f1f8}\u{1f1ee}\u{1f1f3}\u{1f1f4}',
  ])
    assert.ok(some(text), text);
  for (const text of [
    'casinos',
    'musica si no',
    'It is free. Money back',
    "we'll see",
    'pili',
    'classic',
    'as some say',
    'Order A55',
    'axb',
    '',
    '*',
    '\ud83d',
  ])
    assert.ok(!some(text), text);
  assert.ok(!blockedWords([])('casino') && !blockedWords([' ', '\u200b'])('casino'));
});
