import { checkNumber, type NumberRules } from '@heliograph/contract/kernel/number-rules';
import { NUMBER_DUMP_COLUMNS, numberSource } from '@heliograph/contract/number-lookups/number-source';
import { type Kysely, sql } from 'kysely';
import { type NetworkTable, readNetworks } from '#modules/networks';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { readNumberRules } from '#platform/operator/number-rules';
import type { BulkKind, RowFault } from '#platform/tasks/bulk-upload';

interface Loaded {
  msisdn: string;
  network_id: number | null;
  dead: boolean;
}

/** States of a dump that mean that nobody has the number, if its source names none. */
const DEAD = ['dead', 'unallocated', 'disconnected'];

function parserOf(rules: NumberRules, networks: NetworkTable, dead: readonly string[]) {
  return (raw: (column: string) => string): Loaded | RowFault => {
    const cell = (column: string) => raw(column).trim();
    const { msisdn } = checkNumber(cell('number'), rules);
    if (msisdn === undefined) return { field: 'number', value: cell('number'), fault: 'validation.number' };
    const isDead = dead.includes(cell('state').toLowerCase());
    const code = cell('mcc') === '' && isDead ? null : networks.byCode(cell('mcc'), cell('mnc'));
    if (code === undefined)
      return { field: 'mcc', value: `${cell('mcc')}-${cell('mnc')}`, fault: 'validation.dump_network' };
    return { msisdn, network_id: code?.id ?? null, dead: isDead };
  };
}

/** Files of numbers with their networks. A number that was looked up before gets what the file says. */
export const numberDumpKind: BulkKind<Loaded> = {
  name: numberSource.name,
  columns: NUMBER_DUMP_COLUMNS,
  required: ['number', 'mcc', 'mnc'],
  key: 'number',
  async begin(db: Kysely<Database>, { parameters }) {
    const { number_source_id } = parameters as { number_source_id: number };
    const { dead_values } = await db
      .selectFrom('number_source')
      .select('dead_values')
      .where('id', '=', number_source_id)
      .executeTakeFirstOrThrow();
    const rules = await readNumberRules(db);
    const networks = await readNetworks((text, values) => rowsOf(db, text, values));
    const dead = dead_values.length > 0 ? dead_values.map((value) => value.toLowerCase()) : DEAD;
    return {
      parse: parserOf(rules, networks, dead),
      keyOf: ({ msisdn }) => msisdn,
      async add(db, rows) {
        // If a file has a number twice, its last row counts.
        const entries = new Map(rows.map((row) => [row.msisdn, row]));
        await sql`INSERT INTO number_lookup AS l (msisdn, number_source_id, network_id, dead)
          SELECT msisdn, ${number_source_id}, network_id, dead
          FROM jsonb_to_recordset(${JSON.stringify([...entries.values()])}::jsonb) AS r (msisdn text, network_id bigint, dead boolean)
          ORDER BY msisdn
          ON CONFLICT (msisdn) DO UPDATE SET number_source_id = excluded.number_source_id, network_id = excluded.network_id,
            dead = excluded.dead, looked_up_at = now()`.execute(db);
        return new Set(entries.keys());
      },
    };
  },
};
