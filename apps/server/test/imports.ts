import { dirname, join } from 'node:path';

const WORKSPACES: Readonly<Record<string, string>> = {
  '@heliograph/contract': 'packages/contract',
  '@heliograph/smpp': 'packages/smpp',
  '@heliograph/carrier-simulator': 'packages/carrier-simulator',
  '@heliograph/client': 'packages/client',
  '@heliograph/fault-kit': 'packages/fault-kit',
};

/** Returns the path in this repository that an import names, or the import itself if it names a library. */
export function resolveImport(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return join(dirname(from), specifier.replace(/\?.*$/, ''));
  const alias = /^#(platform|modules)\/(.+)$/.exec(specifier);
  if (alias) return `apps/server/src/${alias[1]}/${alias[2]}${alias[1] === 'platform' ? '.ts' : '/index.ts'}`;
  const [scope, name, ...rest] = specifier.split('/');
  const workspace = WORKSPACES[`${scope}/${name}`];
  if (!workspace) return specifier;
  if (rest[0] === 'messages') return `${workspace}/${rest.join('/')}`;
  return `${workspace}/src/${rest.length > 0 ? rest.join('/') : 'index'}.ts`;
}

const IMPORT =
  /(?:^|[\n;}])\s*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]/g;

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/[^\n]*/g, '$1');

/** Lists every import in a file's text, without its comments. */
export const importsOf = (text: string): string[] =>
  [...withoutComments(text).matchAll(IMPORT)].map((found) => found[1] ?? found[2] ?? '');

/** Lists the imports that run together with the file: all except types and modules that are loaded later. */
export const valueImportsOf = (text: string): string[] =>
  [...withoutComments(text).matchAll(IMPORT)]
    .filter((found) => found[1] && !/^[\n;}]?\s*(?:import|export)\s+type\b/.test(found[0]))
    .map((found) => found[1] ?? '');

/** Finds the first import cycle on a walk from `file`, as the path from its first file back to it. */
export function circleFrom(
  file: string,
  uses: ReadonlyMap<string, readonly string[]>,
  seen: Set<string>,
  path: string[] = [],
): string[] {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
  if (seen.has(file)) return [];
  for (const used of uses.get(file) ?? []) {
    const circle = circleFrom(used, uses, seen, [...path, file]);
    if (circle.length > 0) return circle;
  }
  seen.add(file);
  return [];
}
