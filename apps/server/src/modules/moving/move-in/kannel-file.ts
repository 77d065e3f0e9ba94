import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { StartError } from '@heliograph/installation/start-error';
import type { Place } from './moved.ts';

/** Group of a Kannel configuration: its settings, each with its line. */
export class KannelGroup {
  readonly name: string;
  readonly place: Place;
  private readonly values: ReadonlyMap<string, { value: string; place: Place }>;
  private readonly read = new Set<string>(['group']);

  constructor(name: string, place: Place, values: ReadonlyMap<string, { value: string; place: Place }>) {
    this.name = name;
    this.place = place;
    this.values = values;
  }

  /** Returns a setting, and counts it as read; undefined if it is absent. */
  text(name: string): string | undefined {
    this.read.add(name);
    return this.values.get(name)?.value;
  }

  /** Returns a whole number or a fraction; undefined if it is absent or no number. */
  number(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined || !/^(0x[0-9a-f]+|\d+(\.\d+)?)$/i.test(text.trim())) return undefined;
    return Number(text);
  }

  /** Returns a yes or no; undefined if it is absent. Kannel takes strange words for yes. */
  flag(name: string): boolean | undefined {
    const text = this.text(name)?.toLowerCase();
    return text === undefined ? undefined : !['false', 'no', 'off', '0'].includes(text);
  }

  /** Returns the parts of a list with semicolons. */
  list(name: string): string[] {
    return (this.text(name) ?? '')
      .split(';')
      .map((each) => each.trim())
      .filter((each) => each !== '');
  }

  placeOf(name: string): Place {
    return this.values.get(name)?.place ?? this.place;
  }

  /** Names of the settings that nothing has read. */
  rest(): string[] {
    return [...this.values.keys()].filter((name) => !this.read.has(name));
  }
}

interface Line extends Place {
  text: string;
}

/**
 * Reads a Kannel configuration with the files that it includes. An empty line ends a group, and a line that begins with
 * `#` is a comment, as Kannel's own reader has it. Throws a StartError that names the line of a fault.
 */
export function readKannel(file: string): KannelGroup[] {
  const groups: KannelGroup[] = [];
  let values = new Map<string, { value: string; place: Place }>();
  let first: Place | undefined;
  const end = () => {
    if (first) {
      const name = values.get('group')?.value;
      if (name === undefined)
        throw new StartError(`${first.file}:${first.line}: this group has no line "group = …". Kannel refuses it too.`);
      groups.push(new KannelGroup(name, first, values));
    }
    values = new Map();
    first = undefined;
  };
  for (const { text, ...place } of linesOf(file, [])) {
    const line = text.trim();
    if (line === '') end();
    else if (!line.startsWith('#')) {
      const equals = line.indexOf('=');
      if (equals === -1) throw new StartError(`${place.file}:${place.line}: the line has no equals sign.`);
      first ??= place;
      values.set(line.slice(0, equals).trim(), { value: unquoted(line.slice(equals + 1)), place });
    }
  }
  end();
  return groups;
}

/** Returns the lines of a file, with those of each included file or folder in its place. */
function linesOf(file: string, above: readonly string[]): Line[] {
  const path = resolve(file);
  if (above.includes(path)) throw new StartError(`${file} includes itself.`);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartError(`The file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  const lines = text.split('\n').flatMap((each, index): Line[] => {
    const line = each.trim();
    const [, wanted] = /^[^#=]*include[^=]*=(.*)$/.exec(line) ?? [];
    if (wanted === undefined) return [{ text: line, file, line: index + 1 }];
    // Kannel takes a relative path from the folder in which it is started; here it is that of the including file.
    const name = unquoted(wanted);
    const from = isAbsolute(name) ? name : join(path, '..', name);
    return filesOf(from).flatMap((included) => linesOf(included, [...above, path]));
  });
  // A group never goes on past the end of a file.
  return [...lines, { text: '', file, line: lines.length }];
}

function filesOf(path: string): string[] {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const entries = readdirSync(path, { withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(path, entry.name));
}

/** Removes the quotes around a value, and the backslashes before quotes and backslashes in it. */
function unquoted(raw: string): string {
  const value = raw.trim();
  if (value.length < 2 || !value.startsWith('"') || !value.endsWith('"')) return value;
  return value.slice(1, -1).replace(/\\(["\\])/g, '$1');
}
