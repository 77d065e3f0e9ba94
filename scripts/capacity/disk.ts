import { FIGURES, OPEN_DAYS, STAYING_OCTETS } from './figures.ts';
import type { Demand } from './plan.ts';

/** Octets of tables and indexes. */
export interface Disk {
  /** Octets that a day adds. */
  disk_a_day: number;
  /** Octets of the messages that are kept: the newest days are open, all others closed. */
  disk_kept: number;
  /** Most octets that a database of a year has: messages, what stays, and a day's copy while it is closed. */
  disk_most: number;
  /** Octets of ledger, campaigns and reports that a year adds. They stay when messages are removed. */
  staying_a_year: number;
}

type Kept = Pick<Demand, 'messages_a_day' | 'small_share' | 'kept_days'>;

/** Returns the octets that a day's messages leave: open, closed, and of both the part that stays when they are removed. */
export function octetsOfDay({ messages_a_day, small_share }: Kept): { open: number; closed: number; stays: number } {
  const small = messages_a_day * small_share;
  const large = messages_a_day - small;
  return {
    open: large * FIGURES.open_octets + small * FIGURES.small_open_octets,
    closed: large * FIGURES.closed_octets + small * FIGURES.small_closed_octets,
    stays: small * STAYING_OCTETS,
  };
}

/** Computes the disk of a demand. */
export function diskOf(demand: Kept): Disk {
  const { open, closed, stays } = octetsOfDay(demand);
  const days = Math.min(demand.kept_days, OPEN_DAYS);
  const disk_kept = days * open + (demand.kept_days - days) * closed;
  const removed = Math.max(0, 365 - demand.kept_days);
  // Beside the open day that is being closed there is its copy, so both count.
  const disk_most = disk_kept + open + removed * stays;
  return { disk_a_day: open, disk_kept, disk_most, staying_a_year: 365 * stays };
}

/**
 * Simulates the disk of a year from empty tables, day by day: a new day fills, the oldest open one is copied beside itself and
 * closed, the oldest of all is removed but for what stays. Returns the most octets that were there.
 */
export function simulateDisk(demand: Kept, days = 365): number {
  const { open, closed, stays } = octetsOfDay(demand);
  const partitions: number[] = [];
  let [staying, most] = [0, 0];
  for (let day = 0; day < days; day++) {
    partitions.push(open);
    const used = () => partitions.reduce((sum, size) => sum + size, staying);
    const old = partitions.length - 1 - OPEN_DAYS;
    most = Math.max(most, used() + (old >= 0 ? closed : 0));
    if (old >= 0) partitions[old] = closed;
    if (partitions.length < demand.kept_days) continue;
    partitions.shift();
    staying += stays;
  }
  return most;
}
