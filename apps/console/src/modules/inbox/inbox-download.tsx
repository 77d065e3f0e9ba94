import { exportInbox } from '@heliograph/contract/inbox/inbox-message';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { lazyPart } from '../../platform/connection.ts';
import { useZone } from '../../platform/format.ts';
import { DownloadDialog } from '../../resource/download-dialog.tsx';
import { InZone } from '../../resource/in-zone.tsx';
import { moved, periodFault, todayIn } from '../../resource/period.ts';

const PeriodInput = lazyPart(async () => (await import('../../resource/period-input.tsx')).PeriodInput);

/** Dialog that asks for a range and a format, and requests a file of the messages. */
export function InboxDownload({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const zone = useZone();
  const today = todayIn(zone);
  const [[from, to], setPeriod] = useState<[string, string]>([moved(today, -6), today]);
  const fault = periodFault(from, to, today);
  return (
    <DownloadDialog
      title={t('inbox.download_title')}
      text={
        <>
          {t('inbox.download_hint')}
          <InZone />
        </>
      }
      submit={t('inbox.download')}
      asked={t('inbox.download_asked')}
      ask={(format) => call(exportInbox, { body: { from, to, format } })}
      disabled={fault !== undefined}
      onClose={onClose}
    >
      <Suspense fallback={null}>
        <PeriodInput {...{ today, fault }} value={[from, to]} onChange={setPeriod} />
      </Suspense>
    </DownloadDialog>
  );
}
