import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { FAILPOINT_VARIABLE, type Failpoint } from '#platform/failpoints';
import type { TopUpStage } from './stage.ts';
import type { KilledJob } from './top-up-places.ts';

/** Runs a job of top-ups in a process that dies at a place. */
export async function killAt(
  { settings, simulator }: Pick<TopUpStage, 'settings' | 'simulator'>,
  place: Failpoint,
  job: KilledJob,
  id: number,
): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'top-up-child.ts'), job, String(id)], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      DATABASE_URL: settings.DATABASE_URL,
      DATA_DIR: settings.DATA_DIR,
      LOG_LEVEL: 'silent',
      PAYMENT_SIMULATOR_PORT: String(simulator.port),
      [FAILPOINT_VARIABLE]: `${place}:1`,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [, signal] = await once(child, 'exit');
  assert.equal(signal, 'SIGKILL', place);
}
