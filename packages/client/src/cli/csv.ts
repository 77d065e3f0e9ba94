import { createReadStream, statSync } from 'node:fs';
import { HeliographError } from '../errors.ts';

/** A row of a file with a header, its line's number, and how much of the file was read, from 0 to 1. */
export interface CsvRow {
  line: number;
  values: Readonly<Record<string, string>>;
  read: number;
}

interface Parsed {
  line: number;
  cells: string[];
  read: number;
}

const LONGEST_ROW = 1_000_000;

/** Rows of cells by RFC 4180: quoted cells may hold separators, quotes and line ends. */
async function* cellsOf(path: string, separatorOf: (head: string) => string): AsyncGenerator<Parsed> {
  const { size } = statSync(path);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let separator = '';
  let [cell, quoted, closed, line, begun, bytes] = ['', false, false, 1, 1, 0];
  let cells: string[] = [];
  let length = 0;
  function* eat(text: string): Generator<Parsed> {
    for (const letter of text) {
      if (++length > LONGEST_ROW) throw new HeliographError(`Line ${begun} does not end: a quote is open.`);
      if (letter === '\n') line++;
      if (quoted) {
        if (letter !== '"') cell += letter;
        else [quoted, closed] = [false, true];
      } else if (letter === '"' && (cell === '' || closed)) {
        if (closed) cell += '"';
        [quoted, closed] = [true, false];
      } else if (letter === separator) {
        cells.push(cell);
        [cell, closed] = ['', false];
      } else if (letter === '\n') {
        yield { line: begun, cells: [...cells, cell], read: bytes / size };
        [cells, cell, closed, begun, length] = [[], '', false, line, 0];
      } else if (letter !== '\r') cell += letter;
    }
  }
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    const text = decoder.decode(chunk, { stream: true });
    separator ||= separatorOf(text.split('\n', 1)[0] ?? '');
    yield* eat(text);
  }
  if (quoted) throw new HeliographError(`Line ${begun} does not end: a quote is open.`);
  if (cell !== '' || cells.length > 0) yield { line: begun, cells: [...cells, cell], read: 1 };
}

const separatorOf = (head: string) =>
  [',', ';', '\t'].reduce((best, each) => (head.split(each).length > head.split(best).length ? each : best));

/** The rows of a UTF-8 file whose first line names its columns; empty lines are left out. */
export async function* readCsv(path: string): AsyncGenerator<CsvRow> {
  let names: string[] | undefined;
  try {
    for await (const { line, cells, read } of cellsOf(path, separatorOf)) {
      if (!names) names = cells.map((name) => name.trim().toLowerCase());
      else if (cells.length > names.length)
        throw new HeliographError(`Line ${line} has ${cells.length} columns, the first line names ${names.length}.`);
      else if (cells.some((cell) => cell !== ''))
        yield { line, read, values: Object.fromEntries(names.map((name, place) => [name, cells[place] ?? ''])) };
    }
  } catch (error) {
    if (error instanceof TypeError) throw new HeliographError(`${path} is no UTF-8 text.`);
    throw error;
  }
}
