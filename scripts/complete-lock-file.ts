import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

// npm writes into the lock file only the packages for other systems that it could look up, and then `npm ci` refuses
// the file. This script adds the missing ones, so that one lock file serves every system. Run it after `npm install`.

export const LOCK_FILE = resolve(import.meta.dirname, '../package-lock.json');

interface LockEntry {
  version?: string;
  optional?: boolean;
  dev?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

export interface LockFile {
  packages: Record<string, LockEntry>;
}

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openbsd', 'netbsd', 'openharmony', 'sunos', 'win32', 'aix'];
const PROCESSORS = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32'];

/** Finds the place of a dependency in the lock file: in the nearest node_modules above `from`, as Node looks it up. */
function placeOf({ packages }: LockFile, from: string, name: string): string | undefined {
  for (let above = from; ; above = above.replace(/(^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, '')) {
    const place = `${above ? `${above}/` : ''}node_modules/${name}`;
    if (packages[place]) return place;
    if (!above.includes('node_modules/')) break;
  }
  return packages[`node_modules/${name}`] ? `node_modules/${name}` : undefined;
}

/** Lists the optional dependencies that the lock file names but does not contain, with their versions. */
export function missingPackages(lock: LockFile): Map<string, LockEntry> {
  const missing = new Map<string, LockEntry>();
  for (const [from, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (placeOf(lock, from, name) || !/^\d/.test(version)) continue;
      const words = name.split(/[-/@]/);
      const system = SYSTEMS.find((word) => words.includes(word));
      const processor = PROCESSORS.find((word) => words.includes(word));
      missing.set(name, {
        version,
        ...(processor && { cpu: [processor] }),
        ...(entry.dev && { dev: true }),
        ...(words.some((word) => word.startsWith('musl')) && { libc: ['musl'] }),
        ...((words.includes('gnu') || words.includes('glibc')) && { libc: ['glibc'] }),
        optional: true,
        ...(system && { os: [system] }),
      });
    }
  }
  return missing;
}

if (import.meta.main) {
  const lock = JSON.parse(readFileSync(LOCK_FILE, 'utf8')) as LockFile;
  const missing = missingPackages(lock);
  for (const [name, entry] of missing) lock.packages[`node_modules/${name}`] = entry;
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
  writeFileSync(LOCK_FILE, `${JSON.stringify(lock, undefined, 2)}\n`);
  process.stdout.write(`${missing.size} packages for other systems added.\n`);
}
