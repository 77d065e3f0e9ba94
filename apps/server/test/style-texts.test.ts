import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { WORDS } from './plain-words.ts';
import { sentencesOf } from './sentences.ts';

// Plain English in the console's texts, as CONTRIBUTING.md promises it.

const ROOT = resolve(import.meta.dirname, '../../..');
const texts = [...sentencesOf('en')];

/** Texts that keep a word or a form against the rules below, each with its reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'synonyms.callbacks': 'what people type who look for callbacks',
  'errors.has_dependencies': 'the specification prescribes it to the letter',
  'menu.give-permissions': 'the specification names the screen so',
  'users.permissions': 'the specification names the screen so',
  'menu.profile': 'the specification titles the screen so',
  'resources.users.fields.otp': 'the specification calls the field OTP',
};

/** Words of the console that have a plainer one, and those of the field that the glossary names differently. */
const TEXT_WORDS: readonly (readonly [RegExp, string])[] = [
  ...WORDS,
  [/\b(some|any|every)body\b/i, 'someone, anyone or all users'],
  [/\balone\b/i, 'only'],
  [/\boctets?\b/i, 'byte'],
  [/\bby (it|them)sel(f|ves)\b/i, 'automatically'],
  [/\b(goes|go) on\b/i, 'continues'],
  [/\bany ?more\b/i, 'no longer'],
  [/\bbeforehand\b/i, 'in advance'],
  [/\bshows? up\b/i, 'appears'],
  [/\bhanded\b/i, 'sent, accepted or forwarded'],
  [/\b(put|puts|comes?) into force\b|\bin force\b/i, 'applied or valid'],
  [/\b(became|becomes) of\b/i, 'result'],
  [/\bcalled off\b|\bcall off\b/i, 'cancelled'],
  [/\bswitche?d? (it )?(on|off)\b(?! or out of reach)/i, 'enable or disable'],
  [/\bwebhooks?\b/i, 'callback'],
  [/\bone-time passwords?\b|\bOTP\b/i, 'sign-in code'],
  [/’/, "': a typographic apostrophe makes an SMS Unicode"],
];

/** Openings of a text that do not name the thing or the action. `Give` is only for permissions. */
const TEXT_OPENING =
  /^(what|who|whoever|whose|whom|whichever|whatever|nobody|of|so|give|(on|in|by|for|to|with|from|at|of) (which|whom|what))\b/i;

const BUTTON = /<Button\b(?:[^<>]|=>|<\w+[^<>]*\/>)*>\s*\{t\('([\w.-]+)'/g;
/** Keys of the texts on buttons: those that the console puts into one, and those named so. */
const buttonKeys = new Set([
  ...globSync('apps/console/src/**/*.tsx', { cwd: ROOT }).flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(BUTTON)].map((key) => key[1]),
  ),
  ...texts.map(([key]) => key).filter((key) => /^actions\.|^resources\.[\w-]+\.first$|\.(action|submit)$/.test(key)),
]);
const LONGEST_BUTTON = 24;
const LONGEST_COLUMN = 32;
const MOST_WORDS = 25;

const excused = new Set<string>();

/** Returns the texts that break a rule, without the exceptions. */
const offenders = (breaks: (text: string, key: string) => string | undefined) =>
  texts.flatMap(([key, text]) => {
    const fault = breaks(text, key);
    if (fault && EXCEPTIONS[key]) excused.add(key);
    return fault && !EXCEPTIONS[key] ? [`${key}: “${text}”: ${fault}`] : [];
  });

test('a text of the console uses plain words, and one word for each thing', () => {
  assert.deepEqual(
    offenders((text) => {
      const found = TEXT_WORDS.find(([word]) => word.test(text.replace(/\{\{\w+\}\}/g, '')));
      return found && `write ${found[1]}`;
    }),
    [],
  );
});

test('a text of the console begins with a noun or a verb', () => {
  assert.deepEqual(
    offenders((text) => (TEXT_OPENING.test(text) ? 'name the thing or the action' : undefined)),
    [],
  );
});

test('a sentence of the console is short enough to be read once', () => {
  const tooLong = (sentence: string) => sentence.split(/\s+/).length > MOST_WORDS;
  assert.deepEqual(
    offenders((text) => (text.split(/(?<=[.!?:])\s/).some(tooLong) ? `at most ${MOST_WORDS} words` : undefined)),
    [],
  );
});

test('labels of buttons and columns fit, and are in sentence case', () => {
  assert.ok(buttonKeys.size > 100, `${buttonKeys.size} buttons were seen`);
  const isColumn = (key: string) => /^resources\.[\w-]+\.fields\./.test(key);
  assert.deepEqual(
    offenders((text, key) => {
      const { length } = text.replace(/\{\{\w+\}\}/g, '');
      if (buttonKeys.has(key) && length > LONGEST_BUTTON) return `at most ${LONGEST_BUTTON} characters`;
      if (isColumn(key) && length > LONGEST_COLUMN) return `at most ${LONGEST_COLUMN} characters`;
      const isLabel = buttonKeys.has(key) || isColumn(key) || key.startsWith('menu.');
      const words = text
        .replace(/\b(Chinese|Excel|TLS|SMPP)\b/g, '')
        .split(' ')
        .slice(1);
      return isLabel && words.some((word) => /^[A-Z][a-z]{2,}/.test(word))
        ? 'only the first word is capitalized'
        : undefined;
    }),
    [],
  );
});

test('each exception to the rules for texts is needed', () => {
  assert.deepEqual(
    Object.keys(EXCEPTIONS).filter((key) => !excused.has(key)),
    [],
  );
});
