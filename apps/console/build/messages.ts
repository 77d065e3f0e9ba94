import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOCALE_TAGS, LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import { type TextTree, textsOf } from '@heliograph/contract/kernel/text-tree';
import type { Plugin } from 'vite';

const ID = 'virtual:messages';

/**
 * Builds one JSON file per language by merging the contract's message files. The file is loaded when its language is
 * chosen. The virtual module maps each language to its address.
 */
export function messages(folder: string): Plugin {
  let serving = false;
  return {
    name: 'messages',
    configResolved(config) {
      serving = config.command === 'serve';
    },
    // The page names its language before any script of the console runs.
    transformIndexHtml: (html) =>
      html.replace('data-languages="{}"', () => `data-languages='${JSON.stringify(LOCALE_TAGS)}'`),
    resolveId: (id) => (id === ID ? `\0${ID}` : null),
    load(id) {
      if (id !== `\0${ID}`) return null;
      const addresses = LOCALES.map((locale) => {
        const source = JSON.stringify(mergeLocale(folder, locale));
        if (serving) return [locale, `data:application/json,${encodeURIComponent(source)}`];
        const fileName = `assets/messages-${locale}-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.json`;
        this.emitFile({ type: 'asset', fileName, source });
        return [locale, `/${fileName}`];
      });
      return `export default ${JSON.stringify(Object.fromEntries(addresses))}`;
    },
  };
}

/** Returns the texts of one language, merged from its files. */
export function mergeLocale(folder: string, locale: Locale): TextTree {
  const files = readdirSync(join(folder, locale)).sort();
  return textsOf(
    locale,
    files.map((file) => JSON.parse(readFileSync(join(folder, locale, file), 'utf8')) as TextTree),
  );
}
