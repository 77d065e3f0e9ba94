import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TRANSLATED } from '@heliograph/contract/documentation/article';
import { marked } from 'marked';
import type pg from 'pg';
import { plainOf, sanitise } from '#modules/documentation';
import { hasText, translate } from '#platform/text/i18n';
import { apiChanges } from './guide/api-changes.ts';
import { GUIDE } from './guide/contents.ts';
import { rolesAndPermissions } from './guide/roles-and-permissions.ts';
import { type Translated, translationsOf, type Words } from './guide-translations.ts';

type Client = Pick<pg.ClientBase, 'query'>;

/** Article of the program; `source` is Markdown. */
export interface Source {
  key: string;
  parent: string | null;
  position: number;
  is_parent: boolean;
  permission: string | null;
  title: string;
  source: string;
  /** Whether the text is made from the contract. */
  written: boolean;
  translations: Partial<Record<Translated, Words>>;
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);

function render(source: string): { description: string; plain: string } {
  const description = sanitise(marked.parse(source, { async: false, gfm: true }));
  return { description, plain: plainOf(description) };
}

/** Splits a Markdown file into its first heading and the rest. */
function split(text: string): { title: string; source: string } {
  const [, title, source] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? [];
  if (title === undefined || source === undefined)
    throw new Error(`a guide's article begins with its title: ${text.slice(0, 60)}`);
  return { title, source: source.trim() };
}

/** Articles that are written from the contract. */
const WRITTEN: Readonly<Record<string, () => string>> = {
  'roles-and-permissions': rolesAndPermissions,
  'api-changes': apiChanges,
};

const read = (key: string) => WRITTEN[key]?.() ?? readFileSync(join(import.meta.dirname, 'guide', `${key}.md`), 'utf8');

/** Returns the names of a part, as the menu has them. */
function namesOf(key: string): Partial<Record<Translated, Words>> {
  const own = `site.${key.replace(/^part-/, '').replaceAll('-', '_')}`;
  const name = (hasText(own) ? own : `menu.${key.replace(/^part-/, '')}`) as 'menu.campaigns';
  return Object.fromEntries(TRANSLATED.map((locale) => [locale, { title: translate(locale, name), source: '' }]));
}

/** Builds the guide: its parts, each before its articles. */
export const guide = (): Source[] =>
  GUIDE.flatMap(({ key, title, articles }, part) => [
    {
      key,
      parent: null,
      position: part * 10,
      is_parent: true,
      permission: null,
      title,
      source: '',
      written: false,
      translations: namesOf(key),
    },
    ...articles.map((article, place) => {
      const words = split(read(article.key));
      return {
        ...article,
        parent: key,
        position: place * 10,
        is_parent: false,
        ...words,
        written: article.key in WRITTEN,
        translations: translationsOf(article.key, words),
      };
    }),
  ]);

/** Splits a change log into its versions, the newest first: each second-level heading of its Markdown. */
export function versionsOf(markdown: string): { version: string; stability: string; source: string }[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      const version = heading
        .split(/\s+[-–—(]|\s{2,}/)[0]!
        .replace(/[[\]]/g, '')
        .trim();
      // The version is the title of its page, so the parts come one level below.
      const source = lines
        .join('\n')
        .replace(/^#(?=##)/gm, '')
        .trim();
      return { version, stability: stabilityOf(version), source };
    });
}

function stabilityOf(version: string): string {
  if (!/^v?\d/.test(version)) return 'development';
  if (/-alpha/.test(version)) return 'alpha';
  if (/-beta/.test(version)) return 'beta';
  if (/-rc/.test(version)) return 'candidate';
  return /^v?0\./.test(version) ? 'beta' : 'stable';
}

/**
 * Brings guide and change log up to the program's version. Articles that somebody edited stay unchanged, and removed
 * ones stay away. The place and the permission of an existing article are also the operator's.
 */
export async function seedDocumentation(
  client: Client,
  sources: readonly Source[],
  changes = readFileSync(join(import.meta.dirname, '../../../../CHANGELOG.md'), 'utf8'),
): Promise<void> {
  const { rows } = await client.query<{ key: string }>('SELECT key FROM documentation_offered');
  const offered = new Set(rows.map(({ key }) => key));
  await seedGuide(client, sources, offered);
  await seedChangeLog(client, versionsOf(changes), offered);
}

/** Tells whether the program offers something for the first time; existing articles count as offered. */
async function isNew(client: Client, offered: ReadonlySet<string>, key: string): Promise<boolean> {
  if (offered.has(key)) return false;
  await client.query('INSERT INTO documentation_offered (key) VALUES ($1) ON CONFLICT DO NOTHING', [key]);
  return true;
}

async function seedGuide(client: Client, sources: readonly Source[], offered: ReadonlySet<string>): Promise<void> {
  const { rows } = await client.query<{ id: number; key: string; source_hash: string; edited: boolean }>(
    'SELECT id, key, source_hash, edited FROM article WHERE key IS NOT NULL',
  );
  const present = new Map(rows.map((row) => [row.key, row]));
  for (const { key, parent, position, is_parent, permission, title, source, translations } of sources) {
    const hash = hashOf(`${title}\n${source}\n${JSON.stringify(translations)}`);
    const known = present.get(key);
    if (known && (known.edited || known.source_hash === hash)) continue;
    if (!known && !(await isNew(client, offered, key))) continue;
    const { description, plain } = render(source);
    if (known)
      await client.query(
        `UPDATE article a SET title = $2, description = $3, plain = $4, source_hash = $5, updated_at = now() WHERE id = $1
           AND NOT EXISTS (SELECT FROM article b WHERE b.parent_id IS NOT DISTINCT FROM a.parent_id AND b.title = $2 AND b.id <> $1)`,
        [known.id, title, description, plain, hash],
      );
    else
      await client.query(
        `INSERT INTO article (key, parent_id, position, is_parent, permission_id, title, description, plain, source_hash)
         VALUES ($1, (SELECT id FROM article WHERE key = $2 AND is_parent), $3, $4, (SELECT id FROM permission WHERE name = $5), $6, $7, $8, $9)
         ON CONFLICT DO NOTHING`,
        [key, parent, position, is_parent, permission, title, description, plain, hash],
      );
    await seedTranslations(client, key, hash, translations);
  }
  const keys = sources.map(({ key }) => key);
  if (rows.every(({ key }) => keys.includes(key))) return;
  // Pages are removed first, then the parts that this leaves empty.
  for (const part of [false, true])
    await client.query(
      `DELETE FROM article a WHERE key <> ALL ($1) AND NOT edited AND is_parent = $2
         AND NOT EXISTS (SELECT FROM article b WHERE b.parent_id = a.id)`,
      [keys, part],
    );
}

/** Writes the translations of an article whose English text is the program's. */
async function seedTranslations(
  client: Client,
  key: string,
  hash: string,
  translations: Source['translations'],
): Promise<void> {
  const rows = Object.entries(translations).map(([locale, { title, source }]) => ({
    locale,
    title,
    ...render(source),
  }));
  await client.query(
    `WITH own AS (SELECT id FROM article WHERE key = $1 AND source_hash = $2),
       old AS (DELETE FROM article_translation WHERE article_id = (SELECT id FROM own) AND locale <> ALL ($3))
     INSERT INTO article_translation (article_id, locale, title, description, plain)
     SELECT own.id, w.* FROM own, jsonb_to_recordset($4) AS w(locale text, title text, description text, plain text)
     ON CONFLICT (article_id, locale)
       DO UPDATE SET title = excluded.title, description = excluded.description, plain = excluded.plain`,
    [key, hash, rows.map(({ locale }) => locale), JSON.stringify(rows)],
  );
}

async function seedChangeLog(
  client: Client,
  versions: ReturnType<typeof versionsOf>,
  offered: ReadonlySet<string>,
): Promise<void> {
  const { rows } = await client.query<{
    version: string;
    position: number;
    source_hash: string | null;
    edited: boolean;
  }>('SELECT version, position, source_hash, edited FROM change_log WHERE built_in');
  const present = new Map(rows.map((row) => [row.version, row]));
  for (const [place, { version, stability, source }] of versions.entries()) {
    const hash = hashOf(source);
    const position = place + 1;
    const known = present.get(version);
    if (known && known.position !== position)
      await client.query('UPDATE change_log SET position = $2 WHERE version = $1', [version, position]);
    if (known && (known.edited || known.source_hash === hash)) continue;
    if (known)
      await client.query(
        'UPDATE change_log SET stability = $2, description = $3, source_hash = $4, updated_at = now() WHERE version = $1',
        [version, stability, render(source).description, hash],
      );
    else if (await isNew(client, offered, `version ${version}`))
      await client.query(
        `INSERT INTO change_log (version, stability, description, position, built_in, source_hash)
         VALUES ($1, $2, $3, $4, true, $5) ON CONFLICT DO NOTHING`,
        [version, stability, render(source).description, position, hash],
      );
  }
  await client.query('DELETE FROM change_log WHERE built_in AND NOT edited AND version <> ALL ($1)', [
    versions.map(({ version }) => version),
  ]);
}
