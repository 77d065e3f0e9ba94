import type { Separator } from '@heliograph/contract/kernel/file-reading';
import { BusinessError } from '../errors.ts';
import { isHeading } from './headings.ts';

export const SIGNS: Readonly<Record<Separator, string>> = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' };
const NAMES = Object.keys(SIGNS) as Separator[];

/** Maximum lines of a file that are examined. */
const LINES = 50;
/** Line by which Excel names the separator of a file. */
const DECLARED = /^\ufeff?"?sep=(.)"?\s*$/i;

interface Found {
  separator: Separator;
  /** Whether the first line names the separator and is no row. */
  declared: boolean;
  /** Set if headings and rows have different separators. */
  fault: BusinessError | null;
}

/** Finds the separator of a text's cells by its first lines; a comma if there is none. */
export function findSeparator(text: string): Found {
  const unquoted = text.replace(/(?<=^|[,;\t|\r\n])"(?:[^"]|"")*"/g, (cell) => cell.replace(/[,;\t|\r\n]/g, ''));
  const lines = unquoted.split(/\r\n|\n|\r/).slice(0, LINES);
  const sign = DECLARED.exec(lines[0] ?? '')?.[1];
  const named = NAMES.find((name) => SIGNS[name] === sign);
  if (named) return { separator: named, declared: true, fault: null };
  const filled = lines.map((line, at) => ({ line, at: at + 1 })).filter(({ line }) => line.trim() !== '');
  const scores = new Map(NAMES.map((name) => [name, score(name, filled)]));
  const separator = NAMES.reduce((best, name) => (scores.get(name)! > scores.get(best)! ? name : best));
  return { separator, declared: false, fault: mixed(separator, filled) };
}

type Line = { line: string; at: number };

const count = (name: Separator, { line }: Line) => line.split(SIGNS[name]).length - 1;
const names = (name: Separator, line: Line) =>
  count(name, line) > 0 && line.line.split(SIGNS[name]).some((cell) => isHeading(cell.replaceAll('"', '')));

/** Answers the share of lines that have the sign equally often, plus one if it separates a known heading. */
function score(name: Separator, lines: readonly Line[]): number {
  const counts = lines.map((line) => count(name, line)).filter((each) => each > 0);
  if (counts.length === 0) return 0;
  const agreeing = Math.max(...counts.map((each) => counts.filter((other) => other === each).length));
  return agreeing / lines.length + (lines.some((line) => names(name, line)) ? 1 : 0);
}

const shown = (name: Separator) => (name === 'tab' ? 'Tab' : SIGNS[name]);

function mixed(separator: Separator, lines: readonly Line[]): BusinessError | null {
  const header = lines.findIndex((line) => names(separator, line));
  const rows = lines.slice(header + 1);
  if (header < 0 || rows.length === 0) return null;
  for (const other of NAMES) {
    const odd = rows.filter((line) => count(separator, line) === 0 && count(other, line) > 0);
    if (other === separator || odd.length * 2 <= rows.length) continue;
    const params = { first: shown(separator), row: odd[0]!.at, second: shown(other) };
    return new BusinessError('separators_mixed', { params });
  }
  return null;
}
