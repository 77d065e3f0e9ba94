import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { testDatabase } from '../apps/server/test/template-database.ts';

// Writes the types of all tables and views, read from a freshly migrated database.

const SCHEMA_FILE = resolve(import.meta.dirname, '../apps/server/src/platform/database/schema.ts');

/** TypeScript types that platform/database/db.ts makes of these types of PostgreSQL. */
const TYPE_MAPPING = { int8: 'number', timestamptz: 'string', timestamp: 'string', date: 'string', interval: 'string' };

/**
 * Tables that only texts of SQL name, and the query builder never. TypeScript compares types of all tables with each other
 * where the builder is used, up to 316 of them, and refuses to compile with one more.
 */
const ONLY_IN_SQL = [
  'sandbox_due',
  'allowance_share',
  'blacklist_version',
  'callback_progress',
  'carrier_account',
  'carrier_poll',
  'carrier_quality_now',
  'carrier_quality_version',
  'carrier_reply_seen',
  'carrier_route_version',
  'closed_day',
  'contact_mapping',
  'conversion',
  'cost_entry',
  'cost_transfer',
  'day_closing',
  'directory_member',
  'documentation_offered',
  'exchange_rate_version',
  'inbound_seen',
  'journey_person',
  'journey_step',
  'journey_version',
  'link_health',
  'link_health_row',
  'link_now',
  'link_truth',
  'menu_offered',
  'network_prefix',
  'network_state',
  'network_version',
  'number_source_use',
  'price_plan_row',
  'recovery_request',
  'redacted_day',
  'retention_run',
  'sender_barred',
  'short_link_program',
  'smpp_failure',
  'smpp_feed',
  'traffic_cost',
  'traffic_owner',
];

/** Writes the generated types of the database at `url` to `path`. */
export function generateSchemaTypes(url: string, path: string): void {
  const codegen = createRequire(import.meta.url).resolve('kysely-codegen/dist/cli/bin.js');
  const options = [
    `--url=${url}`,
    `--out-file=${path}`,
    '--dialect=postgres',
    '--default-schema=public',
    `--exclude-pattern={schema_migrations,*.schema_migrations,jobs.*,${ONLY_IN_SQL.flatMap((name) => [name, `*.${name}`]).join()}}`,
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
