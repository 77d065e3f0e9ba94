import type { TaskType } from '@heliograph/contract/kernel/task';
import { sql } from 'kysely';
import type { Retention } from '../jobs/retention.ts';

const afterMonth = (partition: TaskType, rest: Pick<Retention, 'staysWithoutFile' | 'when'> = {}): Retention => ({
  table: 'task',
  partition,
  days: 30,
  since: 'finished_at',
  rows: 500,
  file: 'error_path',
  nightly: true,
  ...rest,
});

const staysWithoutReport = { staysWithoutFile: true, when: sql`error_path IS NOT NULL` };

/** Retention of tasks that ended, except exports. Imports and rate cards lose their refused rows and stay as a record. */
export const taskRetention: readonly Retention[] = [
  afterMonth('import', staysWithoutReport),
  afterMonth('card_upload', staysWithoutReport),
  afterMonth('bulk_upload'),
  afterMonth('list_job'),
];
