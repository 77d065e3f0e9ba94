import { contact } from '@heliograph/contract/audience/contact';
import type { listRefusedContacts, mendContacts } from '@heliograph/contract/audience/contact-import';
import type { BodyOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import type { Task } from '#platform/tasks/task';
import { translate } from '#platform/text/i18n';
import { type CellFault, type CellRules, type IncomingContact, readContact } from './contact-cells.ts';
import { contactReading, lockContacts } from './contact-import.ts';
import { writeContacts } from './contact-write.ts';

type Refused = ReplyOf<typeof listRefusedContacts>['data'][number];
type Texts = Readonly<Record<string, string>>;

/** Rows of a page. */
const PAGE = 100;

/** Reads refused rows of an import in the order of the file, with their present faults and suggestions. */
export async function listRefused(
  ctx: Context,
  task: Task,
  after: number,
): Promise<ReplyOf<typeof listRefusedContacts>> {
  const { cells: rules, targets } = await contactReading(ctx.db, task.corporation_id!, task.parameters);
  const { rows } = await sql<{ line: number; cells: Texts }>`
    SELECT line, cells FROM refused_contact WHERE bulk_upload_id = ${task.id} AND line > ${after}
    ORDER BY line LIMIT ${PAGE}`.execute(ctx.db);
  const columns = targets.filter(Boolean);
  return {
    columns: columns.map((target) => ({ target, name: rules.fields.get(target)?.name ?? null })),
    data: rows.map(({ line, cells }) => shown(ctx, line, cells, read(cells, rules, targets).faults)),
    next: rows.length === PAGE ? rows.at(-1)!.line : null,
  };
}

/** Imports mended rows of an import. Those that still have a fault stay, and are answered. */
export async function mendRows(
  ctx: Context,
  task: Task,
  given: BodyOf<typeof mendContacts>['rows'],
): Promise<ReplyOf<typeof mendContacts>> {
  const corporation_id = task.corporation_id!;
  const { cells: rules, columns, parameters, targets } = await contactReading(ctx.db, corporation_id, task.parameters);
  await lockContacts(ctx.db, corporation_id, parameters.number_list_id);
  const { rows: waiting } = await sql<{ line: number; cells: Texts }>`
    SELECT line, cells FROM refused_contact
    WHERE bulk_upload_id = ${task.id} AND line = ANY (${given.map(({ line }) => line)}::bigint[])
    ORDER BY line`.execute(ctx.db);
  const mended = new Map(given.map(({ line, cells }) => [line, cells]));
  const good = new Map<string, { line: number; cells: Texts; contact: IncomingContact }>();
  const refused: Refused[] = [];
  for (const { line, cells: before } of waiting) {
    // Only the columns of the file count.
    const own = Object.entries(before).map(([target, text]) => [target, mended.get(line)?.[target] ?? text] as const);
    const cells: Texts = Object.fromEntries(own);
    const { contact: incoming, faults } = read(cells, rules, targets);
    const isRepeated = faults.length === 0 && good.has(incoming.number);
    if (isRepeated) faults.push(numberFault(incoming.number, 'contact_repeated'));
    if (faults.length > 0) refused.push(shown(ctx, line, cells, faults));
    else good.set(incoming.number, { line, cells, contact: incoming });
  }
  const { rows: now } = await sql<{ at: string }>`SELECT now() AS at`.execute(ctx.db);
  const writing = { importId: task.id, corporation_id, ...parameters, columns, at: now[0]!.at };
  const all = [...good.values()];
  const written = await writeContacts(
    ctx.db,
    writing,
    all.map((row) => row.contact),
  );
  const left = all.filter(({ contact: { number } }) => !written.has(number));
  for (const {
    line,
    cells,
    contact: { number },
  } of left)
    refused.push(shown(ctx, line, cells, [numberFault(number, 'contact_exists')]));
  const lines = all.filter((row) => !left.includes(row)).map(({ line }) => line);
  await sql`DELETE FROM refused_contact
    WHERE bulk_upload_id = ${task.id} AND line = ANY (${lines}::bigint[])`.execute(ctx.db);
  if (lines.length > 0)
    await audit(ctx, {
      name: contact.name,
      description: 'uploaded',
      subject_type: contact.name,
      subject_id: null,
      corporation_id,
      after: { file_name: task.file_name, rows_added: lines.length },
    });
  return { data: { imported: lines.length, refused: refused.sort((a, b) => a.line - b.line) } };
}

/** Reads cells in the order of their columns. */
const read = (cells: Texts, rules: CellRules, targets: readonly string[]) => {
  const held = targets.filter((target) => cells[target] !== undefined);
  return readContact(Object.fromEntries(held.map((target) => [target, { text: cells[target]! }])), rules);
};

const numberFault = (number: string, fault: 'contact_repeated' | 'contact_exists'): CellFault => ({
  target: 'number',
  field: 'number',
  value: number,
  fault: `validation.${fault}`,
  params: {},
  suggestion: null,
});

const shown = ({ locale }: Context, line: number, cells: Texts, faults: readonly CellFault[]): Refused => ({
  line,
  cells,
  faults: faults.map(({ target, fault, params, suggestion }) => ({
    field: target,
    fault,
    reason: translate(locale, fault, params),
    suggestion,
  })),
});
