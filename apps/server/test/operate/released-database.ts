import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATIONS, migrate } from '#platform/database/migrate';
import { emptyDatabase, type Scope, type TestDatabase } from '../template-database.ts';

interface Release {
  release: string;
  last_migration: string;
}

/** The last release. */
export const released = JSON.parse(readFileSync(join(MIGRATIONS, 'release.json'), 'utf8')) as Release;

/** Makes a folder that is removed with the test. */
export function temporaryFolder(t: Scope): string {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-upgrade-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Makes a database as the last release left it, without later migrations. */
export const releasedDatabase = (t: Scope): Promise<TestDatabase> => databaseUpTo(t, released.last_migration);

/** Makes a database with the migrations up to the one of this file name. */
export async function databaseUpTo(t: Scope, last: string): Promise<TestDatabase> {
  const folder = temporaryFolder(t);
  for (const name of readdirSync(MIGRATIONS).filter((each) => each.endsWith('.sql') && each <= last)) {
    copyFileSync(join(MIGRATIONS, name), join(folder, name));
  }
  const database = await emptyDatabase(t);
  const applied = await migrate({ url: database.url, folder });
  assert.equal(applied.at(-1), last);
  return database;
}

/** Last migration of release 0.1.0, whose data and work under way later ones move. */
export const FIRST_RELEASE = '0027_routing_calls.sql';
