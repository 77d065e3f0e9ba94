import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

const GIBIBYTE = 1024 ** 3;

/** Room on the disk of a folder. */
export interface DiskRoom {
  free_bytes: number;
  /** Share of the disk that is free, from 0 to 1. */
  share: number;
  /** `low`: below 4 GiB or a tenth; `full`: below half a GiB, which soon stops the database. */
  level: 'ok' | 'low' | 'full';
}

/** Measures the room on the disk of a folder, or of the nearest folder above it that exists. Throws if it cannot. */
export function roomOn(folder: string): DiskRoom {
  let place = folder;
  while (!existsSync(place)) place = dirname(place);
  const { bavail, blocks, bsize } = statfsSync(place);
  const [free_bytes, share] = [bavail * bsize, bavail / blocks];
  const level = free_bytes < GIBIBYTE / 2 ? 'full' : free_bytes < 4 * GIBIBYTE || share < 0.1 ? 'low' : 'ok';
  return { free_bytes, share, level };
}
