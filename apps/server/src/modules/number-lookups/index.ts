import { checkNumber } from '@heliograph/contract/kernel/number-rules';
import { askForNumber, numberSource, uploadNumberDump } from '@heliograph/contract/number-lookups/number-source';
import { sql } from 'kysely';
import { requireVisible } from '#platform/access/visible';
import { requirePlatform } from '#platform/context';
import { fieldError } from '#platform/errors';
import { type App, mount, mountResource } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { readNumberRules } from '#platform/operator/number-rules';
import { mountBulkUpload } from '#platform/tasks/bulk-upload';
import { numberDumpKind } from './load-dump.ts';
import { lookUpNumbers, lookUpNumbersJob, wantLookups } from './look-up.ts';
import { numberSources } from './number-sources.ts';

export { deadFinder } from './dead-numbers.ts';
export { numberDumpKind } from './load-dump.ts';
export { lookUpNumbersJob, wantLookups } from './look-up.ts';

const EVERY_MINUTE = '* * * * *';

/** Mounts the services for lookups, the files of those that are loaded, and the question for one number. */
export function numberLookupRoutes(app: App): void {
  mountResource(app, numberSource, numberSources);
  mountBulkUpload(app, uploadNumberDump, numberDumpKind, async (ctx, { number_source_id }) => {
    requirePlatform(ctx.caller);
    await requireVisible(ctx, 'number_source', number_source_id, 'number_source_id', sql`driver = 'dump'`);
    return { corporation_id: null, parameters: { number_source_id } };
  });
  mount(app, askForNumber, async (ctx, { body }) => {
    requirePlatform(ctx.caller);
    const { msisdn, fault } = checkNumber(body.number, await readNumberRules(ctx.db));
    if (fault) throw fieldError('number', fault);
    await wantLookups(ctx.db, [msisdn]);
    return { data: { number: msisdn } };
  });
}

/** Runs the lookups of numbers that wait. */
export async function numberLookupJobs(worker: WorkerContext): Promise<void> {
  await worker.jobs.work(lookUpNumbersJob, (_data, signal) => lookUpNumbers(worker, signal));
  // The intake of programs' messages only notes numbers.
  await worker.jobs.schedule(lookUpNumbersJob, EVERY_MINUTE);
}
