import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Number of test files that one process runs, one after the other: to load the server takes longer than most of them. */
const FILES_OF_PROCESS = 6;
/**
 * Files and folders whose tests have a process of their own: they kill, measure or change it, take minutes, share a
 * server that a module of theirs starts once, or ask for what a process remembers of its one database or of callers.
 */
const ALONE = [
  'e2e/',
  'apps/server/test/api/client.test.ts',
  'apps/server/test/api/command.test.ts',
  'apps/server/test/api/csharp-client.test.ts',
  'apps/server/test/api/go-client.test.ts',
  'apps/server/test/api/java-client.test.ts',
  'apps/server/test/api/php-client.test.ts',
  'apps/server/test/api/python-client.test.ts',
  'apps/server/test/billing/ledger.test.ts',
  'apps/server/test/billing/seller-prices.test.ts',
  'apps/server/test/carrier-costs/',
  'apps/server/test/contacts/uploaded-files.test.ts',
  'apps/server/test/delivery/',
  'apps/server/test/every-resource/',
  'apps/server/test/faults/',
  'apps/server/test/http-links/',
  'apps/server/test/identity/',
  'apps/server/test/intake/intake-kills.test.ts',
  'apps/server/test/links/',
  'apps/server/test/margin-guard/',
  'apps/server/test/margins/',
  'apps/server/test/moving/',
  'apps/server/test/nodes/',
  'apps/server/test/operate/',
  'apps/server/test/platform/repeat.test.ts',
  'apps/server/test/platform/work-watch.test.ts',
  'apps/server/test/processes/',
  'apps/server/test/reports/',
  'apps/server/test/routing/',
  'apps/server/test/single-sign-on/',
  'apps/server/test/smpp-server/',
  'apps/server/test/top-ups/',
  'apps/server/test/walls/',
];

/**
 * Joins test files of one folder into programs that run several of them. Each file stays a test by its path, and what it
 * opens ends with it. Returns the programs, written to `target`, and the files that stay as they are, all as paths.
 */
export function joinTests(root: string, files: readonly string[], target: string): string[] {
  const programs: string[][] = [];
  const open = new Map<string, string[]>();
  for (const file of files) {
    const folder = dirname(file);
    const present = open.get(folder);
    if (ALONE.some((start) => file.startsWith(start))) programs.push([file]);
    else if (present && present.length < FILES_OF_PROCESS) present.push(file);
    else {
      const next = [file];
      open.set(folder, next);
      programs.push(next);
    }
  }
  return programs.map((members, place) => {
    if (members.length === 1) return resolve(root, members[0]!);
    const path = join(target, `tests-${place}.mjs`);
    writeFileSync(path, programOf(root, members));
    return path;
  });
}

/** Returns a program that runs files in turn. The last part of each waits for its other tests, which run one by one. */
function programOf(root: string, files: readonly string[]): string {
  const lines = files.map((file) => {
    const url = JSON.stringify(pathToFileURL(resolve(root, file)).href);
    return `await test(${JSON.stringify(file)}, async (t) => {
  await import(${url});
  await t.test('all tests of the file have ended', () => {});
});`;
  });
  return [`import { test } from 'node:test';`, ...lines, ''].join('\n');
}
