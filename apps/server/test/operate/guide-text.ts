import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../../../..');

const BLOCK = /^( *)```\n([\s\S]+?)^\1```$/gm;

/** Returns the text of a guide below a heading, up to the next heading of the same level or a higher one. */
export function sectionOf(page: string, heading: string): string {
  const lines = readFileSync(join(ROOT, 'docs/operate', page), 'utf8').split('\n');
  const from = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  if (from === -1) throw new Error(`docs/operate/${page} has no heading "${heading}"`);
  const level = /^#+/.exec(lines[from]!)![0].length;
  const length = lines.slice(from + 1).findIndex((line) => new RegExp(`^#{1,${level}} `).test(line));
  return lines.slice(from + 1, length === -1 ? undefined : from + 1 + length).join('\n');
}

/**
 * Returns the fenced blocks of a section in order. Throws if their number is not `count`, the number that the test
 * knows.
 */
export function blocksOf(page: string, heading: string, count: number): string[] {
  const blocks = [...sectionOf(page, heading).matchAll(BLOCK)].map(([, indent, text]) =>
    text!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
  if (blocks.length !== count)
    throw new Error(`docs/operate/${page}, "${heading}" has ${blocks.length} blocks of commands and not ${count}`);
  return blocks;
}

/** Returns the commands within the sentences of a section: code in a line that begins with one of these programs. */
export const commandsIn = (page: string, heading: string, programs: readonly string[]): string[] =>
  [
    ...sectionOf(page, heading)
      .replaceAll(BLOCK, '')
      .matchAll(/`([^`]+)`/g),
  ]
    .map(([, code]) => code!.replaceAll(/\s*\n\s*/g, ' '))
    .filter((code) => programs.includes(code.split(' ')[0]!));
