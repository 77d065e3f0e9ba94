import { listVerifications } from '@heliograph/contract/verify/verification';
import { verifyService } from '@heliograph/contract/verify/verify-service';
import { Badge, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import type { RowOf } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useSignalWords } from './signal-words.ts';

type Row = RowOf<typeof listVerifications>;

const STATES = {
  pending: 'yellow',
  approved: 'teal',
  failed: 'red',
  expired: 'gray',
  cancelled: 'gray',
  refused: 'red',
} as const;
const DECISIONS = { allowed: 'gray', would_refuse: 'orange', refused: 'red' } as const;

/** Decision of the guard, with its reasons. */
function Decision({ row }: { row: Row }) {
  const { t } = useTranslation();
  const words = useSignalWords();
  return (
    <Stack gap={2}>
      <Badge variant="light" size="sm" color={DECISIONS[row.decision]} style={{ minWidth: 'max-content' }}>
        {t(`verify_decision.${row.decision}`)}
      </Badge>
      {row.signals.map((each) => (
        <Text key={each.signal} size="xs" c="dimmed">
          {words(each)}
        </Text>
      ))}
    </Stack>
  );
}

/** Screen of verifications, the newest first, with the decisions of the guard. */
export function Verifications() {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useSignalWords();
  return (
    <CursorList<typeof listVerifications, Row>
      name="verifications"
      operation={listVerifications}
      title="number"
      header={{ crumbs: [{ label: t('menu.verify-services'), to: '/verify-services' }] }}
      columns={[
        'created_at',
        'number',
        {
          field: 'state',
          cell: ({ state }) => (
            <Badge variant="light" size="sm" color={STATES[state]} style={{ minWidth: 'max-content' }}>
              {t(`verification_state.${state}`)}
            </Badge>
          ),
          csv: ({ state }) => t(`verification_state.${state}`),
        },
        {
          field: 'decision',
          cell: (row) => <Decision row={row} />,
          csv: (row) => [t(`verify_decision.${row.decision}`), ...row.signals.map(words)].join('; '),
        },
        'service_name',
        { field: 'checks', figure: true },
        { field: 'messages', figure: true },
        { field: 'price', cell: ({ price, currency }) => format.money(price, currency) },
        { field: 'saved', hidden: true, cell: ({ saved, currency }) => format.money(saved, currency) },
        { field: 'corporation_name', hidden: true },
        { field: 'done_at', hidden: true },
        { field: 'is_test', hidden: true },
      ]}
      empty={
        <EmptyState
          of="verify-services"
          learn
          title={t('verify_services.none')}
          text={t('resources.verifications.empty')}
        />
      }
      filters={[
        { field: 'service_id', to: verifyService },
        { field: 'state', words: 'verification_state' },
        { field: 'decision', words: 'verify_decision' },
        'number',
      ]}
    />
  );
}
