import { until } from '@heliograph/fault-kit';
import { isTransient } from '#platform/database/transient-error';

/** Repeats work that may fail while the database is unavailable; returns its first result. */
export async function patiently<T>(work: () => T | Promise<T>, within?: number): Promise<T> {
  const { result } = await until(
    'the database is available',
    async () => {
      try {
        return { result: await work() };
      } catch (error) {
        if (!isTransient(error)) throw error;
        return undefined;
      }
    },
    within,
    50,
  );
  return result;
}

/** Waits as `until` does, also while the database is unavailable. */
export const untilServed = <T>(what: string, look: () => T | Promise<T>, within?: number) =>
  until(what, () => patiently(look), within, 50);
