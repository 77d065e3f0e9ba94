import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { tell } from './house.ts';

/** Runs a program and returns what it printed; throws with the last line of its errors. */
export function shell(command: string, args: readonly string[], cwd?: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 300_000,
  });
  if (status !== 0) {
    const reason = (error?.message ?? stderr).trim().split('\n').at(-1);
    throw new Error(`Debian cannot give it: ${command} ${args.join(' ')}: ${reason}`);
  }
  return stdout;
}

/** Unpacks a package and its missing dependencies into a folder, because there are no root rights. */
function unpack(name: string, folder: string): string {
  const debs = join(folder, `${name}-debs`);
  const root = join(folder, name);
  mkdirSync(debs, { recursive: true });
  const uris = shell('apt-get', ['install', '--print-uris', '-qq', '--no-install-recommends', name]);
  const files = uris.split('\n').flatMap((line) => /^'[^']*' (\S+\.deb) /.exec(line)?.[1] ?? []);
  shell('apt-get', ['download', '-qq', ...files.map((file) => file.split('_')[0]!)], debs);
  shell('sh', ['-c', `for deb in "${debs}"/*.deb; do dpkg -x "$deb" "${root}"; done`]);
  return root;
}

/**
 * Gets a package of Debian: installed as root, otherwise unpacked below `folder`. Returns the root of its files, `/` or
 * that folder; throws with the reason.
 */
export function debianPackage(name: string, folder: string): string {
  tell(`installing Debian's ${name}`);
  if (process.getuid?.() !== 0) return unpack(name, folder);
  shell('apt-get', ['update', '-qq']);
  shell('apt-get', ['-o', 'DPkg::Lock::Timeout=120', 'install', '-y', '-qq', '--no-install-recommends', name]);
  return '/';
}
