import { corporation } from '@heliograph/contract/organizations/corporation';
import { numberAssignments } from '@heliograph/contract/senders/number-assignment';
import { Badge, Button, SegmentedControl } from '@mantine/core';
import { IconArrowBackUp, IconArrowsExchange, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { CursorList } from '../../resource/cursor-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Assignment, type Change, NumberChange } from './number-change.tsx';

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

/** Screen of the numbers that phones write to: whose they are, and whose they were. */
export function NumberAssignments() {
  const { t } = useTranslation();
  const [present, setPresent] = useState<'true' | 'false'>('true');
  const [change, setChange] = useState<Change | null>(null);
  const mayAssign = useMay('number-assignments-create');
  const mayChange = useMay('number-assignments-edit');
  const mayShow = useMay('sender-ids-show');
  const assign = mayAssign && (
    <Button leftSection={<IconPlus {...ICON} />} onClick={() => setChange({ what: 'assign', row: null })}>
      {t('number.assign.action')}
    </Button>
  );
  const over = present === 'false';
  return (
    <CursorList<typeof numberAssignments, Assignment>
      name="number-assignments"
      operation={numberAssignments}
      title="number"
      header={{ subtitle: t('resources.number-assignments.empty'), actions: assign }}
      fixed={{ present }}
      lead={
        <SegmentedControl
          value={present}
          onChange={(value) => setPresent(value as typeof present)}
          data={[
            { value: 'true', label: t('number.now') },
            { value: 'false', label: t('number.past') },
          ]}
        />
      }
      columns={[
        'number',
        'corporation_name',
        {
          field: 'shared',
          cell: (row) => <Part shared={row.shared} />,
          csv: (row) => t(row.shared ? 'number.keywords' : 'number.whole'),
        },
        'given_at',
        { field: 'until_at', hidden: !over },
        'given_by_name',
        { field: 'reason', hidden: over },
        { field: 'taken_by_name', hidden: !over },
        { field: 'taken_reason', hidden: !over },
      ]}
      filters={['number', { field: 'corporation_id', to: corporation }]}
      {...(mayShow && {
        rowTo: (row: Assignment) => (row.sender_id_id === null ? undefined : `/sender-ids/${row.sender_id_id}`),
      })}
      rowActions={(row) =>
        mayChange && row.until_at === null
          ? [
              {
                label: t('number.move.action'),
                icon: <IconArrowsExchange {...ICON} />,
                onClick: () => setChange({ what: 'move', row }),
              },
              {
                label: t('number.take.action'),
                icon: <IconArrowBackUp {...ICON} />,
                danger: true,
                onClick: () => setChange({ what: 'take', row }),
              },
            ]
          : []
      }
      empty={
        <EmptyState
          of="number-assignments"
          learn
          title={t(over ? 'number.none_past' : 'number.none')}
          action={!over && assign}
        />
      }
    >
      {change && <NumberChange change={change} onClose={() => setChange(null)} />}
    </CursorList>
  );
}

/** Badge with the part of a number that a corporation has. */
export function Part({ shared }: { shared: boolean }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" size="sm" color={shared ? 'grape' : 'teal'}>
      {t(shared ? 'number.keywords' : 'number.whole')}
    </Badge>
  );
}
