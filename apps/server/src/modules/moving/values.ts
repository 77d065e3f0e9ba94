import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Value of a text in a file: itself, or the name of what is missing. */
export type Expanded = { value: string } | { missing: string };

const VARIABLE = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const FILE = /^file:(\.{0,2}\/.+)$/;

/** Sentence for a secret that is not given. The first dollar sign is no placeholder. */
const NOT_GIVEN = `write the value as ${'$'}{NAME}, and set that environment variable`;

/** Environment variables, and the folder from which relative paths of files begin. */
export interface Surroundings {
  variable(name: string): string | undefined;
  folder: string;
}

/**
 * Replaces `${NAME}` by an environment variable, and `file:./path` by the contents of a file without its last line
 * break. `$${` is written for `${` itself; `ask` stands for a secret that is not given.
 */
export function expand(text: string, secret: boolean, { variable, folder }: Surroundings): Expanded {
  if (secret && text === 'ask') return { missing: NOT_GIVEN };
  const [, path] = FILE.exec(text) ?? [];
  if (path !== undefined) {
    const file = resolve(folder, path);
    try {
      return { value: readFileSync(file, 'utf8').replace(/\r?\n$/, '') };
    } catch (error) {
      return { missing: `the file ${file} cannot be read (${(error as NodeJS.ErrnoException).code})` };
    }
  }
  const absent = [...text.matchAll(VARIABLE)].map(([, name]) => name).find((name) => name && !variable(name));
  if (absent) return { missing: `set the environment variable ${absent}` };
  return { value: text.replace(VARIABLE, (all, name?: string) => (name ? variable(name)! : all.slice(1))) };
}
