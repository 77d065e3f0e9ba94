import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readConfig, settingNotes } from '../../src/platform/config/config.ts';
import { PROCESS_STOP_MS } from '../../src/platform/process/shutdown.ts';

// Consistency of deploy/ with settings, ports, files and times that are defined elsewhere.

export const ROOT = resolve(import.meta.dirname, '../../../..');
export const DEPLOY = join(ROOT, 'deploy');
export const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
export const LAUNCHER = join(DEPLOY, 'heliograph');
export const PROCESSES = ['api', 'worker', 'sender', 'smpp-server'];
export const SETTINGS = new Set(settingNotes.map(({ name }) => name));
const config = readConfig({});
export const ports = { api: config.PORT, 'smpp-server': config.SMPP_SERVER_PORT };
export const operationsPort = (name: string) => config.OPERATIONS_PORT + PROCESSES.indexOf(name);
/** Returns the seconds for an orderly stop and the notice before it, with a few for the system. */
export const leastGrace = (notice: number) => PROCESS_STOP_MS / 1_000 + notice + 3;

interface Package {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
}
export const root = JSON.parse(read('package.json')) as Package;
