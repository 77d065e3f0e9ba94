import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

/**
 * Does something with files as the account that owns a folder, where root asks: root may write what that account may not,
 * and what root makes is closed to it. Anybody else does it as themselves.
 */
export async function asOwnerOf<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const owner = process.geteuid?.() === 0 && existsSync(folder) ? statSync(folder) : undefined;
  if (!owner || owner.uid === 0) return work();
  const groups = process.getgroups!();
  const { stdout } = spawnSync('id', ['-G', String(owner.uid)], { encoding: 'utf8' });
  // An account without an entry has no groups beside its own.
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
