import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Kilobytes of gzipped script allowed for sign-in and dashboard together, and for each other screen. */
export const FIRST_SCREEN_KB = 250;
export const SCREEN_KB = 150;

interface Chunk {
  fileName: string;
  code: string;
  facadeModuleId: string | null;
  imports: string[];
  dynamicImports: string[];
}

/**
 * Prints the size of the gzipped script of the first screens, and of every other screen, as one JSON line per figure.
 * Stops the build if a size limit is exceeded. `firstScreens` are the modules loaded on the way from sign-in to the
 * dashboard.
 */
export function sizes(firstScreens: readonly string[], report: (line: string) => void = console.log): Plugin {
  return {
    name: 'sizes',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk') as unknown as Chunk[];
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const weight = new Map(chunks.map((chunk) => [chunk.fileName, gzipSync(chunk.code).length / 1024]));
      const closure = (roots: readonly Chunk[], known: ReadonlySet<string> = new Set()) => {
        const seen = new Set<string>();
        const visit = (chunk: Chunk) => {
          if (seen.has(chunk.fileName) || known.has(chunk.fileName)) return;
          seen.add(chunk.fileName);
          for (const name of chunk.imports) visit(byName.get(name)!);
        };
        roots.forEach(visit);
        return seen;
      };
      const sum = (names: Iterable<string>) => [...names].reduce((total, name) => total + weight.get(name)!, 0);
      const line = (figure: string, value: number) =>
        report(JSON.stringify({ bench: 'console', figure, value: Math.round(value * 10) / 10, unit: 'KB' }));

      const entries = chunks.filter((chunk) => 'isEntry' in chunk && chunk.isEntry);
      const firsts = chunks.filter((chunk) => firstScreens.some((path) => chunk.facadeModuleId?.endsWith(path)));
      if (firsts.length !== firstScreens.length)
        this.error(`sizes: found ${firsts.length} of ${firstScreens.length} first screens in the bundle`);
      const first = closure([...entries, ...firsts]);
      line('first_screen_script_kb', sum(first));
      let largest = { name: '', size: 0 };
      for (const chunk of chunks) {
        if (!chunk.facadeModuleId || first.has(chunk.fileName)) continue;
        const size = sum(closure([chunk], first));
        if (size > largest.size) largest = { name: chunk.fileName, size };
      }
      line('largest_screen_script_kb', largest.size);
      if (sum(first) > FIRST_SCREEN_KB)
        this.error(`sign-in and dashboard load ${sum(first).toFixed(1)} KB of script; ${FIRST_SCREEN_KB} are allowed`);
      if (largest.size > SCREEN_KB)
        this.error(`${largest.name} loads ${largest.size.toFixed(1)} KB more; ${SCREEN_KB} are allowed`);
    },
  };
}
