import type { ReadAs } from '@heliograph/contract/kernel/file-reading';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../platform/format.ts';
import { openReport } from '../platform/open-file.ts';
import { ShareBar } from './file-target.tsx';
import { readingText } from './reading-choice.tsx';

/** File that is being read, or has been read. */
export interface FileProgress {
  state: 'queued' | 'running' | 'done' | 'failed';
  file_name: string;
  bytes_total: number;
  bytes_read: number;
  rows_read: number;
  rows_added: number;
  rows_changed: number;
  rows_duplicate: number;
  rows_rejected: number;
  rows_national: number;
  columns: { name: string; field: string | null }[] | null;
  error_code: string | null;
  error_params: Record<string, string | number>;
  read_as: ReadAs | null;
  error_file: string | null;
}

const COUNTS = ['rows_read', 'rows_added', 'rows_changed', 'rows_duplicate', 'rows_rejected'] as const;
/** Counts that are shown only if there are such rows. */
const RARE: ReadonlySet<string> = new Set(['rows_changed']);

export const isOver = (row: FileProgress | undefined) => row?.state === 'done' || row?.state === 'failed';

/** Returns the names of the columns whose field matches. */
const namesOf = ({ columns }: FileProgress, fits: (field: string | null) => boolean): string =>
  (columns ?? [])
    .filter(({ field }) => fits(field))
    .map(({ name }) => name)
    .join(', ');

/** Summary of the columns that were read, and of those that were ignored. */
function Columns({ row }: { row: FileProgress }) {
  const { t } = useTranslation();
  const read = row.columns?.filter(({ field }) => field !== null) ?? [];
  const unused = namesOf(row, (field) => field === null);
  const labels = read.map(({ name, field }) => `${name} → ${field === 'number' ? t('column.number') : field}`);
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {read.length > 0 && t('import.columns', { columns: labels.join(', ') })}{' '}
      {unused !== '' && t('import.columns_unused', { columns: unused })}
    </Text>
  );
}

/** Progress of reading a file: its counts, the number of rows with errors, and the report that names them. */
export function UploadProgress({ row, again }: { row: FileProgress; again: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const name = row.file_name;
  const label =
    row.state === 'done'
      ? t('import.done', { name })
      : row.state === 'failed'
        ? t('import.failed', { name })
        : t('import.reading', { name });
  const share = row.state === 'done' ? 1 : row.bytes_total > 0 ? row.bytes_read / row.bytes_total : 0;
  const faults = row.rows_rejected + row.rows_duplicate;
  return (
    <Stack gap="md">
      <ShareBar
        label={label}
        share={share}
        color={row.state === 'failed' ? 'red' : row.state === 'done' ? 'teal' : 'brand'}
      />
      {row.error_code && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {t([keyIn('errors', row.error_code), 'errors.internal_error'], {
            ...row.error_params,
            columns: namesOf(row, (field) => field === 'number'),
          })}
        </Text>
      )}
      {row.columns && row.error_code !== 'file_columns_ambiguous' && <Columns row={row} />}
      {row.read_as && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {readingText(t, row.read_as)}
        </Text>
      )}
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        {COUNTS.filter((count) => !RARE.has(count) || row[count] > 0).map((count) => (
          <div key={count}>
            <Text size="xs" c="dimmed">
              {t(`import.${count}`)}
            </Text>
            <Text fw={600} size="lg">
              {format.integer(row[count])}
            </Text>
          </div>
        ))}
      </SimpleGrid>
      {row.rows_national > 0 && (
        <Text size="sm" c="dimmed">
          {`${t('import.rows_national')}: ${format.integer(row.rows_national)}`}
        </Text>
      )}
      {isOver(row) && row.error_file && (
        <Text size="sm" role="status">
          {t('bulk.faults', { count: faults, replace: { count: format.integer(faults) } })}
        </Text>
      )}
      {isOver(row) && (
        <Group>
          {row.error_file && (
            <Button
              variant="light"
              leftSection={<IconFileSpreadsheet size={16} stroke={1.6} />}
              onClick={() => void openReport(row.error_file!, `${name.replace(/\.[^.]*$/, '')}-errors`)}
            >
              {t('bulk.report')}
            </Button>
          )}
          <Button variant="default" onClick={again}>
            {t('import.again')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
