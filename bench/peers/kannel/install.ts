import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { kannelProgram } from '../../../apps/server/test/delivery/kannel-gateway.ts';
import { tell } from '../../harness/house.ts';

export interface InstalledKannel {
  bearerbox: string;
  /** Environment variables that it needs. */
  environment: Record<string, string>;
}

const PACKAGE = 'kannel';

function shell(command: string, args: readonly string[], cwd?: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 300_000,
  });
  if (status !== 0) {
    const reason = (error?.message ?? stderr).trim().split('\n').at(-1);
    throw new Error(`Debian's Kannel cannot be had: ${command} ${args.join(' ')}: ${reason}`);
  }
  return stdout;
}

/** Unpacks the package and its missing dependencies into a folder, because there are no root rights. */
function unpack(folder: string): InstalledKannel {
  const debs = join(folder, 'debs');
  const root = join(folder, 'kannel');
  mkdirSync(debs, { recursive: true });
  const uris = shell('apt-get', ['install', '--print-uris', '-qq', '--no-install-recommends', PACKAGE]);
  const files = uris.split('\n').flatMap((line) => /^'[^']*' (\S+\.deb) /.exec(line)?.[1] ?? []);
  shell('apt-get', ['download', '-qq', ...files.map((file) => file.split('_')[0]!)], debs);
  shell('sh', ['-c', `for deb in "${debs}"/*.deb; do dpkg -x "$deb" "${root}"; done`]);
  const bearerbox = kannelProgram('bearerbox', [join(root, 'usr/sbin')]);
  if (!bearerbox) throw new Error('the unpacked package holds no bearerbox');
  const libraries = shell('find', [root, '-name', '*.so.*', '-printf', '%h\n']);
  return { bearerbox, environment: { LD_LIBRARY_PATH: [...new Set(libraries.trim().split('\n'))].join(':') } };
}

/**
 * Returns Debian's Kannel: the installed one, or installed now (as root), or unpacked into `folder`. Throws with the
 * reason.
 */
export function ensureKannel(folder: string): InstalledKannel {
  const installed = kannelProgram('bearerbox');
  if (installed) return { bearerbox: installed, environment: {} };
  tell("installing Debian's kannel");
  if (process.getuid?.() !== 0) return unpack(folder);
  shell('apt-get', ['update', '-qq']);
  shell('apt-get', ['-o', 'DPkg::Lock::Timeout=120', 'install', '-y', '-qq', '--no-install-recommends', PACKAGE]);
  const bearerbox = kannelProgram('bearerbox');
  if (!bearerbox) throw new Error('kannel is installed, but there is no bearerbox');
  return { bearerbox, environment: {} };
}
