import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { dataProcessing, exportDataProcessing } from '@heliograph/contract/privacy/data-processing';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { CursorList } from '../../resource/cursor-list.tsx';
import { noneYet } from '../../resource/none-yet.ts';
import { ReportDownload } from '../../resource/report-download.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

const NAME = 'data-processing';

type Row = ReplyOf<typeof dataProcessing>['data'][number];

/** Screen of the personal data that is kept: why, for how long, and who reads it. */
export function DataProcessing() {
  const { t } = useTranslation();
  const mayDownload = useMay(exportDataProcessing.permission!);
  const [asked, setAsked] = useState<Record<string, unknown> | null>(null);
  return (
    <>
      <CursorList<typeof dataProcessing, Row>
        name={NAME}
        operation={dataProcessing}
        title="kind"
        header={{ subtitle: t('resources.data-processing.empty') }}
        columns={[
          'kind',
          {
            field: 'columns',
            cell: (row) => `${row.place}: ${row.columns}`,
            csv: (row) => `${row.place}: ${row.columns}`,
          },
          'kept',
          'purpose',
          'readers',
          'recipients',
          'protection',
          { field: 'subject', hidden: true },
          { field: 'place', hidden: true },
        ]}
        filters={[{ field: 'corporation_id', to: corporation }]}
        empty={<EmptyState of={NAME} learn title={noneYet(NAME)} text={t('resources.data-processing.empty')} />}
        exportLabel={t('report_format.export')}
        {...(mayDownload ? { onExport: async (wanted: Record<string, unknown>) => setAsked(wanted) } : {})}
      />
      {asked && <ReportDownload operation={exportDataProcessing} query={asked} onClose={() => setAsked(null)} />}
    </>
  );
}
