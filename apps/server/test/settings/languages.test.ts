import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import { LINE_COLUMNS } from '@heliograph/contract/settings/language-line';
import { until } from '@heliograph/fault-kit';
import { seedReference } from '../../src/seed/reference.ts';
import { codeOf, dataOf, errorsOf, messageOf, type Row, rowsOf } from '../answers.ts';
import { uploadFile } from '../uploads.ts';
import { settingsStage } from './stage.ts';

const { api, owner, superadmin, corporate } = await settingsStage({ after });

const lineOf = async (group: string, key: string): Promise<Row> => {
  const found = rowsOf(await superadmin('GET', `/api/v1/languages?group=${group}&search=${key}&per_page=200`));
  return found.find((row) => row['key'] === key)!;
};
const inEach = (text: (locale: Locale) => string) =>
  Object.fromEntries(LOCALES.map((locale) => [locale, text(locale)])) as Record<Locale, string>;
const lineIn = (name: string, text: (locale: Locale) => string) => [name, ...LOCALES.map(text)].join();
const textsOf = async (locale: string) =>
  (await api.anonymous()('GET', `/api/v1/languages/texts?locale=${locale}`)).body as Record<string, string>;

/** Waits until the server uses a sentence, or no longer does. It learns of a change shortly after the commit. */
async function untilSaid(sentence: string, expected: boolean): Promise<void> {
  await until(`“${sentence}” is ${expected ? 'used' : 'gone'}`, async () => {
    const said = messageOf(await superadmin('GET', '/api/v1/corporations/999999999')) === sentence;
    return said === expected;
  });
}

test('an edited line shows everywhere, survives an update, and can be restored', async () => {
  const line = await lineOf('errors', 'not_found');
  assert.deepEqual([line['built_in'], line['edited'], line['abilities']], [true, false, { edit: true, delete: false }]);
  const path = `/api/v1/languages/${line.id}`;
  const sentence = 'We looked everywhere.';
  const changed = await superadmin('PATCH', path, { en: sentence });
  assert.equal(dataOf(changed)['edited'], true);
  assert.deepEqual(await textsOf('en'), { 'errors.not_found': sentence });
  await untilSaid(sentence, true);

  const client = await owner.connect();
  try {
    await client.query(
      `UPDATE language_text t SET text = 'Old words' FROM language_line l
       WHERE l.id = t.language_line_id AND "group" = 'actions' AND key = 'save' AND tag = 'en-US'`,
    );
    // A line edited before a language came gets its text in that language, and keeps the others.
    await client.query(
      `DELETE FROM language_text t USING language_line l
       WHERE l.id = t.language_line_id AND "group" = 'errors' AND key = 'not_found' AND tag = 'fil'`,
    );
    assert.equal((await lineOf('errors', 'not_found'))['fp'], sentence, 'English stands in');
    await seedReference(client);
  } finally {
    client.release();
  }
  const kept = await lineOf('errors', 'not_found');
  assert.deepEqual([kept['en'], kept['fp']], [sentence, line['fp']]);
  assert.equal((await lineOf('actions', 'save'))['en'], 'Save', 'what nobody edited follows the program');

  assert.equal(codeOf(await superadmin('DELETE', path)), 'language_line_built_in');
  assert.deepEqual(Object.keys(errorsOf(await superadmin('PATCH', path, { cn: '{{nobody}}' }))), ['cn']);
  assert.deepEqual(Object.keys(errorsOf(await superadmin('PATCH', path, { fp: ' ' }))), ['fp']);
  const restored = dataOf(await superadmin('POST', `${path}/restore`));
  assert.deepEqual([restored['en'], restored['edited']], [line['en'], false]);
  assert.deepEqual(await textsOf('en'), {});
  await untilSaid(sentence, false);
});

test('a custom line must be complete and unique, and is gone when deleted', async () => {
  const own = { group: 'shop', key: 'hours', ...inEach(() => 'Hours'), zh: '營業時間' };
  const { fp: _, ...partial } = own;
  assert.deepEqual(Object.keys(errorsOf(await superadmin('POST', '/api/v1/languages', partial))), ['fp']);
  const made = await superadmin('POST', '/api/v1/languages', own);
  assert.equal(made.status, 201);
  assert.equal(codeOf(await superadmin('POST', '/api/v1/languages', own)), 'language_line_already_exists');
  assert.deepEqual(await textsOf('zh'), { 'shop.hours': '營業時間' });
  const path = `/api/v1/languages/${dataOf(made).id}`;
  assert.equal(codeOf(await superadmin('POST', `${path}/restore`)), 'language_line_own');
  assert.equal((await superadmin('DELETE', path)).status, 200);
  assert.deepEqual(await textsOf('zh'), {});
});

test('lines are exported to a file and imported again, and errors are named', async () => {
  const file = String((await superadmin('GET', '/api/v1/languages/file')).body);
  const same = await uploadFile(superadmin, 'languages/bulk', file);
  assert.ok(same.upload.rows_read > 1_000);
  assert.deepEqual([same.upload.state, same.upload.rows_added, same.refused], ['done', 0, []]);
  const save = (await lineOf('actions', 'save')) as unknown as Record<Locale, string>;
  const changed = await uploadFile(
    superadmin,
    'languages/bulk',
    [
      LINE_COLUMNS.join(),
      lineIn('actions,save', (locale) => (locale === 'en' ? 'Keep' : save[locale])),
      lineIn('shop,sign', (locale) => `Sign ${locale}`),
      lineIn('shop,half', (locale) => (locale === 'en' ? 'Half' : '')),
      lineIn('list,results', () => '{{sum}}'),
    ].join('\n'),
  );
  assert.deepEqual([changed.upload.rows_added, changed.upload.rows_rejected], [2, 2]);
  assert.deepEqual(changed.refused, [
    ['4', 'cn', '', 'This field is required.'],
    ['5', 'en', '{{sum}}', 'The text has a placeholder that this line does not support.'],
  ]);
  assert.deepEqual(await textsOf('en'), { 'actions.save': 'Keep', 'shop.sign': 'Sign en' });
  const edited = String((await superadmin('GET', '/api/v1/languages/file?edited=true')).body);
  assert.equal(edited.trim().split('\n').length, 3);
  assert.equal((await corporate('GET', '/api/v1/languages/file')).status, 403);
});
