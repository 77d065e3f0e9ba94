import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import type { IncomingContact } from './contact-cells.ts';
import type { ContactField } from './field-values.ts';

/** Import for which contacts are written. */
export interface ContactWriting {
  importId: number;
  corporation_id: number;
  mode: 'update' | 'add';
  empty: 'keep' | 'clear';
  /** Columns of the file besides the number. */
  columns: { name: boolean; tags: boolean; fields: readonly Pick<ContactField, 'slot' | 'type'>[] };
  number_list_id: number | null;
  /** Time that the contacts get as that of their change. */
  at: string;
}

const TYPES = { text: 'text', choice: 'text', number: 'double precision', date: 'date', yes_no: 'boolean' } as const;

/**
 * Adds contacts and changes those with the same numbers, and keeps what they were before. No number may come twice.
 * Returns the written numbers, and which of them were contacts already.
 */
export async function writeContacts(
  db: Kysely<Database>,
  writing: ContactWriting,
  contacts: readonly IncomingContact[],
): Promise<Map<string, { isChange: boolean }>> {
  const { importId, corporation_id, mode, empty, columns, number_list_id, at } = writing;
  const rows = contacts.map(({ number, name, tags, values }) => ({ number, name, tags, ...values }));
  const slots = columns.fields.map(({ slot }) => sql.ref(slot));
  const own = [...(columns.name ? [sql.ref('name')] : []), ...slots];
  const listed = (parts: readonly ReturnType<typeof sql.ref>[]) => (parts.length ? sql`, ${sql.join(parts)}` : sql``);
  const types = columns.fields.map(({ slot, type }) => sql`${sql.ref(slot)} ${sql.raw(TYPES[type])}`);
  const kept = own.map((column) =>
    empty === 'clear'
      ? sql`${column} = excluded.${column}`
      : sql`${column} = coalesce(excluded.${column}, contact.${column})`,
  );
  const changes = sql.join([
    sql`updated_at = excluded.updated_at`,
    // Tags are added to those that the person has.
    sql`tags = contact.tags || ARRAY(SELECT g FROM unnest(excluded.tags) g WHERE g <> ALL (contact.tags))`,
    ...kept,
  ]);
  const was = own.length
    ? sql`jsonb_build_object(${sql.join(own.flatMap((column, place) => [sql`${sql.lit(nameOf(columns, place))}::text`, sql`c.${column}`]))})`
    : sql`'{}'::jsonb`;
  // Changes of the same people wait here, so that the next statement sees what they are before.
  await sql`SELECT FROM contact WHERE corporation_id = ${corporation_id}
    AND number = ANY (${contacts.map(({ number }) => number)}::text[]) ORDER BY number FOR UPDATE`.execute(db);
  const { rows: written } = await sql<{ number: string; is_change: boolean; listed: boolean }>`
    WITH given AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS r (number text, name text, tags text[]${types.length ? sql`, ${sql.join(types)}` : sql``})
    ), was AS MATERIALIZED (
      SELECT c.id, jsonb_build_object('tags', c.tags, 'updated_at', c.updated_at) || ${was} AS before
      FROM contact c WHERE c.corporation_id = ${corporation_id} AND c.number IN (SELECT g.number FROM given g)
    ), written AS (
      INSERT INTO contact (corporation_id, number, source, created_at, updated_at, tags${listed(own)})
      SELECT ${corporation_id}, number, 'import', ${at}, ${at}, tags${listed(own)} FROM given ORDER BY number
      ON CONFLICT (corporation_id, number) DO ${mode === 'add' ? sql`NOTHING` : sql`UPDATE SET ${changes}`}
      RETURNING id, number
    ), listed AS (
      INSERT INTO number_list_number (number_list_id, number, name)
      SELECT ${number_list_id}::bigint, w.number, g.name FROM written w JOIN given g USING (number)
      WHERE ${number_list_id}::bigint IS NOT NULL ORDER BY number
      ON CONFLICT DO NOTHING RETURNING number
    ), recorded AS (
      INSERT INTO contact_change (bulk_upload_id, corporation_id, contact_id, number, before, listed, at)
      SELECT ${importId}, ${corporation_id}, w.id, w.number, o.before, l.number IS NOT NULL, ${at}
      FROM written w LEFT JOIN was o USING (id) LEFT JOIN listed l ON l.number = w.number
      ON CONFLICT (bulk_upload_id, contact_id) DO UPDATE
        SET at = excluded.at, listed = contact_change.listed OR excluded.listed
    ) SELECT w.number, o.id IS NOT NULL AS is_change, l.number IS NOT NULL AS listed
      FROM written w LEFT JOIN was o USING (id) LEFT JOIN listed l ON l.number = w.number`.execute(db);
  const more = written.filter((each) => each.listed).length;
  if (more > 0)
    await db
      .updateTable('number_list')
      .set({ numbers_count: sql`numbers_count + ${more}` })
      .where('id', '=', number_list_id!)
      .execute();
  return new Map(written.map(({ number, is_change }) => [number, { isChange: is_change }]));
}

const nameOf = ({ name, fields }: ContactWriting['columns'], place: number): string =>
  name ? (place === 0 ? 'name' : fields[place - 1]!.slot) : fields[place]!.slot;
