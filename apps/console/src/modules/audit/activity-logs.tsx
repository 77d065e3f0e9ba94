import { activityLogFile, activityLogs } from '@heliograph/contract/audit/activity-log';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { openFile } from '../../platform/open-file.ts';
import { useMay } from '../../platform/session.ts';
import { CursorList } from '../../resource/cursor-list.tsx';
import { InZone } from '../../resource/in-zone.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ActivityDrawer } from './activity-drawer.tsx';

export type Activity = ReplyOf<typeof activityLogs>['data'][number];

/** Who changed what, the newest first. */
export function ActivityLogs() {
  const { t } = useTranslation();
  const mayDownload = useMay('activity-logs-download');
  const [open, setOpen] = useState<Activity | null>(null);
  const causerOf = (row: Activity) =>
    row.causer_name ?? (row.causer_id === null ? t('activity.system') : t('activity.gone', { id: row.causer_id }));

  async function download(query: Record<string, unknown>) {
    const wanted = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(wanted.map(([name, value]) => [name, String(value)]));
    await openFile(`${activityLogFile.path}?${text}`, 'activity-logs.csv');
  }

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
        }}
        columns={[
          'created_at',
          { field: 'causer_name', cell: causerOf, csv: causerOf },
          'name',
          'description',
          'subject_type',
          'subject_id',
          'corporation_name',
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
        empty={<EmptyState title={t('resources.activity-logs.many')} text={t('resources.activity-logs.empty')} />}
        onRowClick={setOpen}
        {...(mayDownload ? { onExport: download } : {})}
      />
      {open && <ActivityDrawer entry={open} who={causerOf(open)} onClose={() => setOpen(null)} />}
    </>
  );
}
