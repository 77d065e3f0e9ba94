import { Group, Paper } from '@mantine/core';
import { IconCalendarOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../ui/empty-state.tsx';
import type { PeriodFault } from './period.ts';

/** Shown in place of a report whose period is not allowed: the reason, with the inputs to change it. */
export function NoPeriod(props: { fault: PeriodFault; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <>
      <Group gap="xs" align="flex-end" mb="sm">
        {props.children}
      </Group>
      <Paper className="app-card">
        <EmptyState
          icon={<IconCalendarOff size={28} stroke={1.5} />}
          title={t('report.no_period')}
          text={t(`validation.${props.fault}`)}
        />
      </Paper>
    </>
  );
}
