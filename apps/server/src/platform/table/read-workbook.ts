import { posix } from 'node:path';
import type { SaxesTagPlain } from 'saxes';
import { BusinessError } from '../errors.ts';
import { CellFormats, languageOfStyle } from './cell-format.ts';
import { holdsTable, LOOKED_AT } from './headings.ts';
import type { TableBatch, TableRow } from './read-table.ts';
import { isSet, SheetRows } from './sheet-rows.ts';
import { TextStore } from './text-store.ts';
import { parseAll, parseXml } from './xml.ts';
import { readZipDirectory, readZipEntry, type ZipEntry } from './zip.ts';

/** Maximum bytes of XML after inflating, by part. A workbook at Excel's own limits stays below; a zip bomb does not. */
const LIMITS = { index: 4 << 20, styles: 32 << 20, strings: 256 << 20, sheet: 1 << 30 };
const MAX_SHEETS = 1_000;
const MAX_STYLES = 70_000;
/** Maximum sheets that are searched for the one with a table. */
const MAX_COVERS = 10;
const MAX_CELL_CHARACTERS = 32_767;

/** Sheets of a workbook that a person can choose from, and the one that is read. */
export interface WorkbookHead {
  /** Names of the sheets that are not hidden, in their order. */
  sheets: string[];
  sheet: string;
}

interface Sheet {
  name: string;
  relation: string;
  hidden: boolean;
}

/**
 * Reads a sheet of an Office Open XML workbook (ECMA-376) as a stream. It is the named one, else the visible one that
 * was open when the workbook was saved. If that is a cover sheet, it is the next one with a table. Throws
 * `file_unreadable`, `workbook_too_large` and `sheet_missing`.
 */
export async function* readWorkbook(
  path: string,
  fileBytes: number,
  wanted: string | undefined,
): AsyncGenerator<WorkbookHead | TableBatch> {
  const parts = await readZipDirectory(path);
  if (!parts) throw new BusinessError('file_unreadable');
  const part = (name: string, limit: number) => {
    const entry = parts.get(name);
    return entry && readZipEntry(path, entry, limit);
  };
  const formats = new CellFormats();
  const { sheets, active } = await readIndex(part('xl/workbook.xml', LIMITS.index), formats);
  const targets = await readTargets(part('xl/_rels/workbook.xml.rels', LIMITS.index));
  const tables = sheets.filter(({ relation }) => parts.has(targets.get(relation) ?? ''));
  const choices = sheetsInTurn(tables, sheets[active], wanted);
  await readStyles(part('xl/styles.xml', LIMITS.styles), formats);
  const texts = await readTexts(part('xl/sharedStrings.xml', LIMITS.strings));
  const rowsOf = (sheet: Sheet) =>
    readSheet(path, fileBytes, parts.get(targets.get(sheet.relation)!)!, new SheetRows(texts, formats));
  let chosen = choices[0]!;
  // If the first sheet is a cover, the next one is meant.
  if (choices.length > 1)
    for (const sheet of choices.slice(0, MAX_COVERS))
      if (holdsTable(await firstOf(rowsOf(sheet)))) {
        chosen = sheet;
        break;
      }
  yield { sheets: tables.filter(({ hidden }) => !hidden).map(({ name }) => name), sheet: chosen.name };
  yield* rowsOf(chosen);
}

/** The first rows of a sheet that are not hidden. */
async function firstOf(batches: AsyncIterable<TableBatch>): Promise<TableRow[]> {
  const found: TableRow[] = [];
  for await (const { rows } of batches) {
    found.push(...rows.filter(({ hidden }) => !hidden).slice(0, LOOKED_AT));
    if (found.length >= LOOKED_AT) break;
  }
  return found;
}

async function* readSheet(
  path: string,
  fileBytes: number,
  entry: ZipEntry,
  rows: SheetRows,
): AsyncGenerator<TableBatch> {
  let bytes = 0;
  const pieces = readZipEntry(path, entry, LIMITS.sheet, (read) => {
    bytes = read;
  });
  for await (const _ of parseXml(pieces, rows)) {
    const batch = rows.take();
    if (batch.length > 0) yield { rows: batch, bytes_read: Math.round((bytes / entry.compressed) * fileBytes) };
  }
}

type Pieces = AsyncIterable<Buffer> | undefined;

async function readIndex(pieces: Pieces, formats: CellFormats): Promise<{ sheets: Sheet[]; active: number }> {
  if (!pieces) throw new BusinessError('file_unreadable');
  const sheets: Sheet[] = [];
  let active: number | undefined;
  await parseAll(pieces, {
    open({ name, attributes }: SaxesTagPlain) {
      if (name === 'workbookPr') formats.date1904 = isSet(attributes.date1904);
      if (name === 'workbookView') active ??= Number(attributes.activeTab ?? 0);
      const reference = Object.keys(attributes).find((key) => key.endsWith(':id'));
      if (name !== 'sheet' || !reference || sheets.length >= MAX_SHEETS) return;
      const hidden = attributes.state === 'hidden' || attributes.state === 'veryHidden';
      sheets.push({ name: attributes.name ?? '', relation: attributes[reference]!, hidden });
    },
  });
  return { sheets, active: active ?? 0 };
}

/** Reads the parts to which relations lead. */
async function readTargets(pieces: Pieces): Promise<ReadonlyMap<string, string>> {
  const targets = new Map<string, string>();
  if (!pieces) throw new BusinessError('file_unreadable');
  await parseAll(pieces, {
    open({ name, attributes: { Id, Target, Type } }: SaxesTagPlain) {
      if (name !== 'Relationship' || !Id || !Target || Type?.endsWith('/chartsheet')) return;
      targets.set(Id, posix.resolve('/xl', Target).slice(1));
    },
  });
  return targets;
}

/** Lists the named sheet, else the possible ones: the visible one that was open, then the others. */
function sheetsInTurn(sheets: readonly Sheet[], active: Sheet | undefined, wanted: string | undefined): Sheet[] {
  if (wanted !== undefined) {
    const named = sheets.find(({ name }) => name === wanted);
    if (!named) throw new BusinessError('sheet_missing');
    return [named];
  }
  const visible = sheets.filter(({ hidden }) => !hidden);
  const open = active ? visible.indexOf(active) : 0;
  const turns = open > 0 ? [...visible.slice(open), ...visible.slice(0, open)] : visible;
  if (turns.length === 0 && sheets[0]) return [sheets[0]];
  if (turns.length === 0) throw new BusinessError('file_unreadable');
  return turns;
}

async function readStyles(pieces: Pieces, formats: CellFormats): Promise<void> {
  if (!pieces) return;
  let inCells = false;
  await parseAll(pieces, {
    open({ name, attributes }: SaxesTagPlain) {
      if (name === 'numFmt' && formats.patterns.size < MAX_STYLES)
        formats.patterns.set(Number(attributes.numFmtId), (attributes.formatCode ?? '').slice(0, 255));
      if (name === 'cellXfs') inCells = true;
      if (name === 'xf' && inCells && formats.styles.length < MAX_STYLES)
        formats.styles.push(Number(attributes.numFmtId ?? 0));
      if (name === 'cellStyle' && attributes.builtinId === '0')
        formats.language = languageOfStyle(attributes.name ?? '');
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
}

/** Reads the texts that cells refer to by number. Phonetic readings (`rPh`) are no part of a text. */
async function readTexts(pieces: Pieces): Promise<TextStore> {
  const texts = new TextStore();
  if (!pieces) return texts;
  let text = '';
  let inText = false;
  let inReading = false;
  await parseAll(pieces, {
    open({ name }) {
      if (name === 'si') text = '';
      if (name === 'rPh') inReading = true;
      if (name === 't') inText = !inReading;
    },
    close(name) {
      if (name === 't') inText = false;
      if (name === 'rPh') inReading = false;
      if (name === 'si') texts.add(text);
    },
    text(piece) {
      if (inText && text.length < MAX_CELL_CHARACTERS) text += piece.slice(0, MAX_CELL_CHARACTERS - text.length);
    },
  });
  return texts;
}
