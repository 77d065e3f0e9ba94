import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeSite } from '#modules/documentation-site';
import { guide } from '../seed/documentation.ts';

// `npm run site -- --to FOLDER [--name NAME]`: writes the guide and the API reference as static pages. It needs no database.

const USAGE = 'Usage: npm run site -- --to FOLDER [--name NAME]';

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n${USAGE}\n`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({ options: { to: { type: 'string' }, name: { type: 'string', default: 'Heliograph' } } }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

const { to, name } = readArguments();
if (to === undefined) refuse('Name with --to the folder for the pages.');
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8')) as {
  version: string;
};
const folder = resolve(to);
const pages = writeSite(folder, { name, version }, guide());
process.stdout.write(`${pages.toLocaleString('en')} pages of version ${version} are in ${folder}.\n`);
