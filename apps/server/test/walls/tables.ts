import type pg from 'pg';

/** Column of a table, as the catalog of the database describes it. */
export interface Column {
  name: string;
  type: string;
  required: boolean;
  given: boolean;
  labels: string[] | null;
}

/** Table, as the catalog of the database describes it. */
export interface Table {
  name: string;
  columns: Column[];
  /** Tables that columns refer to. */
  references: Record<string, string>;
  checks: string;
  rowId: boolean;
}

/** Reads all tables and the partitions of kinds, each after those it refers to. */
export async function readTables(owner: pg.Pool): Promise<Table[]> {
  const { rows } = await owner.query<Table>(`
    SELECT c.relname AS name,
      (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, NULL),
          'required', a.attnotnull, 'given', a.atthasdef OR a.attidentity <> '',
          'labels', (SELECT json_agg(enumlabel ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = a.atttypid)) ORDER BY a.attnum)
        FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
      coalesce((SELECT json_object_agg(a.attname, k.confrelid::regclass::text) FROM pg_constraint k
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.conkey[1]
        WHERE k.conrelid = c.oid AND k.contype = 'f' AND cardinality(k.conkey) = 1 AND k.confrelid <> c.oid), '{}') AS references,
      coalesce((SELECT string_agg(pg_get_constraintdef(k.oid), ' ') FROM pg_constraint k
        WHERE k.conrelid = c.oid AND k.contype = 'c'), '') AS checks,
      EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'id' AND NOT a.attisdropped) AS "rowId"
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      AND NOT (c.relispartition AND pg_get_expr(c.relpartbound, c.oid) NOT LIKE 'FOR VALUES IN %')
    ORDER BY c.relname`);
  // A trigger stands for this foreign key, for the sake of imports.
  rows.find(({ name }) => name === 'number_list_number')!.references['number_list_id'] = 'number_list';
  const sorted = new Set<Table>();
  const met = new Set<Table>();
  const visit = (table: Table) => {
    if (met.has(table)) return;
    met.add(table);
    // Rows of the delivery refer to each other only by names.
    const named = table.columns.flatMap(({ name }) => /^(message|chunk|campaign)(?=_id$)/.exec(name)?.[0] ?? []);
    for (const name of [...Object.values(table.references), ...named]) {
      const other = rows.find((each) => each.name === name);
      if (other) visit(other);
    }
    sorted.add(table);
  };
  // Nearly all tables refer to people, who themselves refer to few.
  for (const name of ['corporation', 'department', 'price_plan', 'billing_account', 'user_account'])
    visit(rows.find((table) => table.name === name)!);
  for (const table of rows) visit(table);
  return [...sorted];
}

/** Tables with rows that come with others, or that belong to no single tenant. */
const LEFT_OUT = new Set([
  'carrier_card_replay_line',
  'margin_day',
  'ledger_transfer',
  'ledger_entry',
  'credit_change',
  'price_card',
  'rate_history',
  'billing_finding',
  // Payments of the ledger bring theirs.
  'account_payment',
  'user_supervisor',
  // Its rows are made in its partitions, one for each type of task.
  'task',
]);

/** Lists the tables that hold tenants' rows: those with a corporation, and those that refer to one of them. */
export function tenantTables(tables: readonly Table[]): Table[] {
  const found = new Set(['corporation', 'message', 'receipt']);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const { name, columns, references } of tables)
      if (
        columns.some((column) => column.name === 'corporation_id') ||
        Object.values(references).some((r) => found.has(r))
      )
        found.add(name);
  }
  return tables.filter(({ name }) => found.has(name) && !LEFT_OUT.has(name));
}
