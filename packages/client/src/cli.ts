#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { type Command, helpOf, UsageError } from './cli/command.ts';
import { importRecipients } from './cli/import.ts';
import { send } from './cli/send.ts';
import { cancel, status } from './cli/status.ts';
import { tail } from './cli/tail.ts';
import { ApiError, HeliographError } from './errors.ts';

const COMMANDS: Readonly<Record<string, Command>> = { send, status, cancel, tail, import: importRecipients };

const HELP = `heliograph sends text messages and follows them.

Usage: heliograph <command> [options]

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(8)} ${summary}`)
  .join('\n')}

heliograph <command> --help lists the options of a command; heliograph --version shows the version.

The address and the key come from HELIOGRAPH_URL and HELIOGRAPH_API_KEY, or from a file with
{ "url": "https://…", "key": "hk_live_…" }: the file of --config, or ~/.config/heliograph/config.json.

Exit codes: 0 done, 1 refused or failed, 2 wrong options.
`;

/**
 * Returns the version of this package. Its package.json is one folder above this file, in the source and in the build.
 */
function version(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(HELP);
    return;
  }
  if (name === 'version' || name === '--version' || name === '-V') {
    process.stdout.write(`${version()}\n`);
    return;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`Unknown command ${JSON.stringify(name)}. See heliograph --help.`);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(helpOf(name, command));
    return;
  }
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());
  try {
    await command.run(args, stopped.signal);
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
    process.exitCode = 1;
  }
}

function told(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  const { message, errors, requestId, code, reason } = error;
  const fields = Object.entries(errors).map(([field, sentences]) => `  ${field}: ${sentences.join(' ')}`);
  const names = [code, reason, requestId && `request ${requestId}`].filter(Boolean).join(', ');
  return [`${message}${names && ` (${names})`}`, ...fields].join('\n');
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  const asked = error instanceof HeliographError || (error as NodeJS.ErrnoException).code !== undefined;
  if (process.argv.includes('--json') && error instanceof ApiError)
    process.stderr.write(`${JSON.stringify(error.problem)}\n`);
  else process.stderr.write(`heliograph: ${asked ? told(error) : (error as Error).stack}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
