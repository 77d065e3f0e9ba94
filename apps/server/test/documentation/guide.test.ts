import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERMISSIONS } from '@heliograph/contract/access/role-permissions';
import { COMMON_ERRORS } from '@heliograph/contract/api/openapi';
import { PUBLIC_OPERATIONS } from '@heliograph/contract/api/operations';
import { OUTAGES } from '@heliograph/contract/kernel/outages';
import { guide, type Source, seedDocumentation, versionsOf } from '../../src/seed/documentation.ts';
import { seedReference } from '../../src/seed/reference.ts';
import { type Scope, testDatabase } from '../template-database.ts';
import { harmIn } from './hostile-html.ts';

const source = (key: string, text: string, more: Partial<Source> = {}): Source => ({
  key,
  parent: null,
  position: 0,
  is_parent: false,
  permission: null,
  title: key,
  source: text,
  written: false,
  translations: {},
  ...more,
});

test('edited articles stay, removed ones stay away, and all others follow the program', async (t) => {
  const client = (await testDatabase(t)).pool('owner');
  const texts = async () => {
    const { rows } = await client.query(
      `SELECT a.key, p.key AS parent, a.title, a.plain FROM article a LEFT JOIN article p ON p.id = a.parent_id ORDER BY a.key`,
    );
    return Object.fromEntries(rows.map(({ key, parent, title, plain }) => [key, [parent, title, plain]]));
  };
  const part = source('part', '', { is_parent: true });
  const first = ['followed', 'edited', 'removed', 'moved', 'gone'].map((key) =>
    source(key, `${key} one`, { parent: 'part' }),
  );
  await seedDocumentation(client, [part, ...first], '# Log\n\n## 1.1.0 – 2026-02-01\n\n- New\n\n## 1.0.0\n\n- Old\n');
  assert.deepEqual(Object.keys(await texts()), ['edited', 'followed', 'gone', 'moved', 'part', 'removed']);

  await client.query(`UPDATE article SET plain = 'mine', edited = true WHERE key = 'edited'`);
  await client.query(`DELETE FROM article WHERE key = 'removed'`);
  await client.query(`UPDATE article SET parent_id = NULL WHERE key = 'moved'`);
  await client.query(`UPDATE change_log SET description = 'mine', edited = true WHERE version = '1.0.0'`);
  const second = ['followed', 'edited', 'removed', 'moved', 'added'].map((key) =>
    source(key, `${key} two`, { parent: 'part', title: `${key} two` }),
  );
  const log = '# Log\n\n## 2.0.0-rc.1\n\n- Next\n\n## 1.1.0 – 2026-02-01\n\n- Newer\n\n## 1.0.0\n\n- Older\n';
  for (let time = 0; time < 2; time++) {
    await seedDocumentation(client, [part, ...second], log);
    assert.deepEqual(await texts(), {
      added: ['part', 'added two', 'added two'],
      edited: ['part', 'edited', 'mine'],
      followed: ['part', 'followed two', 'followed two'],
      moved: [null, 'moved two', 'moved two'],
      part: [null, 'part', ''],
    });
    const { rows } = await client.query('SELECT version, stability, description FROM change_log ORDER BY position');
    assert.deepEqual(
      rows.map(({ version, stability, description }) => [version, stability, description.replace(/<[^>]+>|\s/g, '')]),
      [
        ['2.0.0-rc.1', 'candidate', 'Next'],
        ['1.1.0', 'stable', 'Newer'],
        ['1.0.0', 'stable', 'mine'],
      ],
    );
  }
});

test('translations follow the program, and edited articles keep theirs', async (t) => {
  const client = (await testDatabase(t)).pool('owner');
  const seed = (text: string, translations: Source['translations']) =>
    seedDocumentation(client, [source('a', text, { translations }), source('b', text, { translations })], '');
  const shown = async () =>
    (
      await client.query(
        `SELECT a.key || ' ' || locale AS of, t.title, t.plain FROM article_translation t JOIN article a ON a.id = article_id ORDER BY 1`,
      )
    ).rows.map((row) => Object.values(row).join(' '));
  await seed('one', { cn: { title: '甲', source: '一' }, fp: { title: 'Isa', source: 'isa' } });
  assert.deepEqual(await shown(), ['a cn 甲 一', 'a fp Isa isa', 'b cn 甲 一', 'b fp Isa isa']);
  await client.query("UPDATE article SET edited = true WHERE key = 'b'");
  await seed('one', { cn: { title: '乙', source: '二' } });
  assert.deepEqual(await shown(), ['a cn 乙 二', 'b cn 甲 一', 'b fp Isa isa']);
  // The English text has changed, and nobody has translated it yet.
  await seed('two', {});
  assert.deepEqual(await shown(), ['b cn 甲 一', 'b fp Isa isa']);
});

test('every version in the change log states its name and its stability', () => {
  const versions = versionsOf(
    '# Changelog\n\nWords.\n\n## Unreleased\n\na\n\n## [0.9.0] - 2026-01-01\n\nb\n\n## 1.0.0-beta.2 (x)\n\nc\n',
  );
  assert.deepEqual(
    versions.map(({ version, stability, source: text }) => [version, stability, text]),
    [
      ['Unreleased', 'development', 'a'],
      ['0.9.0', 'beta', 'b'],
      ['1.0.0-beta.2', 'beta', 'c'],
    ],
  );
});

/** Prepares a database with the data of every installation, as the program has it now. */
async function installed(t: Scope) {
  const owner = (await testDatabase(t)).pool('owner');
  const client = await owner.connect();
  await seedReference(client).finally(() => client.release());
  return owner;
}

test('the guide of every installation is clean and links to its own articles', async (t) => {
  const sources = guide();
  const keys = new Set(sources.map(({ key }) => key));
  assert.equal(keys.size, sources.length);
  for (const { key, permission, source: text } of sources) {
    assert.ok(permission === null || PERMISSIONS.includes(permission), `${key}: ${permission}`);
    for (const [, to] of text.matchAll(/\?article=([\w-]+)/g)) assert.ok(keys.has(to!), `${key} leads to ${to}`);
    // An address that is relative to the page would become plain text.
    for (const [, to] of text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '').matchAll(/\]\(([^)\s]+)/g))
      assert.match(to!, /^(\/|https?:|mailto:|#)/, `${key} leads to ${to}`);
  }
  const owner = await installed(t);
  const { rows } = await owner.query<{ key: string; description: string; is_parent: boolean }>(
    'SELECT key, description, is_parent FROM article',
  );
  assert.ok(rows.length >= 50, String(rows.length));
  for (const { key, description, is_parent } of rows) {
    assert.deepEqual(harmIn(description), [], key);
    assert.ok(is_parent || description.length > 200, key);
  }
});

test('every error code and outage has its entry in the article on errors', () => {
  const article = guide().find(({ key }) => key === 'api-errors')!.source;
  const codes = new Set([...COMMON_ERRORS, ...PUBLIC_OPERATIONS.flatMap(({ errors }) => errors)]);
  assert.ok(codes.size >= 25, String(codes.size));
  assert.deepEqual(
    [...codes, ...Object.keys(OUTAGES)].filter((code) => !article.includes(`\`${code}\``)),
    [],
  );
});

test('every setting has its entry in the article on settings', async (t) => {
  const owner = await installed(t);
  const { rows } = await owner.query<{ key: string }>('SELECT key FROM global_configuration');
  assert.ok(rows.length >= 14, String(rows.length));
  const article = guide().find(({ key }) => key === 'global-configurations')!.source;
  assert.deepEqual(
    rows.filter(({ key }) => !article.includes(`\`${key}\``)),
    [],
  );
});

test('every screen of the main menu has its article, with the screen’s own permission', async (t) => {
  const owner = await installed(t);
  const { rows } = await owner.query<{ url: string; permission: string; held: string }>(
    `SELECT DISTINCT m.url, m.permission, p.name AS held FROM menu m LEFT JOIN article a ON a.key = m.url
     LEFT JOIN permission p ON p.id = a.permission_id WHERE m.url <> ''`,
  );
  assert.ok(rows.length >= 38, String(rows.length));
  for (const { url, permission, held } of rows) assert.equal(held, permission, `write seed/guide/${url}.md`);
});
