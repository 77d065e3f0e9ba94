import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { HeliographError } from '../errors.ts';
import { Heliograph } from '../heliograph.ts';

/** Error of a command with wrong options: the program exits with 2. */
export class UsageError extends HeliographError {}

/** An option of a command. `value` names its value (`--from NAME`); a flag has none. */
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
  /** More sentences for the help. */
  notes?: string;
  run(args: readonly string[], signal: AbortSignal): Promise<void>;
}

/** Options of every command. */
export const COMMON = {
  json: { help: 'JSON output for programs' },
  config: { value: 'FILE', help: 'File with the address and the key' },
} as const satisfies Record<string, Option>;

/** Returns the options of a call by name, its arguments, and the client to call with. Throws UsageError. */
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

/** Returns the help of one command. */
export function helpOf(name: string, { summary, usage, options, notes }: Command): string {
  const lines = Object.entries(options).map(([option, { value, help, short }]) => {
    const names = `${short ? `-${short}, ` : ''}--${option}${value ? ` ${value}` : ''}`;
    return `  ${names.padEnd(24)} ${help}`;
  });
  return `${summary}.\n\nUsage: heliograph ${name} ${usage}\n\n${lines.join('\n')}\n${notes ? `\n${notes}\n` : ''}`;
}

export const print = (text: string): void => void process.stdout.write(`${text}\n`);
export const note = (text: string): void => void process.stderr.write(`${text}\n`);

/** Returns address and key from the environment, else from a file. Throws if one of them is missing. */
function readSettings(file: string | undefined): { url: string; key: string } {
  const { HELIOGRAPH_URL, HELIOGRAPH_API_KEY, XDG_CONFIG_HOME } = process.env;
  const usual = join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'heliograph/config.json');
  const kept = HELIOGRAPH_URL && HELIOGRAPH_API_KEY && !file ? {} : readKept(file ?? usual, file !== undefined);
  const url = HELIOGRAPH_URL || kept.url;
  const key = HELIOGRAPH_API_KEY || kept.key;
  if (!url)
    throw new HeliographError(`The address of the platform is missing. Set HELIOGRAPH_URL, or "url" in ${usual}.`);
  if (!key) throw new HeliographError(`The key is missing. Set HELIOGRAPH_API_KEY, or "key" in ${usual}.`);
  return { url, key };
}

function readKept(path: string, needed: boolean): { url?: string; key?: string } {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as { url?: string; key?: string };
  } catch (error) {
    if (!needed && (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new HeliographError(`${path} cannot be read: ${(error as Error).message}`);
  }
}
