import { statfs } from 'node:fs/promises';
import { Gauge } from 'prom-client';
import type { Config } from '../config/config.ts';
import { beforeScrape, registry } from './metrics.ts';

const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });

const free = gauge('heliograph_data_folder_free_bytes', 'Room that is left on the disk of DATA_DIR.');
const size = gauge('heliograph_data_folder_size_bytes', 'Size of the disk of DATA_DIR.');

/** Reports the room on the disk of the data folder; reports nothing if the folder does not exist. */
export function measureDisk({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): void {
  beforeScrape(async () => {
    const found = await statfs(DATA_DIR).catch(() => undefined);
    if (!found) return;
    free.set(found.bavail * found.bsize);
    size.set(found.blocks * found.bsize);
  });
}
