import { join } from 'node:path';
import { kannelProgram } from '../../../apps/server/test/delivery/kannel-gateway.ts';
import { debianPackage, shell } from '../../harness/debian-package.ts';

export interface InstalledKannel {
  bearerbox: string;
  /** Environment variables that it needs. */
  environment: Record<string, string>;
}

/**
 * Returns Debian's Kannel: the installed one, or installed now (as root), or unpacked into `folder`. Throws with the
 * reason.
 */
export function ensureKannel(folder: string): InstalledKannel {
  const installed = kannelProgram('bearerbox');
  if (installed) return { bearerbox: installed, environment: {} };
  const root = debianPackage('kannel', folder);
  const bearerbox = kannelProgram('bearerbox', root === '/' ? [] : [join(root, 'usr/sbin')]);
  if (!bearerbox) throw new Error('the package of Kannel holds no bearerbox');
  if (root === '/') return { bearerbox, environment: {} };
  const libraries = shell('find', [root, '-name', '*.so.*', '-printf', '%h\n']);
  return { bearerbox, environment: { LD_LIBRARY_PATH: [...new Set(libraries.trim().split('\n'))].join(':') } };
}
