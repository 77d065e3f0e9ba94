import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Files of `public` that the page loads. */
const PUBLIC = ['/start.js', '/start.css', '/favicon.svg'];

interface Output {
  type: 'chunk' | 'asset';
  fileName: string;
  facadeModuleId?: string | null;
  isEntry?: boolean;
  imports?: string[];
}

/**
 * Writes the service worker with the list of files that it keeps: the script of the entry and of `modules`, all styles and
 * all fonts. It changes with each release, so that browsers notice one.
 */
export function worker(modules: readonly string[]): Plugin {
  return {
    name: 'worker',
    apply: 'build',
    generateBundle(_, bundle) {
      const outputs = Object.values(bundle) as unknown as Output[];
      const byName = new Map(outputs.map((output) => [output.fileName, output]));
      const names = new Set<string>();
      const add = (output: Output | undefined) => {
        if (!output || names.has(output.fileName)) return;
        names.add(output.fileName);
        for (const name of output.imports ?? []) add(byName.get(name));
      };
      for (const output of outputs) {
        const wanted = output.isEntry || modules.some((path) => output.facadeModuleId?.endsWith(path));
        if (wanted || /\.(css|woff2)$/.test(output.fileName)) add(output);
      }
      const files = JSON.stringify([...PUBLIC, ...[...names].sort().map((name) => `/${name}`)]);
      const all = createHash('sha256').update(outputs.map(({ fileName }) => fileName).join('\n'));
      const version = JSON.stringify(all.digest('hex').slice(0, 12));
      const source = readFileSync(join(import.meta.dirname, 'worker.js'), 'utf8');
      this.emitFile({
        type: 'asset',
        fileName: 'worker.js',
        source: `const VERSION = ${version};\nconst FILES = ${files};\n${source}`,
      });
    },
  };
}
