import type { App } from '#platform/http';
import type { WorkerContext } from '#platform/worker-context';
import { blacklistNumberRoutes } from './blacklist-number.ts';
import { importNumbersJob, importRoutes } from './import-calls.ts';
import { importNumbers } from './import-numbers.ts';
import { listNumberRoutes } from './list-numbers.ts';
import { numberListRoutes } from './number-lists.ts';

export { blacklistNumberKind } from './blacklist-number.ts';
export { importNumbersJob, UPLOAD_LIMIT_BYTES } from './import-calls.ts';
export { requireNumber } from './list-numbers.ts';
export { isBareNumber, parseHeader, type TableColumns } from './table-header.ts';

/** Mounts lists, numbers, imports and the blacklist of numbers. */
export function contactsRoutes(app: App): void {
  numberListRoutes(app);
  listNumberRoutes(app);
  importRoutes(app);
  blacklistNumberRoutes(app);
}

/** Takes up the imports. */
export async function contactsJobs(worker: WorkerContext): Promise<void> {
  await worker.jobs.work(importNumbersJob, ({ import_id }, signal) => importNumbers(worker, import_id, signal));
}
