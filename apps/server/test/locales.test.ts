import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERRORS } from '@heliograph/contract/kernel/errors';
import { FIGURE_FIELDS, FIGURES } from '@heliograph/contract/kernel/figures';
import { LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import { FILIPINO_LOANS, flat, messageFiles, readMessages, sentencesOf } from './sentences.ts';

const sentences = Object.fromEntries(LOCALES.map((locale) => [locale, sentencesOf(locale)])) as Record<
  Locale,
  Map<string, string>
>;
const OTHERS = LOCALES.filter((locale) => locale !== 'en');

/** Words that are the same in every language: names, units, codes, and English terms of the trade. */
const PRODUCT_WORDS =
  /\b(SMS|GSM|UCS-2|UTF-8|UTF-16|BE|Unicode|CSV|XLSX|ID|IDs|URL|API|SMPP|UTC|PHP|IP|OTP|MCC|MNC|Enter|Esc|Ctrl|STOP|Stripe|PayMongo|Maya|Flash|Carrier|Heliograph|OK|vs)\b/g;

const placeholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}/g)].map((m) => m[1]).sort();
/** Returns the rest of a sentence without placeholders, merge fields, product words, digits and signs. */
const words = (text: string) =>
  text
    .replace(/\{\{[^}]*\}\}|\{\w+\}|https?:\/\/\S*|\S+@\S+|\b[\w-]+\.(com|test)\b/g, ' ')
    .replace(PRODUCT_WORDS, ' ')
    .match(/\p{L}[\p{L}'’-]*/gu) ?? [];
/**
 * Returns the key without its plural suffix. Plural forms differ between languages, so `one` and `other` count as the
 * key.
 */
const base = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '');
const keysOf = (locale: Locale) => new Set([...sentences[locale].keys()].map(base));

test('all languages have the same files, and at least one', () => {
  assert.ok(messageFiles('en').length >= 8, messageFiles('en').join());
  assert.ok(sentences.en.size >= 500, String(sentences.en.size));
  for (const locale of OTHERS) assert.deepEqual(messageFiles(locale), messageFiles('en'), locale);
});

test('all languages have the same keys', () => {
  const wanted = keysOf('en');
  for (const locale of OTHERS) {
    const present = keysOf(locale);
    assert.deepEqual(
      {
        missing: [...wanted].filter((key) => !present.has(key)),
        superfluous: [...present].filter((key) => !wanted.has(key)),
      },
      { missing: [], superfluous: [] },
      locale,
    );
  }
});

/** Fields whose English name means different things, each with its own word in Chinese. */
const HOMONYMS = new Set(['action', 'from', 'key', 'message', 'name', 'number', 'to']);

test('a field with one name in English has one name in each language', () => {
  for (const locale of OTHERS) {
    const names = new Map<string, Map<string, string>>();
    for (const [key, english] of sentences.en) {
      const field = /^resources\..+\.fields\.(.+)$/.exec(key)?.[1];
      if (field === undefined || HOMONYMS.has(field)) continue;
      const one = names.get(`${field}: ${english}`) ?? new Map<string, string>();
      names.set(`${field}: ${english}`, one.set(sentences[locale].get(key)!, key));
    }
    const several = [...names].filter(([, all]) => all.size > 1);
    assert.deepEqual(several, [], locale);
  }
});

test('a figure has one name and one definition in each language', () => {
  const guide = readFileSync(new URL('../src/seed/guide/figures.md', import.meta.url), 'utf8');
  for (const locale of LOCALES) {
    const names = new Map<string, Set<string>>();
    const say = (figure: string, key: string) => {
      const name = sentences[locale].get(key);
      if (name) names.set(figure, (names.get(figure) ?? new Set()).add(name));
    };
    for (const [list, fields] of Object.entries(FIGURE_FIELDS))
      for (const [field, figure] of Object.entries(fields)) {
        // Statuses have the names of the specification. In a campaign, the spend is called charged.
        const other = ['processed', 'spend'].includes(figure) || (list === 'campaign-history' && field === 'expired');
        if (!other) say(figure, `resources.${list}.fields.${field}`);
      }
    for (const figure of ['delivered', 'failed', 'expired', 'blocked', 'cancelled'] as const) {
      say(figure, `outcome.${figure}`);
      say(figure, `funnel.${figure}`);
      if (figure !== 'cancelled') say(figure, `dashboard.${figure}`);
    }
    for (const key of ['funnel.submitted', 'dashboard.submitted']) say('accepted', key);
    for (const figure of ['blocked', 'submitted']) say(figure, `message_state.${figure}`);
    for (const [figure, all] of names) assert.equal(all.size, 1, `${locale} ${figure}: ${[...all].join()}`);
    for (const figure of FIGURES) assert.ok(sentences[locale].get(`figure_means.${figure}`), figure);
  }
  for (const figure of FIGURES) assert.ok(guide.includes(sentences.en.get(`figure_means.${figure}`)!), figure);
});

test('each key is defined in only one file', () => {
  for (const locale of LOCALES) {
    const files = new Map<string, string>();
    for (const file of messageFiles(locale))
      for (const [key] of flat(readMessages(locale, file))) {
        assert.equal(files.get(key), undefined, `${locale}: ${key} is in ${files.get(key)} and ${file}`);
        files.set(key, file);
      }
  }
});

test('a sentence shows the same values in every language', () => {
  for (const locale of OTHERS)
    for (const [key, text] of sentences[locale]) {
      const english = sentences.en.get(key) ?? sentences.en.get(`${base(key)}_other`);
      if (english) assert.deepEqual(placeholders(text), placeholders(english), `${locale}: ${key}`);
    }
});

test('no sentence is empty, padded or has half a placeholder', () => {
  for (const locale of LOCALES)
    for (const [key, text] of sentences[locale]) {
      // A suffix follows a number directly, so its space belongs to it.
      assert.ok(text.trim() !== '' && (text === text.trim() || key.endsWith('_suffix')), `${locale}: ${key}`);
      const left = text.replace(/\{\{\w+\}\}/g, '');
      assert.ok(!/\{\{|\}\}/.test(left), `${locale}: ${key}: ${text}`);
    }
});

test('Chinese is written in Chinese characters', () => {
  for (const locale of ['cn', 'zh'] as const)
    for (const [key, text] of sentences[locale]) {
      if (words(sentences.en.get(key) ?? text).length === 0) continue;
      assert.match(text, /\p{Script=Han}/u, `${locale}: ${key}: ${text}`);
      // Three Latin words in a row are English text that was not translated.
      const latin = text.replace(/\{\{[^}]*\}\}|\{\w+\}|\S+@\S+|https?:\/\/\S*/g, '').replace(PRODUCT_WORDS, '');
      assert.ok(!/[A-Za-z]{2,}\s+[A-Za-z]{2,}\s+[A-Za-z]{2,}/.test(latin), `${locale}: ${key}: ${text}`);
    }
});

test('Filipino is not English: only loan words are the same', () => {
  const english = [...sentences.fp].filter(
    ([key, text]) =>
      sentences.en.get(key) === text && words(text).some((word) => !FILIPINO_LOANS.has(word.toLowerCase())),
  );
  assert.deepEqual(english, []);
  const ENGLISH = /\b(the|and|with|this|that|please|your|is|are|not|was|of)\b/gi;
  for (const [key, text] of sentences.fp) assert.ok((text.match(ENGLISH) ?? []).length < 2, `fp: ${key}: ${text}`);
});

/** Frequent characters that the two scripts write differently, in turn simplified and traditional. */
const PAIRS =
  '们們个個这這为為发發来來时時会會对對说說还還后後过過开開关關长長门門问問间間员員单單价價费費账帳户戶号號码碼数數据據录錄应應该該链鏈级級组組织織审審选選项項删刪设設备備载載认認证證权權页頁没沒缩縮写寫错錯误誤请請谢謝续續终終结結线線从從务務处處无無';
const SIMPLIFIED = new Set([...PAIRS].filter((_, i) => i % 2 === 0));
const TRADITIONAL = new Set([...PAIRS].filter((_, i) => i % 2 === 1));

test('Simplified and Traditional Chinese do not use each other’s characters', () => {
  const offenders = (locale: Locale, foreign: ReadonlySet<string>) =>
    [...sentences[locale]].flatMap(([key, text]) =>
      [...text].filter((character) => foreign.has(character)).map((character) => `${key}: ${character}`),
    );
  assert.deepEqual(offenders('cn', TRADITIONAL), []);
  assert.deepEqual(offenders('zh', SIMPLIFIED), []);
});

test('a long sentence differs between the two Chinese scripts', () => {
  const same = [...sentences.cn].filter(
    ([key, text]) => (text.match(/\p{Script=Han}/gu) ?? []).length >= 10 && sentences.zh.get(key) === text,
  );
  assert.deepEqual(same, []);
});

test('every error has its sentence in every language, and every sentence its error', () => {
  for (const locale of LOCALES) {
    const said = [...sentences[locale].keys()].filter((key) => key.startsWith('errors.')).map((key) => key.slice(7));
    assert.deepEqual(said.sort(), Object.keys(ERRORS).sort(), locale);
  }
});
