import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { moderationQueue } from '@heliograph/contract/moderation/moderation';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Anchor, Badge, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { CursorList } from '../../resource/cursor-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { Decide, type Decision } from './decide.tsx';

export type Held = ReplyOf<typeof moderationQueue>['data'][number];

const REFRESH_MS = 5_000;
const COLORS = { waiting: 'orange', approved: 'teal', rejected: 'red', withdrawn: 'gray' } as const;

/** Texts that fitted a rule; their numbers are hidden. */
function Samples({ row }: { row: Held }) {
  const { t } = useTranslation();
  if (row.samples.length === 0) return <Text c="dimmed">{t('moderation.samples_hidden')}</Text>;
  return (
    <Stack gap={4} miw={260} maw={520}>
      {row.samples.map((sample) => (
        <Text key={sample} size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {sample}
        </Text>
      ))}
    </Stack>
  );
}

/** Campaign with a link to its page, or the kind of messages. */
function What({ row }: { row: Held }) {
  const { t } = useTranslation();
  if (row.campaign_id === null) return t('moderation.program');
  return (
    <Anchor component={Link} to={`/campaign-history/${row.campaign_id}`} size="sm">
      {row.campaign_name}
    </Anchor>
  );
}

/** Screen of the campaigns and messages that wait for a decision. */
export function ModerationQueue() {
  const { t } = useTranslation();
  const format = useFormat();
  const mayDecide = useMay('moderation-decide');
  const maySeeRules = useMay('moderation-rules-index');
  const [state, setState] = useState<'waiting' | 'decided'>('waiting');
  const [deciding, setDeciding] = useState<{ rows: readonly Held[]; decision: Decision; done: () => void } | null>(
    null,
  );
  const waits = state === 'waiting';
  const act = (rows: readonly Held[], decision: Decision, done: () => void) => setDeciding({ rows, decision, done });
  return (
    <CursorList<typeof moderationQueue, Held>
      name="moderation"
      operation={moderationQueue}
      title="sender_id"
      header={{ subtitle: t('resources.moderation.empty') }}
      fixed={{ state }}
      lead={
        <SegmentedControl
          value={state}
          onChange={(value) => setState(value as typeof state)}
          data={[
            { value: 'waiting', label: t('moderation.waiting') },
            { value: 'decided', label: t('moderation.decided') },
          ]}
        />
      }
      columns={[
        { field: 'created_at', cell: (row) => format.ago(row.created_at, Date.now()) },
        { field: 'samples', cell: (row) => <Samples row={row} />, csv: (row) => row.samples.join('\n') },
        'messages',
        'corporation_name',
        'sender_id',
        { field: 'campaign_name', cell: (row) => <What row={row} />, csv: (row) => row.campaign_name ?? '' },
        'rule_name',
        {
          field: 'state',
          hidden: waits,
          cell: (row) => (
            <Badge variant="light" color={COLORS[row.state]}>
              {t(`moderation_state.${row.state}`)}
            </Badge>
          ),
          csv: (row) => t(`moderation_state.${row.state}`),
        },
        { field: 'expires_at', hidden: !waits },
        { field: 'reason', hidden: waits },
        { field: 'decided_by_name', hidden: waits },
        { field: 'decided_at', hidden: true },
      ]}
      filters={[{ field: 'corporation_id', to: corporation }]}
      refreshEvery={REFRESH_MS}
      rowActions={(row) =>
        mayDecide && waits
          ? (['approved', 'rejected'] as const).map((decision) => ({
              label: t(`moderation.${decision}`),
              onClick: () => act([row], decision, () => undefined),
            }))
          : []
      }
      bulkActions={
        mayDecide && waits
          ? (rows, clear) => (
              <Group gap="xs">
                <Button size="xs" onClick={() => act(rows, 'approved', clear)}>
                  {t('moderation.approved')}
                </Button>
                <Button size="xs" color="red.8" onClick={() => act(rows, 'rejected', clear)}>
                  {t('moderation.rejected')}
                </Button>
              </Group>
            )
          : undefined
      }
      empty={
        <EmptyState
          of="moderation"
          learn
          title={t(waits ? 'moderation.none_waiting' : 'moderation.none_decided')}
          action={
            maySeeRules && (
              <Button component={Link} to="/moderation-rules" variant="default">
                {t('menu.moderation-rules')}
              </Button>
            )
          }
        />
      }
    >
      {deciding && (
        <Decide
          {...deciding}
          onClose={() => setDeciding(null)}
          onDone={() => {
            deciding.done();
            setDeciding(null);
          }}
        />
      )}
    </CursorList>
  );
}
