import type pg from 'pg';
import { onServerError } from '../driver/internals.ts';
import { DatabaseClient, type DatabaseSettings } from './client.ts';
import { missingDay } from './missing-partition.ts';

const MAKE = `SELECT ensure_partitions((now() AT TIME ZONE 'UTC')::date - 1, (now() AT TIME ZONE 'UTC')::date + 7),
  ensure_partitions($1::date, $1::date)`;
const MAKE_WITHIN_MS = 20_000;

let making: Promise<void> | undefined;

/**
 * Makes the partitions that statements of a session miss: after a week of sleep, or a corrected clock, a machine meets
 * days without partitions. The sender of the failed statement tries it again; `settings` open a session.
 */
export function makeMissingPartitions(client: pg.ClientBase, settings: DatabaseSettings): void {
  onServerError(client, (error) => {
    const day = missingDay(error);
    if (day === undefined || making) return;
    making = make(day, settings).finally(() => {
      making = undefined;
    });
  });
}

/** Resolves once the missing partitions are made, or could not be made. */
export const partitionsMade = (): Promise<void> => making ?? Promise.resolve();

async function make(day: Date, settings: DatabaseSettings): Promise<void> {
  const session = new DatabaseClient({
    ...settings,
    application_name: 'heliograph partitions',
    query_timeout: MAKE_WITHIN_MS,
  });
  session.on('error', () => undefined);
  try {
    await session.connect();
    await session.query(MAKE, [day.toISOString().slice(0, 10)]);
  } catch {
    // If they are still missing, the statement fails again and starts this again.
  } finally {
    await session.end().catch(() => undefined);
  }
}
