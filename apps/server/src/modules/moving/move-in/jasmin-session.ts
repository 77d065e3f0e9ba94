import { readFileSync } from 'node:fs';
import { StartError } from '@heliograph/installation/start-error';
import type { Place } from './moved.ts';

/** Line of a command's answer. */
export interface Answered extends Place {
  text: string;
}

/** Command of a jcli session, with its answer. */
export interface Command extends Place {
  /** Manager, such as `smppccm`. */
  manager: string;
  /** `s` for what shows one record, `l` for a list. */
  action: 's' | 'l';
  argument: string;
  answer: readonly Answered[];
}

const COMMAND =
  /^(?:jcli\s*:\s*)?(smppccm|user|group|mtrouter|morouter|filter|httpccm)\s+(?:-([sl])|--(show|list))(?:[\s=]+(\S+))?\s*$/;
const PROMPT = /^jcli\s*:/;

/** Reads the text of a jcli session: each command that shows or lists records, with the lines that follow it. */
export function readSession(file: string): Command[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`The file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  if (text.includes('\0') || text.startsWith('\x80'))
    throw new StartError(
      `${file} is no text. Files that "persist" writes hold Python objects: copy the answers of jcli instead.`,
    );
  const commands: (Command & { answer: Answered[] })[] = [];
  let open: (Command & { answer: Answered[] }) | undefined;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trimEnd();
    const place = { file, line: index + 1 };
    const found = COMMAND.exec(line.trim());
    if (found) {
      const [, manager, short, long, argument = ''] = found;
      open = { ...place, manager: manager!, action: (short ?? long![0]) as 's' | 'l', argument, answer: [] };
      commands.push(open);
    } else if (PROMPT.test(line.trim())) open = undefined;
    else if (open && line.trim() !== '') open.answer.push({ ...place, text: line.trim() });
  }
  if (commands.length === 0)
    throw new StartError(
      `${file} has no answer of jcli. Begin each with its command, such as "jcli : smppccm -s CID".`,
    );
  return commands;
}

/** Values of a record that jcli shows, by their keys, each with its line. */
export class Shown {
  private readonly values = new Map<string, Answered>();

  constructor(answer: readonly Answered[], keys: RegExp) {
    for (const line of answer) {
      const [, key, value = ''] = keys.exec(line.text) ?? [];
      if (key !== undefined) this.values.set(key, { ...line, text: value.trim() });
    }
  }

  /** Returns a value; undefined if it is absent or has no value. */
  text(key: string): string | undefined {
    const value = this.values.get(key)?.text;
    return value === undefined || /^(None|ND|)$/i.test(value) ? undefined : value;
  }

  number(key: string): number | undefined {
    const value = Number(this.text(key) ?? Number.NaN);
    return Number.isFinite(value) ? value : undefined;
  }

  place(key: string, other: Place): Place {
    return this.values.get(key) ?? other;
  }
}
