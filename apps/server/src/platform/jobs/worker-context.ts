import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import type { ConnectedConfig } from '../config/config.ts';
import type { Database } from '../database/db.ts';
import type { Standby } from '../database/standby.ts';
import type { FanOut } from '../fan-out/fan-out.ts';
import type { Logger } from '../log.ts';
import type { Jobs } from './jobs.ts';
import type { WorkWatch } from './work-watch.ts';

/** Everything that background work runs with: the worker's own sessions, without a person's scope. */
export interface WorkerContext {
  jobs: Jobs;
  fanOut: FanOut;
  pool: pg.Pool;
  /** Kysely over `pool`. */
  database: Kysely<Database>;
  /** The standby that exports may be read from. */
  standby?: Standby | undefined;
  config: ConnectedConfig;
  /** Lets the worker's loops rest; without it they never do. */
  watch?: WorkWatch | undefined;
  clock: Clock;
  log: Logger;
}
