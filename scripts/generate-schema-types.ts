import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { testDatabase } from '../apps/server/test/template-database.ts';

// Writes the types of all tables and views, read from a freshly migrated database.

const SCHEMA_FILE = resolve(import.meta.dirname, '../apps/server/src/platform/database/schema.ts');

/** TypeScript types that platform/database/db.ts makes of these types of PostgreSQL. */
const TYPE_MAPPING = { int8: 'number', timestamptz: 'string', timestamp: 'string', date: 'string', interval: 'string' };

/** Writes the generated types of the database at `url` to `path`. */
export function generateSchemaTypes(url: string, path: string): void {
  const codegen = createRequire(import.meta.url).resolve('kysely-codegen/dist/cli/bin.js');
  const options = [
    `--url=${url}`,
    `--out-file=${path}`,
    '--dialect=postgres',
    '--default-schema=public',
    '--exclude-pattern={schema_migrations,*.schema_migrations,jobs.*}',
    `--type-mapping=${JSON.stringify(TYPE_MAPPING)}`,
    '--log-level=error',
  ];
  execFileSync(process.execPath, [codegen, ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
}

if (import.meta.main) {
  const cleanUp: (() => unknown)[] = [];
  const { url } = await testDatabase({ after: (work) => void cleanUp.push(work as () => unknown) });
  try {
    generateSchemaTypes(url, SCHEMA_FILE);
  } finally {
    for (const work of cleanUp) await work();
  }
}
