import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { TestApi } from '../test-api.ts';

/** Returns every place of the database in which an expression is found: `table.column`. */
export async function placesOf(owner: pg.Pool, pattern: string): Promise<string[]> {
  const { rows: columns } = await owner.query<{ table: string; column: string; type: string }>(
    `SELECT c.table_schema || '.' || quote_ident(c.table_name) AS table, quote_ident(c.column_name) AS column, c.data_type AS type
     FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema IN ('public', 'jobs') AND t.table_type = 'BASE TABLE' ORDER BY 1, 2`,
  );
  const found: string[] = [];
  for (const { table, column, type } of columns) {
    const text = type === 'bytea' ? `encode(${column}, 'escape')` : `${column}::text`;
    const { rows } = await owner.query(`SELECT 1 FROM ${table} WHERE ${text} ~ $1 LIMIT 1`, [pattern]);
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}

/** Returns the stored files in which an expression is found. */
export function filesOf(api: TestApi, pattern: RegExp): string[] {
  const folder = join(api.config.DATA_DIR, 'files');
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return names
    .map((each) => join(each.parentPath, each.name))
    .filter((path) => pattern.test(readFileSync(path, 'latin1')));
}
