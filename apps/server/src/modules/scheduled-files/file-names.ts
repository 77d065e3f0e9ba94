import { FILE_COLUMNS, FILE_SCHEMA } from '@heliograph/contract/scheduled-files/scheduled-file';

/** Facts of a run whose file is written. */
export interface WrittenRun {
  period_start: string;
  period_end: string;
  timezone: string;
  rows: number;
  bytes: number;
  sha256: string;
  previous_sha256: string | null;
  written_at: string;
}

/** Writes a moment as in file names: `20261127T160000Z`. */
const compact = (moment: string): string => new Date(moment).toISOString().replace(/[-:]|\.\d{3}/g, '');

const stem = ({ period_start, period_end }: Pick<WrittenRun, 'period_start' | 'period_end'>): string =>
  `messages_v${FILE_SCHEMA}_${compact(period_start)}_${compact(period_end)}`;

/** Answers the name of the file of a period, by its ends in UTC: they differ also where a clock is put back. */
export const fileName = (run: Pick<WrittenRun, 'period_start' | 'period_end'>): string => `${stem(run)}.csv.gz`;

/** Answers the name of the manifest of a period. */
export const manifestName = (run: Pick<WrittenRun, 'period_start' | 'period_end'>): string => `${stem(run)}.json`;

/** Writes the manifest of a file. The same run has the same manifest, byte for byte. */
export function manifestOf(run: WrittenRun): Buffer {
  const iso = (moment: string) => new Date(moment).toISOString();
  const manifest = {
    schema: 'heliograph.messages',
    schema_version: FILE_SCHEMA,
    file: fileName(run),
    period_start: iso(run.period_start),
    period_end: iso(run.period_end),
    timezone: run.timezone,
    written_at: iso(run.written_at),
    rows: run.rows,
    bytes: run.bytes,
    sha256: run.sha256,
    previous_sha256: run.previous_sha256,
    columns: FILE_COLUMNS,
  };
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
}
