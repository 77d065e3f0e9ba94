import { activityLogs, exportActivityLogs } from '@heliograph/contract/audit/activity-log';
import { LOG_FORMATS } from '@heliograph/contract/kernel/file-format';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { CursorList } from '../../resource/cursor-list.tsx';
import { InZone } from '../../resource/in-zone.tsx';
import { noneYet } from '../../resource/none-yet.ts';
import { ReportDownload } from '../../resource/report-download.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ActivityDrawer } from './activity-drawer.tsx';
import { ActivityFeed } from './activity-feed.tsx';

export type Activity = ReplyOf<typeof activityLogs>['data'][number];

/** Screen of all changes and their authors, newest first. */
export function ActivityLogs() {
  const { t } = useTranslation();
  const mayDownload = useMay('activity-logs-download');
  const [open, setOpen] = useState<Activity | null>(null);
  const navigate = useNavigate();
  const { view, ...search } = useSearch({ strict: false }) as Record<string, string>;
  const [asked, setAsked] = useState<Record<string, unknown> | null>(null);
  const causerOf = (row: Activity) =>
    row.causer_name ?? (row.causer_id === null ? t('activity.system') : t('activity.gone', { id: row.causer_id }));

  return (
    <>
      <CursorList<typeof activityLogs, Activity>
        name="activity-logs"
        operation={activityLogs}
        title="description"
        header={{
          subtitle: (
            <>
              {t('activity.verify_hint')}
              <InZone />
            </>
          ),
          actions: (
            <SegmentedControl
              aria-label={t('activity.view')}
              data={(['feed', 'table'] as const).map((each) => ({ value: each, label: t(`activity.view_${each}`) }))}
              value={view === 'table' ? 'table' : 'feed'}
              onChange={(next) =>
                void navigate({ to: '.', search: next === 'table' ? { ...search, view: next } : search })
              }
            />
          ),
        }}
        columns={[
          'created_at',
          { field: 'causer_name', cell: causerOf, csv: causerOf },
          'area',
          { field: 'description', cell: (row) => row.action, csv: (row) => row.action },
          'subject',
          'corporation_name',
          { field: 'name', hidden: true },
          { field: 'subject_type', hidden: true },
          { field: 'subject_id', hidden: true },
          { field: 'causer_type', hidden: true },
          { field: 'causer_id', hidden: true },
          { field: 'id', hidden: true },
        ]}
        filters={[
          'from',
          'to',
          'name',
          'description',
          'subject_type',
          'subject_id',
          'causer_id',
          { field: 'corporation_id', to: corporation },
        ]}
        empty={
          <EmptyState
            of="activity-logs"
            learn
            title={noneYet('activity-logs')}
            text={t('resources.activity-logs.empty')}
          />
        }
        onRowClick={setOpen}
        {...(view !== 'table' && {
          body: (rows: readonly Activity[]) => <ActivityFeed rows={rows} whoOf={causerOf} onOpen={setOpen} />,
        })}
        exportLabel={t('report_format.export')}
        {...(mayDownload ? { onExport: async (wanted: Record<string, unknown>) => setAsked(wanted) } : {})}
      />
      {asked && (
        <ReportDownload
          operation={exportActivityLogs}
          query={asked}
          formats={LOG_FORMATS}
          onClose={() => setAsked(null)}
        />
      )}
      {open && <ActivityDrawer entry={open} who={causerOf(open)} onClose={() => setOpen(null)} />}
    </>
  );
}
