import type { ListFormat } from '@heliograph/contract/kernel/file-format';
import type { Operation } from '@heliograph/contract/kernel/operation';
import { REPORT_COSTS, type ReportCosts } from '@heliograph/contract/kernel/report-costs';
import { Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../platform/call.ts';
import { useMay } from '../platform/session.ts';
import { DownloadDialog } from './download-dialog.tsx';

interface ReportDownloadProps {
  operation: Operation;
  /** Query of the list with the chosen filters. */
  query: Record<string, unknown>;
  params?: Record<string, unknown>;
  formats?: readonly ListFormat[];
  /** True if the file may have costs, for people who may see them. */
  withCosts?: boolean;
  onClose: () => void;
}

/** Returns the body of the request: numbers as numbers, without filters that are not set. */
function bodyOf(query: Record<string, unknown>): Record<string, unknown> {
  const chosen = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(
    chosen.map(([name, value]) => [
      name,
      name.endsWith('_id') && /^\d+$/.test(String(value)) && name !== 'sender_id' && name !== 'request_id'
        ? Number(value)
        : value,
    ]),
  );
}

/** Dialog that asks for a format and requests the report. */
export function ReportDownload({ operation, query, params, formats, withCosts, onClose }: ReportDownloadProps) {
  const { t } = useTranslation();
  const may = { carriers: useMay('margins-download'), resale: useMay('resale-margins-download') };
  const [costs, setCosts] = useState<ReportCosts | null>(null);
  const choices = withCosts ? REPORT_COSTS.filter((each) => may[each]) : [];
  return (
    <DownloadDialog
      title={t('report_format.title')}
      text={t('report_format.text')}
      submit={t('report_format.export')}
      asked={t('report.export_asked')}
      {...(formats && { formats })}
      ask={(format) =>
        request(operation, { ...(params && { params }), body: { ...bodyOf(query), ...(costs && { costs }), format } })
      }
      onClose={onClose}
    >
      {choices.length > 0 && (
        <Select
          label={t('report_costs.label')}
          description={costs && t('report_costs.hint')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          placeholder={t('report_costs.none')}
          clearable
          data={choices.map((value) => ({ value, label: t(`report_costs.${value}`) }))}
          value={costs}
          onChange={setCosts}
        />
      )}
    </DownloadDialog>
  );
}
