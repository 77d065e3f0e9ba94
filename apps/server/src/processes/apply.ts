import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { StartError } from '@heliograph/installation/start-error';
import { runDatabaseCommand } from '../platform/process/database-command.ts';
import { applyFile } from './apply-file.ts';

// `npm run apply -- config.yaml --as EMAIL [--yes]`: shows what a declared installation would change, and changes it.
// Exit code 0 if there is nothing to do or all was done, 3 if changes wait for --yes, 1 for a fault, 2 for wrong use.

const USAGE = 'Usage: apply FILE --as EMAIL [--yes] [--secrets FILE] [--set-secrets] [--keys FILE]';

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        as: { type: 'string' },
        yes: { type: 'boolean', default: false },
        secrets: { type: 'string' },
        'set-secrets': { type: 'boolean', default: false },
        keys: { type: 'string' },
      },
    });
    return { ...values, positionals };
  } catch (error) {
    throw new StartError(`${(error as Error).message} ${USAGE}`, 2);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`The file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Reads lines NAME=value. The value goes to the end of its line; empty lines and those with # are left out. */
function readSecrets(file: string): Map<string, string> {
  const lines = readText(file).split(/\r?\n/).entries();
  return new Map(
    [...lines].flatMap(([index, line]): [string, string][] => {
      if (line.trim() === '' || line.startsWith('#')) return [];
      const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line) ?? [];
      if (name === undefined) throw new StartError(`${file}:${index + 1}: write NAME=value.`);
      return [[name, value!]];
    }),
  );
}

await runDatabaseCommand('apply', async (context) => {
  const { positionals, as, yes, keys, ...given } = readArguments();
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0 || as === undefined)
    throw new StartError(`Name one file, and with --as the administrator in whose name it is applied. ${USAGE}`, 2);
  const text = readText(file);
  const secrets = given.secrets === undefined ? undefined : readSecrets(given.secrets);
  const folder = dirname(resolve(file));
  const setSecrets = given['set-secrets'];
  const code = await applyFile(context, {
    text,
    name: file,
    folder,
    as,
    yes,
    setSecrets,
    keys,
    ...(secrets && { secrets }),
  });
  process.stdout.write('', () => process.exit(code));
});
