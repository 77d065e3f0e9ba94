import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';
import { StartError } from './start-error.ts';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process is the server of this cluster: a server works in its cluster's folder and is started with -D. */
function servesCluster(pid: number, cluster: string): boolean {
  if (process.platform === 'linux') {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
    } catch {
      return false;
    }
  }
  return (
    spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.includes(cluster) === true
  );
}

/**
 * Stops the server that a killed process left running on `cluster`, and removes the pid file of a server that is gone.
 * PostgreSQL itself would take another process with the same number for its own.
 */
export async function stopOrphan(cluster: string, log: Log): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  if (!(pid > 0 && isAlive(pid) && servesCluster(pid, cluster))) {
    rmSync(pidFile, { force: true });
    return;
  }
  log.info('stopping the database of an earlier run');
  for (const [signal, seconds] of [
    ['SIGINT', 20],
    ['SIGQUIT', 5],
    ['SIGKILL', 5],
  ] as const) {
    process.kill(pid, signal);
    for (let waited = 0; waited < seconds * 10; waited += 1) {
      // A server without a waiting parent stays in the process table, but its folder is no longer shown there.
      if (!(isAlive(pid) && servesCluster(pid, cluster))) return;
      await sleep(100);
    }
  }
  throw new StartError(`The database that an earlier run left behind (process ${pid}) does not stop.`);
}
