import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { senderRequests } from '@heliograph/contract/senders/sender-request';
import { Alert, Anchor, Badge, Button, Drawer, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadCounters } from '../../platform/counters.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { Cell } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Link } from '../../ui/link.tsx';
import { SenderDecision, VERDICT_ICONS } from './sender-decision.tsx';
import { DocumentList } from './sender-documents.tsx';
import { SenderName, SenderPreview } from './sender-preview.tsx';

type Request = ReplyOf<typeof senderRequests>['data'][number];
type Verdict = 'approve' | 'reject';

const VERDICTS = ['approve', 'reject'] as const;
const REFRESH_MS = 15_000;

const COLORS = {
  same_name: 'red',
  protected_name: 'orange',
  no_documents: 'gray',
  no_purpose: 'gray',
  own: 'blue',
} as const;

/** Returns the sentence of a check. */
function useSentences() {
  const { t } = useTranslation();
  return (row: Request, check: Request['checks'][number]) => {
    switch (check) {
      case 'same_name':
        return t('sender_request.same', { names: row.same_at.join(', ') });
      case 'protected_name':
        return t(row.is_protected_name ? 'sender_request.protected' : 'sender_request.like', {
          name: row.protected_name ?? '',
        });
      default:
        return t(`sender_request.${check}`);
    }
  };
}

function Checks({ row }: { row: Request }) {
  const { t } = useTranslation();
  const sentenceOf = useSentences();
  if (row.checks.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('sender_request.clear')}
      </Text>
    );
  return (
    <Group gap={4}>
      {row.checks.map((check) => (
        <Badge
          key={check}
          variant="light"
          color={COLORS[check]}
          h="auto"
          py={2}
          styles={{ label: { whiteSpace: 'normal', overflowWrap: 'anywhere' } }}
        >
          {sentenceOf(row, check)}
        </Badge>
      ))}
    </Group>
  );
}

/** Screen of the sender IDs that wait for the user's decision. */
export function SenderRequests() {
  const { t } = useTranslation();
  const format = useFormat();
  const sentenceOf = useSentences();
  const [opened, setOpened] = useState<Request | null>(null);
  const [deciding, setDeciding] = useState<{ senders: readonly Request[]; verdict: Verdict; done: () => void } | null>(
    null,
  );
  const act = (rows: readonly Request[], verdict: Verdict, done: () => void) =>
    setDeciding({ senders: rows.filter((row) => !row.needs_other), verdict, done });
  const close = () => setOpened(null);
  // The menu then counts what the list shows.
  useEffect(() => void loadCounters(), []);
  return (
    <CursorList<typeof senderRequests, Request>
      name="sender-requests"
      operation={senderRequests}
      title="sender_id"
      header={{ subtitle: t('resources.sender-requests.empty') }}
      columns={[
        { field: 'sender_id', cell: (row) => <SenderName name={row.sender_id} /> },
        { field: 'requested_at', cell: (row) => format.ago(row.requested_at, Date.now()) },
        'corporation_name',
        {
          field: 'purpose',
          cell: (row) => (
            <Text size="sm" maw={280} lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
              {row.purpose ?? '–'}
            </Text>
          ),
        },
        {
          field: 'checks',
          cell: (row) => <Checks row={row} />,
          csv: (row) => row.checks.map((check) => sentenceOf(row, check)).join('\n'),
        },
        'documents',
        { field: 'requested_by_name', hidden: true },
        { field: 'is_promotional', hidden: true },
      ]}
      filters={[{ field: 'corporation_id', to: corporation }]}
      refreshEvery={REFRESH_MS}
      onRowClick={setOpened}
      rowActions={(row) =>
        row.needs_other
          ? []
          : VERDICTS.map((verdict) => ({
              label: t(`sender.decide.${verdict}.action`),
              icon: VERDICT_ICONS[verdict],
              onClick: () => act([row], verdict, close),
            }))
      }
      bulkActions={(rows, clear) =>
        rows.some((row) => !row.needs_other) && (
          <Group gap="xs">
            {VERDICTS.map((verdict) => (
              <Button
                key={verdict}
                size="xs"
                variant={verdict === 'approve' ? 'filled' : 'default'}
                leftSection={VERDICT_ICONS[verdict]}
                onClick={() => act(rows, verdict, clear)}
              >
                {t(`sender.decide.${verdict}.action`)}
              </Button>
            ))}
          </Group>
        )
      }
      empty={<NothingWaits />}
    >
      {opened && <RequestDrawer row={opened} onClose={close} onDecide={(verdict) => act([opened], verdict, close)} />}
      {deciding && (
        <SenderDecision
          senders={deciding.senders}
          verdict={deciding.verdict}
          onClose={() => setDeciding(null)}
          onDone={deciding.done}
        />
      )}
    </CursorList>
  );
}

function NothingWaits() {
  const { t } = useTranslation();
  const mayList = useMay('sender-ids-index');
  return (
    <EmptyState
      of="sender-requests"
      learn
      title={t('sender_request.none')}
      text={t('sender_request.none_hint')}
      action={
        mayList && (
          <Button variant="default" component={Link} to="/sender-ids">
            {t('sender_request.all')}
          </Button>
        )
      }
    />
  );
}

/** Everything about one request, with its documents and the decision. */
function RequestDrawer(props: { row: Request; onClose: () => void; onDecide: (verdict: Verdict) => void }) {
  const { t } = useTranslation();
  const { row } = props;
  const mayShow = useMay('sender-ids-show');
  const label = (field: 'corporation_name' | 'requested_by_name' | 'requested_at' | 'is_promotional' | 'purpose') =>
    t(`resources.sender-requests.fields.${field}`);
  return (
    <Drawer
      opened
      onClose={props.onClose}
      title={<Text fw={600}>{row.sender_id}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="lg">
        <SenderPreview name={row.sender_id} />
        <Checks row={row} />
        <SimpleGrid component="dl" cols={{ base: 1, xs: 2 }} spacing="sm" m={0}>
          <Fact label={label('corporation_name')}>{row.corporation_name}</Fact>
          <Fact label={label('requested_by_name')}>{row.requested_by_name ?? '–'}</Fact>
          <Fact label={label('requested_at')}>
            <Cell show="instant" value={row.requested_at} />
          </Fact>
          <Fact label={label('is_promotional')}>{t(row.is_promotional ? 'common.yes' : 'common.no')}</Fact>
        </SimpleGrid>
        <SimpleGrid component="dl" cols={1} m={0}>
          <Fact label={label('purpose')}>
            <span style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{row.purpose ?? '–'}</span>
          </Fact>
        </SimpleGrid>
        <Stack gap="xs">
          <Text size="sm" fw={600}>
            {t('sender.document.title')}
          </Text>
          <DocumentList id={row.id} />
        </Stack>
        {row.needs_other ? (
          <Alert color="blue">{t('sender_request.own')}</Alert>
        ) : (
          <Group gap="xs">
            {VERDICTS.map((verdict) => (
              <Button
                key={verdict}
                variant={verdict === 'approve' ? 'filled' : 'default'}
                leftSection={VERDICT_ICONS[verdict]}
                onClick={() => props.onDecide(verdict)}
              >
                {t(`sender.decide.${verdict}.action`)}
              </Button>
            ))}
          </Group>
        )}
        {mayShow && (
          <Anchor component={Link} to={`/sender-ids/${row.id}`} size="sm">
            {t('sender_request.page')}
          </Anchor>
        )}
      </Stack>
    </Drawer>
  );
}
