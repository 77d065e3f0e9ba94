import { contact } from '@heliograph/contract/audience/contact';
import { contactSelection, exportContacts } from '@heliograph/contract/audience/contact-selection';
import { sql } from 'kysely';
import { z } from 'zod';
import { rowsOf } from '#platform/database/queryable';
import { dateCell } from '#platform/table/cells';
import { downloadJob } from '#platform/tasks/downloads';
import type { ExportedList, ListContext } from '#platform/tasks/exported-list';
import { translate } from '#platform/text/i18n';
import { chosenContacts, contactColumns } from './contact-rows.ts';

/** Job that writes contacts to a file. */
export const exportContactsJob = downloadJob('export-contacts');

const filters = z.object({
  corporation_id: z.int().optional(),
  selection: contactSelection,
  /** Fields that are columns, as they were when the person asked. */
  fields: z.array(z.object({ key: z.string(), name: z.string(), type: z.string() })),
});
type Filters = z.output<typeof filters>;
type Row = z.output<typeof contact.row>;

const COLUMNS = ['number', 'name', 'tags', 'consent'] as const;

/** Contacts of a selection as a file, the newest first. Yes/no values are written as files with them are read. */
export const contactFile: ExportedList<Filters, Row> = {
  kind: 'contacts',
  row: contact.row,
  permission: exportContacts.permission!,
  filters,
  async page(ctx, { limit, cursor, selection }) {
    const where = await chosenContacts(ctx, selection);
    const below = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
    const { rows } = await sql<Row>`WITH page AS MATERIALIZED (
        SELECT n.id FROM contact n WHERE ${where} AND n.id < ${below} ORDER BY n.id DESC LIMIT ${limit}
      ) SELECT ${contactColumns} FROM contact_row n WHERE n.id IN (SELECT id FROM page) ORDER BY n.id DESC`.execute(
      ctx.db,
    );
    return {
      data: rows,
      next_cursor: rows.length === limit ? String(rows.at(-1)!.id) : null,
    };
  },
  heading: ({ fields }, locale) => [
    ...COLUMNS.map((field) => translate(locale, `resources.contacts.fields.${field}`)),
    ...fields.map(({ name }) => name),
  ],
  cells: (row, { fields }, locale) => [
    row.number,
    row.name,
    row.tags.join(', '),
    translate(locale, `contact_consent.${row.consent}`),
    ...fields.map(({ key, type }) => {
      const value = row.fields[key] ?? null;
      if (type === 'date') return dateCell(value as string | null);
      return typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
    }),
  ],
};

/** Reads the chosen fields that the caller sees. */
export const chosenFields = ({ db }: Pick<ListContext, 'db'>, ids: readonly number[]): Promise<Filters['fields']> =>
  rowsOf(db, 'SELECT key, name, type FROM contact_field_row WHERE id = ANY ($1::bigint[]) ORDER BY id', [
    `{${ids.join()}}`,
  ]);
