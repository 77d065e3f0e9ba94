import type pg from 'pg';

// Parts of a database that a program can rely on, one per line. Two databases differ in the lines that only one of them
// has. Partitions of periods come and go; a partition of a kind (http_delivery) is a table with a name of its own.
const LASTS = `NOT (c.relispartition AND pg_get_expr(c.relpartbound, c.oid) NOT LIKE 'FOR VALUES IN %')`;

const RELATIONS = `
  SELECT CASE c.relkind WHEN 'v' THEN 'view ' ELSE 'table ' END || c.relname AS line FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v') AND ${LASTS}`;
const COLUMNS = `
  SELECT 'column ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) AS line
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v') AND ${LASTS}
    AND a.attnum > 0 AND NOT a.attisdropped`;
const FUNCTIONS = `
  SELECT 'function ' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ') ' || pg_get_function_result(p.oid) AS line
  FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prorettype <> 'trigger'::regtype`;
const LABELS = `
  SELECT 'label ' || t.typname || '.' || e.enumlabel AS line FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid
  WHERE t.typnamespace = 'public'::regnamespace`;
const GRANTS = `
  SELECT 'grant ' || g.privilege_type || ' ON ' || c.relname || ' TO ' || g.grantee::regrole AS line
  FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) g
  WHERE c.relnamespace = 'public'::regnamespace AND ${LASTS} AND c.relkind IN ('r', 'p', 'v', 'S')
    AND g.grantee::regrole::text LIKE 'heliograph\\_%'`;

// Rules that may refuse a row written by the previous program.
const DEMANDS = `
  SELECT 'constraint ' || c.relname || '.' || k.conname || ' ' || pg_get_constraintdef(k.oid) AS line, c.relname AS relation
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
  WHERE c.relnamespace = 'public'::regnamespace AND ${LASTS} AND k.contype IN ('c', 'u', 'p', 'f', 'x')
  UNION ALL
  SELECT 'unique index ' || c.relname || '.' || i.relname, c.relname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
  JOIN pg_class c ON c.oid = x.indrelid
  WHERE c.relnamespace = 'public'::regnamespace AND ${LASTS} AND x.indisunique
  UNION ALL
  SELECT 'value ' || c.relname || '.' || a.attname, c.relname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND ${LASTS} AND a.attnum > 0
    AND NOT a.attisdropped AND a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AND a.attgenerated = ''`;

async function linesOf(db: Pick<pg.Pool, 'query'>, query: string): Promise<string[]> {
  return (await db.query<{ line: string }>(query)).rows.map(({ line }) => line);
}

/**
 * Returns what a program made for `before` would lack in `after`, or would be refused for there. These are things that
 * are gone or have another type, and demands on rows of tables that it knows.
 */
export async function missedBy(before: Pick<pg.Pool, 'query'>, after: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const found: string[] = [];
  for (const query of [RELATIONS, COLUMNS, FUNCTIONS, LABELS, GRANTS]) {
    const present = new Set(await linesOf(after, query));
    found.push(...(await linesOf(before, query)).filter((line) => !present.has(line)).map((line) => `gone: ${line}`));
  }
  const known = new Set(await linesOf(before, RELATIONS));
  const demanded = new Set(await linesOf(before, DEMANDS));
  const { rows } = await after.query<{ line: string; relation: string }>(DEMANDS);
  for (const { line, relation } of rows) {
    if (known.has(`table ${relation}`) && !demanded.has(line)) found.push(`demanded: ${line}`);
  }
  return found.sort();
}
