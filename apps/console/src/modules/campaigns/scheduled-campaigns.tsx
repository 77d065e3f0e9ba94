import { listScheduledCampaigns } from '@heliograph/contract/campaigns/campaign';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { department } from '@heliograph/contract/organizations/department';
import { Button, SegmentedControl } from '@mantine/core';
import { IconCalendarEvent, IconClockEdit, IconPlayerStop, IconRepeatOff, IconSend } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import type { Column } from '../../resource/columns.tsx';
import { PageList } from '../../resource/page-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import type { RowAction } from '../../ui/table-parts.tsx';
import { askToEndSeries, askToUnschedule } from './campaign-actions.tsx';
import type { Campaign } from './campaign-feed.ts';
import { Reschedule } from './reschedule.tsx';
import { ScheduleCalendar } from './schedule-calendar.tsx';
import { ScheduleMarks, ScheduleRange } from './schedule-words.tsx';

const COLUMNS: readonly Column<Campaign>[] = [
  'name',
  'sender_id',
  { field: 'starts_at', cell: (row) => <ScheduleRange campaign={row} /> },
  'total_count',
  'estimated_cost',
  { field: 'schedule', cell: (row) => <ScheduleMarks schedule={row.schedule} />, width: 220 },
  'user_name',
  { field: 'ends_at', hidden: true },
  { field: 'timezone', hidden: true },
  { field: 'approved_by_name', hidden: true },
  { field: 'corporation_name', hidden: true },
  { field: 'department_name', hidden: true },
  { field: 'created_at', hidden: true },
];

/** Screen of the campaigns that wait for their start time, as a list or in a calendar. */
export function ScheduledCampaigns() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { view } = useSearch({ strict: false }) as { view?: string };
  const show = (next: string) =>
    void navigate({ to: '/schedule-campaigns', search: next === 'calendar' ? { view: next } : {} });
  const choice = (
    <SegmentedControl
      aria-label={t('schedule.view')}
      data={(['list', 'calendar'] as const).map((each) => ({ value: each, label: t(`schedule.view_${each}`) }))}
      value={view === 'calendar' ? 'calendar' : 'list'}
      onChange={show}
    />
  );
  if (view !== 'calendar') return <ScheduledList choice={choice} />;
  return (
    <>
      <PageHeader title={t('menu.schedule-campaigns')} subtitle={t('schedule.subtitle')} actions={choice} />
      <ScheduleCalendar />
    </>
  );
}

function ScheduledList({ choice }: { choice: React.ReactNode }) {
  const { t } = useTranslation();
  const mayShow = useMay('campaigns-show');
  const mayCreate = useMay('campaigns-create');
  const [moving, setMoving] = useState<Campaign | null>(null);
  const icon = { size: 16, stroke: 1.6 };
  const actions = (row: Campaign): RowAction[] => [
    ...(row.abilities.reschedule
      ? [{ label: t('campaign.reschedule'), icon: <IconClockEdit {...icon} />, onClick: () => setMoving(row) }]
      : []),
    ...(row.abilities.unschedule
      ? [
          {
            label: t('campaign.stop'),
            icon: <IconPlayerStop {...icon} />,
            danger: true,
            onClick: () => askToUnschedule(row),
          },
        ]
      : []),
    ...(row.abilities.end_series && row.schedule.repeat
      ? [
          {
            label: t('campaign.end_series'),
            icon: <IconRepeatOff {...icon} />,
            danger: true,
            onClick: () => askToEndSeries(row),
          },
        ]
      : []),
  ];
  return (
    <PageList<typeof listScheduledCampaigns, Campaign>
      name="campaigns"
      operation={listScheduledCampaigns}
      title="name"
      columns={COLUMNS}
      filters={[
        { field: 'corporation_id', to: corporation },
        { field: 'department_id', to: department, within: 'corporation_id' },
      ]}
      header={{ title: t('menu.schedule-campaigns'), subtitle: t('schedule.subtitle'), actions: choice }}
      empty={
        <EmptyState
          icon={<IconCalendarEvent size={28} stroke={1.5} />}
          title={t('schedule.none')}
          text={t('schedule.none_hint')}
          action={
            mayCreate && (
              <Button component={Link} to="/send-sms" leftSection={<IconSend size={16} aria-hidden />}>
                {t('menu.send-sms')}
              </Button>
            )
          }
        />
      }
      rowActions={actions}
      refreshEvery={15_000}
      {...(mayShow ? { rowTo: (row: Campaign) => `/campaign-history/${row.id}` } : {})}
    >
      {moving && <Reschedule campaign={moving} onClose={() => setMoving(null)} />}
    </PageList>
  );
}
