import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { StartError } from './start-error.ts';

/** Account under which programs of PostgreSQL are started; they refuse to run as root. */
export interface PostgresAccount {
  /** Owner that the database's files need; undefined means that of this process. */
  owner?: { uid: number; gid: number };
  /** Turns a command into the one to spawn, and the account to spawn it under. */
  launch(program: string, args: string[]): { program: string; args: string[]; uid?: number; gid?: number };
}

const idOf = (flag: '-u' | '-g', user: string): number | undefined => {
  const { status, stdout } = spawnSync('id', [flag, user], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
};

function lookUp(user: string): { uid: number; gid: number } | undefined {
  const [uid, gid] = [idOf('-u', user), idOf('-g', user)];
  return uid && gid ? { uid, gid } : undefined;
}

/** Finds the account named postgres. If there is none it is created; if that fails, `nobody` is used. */
function unprivilegedAccount(): { uid: number; gid: number } {
  const present = lookUp('postgres');
  if (present) return present;
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres']);
  const account = lookUp('postgres') ?? lookUp('nobody');
  if (account) return account;
  throw new StartError(
    'PostgreSQL does not run as root, and no account for it could be created. Start as a normal user.',
  );
}

const succeeds = (program: string, args: string[], account?: { uid: number; gid: number }): boolean =>
  spawnSync(program, args, { stdio: 'ignore', ...account }).status === 0;

/**
 * Chooses the account for the PostgreSQL whose files are in `folder` (which must exist). A normal user runs it as
 * itself. For root it is the owner of `cluster` if that exists, else `postgres`. If that account cannot pass the
 * folders above (for example a checkout under /root), it gets only the capability to pass them.
 */
export function postgresAccount(folder: string, cluster: string, postgres: string): PostgresAccount {
  if (process.getuid?.() !== 0) {
    if (process.getuid && existsSync(cluster) && statSync(cluster).uid !== process.getuid()) {
      throw new StartError(`The database in ${cluster} belongs to another user. Start as that user, or as root.`);
    }
    return { launch: (program, args) => ({ program, args }) };
  }
  const present = existsSync(cluster) ? statSync(cluster) : undefined;
  const owner = present && present.uid !== 0 ? { uid: present.uid, gid: present.gid } : unprivilegedAccount();

  if (succeeds(postgres, ['--version'], owner) && succeeds('/bin/sh', ['-c', 'cd "$0"', folder], owner)) {
    return { owner, launch: (program, args) => ({ program, args, ...owner }) };
  }
  const passage = [
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ];
  if (succeeds('setpriv', [...passage, postgres, '--version'])) {
    return { owner, launch: (program, args) => ({ program: 'setpriv', args: [...passage, program, ...args] }) };
  }
  throw new StartError(
    `PostgreSQL does not run as root, and its account cannot enter ${folder} or ${postgres}. Start as a normal user, or move the project to a folder that all users can enter.`,
  );
}
