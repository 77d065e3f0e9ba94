import type { MergeField, MergeValues } from '@heliograph/contract/kernel/merge-fields';
import type { NumberRules } from '@heliograph/contract/kernel/number-rules';
import type { Kysely } from 'kysely';
import { isBareNumber, parseHeader, type TableColumns } from '#modules/contacts';
import type { Database } from '#platform/db';
import { BusinessError } from '#platform/errors';
import { readTable } from '#platform/table/read-table';

/** Somebody a campaign was asked to send to, as given. */
export interface Candidate {
  /** Name of the list or file; `custom_numbers` for pasted ones. */
  source: string;
  /** Line in a file, place among the pasted; null in a list. */
  line: number | null;
  number: string;
  values: MergeValues;
}

/** Where a campaign's recipients come from, in this order. */
export interface AudienceSources {
  lists: readonly { id: number; name: string }[];
  custom_numbers: string;
  /** `path` is that on the disk. */
  file: { path: string; name: string } | null;
}

const PAGE = 5_000;

/** Reads all sources as a stream of batches. `fields` names the values wanted beside the name. */
export async function* readAudience(
  db: Kysely<Database>,
  sources: AudienceSources,
  fields: readonly MergeField[],
  rules: NumberRules,
): AsyncGenerator<Candidate[]> {
  for (const list of sources.lists) yield* readList(db, list, fields);
  yield* readPasted(sources.custom_numbers);
  if (sources.file) yield* readFile(sources.file, rules);
}

async function* readList(
  db: Kysely<Database>,
  list: { id: number; name: string },
  fields: readonly MergeField[],
): AsyncGenerator<Candidate[]> {
  const columns = [...new Set<MergeField>(['name', ...fields])];
  for (let last = ''; ; ) {
    const rows = await db
      .selectFrom('number_list_number')
      .select(['number', ...columns])
      .where('number_list_id', '=', list.id)
      .where('number', '>', last)
      .orderBy('number')
      .limit(PAGE)
      .execute();
    if (rows.length === 0) return;
    yield rows.map((values) => ({ source: list.name, line: null, number: values.number, values }));
    if (rows.length < PAGE) return;
    last = rows.at(-1)!.number;
  }
}

/** The numbers of a text box: separated by commas, semicolons, tabs or line ends. */
export function splitPasted(text: string): string[] {
  return text.split(/[,;\t\r\n]+/).filter((number) => number.trim() !== '');
}

function* readPasted(text: string): Generator<Candidate[]> {
  const numbers = splitPasted(text);
  for (let start = 0; start < numbers.length; start += PAGE) {
    yield numbers.slice(start, start + PAGE).map((number, i) => ({
      source: 'custom_numbers',
      line: start + i + 1,
      number,
      values: {},
    }));
  }
}

async function* readFile(file: { path: string; name: string }, rules: NumberRules): AsyncGenerator<Candidate[]> {
  let columns: TableColumns | null = null;
  for await (const batch of readTable(file.path)) {
    let { rows } = batch;
    if (!columns) {
      const first = rows[0]!;
      columns = parseHeader(first.cells);
      if (columns) rows = rows.slice(1);
      else if (isBareNumber(first, rules)) columns = { number: 0, fields: [] };
      else throw new BusinessError('file_headers_invalid');
    }
    const { number, fields } = columns;
    yield rows.map(({ line, cells }) => {
      const values: MergeValues = {};
      for (const { field, column } of fields) values[field] = cells[column]?.trim() || null;
      return { source: file.name, line, number: cells[number] ?? '', values };
    });
  }
}
