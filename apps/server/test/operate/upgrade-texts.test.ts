import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import { languageLineKind } from '#modules/settings';
import { editedLines } from '#platform/text/language-lines';
import { prepareDatabase } from '../../src/processes/prepare-database.ts';
import { releasedDatabase } from './released-database.ts';

const inEachLanguage = (text: string) =>
  Object.fromEntries(LOCALES.map((locale) => [locale, text])) as Record<Locale, string>;

test('edited texts survive an upgrade, and both releases read what the other writes', async (t) => {
  const database = await releasedDatabase(t);
  const owner = database.pool('owner');
  const worker = database.pool('worker');
  // Statements of the release before: its bulk upload, and the texts that it reads.
  const old = {
    write: (key: string, en: string) =>
      worker.query(
        `INSERT INTO language_line AS l ("group", key, en, cn, zh, fp, edited) VALUES ('shop', $1, $2, '招牌', '招牌', 'Karatula', true)
         ON CONFLICT ("group", key) DO UPDATE SET en = excluded.en, cn = excluded.cn, zh = excluded.zh, fp = excluded.fp,
           edited = excluded.edited
         WHERE (l.en, l.cn, l.zh, l.fp) IS DISTINCT FROM (excluded.en, excluded.cn, excluded.zh, excluded.fp)`,
        [key, en],
      ),
    read: async () => {
      const { rows } = await worker.query<{ texts: string }>(
        `SELECT concat_ws(' ', key, en, cn, zh, fp) AS texts FROM language_line WHERE edited ORDER BY key`,
      );
      return rows.map(({ texts }) => texts);
    },
  };
  await old.write('sign', 'Sign');
  await prepareDatabase(database.url);
  const texts = async () => {
    const lines = await editedLines(database.db('worker'));
    return lines.map(({ key, en, cn, zh, fp }) => [key.slice(5), en, cn, zh, fp].join(' ')).sort();
  };
  assert.deepEqual(await texts(), ['sign Sign 招牌 招牌 Karatula']);
  await old.write('sign', 'Board');
  await old.write('till', 'Till');
  const both = ['sign Board 招牌 招牌 Karatula', 'till Till 招牌 招牌 Karatula'];
  assert.deepEqual([await texts(), await old.read()], [both, both]);
  const upload = await languageLineKind.begin(
    database.db('worker'),
    { corporation_id: null, parameters: {} },
    { rows_national: 0 },
  );
  await upload.add(database.db('worker'), [
    { group: 'shop', key: 'door', ...inEachLanguage('Door') },
    { group: 'shop', key: 'till', ...inEachLanguage('Desk') },
  ]);
  const all = ['door Door Door Door Door', both[0], 'till Desk Desk Desk Desk'];
  assert.deepEqual([await texts(), await old.read()], [all, all]);
  await owner.query("DELETE FROM language_line WHERE key = 'door'");
  assert.equal((await texts()).length, 2);
});
