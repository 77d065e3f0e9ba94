import { type ParseArgsConfig, parseArgs } from 'node:util';
import { HeliographError } from '../errors.ts';
import { Heliograph } from '../heliograph.ts';
import { readSettings } from './settings.ts';

/** The command was called wrongly: the program ends with 2. */
export class UsageError extends HeliographError {}

/** An option: what stands behind it (`--from NAME`), or nothing for one that is only there or not. */
interface Option {
  value?: string;
  help: string;
  short?: string;
  multiple?: boolean;
}

export interface Command {
  summary: string;
  usage: string;
  options: Readonly<Record<string, Option>>;
  /** What else there is to know. */
  notes?: string;
  run(args: readonly string[], signal: AbortSignal): Promise<void>;
}

/** What every command takes. */
export const COMMON = {
  json: { help: 'JSON for programs: one document, or one a line' },
  config: { value: 'FILE', help: 'Where address and key are read from' },
} as const satisfies Record<string, Option>;

/** The options of a call by their names, its arguments, and the client to call with. */
export function read(args: readonly string[], options: Readonly<Record<string, Option>>) {
  const known: ParseArgsConfig['options'] = Object.fromEntries(
    Object.entries(options).map(([name, { value, short, multiple }]) => [
      name,
      { type: value ? 'string' : 'boolean', ...(short && { short }), ...(multiple && { multiple }) } as const,
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: known, allowPositionals: true });
    const text = (name: string) => values[name] as string | undefined;
    return {
      positionals,
      text,
      texts: (name: string) => (values[name] ?? []) as string[],
      has: (name: string) => values[name] === true,
      need(name: string): string {
        const value = text(name);
        if (value === undefined) throw new UsageError(`--${name} is missing.`);
        return value;
      },
      client: () => new Heliograph(readSettings(text('config'))),
    };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError((error as Error).message);
  }
}

/** The help of one command. */
export function helpOf(name: string, { summary, usage, options, notes }: Command): string {
  const lines = Object.entries(options).map(([option, { value, help, short }]) => {
    const names = `${short ? `-${short}, ` : ''}--${option}${value ? ` ${value}` : ''}`;
    return `  ${names.padEnd(24)} ${help}`;
  });
  return `${summary}.\n\nUsage: heliograph ${name} ${usage}\n\n${lines.join('\n')}\n${notes ? `\n${notes}\n` : ''}`;
}

export const print = (text: string): void => void process.stdout.write(`${text}\n`);
export const note = (text: string): void => void process.stderr.write(`${text}\n`);
