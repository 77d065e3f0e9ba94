import { callback, replayCallback } from '@heliograph/contract/callbacks/callback';
import { httpDeliveries } from '@heliograph/contract/http-deliveries/http-delivery';
import { replayRoutingCall, routing } from '@heliograph/contract/inbound-routing/routing';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import i18next from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { CursorList } from '../../resource/cursor-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Attempts, type Delivery } from './attempts.tsx';
import { ReplayRange } from './replay-range.tsx';

const NAME = 'http-deliveries';
const REFRESH_MS = 5_000;
const COLORS: Readonly<Record<Delivery['state'], string>> = { waiting: 'yellow', done: 'teal', failed: 'red' };
const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

const refresh = () => queryClient.invalidateQueries({ queryKey: [NAME] });

async function replay({ id, kind }: Delivery): Promise<void> {
  try {
    await call(kind === 'callback' ? replayCallback : replayRoutingCall, { params: { id } });
    await refresh();
    void toast('success', i18next.t('callbacks.replayed'));
  } catch (error) {
    void toast('error', sentenceOf(error));
  }
}

/** Event of a callback, or phone whose message a routing hands on. */
function Content({ row }: { row: Delivery }) {
  const { t } = useTranslation();
  return (
    <Stack gap={0}>
      <Group gap={6} wrap="nowrap">
        <Text size="sm">{row.type ? t(`event_type.${row.type}`) : row.oa}</Text>
        {row.test && (
          <Badge size="sm" variant="light" color="gray" style={{ minWidth: 'max-content' }}>
            {t('callbacks.sample')}
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {row.webhook_id}
      </Text>
    </Stack>
  );
}

/** Screen of everything that leaves over HTTP for customers, with all attempts, newest first. */
export function DeliveryLog() {
  const { t } = useTranslation();
  const { callback_endpoint_id: endpoint } = useSearch({ strict: false }) as Record<string, string | undefined>;
  const [ranging, setRanging] = useState(false);
  const may = { callback: useMay(callback.permissions.edit), routing_call: useMay(routing.permissions.edit) };
  return (
    <CursorList<typeof httpDeliveries, Delivery>
      name={NAME}
      operation={httpDeliveries}
      title="target"
      header={{
        crumbs: [{ label: t('menu.callbacks'), to: '/callbacks' }],
        actions: may.callback && endpoint && !ranging && (
          <Button variant="default" leftSection={<IconRefresh {...ICON} />} onClick={() => setRanging(true)}>
            {t('callbacks.replay_range')}
          </Button>
        ),
      }}
      columns={[
        'created_at',
        {
          field: 'state',
          cell: (row) => (
            <Badge variant="light" size="sm" color={COLORS[row.state]} style={{ minWidth: 'max-content' }}>
              {t(`callback_state.${row.state}`)}
            </Badge>
          ),
          csv: (row) => t(`callback_state.${row.state}`),
        },
        { field: 'kind', cell: (row) => t(`http_delivery_kind.${row.kind}`) },
        {
          field: 'target',
          cell: (row) => (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {row.target}
            </Text>
          ),
        },
        { field: 'type', cell: (row) => <Content row={row} />, csv: (row) => row.type ?? row.oa ?? '' },
        { field: 'tries', cell: (row) => row.attempts.length, csv: (row) => String(row.attempts.length) },
        'next_at',
        { field: 'corporation_name', hidden: true },
        { field: 'done_at', hidden: true },
      ]}
      filters={[
        { field: 'kind', words: 'http_delivery_kind' },
        { field: 'state', words: 'callback_state' },
        { field: 'type', words: 'event_type' },
        { field: 'callback_endpoint_id', to: callback },
        { field: 'routing_id', to: routing },
      ]}
      refreshEvery={REFRESH_MS}
      expand={(row) => <Attempts made={row} />}
      rowActions={(row) =>
        may[row.kind] && !row.test
          ? [{ label: t('callbacks.replay'), icon: <IconRefresh {...ICON} />, onClick: () => void replay(row) }]
          : []
      }
      empty={<EmptyState of={NAME} learn title={t('callbacks.no_calls')} text={t(`resources.${NAME}.empty`)} />}
    >
      {ranging && endpoint && (
        <ReplayRange
          id={Number(endpoint)}
          onDone={() => {
            setRanging(false);
            void refresh();
          }}
        />
      )}
    </CursorList>
  );
}
