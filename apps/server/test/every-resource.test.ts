import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PERMISSIONS } from '@heliograph/contract/access/role-permissions';
import { ERRORS } from '@heliograph/contract/kernel/errors';
import { LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import { RESOURCES } from '@heliograph/contract/registry';
import { ALL_OPERATIONS } from '@heliograph/contract/test/operations';
import { tableOf } from './every-resource/records.ts';
import { shapeOf } from './every-resource/sample.ts';
import { sentencesOf } from './sentences.ts';
import { testDatabase } from './template-database.ts';

const database = await testDatabase({ after });
const sentences = Object.fromEntries(LOCALES.map((locale) => [locale, sentencesOf(locale)]));
const said = (locale: Locale, key: string) => sentences[locale]!.has(key);

test('each call is declared once, with a permission that exists', () => {
  const calls = ALL_OPERATIONS.map((o) => `${o.method} ${o.path}`);
  assert.ok(calls.length >= 300, String(calls.length));
  assert.deepEqual(
    calls.filter((call, i) => calls.indexOf(call) !== i),
    [],
  );
  for (const o of ALL_OPERATIONS) {
    assert.ok(o.permission === null || PERMISSIONS.includes(o.permission), `${o.path}: ${o.permission}`);
    assert.ok(o.session !== 'public' || o.permission === null, o.path);
    for (const code of o.errors) assert.ok(code in ERRORS, `${o.path}: ${code}`);
    const named = [...o.path.matchAll(/:(\w+)/g)].map((match) => match[1]);
    assert.deepEqual(Object.keys(shapeOf(o.params)), named, o.path);
  }
});

test('every conflict is a unique constraint of the resource’s own table', async () => {
  for (const r of RESOURCES) {
    const { rows } = await database.pool('owner').query<{ name: string }>(
      `WITH t AS (SELECT $1::regclass AS id UNION SELECT inhrelid FROM pg_inherits WHERE inhparent = $1::regclass)
       SELECT conname AS name FROM pg_constraint WHERE conrelid IN (SELECT id FROM t) AND contype IN ('u', 'p')
       UNION SELECT relname FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indrelid IN (SELECT id FROM t) AND indisunique`,
      [tableOf(r)],
    );
    const names = rows.map(({ name }) => name);
    for (const constraint of Object.keys(r.conflicts))
      assert.ok(names.includes(constraint), `${r.name}: ${constraint}`);
  }
});

test('every record, and each of its fields, has a name in four languages', () => {
  for (const r of RESOURCES)
    for (const locale of LOCALES) {
      for (const word of ['one', 'many'])
        assert.ok(said(locale, `resources.${r.name}.${word}`), `${locale} ${r.name}.${word}`);
      for (const shape of [r.row, r.create, r.update])
        for (const field of Object.keys(shapeOf(shape))) {
          if (field === 'abilities' || field === 'etag') continue;
          // Languages have their names from the platform of the language (Intl).
          if (r.name === 'languages' && (LOCALES as readonly string[]).includes(field)) continue;
          assert.ok(said(locale, `resources.${r.name}.fields.${field}`), `${locale} ${r.name}.fields.${field}`);
        }
    }
});

/** Filters that compare several fields of the row; their handlers say how. */
const FILTERS_OF_SEVERAL_FIELDS = new Set([
  'rates.in_force_on',
  'contacts.number_list_id',
  'contacts.tag',
  'contacts.contact_field_id',
  'contacts.value',
  'contacts.same_name',
]);

test('a resource sorts, filters and takes its title only by fields of its row', () => {
  for (const r of RESOURCES) {
    const row = Object.keys(shapeOf(r.row));
    const filters = Object.keys(shapeOf(r.filters)).filter(
      (name) => !FILTERS_OF_SEVERAL_FIELDS.has(`${r.name}.${name}`),
    );
    for (const field of [...r.sort, ...filters, r.title]) assert.ok(row.includes(field), `${r.name}: ${field}`);
  }
});
