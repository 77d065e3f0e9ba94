import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { scheduledFile, scheduledFileRuns, sendFileAgain } from '@heliograph/contract/scheduled-files/scheduled-file';
import { Badge, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { queryClient } from '../../platform/queries.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { CursorList } from '../../resource/cursor-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

const NAME = 'scheduled-file-runs';
const REFRESH_MS = 10_000;
const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

type Run = ReplyOf<typeof scheduledFileRuns>['data'][number];

/** State of a run, with the reason of its last failure. */
function RunState({ run }: { run: Run }) {
  const { t } = useTranslation();
  const color = run.state === 'sent' ? 'teal' : run.error ? 'red' : 'yellow';
  return (
    <Stack gap={2}>
      <Badge variant="light" size="sm" color={color} style={{ minWidth: 'max-content' }}>
        {t(`file_state.${run.state}`)}
      </Badge>
      {run.error && (
        <Text size="xs" c="dimmed">
          {t(`file_fault.${run.error}`)}
        </Text>
      )}
    </Stack>
  );
}

/** Screen of the periods of scheduled files, the newest first. */
export function ScheduledFileRuns() {
  const { t } = useTranslation();
  const format = useFormat();
  const { run: act } = useAction();
  const mayEdit = useMay(scheduledFile.permissions.edit);
  return (
    <CursorList<typeof scheduledFileRuns, Run>
      name={NAME}
      operation={scheduledFileRuns}
      title="period_start"
      header={{ crumbs: [{ label: t('menu.scheduled-files'), to: '/scheduled-files' }] }}
      columns={[
        'period_start',
        'period_end',
        { field: 'state', cell: (row) => <RunState run={row} />, csv: (row) => t(`file_state.${row.state}`) },
        'scheduled_file_name',
        { field: 'rows', figure: true, cell: (row) => (row.rows === null ? '–' : format.integer(row.rows)) },
        { field: 'bytes', figure: true, cell: (row) => (row.bytes === null ? '–' : format.bytes(row.bytes)) },
        'tries',
        'sent_at',
        { field: 'next_at', hidden: true },
        { field: 'written_at', hidden: true },
        { field: 'file_name', hidden: true },
        { field: 'sha256', hidden: true },
        { field: 'previous_sha256', hidden: true },
        { field: 'timezone', hidden: true },
        { field: 'corporation_name', hidden: true },
      ]}
      filters={[
        { field: 'scheduled_file_id', to: scheduledFile },
        { field: 'state', words: 'file_state' },
      ]}
      refreshEvery={REFRESH_MS}
      rowActions={(row) =>
        mayEdit && row.kept
          ? [
              {
                label: t('scheduled_file.send_again'),
                icon: <IconRefresh {...ICON} />,
                onClick: () =>
                  void act(async () => {
                    const { message } = await call(sendFileAgain, { params: { id: row.id } });
                    await queryClient.invalidateQueries({ queryKey: [NAME] });
                    void toast('success', message ?? '');
                  }),
              },
            ]
          : []
      }
      empty={<EmptyState of={NAME} learn title={t('scheduled_file.none_sent')} text={t(`resources.${NAME}.empty`)} />}
    />
  );
}
