import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { TRANSLATED } from '@heliograph/contract/documentation/article';
import { guide } from '../../src/seed/documentation.ts';
import { markOf, readTranslation, translationPath, translationsOf } from '../../src/seed/guide-translations.ts';

const CODE_BLOCK = /^```[\s\S]*?^```/gm;

/** Returns what translations share with the English text: its parts, its code and where its links lead. */
function frameOf(markdown: string) {
  const prose = markdown.replaceAll(CODE_BLOCK, '');
  const all = (pattern: RegExp) => [...prose.matchAll(pattern)].map(([, part]) => part).sort();
  return {
    headings: prose.match(/^#+ /gm) ?? [],
    rows: (prose.match(/^\|/gm) ?? []).length,
    blocks: markdown.match(CODE_BLOCK) ?? [],
    code: all(/`([^`\n]+)`/g),
    links: all(/\]\(([^)\s]+)\)/g),
  };
}

const pages = guide().filter(({ parent }) => parent !== null);

test('a translation has the headings, tables, code and links of its English text', () => {
  const faults: string[] = [];
  for (const english of pages)
    for (const locale of TRANSLATED) {
      const words = readTranslation(locale, english.key);
      if (words?.mark !== markOf(english)) continue;
      const [own, wanted] = [frameOf(words.source), frameOf(english.source)];
      for (const part of Object.keys(wanted) as (keyof typeof wanted)[])
        if (JSON.stringify(own[part]) !== JSON.stringify(wanted[part]))
          faults.push(
            `${locale}/${english.key}: ${part}: ${JSON.stringify(own[part])} for ${JSON.stringify(wanted[part])}`,
          );
    }
  assert.deepEqual(faults, []);
});

test('translations into Chinese are Chinese, and none is the English text', () => {
  for (const { key, source, translations } of pages)
    for (const [locale, words] of Object.entries(translations)) {
      assert.notEqual(words.source, source, `${locale}/${key}`);
      if (locale !== 'fp') assert.match(words.source, /\p{Script=Han}{2}/u, `${locale}/${key}`);
    }
});

test('a translation of an older text is left out', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-guide-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'cn'));
  const english = { title: 'Contacts', source: 'People.' };
  writeFileSync(translationPath('cn', 'contacts', folder), `<!-- of ${markOf(english)} -->\n# 联系人\n\n人员。\n`);
  assert.deepEqual(translationsOf('contacts', english, folder), { cn: { title: '联系人', source: '人员。' } });
  assert.deepEqual(translationsOf('contacts', { ...english, source: 'People and tags.' }, folder), {});
  writeFileSync(translationPath('cn', 'contacts', folder), '# 联系人\n\n人员。\n');
  assert.deepEqual(translationsOf('contacts', english, folder), {});
  writeFileSync(translationPath('cn', 'contacts', folder), '联系人\n');
  assert.throws(() => translationsOf('contacts', english, folder), /does not begin with its title/);
});
