import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { smppSessions, unbindSession } from '@heliograph/contract/smpp-server/session';
import { systemId } from '@heliograph/contract/smpp-server/system-id';
import { Badge, Group, Tooltip } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { CursorList } from '../../resource/cursor-list.tsx';
import { openDialog } from '../../ui/dialogs.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

type SessionRow = ReplyOf<typeof smppSessions>['data'][number];

const REFRESH_MS = 5_000;

async function unbind({ id }: SessionRow): Promise<void> {
  try {
    const { message } = await call(unbindSession, { params: { id } });
    void toast('success', message ?? i18next.t('smpp.unbind'));
  } catch (error) {
    void toast('error', sentenceOf(error));
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['smpp-sessions'] });
  }
}

function askToUnbind(row: SessionRow): void {
  openDialog({
    title: i18next.t('smpp.unbind_title', { name: row.system_id }),
    text: i18next.t('smpp.unbind_text'),
    confirm: i18next.t('smpp.unbind'),
    danger: true,
    onConfirm: () => unbind(row),
  });
}

/** System ID of a bind, with its most important states. */
function Name({ row }: { row: SessionRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Group gap={6} wrap="nowrap">
      {row.system_id}
      {row.unbind && (
        <Badge variant="light" size="sm" color="gray" style={{ minWidth: 'max-content' }}>
          {t('smpp.ending')}
        </Badge>
      )}
      {row.slow_since && (
        <Tooltip label={format.instant(row.slow_since)}>
          <Badge variant="light" size="sm" color="orange" style={{ minWidth: 'max-content' }}>
            {t('smpp.slow')}
          </Badge>
        </Tooltip>
      )}
    </Group>
  );
}

/** Screen of the programs that are bound now. */
export function SmppSessions() {
  const { t } = useTranslation();
  const mayUnbind = useMay('smpp-sessions-unbind');
  return (
    <CursorList<typeof smppSessions, SessionRow>
      name="smpp-sessions"
      operation={smppSessions}
      title="system_id"
      columns={[
        { field: 'system_id', cell: (row) => <Name row={row} />, csv: (row) => row.system_id },
        { field: 'mode', cell: (row) => t(`smpp_mode.${row.mode}`) },
        'version',
        'address',
        'corporation_name',
        'submitted',
        'refused',
        'throttled',
        'delivered',
        'in_flight',
        'bound_at',
        { field: 'user_name', hidden: true },
        { field: 'tls', hidden: true },
        { field: 'process', hidden: true },
        { field: 'slow_since', hidden: true },
      ]}
      filters={[
        { field: 'corporation_id', to: corporation },
        { field: 'smpp_system_id_id', to: systemId, within: 'corporation_id' },
      ]}
      refreshEvery={REFRESH_MS}
      rowActions={(row) =>
        mayUnbind && !row.unbind
          ? [
              {
                label: t('smpp.unbind'),
                icon: <IconPlugConnectedX size={16} stroke={1.6} aria-hidden />,
                onClick: () => askToUnbind(row),
              },
            ]
          : []
      }
      empty={
        <EmptyState of="smpp-sessions" learn title={t('smpp.no_sessions')} text={t('resources.smpp-sessions.empty')} />
      }
    />
  );
}
