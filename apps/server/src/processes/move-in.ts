import { writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { StartError } from '@heliograph/installation/start-error';
import {
  type Moved,
  type MoveInOptions,
  moveFromCsv,
  moveFromJasmin,
  moveFromKannel,
  moveFromPlaySms,
} from '#modules/moving';
import { runDatabaseCommand } from '../platform/process/database-command.ts';
import { failStart } from '../platform/process/shutdown.ts';
import { applyFile, say } from './apply-file.ts';

// `npm run move-in -- kannel /etc/kannel/kannel.conf [--to config.yaml] [--as EMAIL [--yes]]`: makes a declared
// installation of another product's files, with notes. With --as it shows what applying it would change.

const PRODUCTS: Readonly<Record<string, (file: string, options: MoveInOptions) => Moved>> = {
  kannel: moveFromKannel,
  jasmin: moveFromJasmin,
  playsms: moveFromPlaySms,
  csv: moveFromCsv,
};
const USAGE = `Usage: move-in ${Object.keys(PRODUCTS).join('|')} FILE|FOLDER --contact EMAIL [--to FILE] [--corporation NAME] [--number N …] [--blocked FILE …] [--enable] [--as EMAIL [--yes] [--keys FILE]]`;

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        as: { type: 'string' },
        blocked: { type: 'string', multiple: true, default: [] },
        contact: { type: 'string' },
        corporation: { type: 'string' },
        enable: { type: 'boolean', default: false },
        keys: { type: 'string' },
        number: { type: 'string', multiple: true, default: [] },
        to: { type: 'string' },
        yes: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new StartError(`${(error as Error).message} ${USAGE}`, 2);
  }
}

/** Creates a file that only its owner reads; one that is there is never overwritten, because people edit it. */
function create(file: string, contents: string): void {
  try {
    writeFileSync(file, contents, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new StartError(`The file ${file} exists already. Name another one with --to, or remove it.`);
    throw new StartError(`The file ${file} cannot be written (${code}).`);
  }
  say(`Wrote ${file}.`);
}

/** Writes the declared installation, its files beside it, and its secrets into a file of their own. */
function write(moved: Moved, text: string, to: string): void {
  create(to, text);
  for (const [name, contents] of moved.files) {
    create(join(dirname(to), name), contents);
  }
  if (moved.secrets.size === 0) return;
  const secrets = `${to.replace(/\.ya?ml$/, '')}.secrets`;
  const lines = [...moved.secrets].map(([name, value]) => `${name}=${value}\n`);
  create(secrets, lines.join(''));
  say(`${secrets} has ${moved.secrets.size} passwords: apply with --secrets ${secrets}, then delete it.`);
}

try {
  const { values, positionals } = readArguments();
  const [product, file, ...more] = positionals;
  const read = product === undefined ? undefined : PRODUCTS[product];
  const contact = values.contact ?? values.as;
  if (
    read === undefined ||
    file === undefined ||
    more.length > 0 ||
    contact === undefined ||
    (values.yes && !values.as)
  )
    throw new StartError(USAGE, 2);
  const moved = read(file, {
    corporation: values.corporation ?? `From ${product![0]!.toUpperCase()}${product!.slice(1)}`,
    contact,
    numbers: values.number,
    blocked: values.blocked,
    today: new Date().toISOString().slice(0, 10),
    enable: values.enable,
  });
  const text = moved.write();
  for (const { kind, file: where, line, text: sentence } of moved.notes) say(`${where}:${line}: ${kind}: ${sentence}`);
  if (values.to !== undefined) write(moved, text, values.to);
  else if (values.as === undefined) say(`\n${text}`);
  const { as } = values;
  if (as === undefined) process.exit(0);
  await runDatabaseCommand('move-in', async (context) => {
    const code = await applyFile(context, {
      text,
      name: values.to ?? `${basename(file)} as a declared installation`,
      folder: dirname(resolve(values.to ?? file)),
      as,
      yes: values.yes,
      setSecrets: false,
      secrets: moved.secrets,
      files: moved.files,
      keys: values.keys,
    });
    process.stdout.write('', () => process.exit(code));
  });
} catch (error) {
  failStart(error);
}
