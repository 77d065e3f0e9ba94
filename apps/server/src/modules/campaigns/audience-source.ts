import type { FileReading } from '@heliograph/contract/kernel/file-reading';
import type { MergeField, MergeValues } from '@heliograph/contract/kernel/merge-fields';
import { checkNumber, type NumberRules } from '@heliograph/contract/kernel/number-rules';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import type { LocalFile } from '#platform/files/file-store';
import { MsisdnSet } from '#platform/structures/msisdn-set';
import { readTable, type TableRow } from '#platform/table/read-table';
import type { Tenant } from '#platform/table/workbook-turns';
import { type ColumnMapping, namesOf, type Places, placesOf } from './recipient-file.ts';

/** Recipient that a campaign was asked to send to, as given. */
export interface Candidate {
  /** Name of the list or file; `custom_numbers` for pasted ones. */
  source: string;
  /** Line in a file, or position among the pasted numbers; null in a list. */
  line: number | null;
  number: string;
  /** Set for a row that its sheet hides. */
  hidden?: true;
  values: MergeValues;
  /** Text of the row itself; left out if it has none. */
  own_text?: string;
}

/** File of recipients. */
export interface RecipientFile {
  /** Opens the file on this machine, for as long as it is read. */
  open(): Promise<LocalFile>;
  name: string;
  /** Owner of the file. */
  tenant: Tenant;
  /** Settings with which the preview read the file. */
  reading: FileReading;
  /** Names from the file's header row, or generated names if it has none. A header row is no recipient. */
  columns: readonly string[];
  mapping: ColumnMapping;
}

/** Contacts that a segment found when a quote was counted. */
export interface FrozenSegment {
  quote_id: number;
  id: number;
  name: string;
}

/** Sources of a campaign's recipients, read in this order. */
export interface AudienceSources {
  lists: readonly { id: number; name: string }[];
  /** Segments of a quote, with the contacts that they found then. */
  segments: readonly FrozenSegment[];
  custom_numbers: string;
  file: RecipientFile | null;
}

const PAGE = 5_000;
/** Maximum characters of a file's rows that wait together. Single rows may be long. */
const MAX_WAITING_CHARACTERS = 4_000_000;

/** Reads all sources as a stream of batches. `fields` lists the values that are needed besides the name. */
export async function* readAudience(
  db: Kysely<Database>,
  sources: AudienceSources,
  fields: readonly MergeField[],
): AsyncGenerator<Candidate[]> {
  for (const list of sources.lists) yield* readList(db, list, fields);
  for (const segment of sources.segments) yield* readFrozen(db, segment);
  yield* readPasted(sources.custom_numbers);
  if (sources.file) yield* readFile(sources.file, fields);
}

/** Reads a list in the order of its numbers, at most `page` of them in a batch. */
export async function* readList(
  db: Kysely<Database>,
  list: { id: number; name: string },
  fields: readonly MergeField[],
  page = PAGE,
): AsyncGenerator<Candidate[]> {
  const columns = [...new Set<MergeField>(['name', ...fields])];
  for (let last = ''; ; ) {
    const rows = await db
      .selectFrom('number_list_number')
      .select(['number', ...columns])
      .where('number_list_id', '=', list.id)
      .where('number', '>', last)
      .orderBy('number')
      .limit(page)
      .execute();
    if (rows.length === 0) return;
    yield rows.map((values) => ({ source: list.name, line: null, number: values.number, values }));
    if (rows.length < page) return;
    last = rows.at(-1)!.number;
  }
}

/** Reads the contacts that a segment found, in the order of their numbers; each page is a batch. */
export async function* readFrozen(db: Kysely<Database>, segment: FrozenSegment): AsyncGenerator<Candidate[]> {
  for (let page = 0; ; page++) {
    // Two texts are read faster than two arrays.
    const { rows } = await sql<{ numbers: string; names: string }>`
      SELECT array_to_string(numbers, ',') AS numbers, to_json(names)::text AS names FROM quote_recipient
      WHERE quote_id = ${segment.quote_id} AND segment_id = ${segment.id} AND page = ${page}`.execute(db);
    const found = rows[0];
    if (!found) return;
    const names = JSON.parse(found.names) as (string | null)[];
    if (found.numbers === '') continue;
    yield found.numbers
      .split(',')
      .map((number, at) => ({ source: segment.name, line: null, number, values: { name: names[at] ?? null } }));
  }
}

/** Splits the numbers of a text box at commas, semicolons, tabs or line ends. */
export function splitPasted(text: string): string[] {
  return text.split(/[,;\t\r\n]+/).filter((number) => number.trim() !== '');
}

/**
 * Returns the numbers of a text box as the carrier writes them. Invalid numbers are skipped: by the same rules they
 * cannot be recipients either. `checkSources` has refused them before.
 */
export function msisdnsOf(text: string, rules: NumberRules): MsisdnSet {
  const found = new MsisdnSet();
  for (const number of splitPasted(text)) {
    const { msisdn } = checkNumber(number, rules);
    if (msisdn !== undefined) found.add(msisdn);
  }
  return found;
}

/** Reads the numbers of a text box, at most `page` of them in a batch. */
export function* readPasted(text: string, page = PAGE): Generator<Candidate[]> {
  const numbers = splitPasted(text);
  for (let start = 0; start < numbers.length; start += page) {
    yield numbers.slice(start, start + page).map((number, i) => ({
      source: 'custom_numbers',
      line: start + i + 1,
      number,
      values: {},
    }));
  }
}

async function* readFile(file: RecipientFile, fields: readonly MergeField[]): AsyncGenerator<Candidate[]> {
  const places = placesOf(file.mapping, fields);
  let waiting: Candidate[] = [];
  let characters = 0;
  let begun = false;
  await using local = await file.open();
  for await (const { rows } of readTable(local.path, file)) {
    for (const row of rows) {
      if (!begun) {
        begun = true;
        if (isHeader(row, file)) continue;
      }
      waiting.push(candidateOf(row, file.name, places));
      for (const cell of row.cells) characters += cell.length;
    }
    // A piece of a file holds only a few hundred rows: too few for a query of its own.
    if (waiting.length < PAGE && characters < MAX_WAITING_CHARACTERS) continue;
    yield waiting;
    [waiting, characters] = [[], 0];
  }
  if (waiting.length > 0) yield waiting;
}

function isHeader({ cells }: TableRow, { columns }: RecipientFile): boolean {
  return namesOf(cells, columns.length).every((name, at) => name === columns[at]);
}

/** Returns the recipient of a file's row. */
export function candidateOf(
  { line, cells, hidden }: Pick<TableRow, 'line' | 'cells' | 'hidden'>,
  source: string,
  { number, content, fields }: Places,
): Candidate {
  const values: MergeValues = {};
  for (const { field, column } of fields) values[field] = storable(cells[column]) || null;
  const candidate: Candidate = { source, line, number: cells[number] ?? '', values };
  if (hidden) candidate.hidden = hidden;
  if (content >= 0) candidate.own_text = storable(cells[content]);
  return candidate;
}

/** Returns a cell without blanks around it, and without NUL and the mark of encrypted texts, which no text may hold. */
function storable(cell: string | undefined): string {
  if (cell === undefined) return '';
  const trimmed = cell.trim();
  if (!trimmed.includes('\0') && !trimmed.includes('\u0002')) return trimmed;
  return trimmed.replaceAll('\0', '').replaceAll('\u0002', '').trim();
}
