import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locale } from '@heliograph/contract/kernel/scope';

const folder = join(import.meta.dirname, '../../../packages/contract/messages');

type Tree = { [key: string]: string | Tree };

/** Lists the names of a language's message files. */
export const messageFiles = (locale: Locale): string[] => readdirSync(join(folder, locale)).sort();

/** Reads one message file unchanged. */
export const readMessages = (locale: Locale, file: string): Tree =>
  JSON.parse(readFileSync(join(folder, locale, file), 'utf8')) as Tree;

/** Lists the sentences of a file by their dotted keys. */
export function flat(tree: Tree, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : flat(value, `${prefix}${key}.`),
  );
}

/** Returns every sentence of a language by its key, without falling back to another language. */
export const sentencesOf = (locale: Locale): Map<string, string> =>
  new Map(messageFiles(locale).flatMap((file) => flat(readMessages(locale, file))));
