import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { drainNode, nodes, resumeNode } from '@heliograph/contract/nodes/node';
import { Badge, Group, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
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

type NodeRow = ReplyOf<typeof nodes>['data'][number];

/** Interval between two reads of the list, in ms. A node sends a heartbeat every second. */
const REFRESH_MS = 2_000;

const COLORS = { live: 'teal', draining: 'violet', stopping: 'gray', silent: 'red' } as const satisfies Record<
  NodeRow['state'],
  string
>;

async function ask(operation: typeof drainNode | typeof resumeNode, { id }: NodeRow): Promise<void> {
  try {
    const { message } = await call(operation, { params: { id } });
    void toast('success', message ?? i18next.t('resources.nodes.one'));
  } catch (error) {
    void toast('error', sentenceOf(error));
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['nodes'] });
  }
}

function askToDrain(row: NodeRow): void {
  openDialog({
    title: i18next.t('nodes.drain_title', { name: row.name }),
    text: i18next.t(row.kind === 'sender' ? 'nodes.drain_sender' : 'nodes.drain_smpp_server'),
    confirm: i18next.t('nodes.drain'),
    onConfirm: () => ask(drainNode, row),
  });
}

/** Host and process id of a node. The process id distinguishes several nodes of a kind on one host. */
function Process({ row }: { row: NodeRow }) {
  return (
    <>
      {row.host}{' '}
      <Text span size="xs" c="dimmed">
        {row.pid}
      </Text>
    </>
  );
}

/** State of a process. For a silent one, it shows the time of the last heartbeat. */
function State({ row }: { row: NodeRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Group gap={8} wrap="nowrap">
      <Badge variant="light" size="sm" color={COLORS[row.state]} style={{ minWidth: 'max-content' }}>
        {t(`node_state.${row.state}`)}
      </Badge>
      {row.state === 'silent' && (
        <Text size="xs" c="dimmed">
          {t('nodes.silent_since', { time: format.time(row.seen_at) })}
        </Text>
      )}
    </Group>
  );
}

/** Screen of the platform's processes on all hosts, and the work they hold. */
export function Nodes() {
  const { t } = useTranslation();
  const mayDrain = useMay('nodes-drain');
  const actionsOf = (row: NodeRow) => {
    // Other processes hold nothing that could be handed over.
    if (!mayDrain || row.state === 'silent' || (row.kind !== 'sender' && row.kind !== 'smpp_server')) return [];
    return row.draining
      ? [
          {
            label: t('nodes.resume'),
            icon: <IconPlayerPlay size={16} stroke={1.6} aria-hidden />,
            onClick: () => void ask(resumeNode, row),
          },
        ]
      : [
          {
            label: t('nodes.drain'),
            icon: <IconPlayerPause size={16} stroke={1.6} aria-hidden />,
            onClick: () => askToDrain(row),
          },
        ];
  };
  return (
    <CursorList<typeof nodes, NodeRow>
      name="nodes"
      operation={nodes}
      title="name"
      header={{ subtitle: t('resources.nodes.empty') }}
      columns={[
        { field: 'host', cell: (row) => <Process row={row} /> },
        { field: 'kind', cell: (row) => t(`node_kind.${row.kind}`) },
        {
          field: 'state',
          cell: (row) => <State row={row} />,
        },
        { field: 'links', cell: (row) => row.links.join(', ') || '–' },
        { field: 'binds', cell: (row) => (row.kind === 'smpp_server' ? row.binds : '–') },
        'version',
        'started_at',
        { field: 'seen_at', hidden: true },
        { field: 'pid', hidden: true },
        { field: 'name', hidden: true },
      ]}
      filters={[{ field: 'kind', words: 'node_kind' }]}
      refreshEvery={REFRESH_MS}
      rowActions={actionsOf}
      empty={<EmptyState of="nodes" learn title={t('nodes.none')} />}
    />
  );
}
