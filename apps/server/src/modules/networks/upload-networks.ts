import { NETWORK_COLUMNS, network } from '@heliograph/contract/networks/network';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '#platform/database/db';
import type { BulkKind, RowFault } from '#platform/tasks/bulk-upload';
import { setPrefixes } from './networks.ts';

const { name, country, mcc, mnc, prefixes } = network.create.shape;
const row = z.object({ name, country, mcc, mnc, prefixes: prefixes.unwrap().min(1) });

/** Networks by one of their codes, or by country and name; networks of a row that are not known get a name there. */
interface FileRow {
  line: string;
  country: string | null;
  mcc: string | null;
  mnc: string | null;
  name: string | null;
  prefixes: string[];
}

const FAULTS = {
  country: 'validation.country',
  mcc: 'validation.mcc',
  mnc: 'validation.mnc',
  name: 'validation.required',
  prefixes: 'validation.prefix',
} as const;

function parse(raw: (column: string) => string): FileRow | RowFault {
  const cell = (column: string) => raw(column).trim() || null;
  const fields = {
    country: cell('country'),
    mcc: cell('mcc'),
    mnc: cell('mnc')?.replace(/^(\d)$/, '0$1') ?? null,
    name: cell('name'),
    prefixes: (cell('prefix') ?? '').split(/[\s,;]+/).map((each) => each.replace(/^(\+|00)/, '')),
  };
  const hasCode = fields.mcc !== null && fields.mnc !== null;
  const needed = hasCode ? ['prefixes', 'mcc', 'mnc'] : ['country', 'name', 'prefixes'];
  const checked = row
    .partial()
    .safeParse(
      Object.fromEntries(Object.entries(fields).filter(([field, value]) => value !== null || needed.includes(field))),
    );
  if (!checked.success) {
    const field = String(checked.error.issues[0]?.path[0]) as keyof typeof FAULTS;
    const column = field === 'prefixes' ? 'prefix' : field;
    return { field: column, value: raw(column), fault: FAULTS[field] };
  }
  return { ...fields, country: checked.data.country ?? null, line: fields.prefixes.join(' ') };
}

/** Returns the networks of rows by place in `rows`; null for those that are not there and lack country or name. */
async function networksOf(db: Kysely<Database>, rows: readonly FileRow[]): Promise<(number | null)[]> {
  const { rows: found } = await sql<{ place: number; id: number | null }>`
    SELECT r.place::int, coalesce(
      (SELECT n.id FROM network n WHERE (n.mcc = r.mcc AND n.mnc = r.mnc) OR r.mcc || '-' || r.mnc = ANY (n.other_codes)
       ORDER BY n.mcc = r.mcc AND n.mnc = r.mnc DESC NULLS LAST LIMIT 1),
      (SELECT n.id FROM network n WHERE n.country = r.country AND name_key(n.name) = name_key(r.name))) AS id
    FROM jsonb_to_recordset(${JSON.stringify(rows.map((each, place) => ({ ...each, place })))}::jsonb)
      AS r (place integer, country text, mcc text, mnc text, name text) ORDER BY r.place`.execute(db);
  return found.map(({ id }) => id);
}

/** Files of prefixes. They are added to their networks, and taken from those that had them, as one version. */
export const networkKind: BulkKind<FileRow> = {
  name: network.name,
  columns: NETWORK_COLUMNS,
  required: ['prefix'],
  key: 'prefix',
  duplicate: 'validation.network_prefix_repeated',
  begin: () => ({
    parse,
    keyOf: ({ line }) => line,
    async refuse(db, rows) {
      const ids = await networksOf(db, rows);
      return new Map(
        rows.flatMap((each, place) =>
          ids[place] === null && (each.country === null || each.name === null)
            ? [[each.line, { field: 'name', value: each.name ?? '', fault: 'validation.network_unknown' } as const]]
            : [],
        ),
      );
    },
    async add(db, rows) {
      let ids = await networksOf(db, rows);
      const unknown = rows.filter((_, place) => ids[place] === null);
      if (unknown.length > 0) {
        await sql`INSERT INTO network (country, mcc, mnc, name)
          SELECT country, CASE WHEN mnc IS NULL THEN NULL ELSE mcc END, CASE WHEN mcc IS NULL THEN NULL ELSE mnc END, name
          FROM jsonb_to_recordset(${JSON.stringify(unknown)}::jsonb) AS r (country text, mcc text, mnc text, name text)
          ON CONFLICT DO NOTHING`.execute(db);
        ids = await networksOf(db, rows);
      }
      const owner = new Map<string, number>();
      const added = new Set<string>();
      for (const [place, { prefixes, line }] of rows.entries())
        for (const prefix of prefixes)
          if (!owner.has(prefix)) {
            owner.set(prefix, ids[place]!);
            added.add(line);
          }
      const all = [...owner.keys()];
      const present = await db
        .selectFrom('network_row')
        .select(['id', 'prefixes'])
        .where(sql<boolean>`prefixes && ${all}::text[] OR id = ANY (${[...new Set(owner.values())]}::bigint[])`)
        .execute();
      const wanted: Record<number, string[]> = {};
      for (const { id, prefixes } of present) wanted[id!] = prefixes!.filter((prefix) => !owner.has(prefix));
      for (const [prefix, id] of owner) wanted[id]!.push(prefix);
      await setPrefixes(db, wanted, 'upload', null);
      return added;
    },
  }),
};
