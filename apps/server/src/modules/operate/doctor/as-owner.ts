import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

/**
 * Runs work on files as the account that owns a folder, if root runs this. Root may write files that the account may
 * not, and files of root are closed to the account. Other users run it as themselves.
 */
export async function asOwnerOf<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const owner = process.geteuid?.() === 0 && existsSync(folder) ? statSync(folder) : undefined;
  if (!owner || owner.uid === 0) return work();
  const groups = process.getgroups!();
  const { stdout } = spawnSync('id', ['-G', String(owner.uid)], { encoding: 'utf8' });
  // An account without an entry has only its own group.
  process.setgroups!(stdout?.trim() ? stdout.trim().split(' ').map(Number) : [owner.gid]);
  process.setegid!(owner.gid);
  process.seteuid!(owner.uid);
  try {
    return await work();
  } finally {
    process.seteuid!(0);
    process.setegid!(0);
    process.setgroups!(groups);
  }
}
