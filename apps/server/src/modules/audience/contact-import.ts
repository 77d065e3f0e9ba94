import { CONTACT_IMPORT } from '@heliograph/contract/audience/contact-import';
import type { FileColumn } from '@heliograph/contract/kernel/find-columns';
import type { NumberRules } from '@heliograph/contract/kernel/number-rules';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { LIST_LOCK } from '#modules/contacts';
import type { Database } from '#platform/database/db';
import { readNumberRules } from '#platform/operator/number-rules';
import { MsisdnSet } from '#platform/structures/msisdn-set';
import type { BulkKind } from '#platform/tasks/bulk-upload';
import { type CellRules, type ContactCell, type IncomingContact, readContact, targetOf } from './contact-cells.ts';
import { headingsDigest, headingsOf, isHeadless, shownTargets } from './contact-columns.ts';
import { type ContactWriting, writeContacts } from './contact-write.ts';
import { type ContactField, readContactFields } from './field-values.ts';

/** Choices of a person for a file of contacts, as the task keeps them. */
export const importParameters = z.object({
  /** Meaning of the columns; fields by their ids. */
  targets: z.array(z.string()),
  mode: z.enum(['update', 'add']),
  empty: z.enum(['keep', 'clear']),
  tags: z.array(z.string()),
  number_list_id: z.int().nullable(),
  day_first: z.boolean().nullable(),
  read_national: z.boolean(),
});
type Parameters = z.output<typeof importParameters>;

/** An import as its rows are read and written: the columns that still have a meaning, and the rules of their cells. */
export interface ContactReading {
  targets: readonly string[];
  cells: CellRules;
  columns: ContactWriting['columns'];
  parameters: Parameters;
}

/** Reads how the rows of an import are read now. */
export async function contactReading(
  db: Kysely<Database>,
  corporationId: number,
  stored: unknown,
): Promise<ContactReading> {
  const parameters = importParameters.parse(stored);
  const fields = await readContactFields(db, corporationId);
  const targets = shownTargets(parameters.targets, fields);
  const configured = await readNumberRules(db);
  return { targets, parameters, ...rulesOf(targets, { fields, parameters, configured }) };
}

function rulesOf(
  targets: readonly string[],
  given: { fields: readonly ContactField[]; parameters: Parameters; configured: NumberRules },
): Pick<ContactReading, 'cells' | 'columns'> {
  const { fields, parameters, configured } = given;
  const mapped = fields.filter((field) => targets.includes(targetOf(field)));
  return {
    cells: {
      fields: new Map(mapped.map((field) => [targetOf(field), field])),
      numbers: parameters.read_national ? configured : { ...configured, national: null },
      configured,
      order: parameters.day_first === null ? undefined : parameters.day_first ? 'day_first' : 'month_first',
      tags: parameters.tags,
    },
    columns: { name: targets.includes('name'), tags: targets.includes('tags'), fields: mapped },
  };
}

/** Makes changes of contacts by files, and of the list that gets them, wait for each other. */
export async function lockContacts(db: Kysely<Database>, corporationId: number, listId: number | null): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('contact-import', ${corporationId}))`.execute(db);
  if (listId !== null) await sql`SELECT pg_advisory_xact_lock(${LIST_LOCK}, hashint8(${listId}))`.execute(db);
}

/** Files of contacts of one corporation. */
export const contactKind: BulkKind<IncomingContact> = {
  name: 'contacts',
  columns: [],
  required: [],
  key: 'number',
  duplicate: 'validation.contact_exists',
  nothing: 'file_without_valid_numbers',
  bulk: 'contact',
  async begin(db, task, counts) {
    const corporation_id = task.corporation_id!;
    const reading = await contactReading(db, corporation_id, task.parameters);
    const { parameters, targets, cells: rules, columns } = reading;
    await lockContacts(db, corporation_id, parameters.number_list_id);
    // The file may be larger than all contacts of before, by which the statements are planned.
    await sql`SET LOCAL enable_seqscan = off`.execute(db);
    const { rows } = await sql<{ at: string }>`SELECT now() AS at`.execute(db);
    const writing: ContactWriting = { importId: task.id!, corporation_id, ...parameters, columns, at: rows[0]!.at };
    const held = targets.filter(Boolean);
    const seen = new MsisdnSet();
    const changes = new Set<string>();
    let refused = 0;
    // People see the columns by the names of their fields.
    const columnOf = new Map(held.map((target) => [target, columnName(target, rules)]));
    const cellsOf = (text: (column: string) => string, exact: (column: string) => string) =>
      Object.fromEntries(
        [...columnOf].map(([target, column]) => {
          const shown = text(column);
          const stored = exact(column);
          return [target, { text: shown, exact: stored === shown ? undefined : stored }];
        }),
      );
    return {
      async columnsOf(cells) {
        const headings = headingsOf(cells);
        const found: FileColumn[] = headings.map((name, at) => ({
          name: name || String(at + 1),
          field: columnOf.get(targets[at] ?? '') ?? null,
        }));
        const numberAt = targets.indexOf('number');
        if (numberAt >= headings.length || isHeadless(headings, numberAt, rules.numbers))
          return { columns: found, fault: 'file_headers_invalid' };
        await remember(db, corporation_id, headings, parameters.targets);
        return { columns: found, fault: undefined };
      },
      parse(cell, exact) {
        const { contact, faults } = readContact(cellsOf(cell, exact), rules);
        const [fault] = faults;
        if (fault) return fault;
        if (!seen.add(contact.number))
          return { field: 'number', value: contact.number, fault: 'validation.contact_repeated' };
        if (contact.national) counts.rows_national++;
        return contact;
      },
      keyOf: ({ number }) => number,
      async add(trx, contacts) {
        changes.clear();
        const written = await writeContacts(trx, writing, contacts);
        for (const [number, { isChange }] of written) if (isChange) changes.add(number);
        return new Set(written.keys());
      },
      isChange: (number) => changes.has(number),
      async keepRefused(trx, lines) {
        const kept = lines.flatMap(({ line, cells, exact }) => {
          const own = placedCells(targets, cells, exact);
          return readContact(own, rules).faults.length > 0 ? [{ line, cells: textsOf(own, rules) }] : [];
        });
        const room = kept.slice(0, Math.max(0, CONTACT_IMPORT.mostRefused - refused));
        refused += kept.length;
        if (room.length === 0) return;
        await sql`INSERT INTO refused_contact (bulk_upload_id, corporation_id, line, cells)
          SELECT ${task.id!}, ${corporation_id}, line, cells
          FROM jsonb_to_recordset(${JSON.stringify(room)}::jsonb) AS r (line bigint, cells jsonb)`.execute(trx);
      },
    };
  },
};

/** Returns the name under which a column is shown; a field that is named like another column has its key. */
function columnName(target: string, { fields }: CellRules): string {
  const name = fields.get(target)?.name;
  return name === undefined || ['number', 'name', 'tags'].includes(name.toLowerCase()) ? target : name;
}

const LONGEST_CELL = 4_000;

function placedCells(
  targets: readonly string[],
  cells: readonly string[],
  exact: Readonly<Record<number, string>>,
): Record<string, ContactCell> {
  const held = [...targets.entries()].filter(([, target]) => target !== '');
  return Object.fromEntries(
    held.map(([at, target]) => [target, { text: (cells[at] ?? '').slice(0, LONGEST_CELL), exact: exact[at] }]),
  );
}

/** Returns the texts of cells that are kept: dates as calendar dates, and all others as they are shown. */
function textsOf(cells: Readonly<Record<string, ContactCell>>, { fields }: CellRules): Record<string, string> {
  return Object.fromEntries(
    Object.entries(cells).map(([target, { text, exact }]) => {
      const isDate = fields.get(target)?.type === 'date' && /^\d{4}-\d\d-\d\d/.test(exact ?? '');
      return [target, (isDate ? exact!.slice(0, 10) : text).replaceAll('\0', '')];
    }),
  );
}

async function remember(db: Kysely<Database>, corporation_id: number, headings: string[], targets: string[]) {
  await sql`INSERT INTO contact_mapping (corporation_id, headings_sha256, targets)
    VALUES (${corporation_id}, ${headingsDigest(headings)}, ${targets}::text[])
    ON CONFLICT (corporation_id, headings_sha256) DO UPDATE SET targets = excluded.targets, updated_at = now()`.execute(
    db,
  );
}
