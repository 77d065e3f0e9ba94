import { corporation } from '@heliograph/contract/organizations/corporation';
import { scheduledFile } from '@heliograph/contract/scheduled-files/scheduled-file';
import { Badge } from '@mantine/core';
import { IconHistory, IconPlugConnected } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { ResourceList } from '../../resource/resource-list.tsx';
import { TestDestination } from './test-destination.tsx';

export type ScheduledFileRow = z.output<typeof scheduledFile.row>;

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
const COLORS = { good: 'teal', failing: 'red', unconfirmed: 'yellow', off: 'gray' } as const;

function statusOf({ enabled, failing_since, destination, host_key }: ScheduledFileRow): keyof typeof COLORS {
  if (!enabled) return 'off';
  if (destination === 'sftp' && host_key === null) return 'unconfirmed';
  return failing_since === null ? 'good' : 'failing';
}

/** Screen of the files that are sent to customers' servers and buckets. */
export function ScheduledFiles() {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const [testing, setTesting] = useState<ScheduledFileRow | null>(null);
  const mayShow = useMay(scheduledFile.permissions.show);
  return (
    <ResourceList
      resource={scheduledFile}
      columns={[
        'name',
        {
          field: 'enabled',
          title: 'common.state',
          cell: (row) => (
            <Badge variant="light" size="sm" color={COLORS[statusOf(row)]} style={{ minWidth: 'max-content' }}>
              {t(`scheduled_file.status.${statusOf(row)}`)}
            </Badge>
          ),
          csv: (row) => t(`scheduled_file.status.${statusOf(row)}`),
        },
        {
          field: 'destination',
          cell: (row) => `${row.host ?? row.bucket}${row.folder && ` · ${row.folder}`}`,
          csv: (row) => row.host ?? row.bucket ?? '',
        },
        { field: 'every', cell: (row) => t(`file_period.${row.every}`), csv: (row) => t(`file_period.${row.every}`) },
        {
          field: 'sent_until',
          cell: (row) => (row.sent_until === null ? t('scheduled_file.none_sent') : format.instant(row.sent_until)),
        },
        { field: 'corporation_name', cell: (row) => row.corporation_name ?? t('scheduled_file.platform') },
        { field: 'failing_since', hidden: true },
        { field: 'wait_hours', hidden: true },
        { field: 'texts', hidden: true },
        { field: 'numbers', hidden: true },
        { field: 'host_key', hidden: true },
        { field: 'created_at', hidden: true },
      ]}
      filters={[
        { field: 'corporation_id', to: corporation },
        { field: 'destination', words: 'file_destination' },
        'enabled',
      ]}
      rowActions={(row) => [
        ...(mayShow
          ? [
              {
                label: t('scheduled_file.runs'),
                icon: <IconHistory {...ICON} />,
                onClick: () =>
                  void navigate({ to: '/scheduled-file-runs', search: { scheduled_file_id: String(row.id) } }),
              },
            ]
          : []),
        ...(row.abilities.edit
          ? [
              {
                label: t('scheduled_file.test'),
                icon: <IconPlugConnected {...ICON} />,
                onClick: () => setTesting(row),
              },
            ]
          : []),
      ]}
    >
      {testing && <TestDestination file={testing} onClose={() => setTesting(null)} />}
    </ResourceList>
  );
}
