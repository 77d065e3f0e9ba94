import { importErrorsPath, type importRow } from '@heliograph/contract/contacts/number-list';
import type { FileColumn } from '@heliograph/contract/kernel/find-columns';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { Database } from '#platform/database/db';

type OnWire = z.input<typeof importRow>;

/** Converts an import for callers. */
export function importOnWire(row: Selectable<Database['import']>): OnWire {
  return {
    id: row.id,
    kind: 'number_list',
    state: row.state as 'queued' | 'running' | 'done' | 'failed',
    file_name: row.file_name,
    bytes_total: row.bytes_total,
    bytes_read: row.bytes_read,
    rows_read: row.rows_read,
    rows_added: row.rows_added,
    rows_duplicate: row.rows_duplicate,
    rows_rejected: row.rows_rejected,
    rows_national: row.rows_national,
    columns: row.columns as FileColumn[] | null,
    error_code: row.error_code,
    error_params: row.error_params as OnWire['error_params'],
    read_as: row.read_as as OnWire['read_as'],
    // While the import runs, the file of refused rows grows, and a retry starts it again.
    error_file:
      row.finished_at !== null && row.error_path !== null && row.rows_rejected + row.rows_duplicate > 0
        ? importErrorsPath(row.id)
        : null,
    created_at: row.created_at,
    finished_at: row.finished_at,
  };
}
