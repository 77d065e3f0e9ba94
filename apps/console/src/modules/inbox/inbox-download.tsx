import { exportInbox } from '@heliograph/contract/inbox/inbox-message';
import { Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { loadCounters } from '../../platform/counters.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useSession } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { moved, periodFault, todayIn } from '../../resource/period.ts';

const PeriodInput = lazy(async () => ({ default: (await import('../../resource/period-input.tsx')).PeriodInput }));

/** Asks for a range and a format, and lets the file be written; it arrives in the bell. */
export function InboxDownload(props: { onClose: () => void }) {
  const { t } = useTranslation();
  const zone = useSession((s) => s.corporationTimeZone) || 'UTC';
  const today = todayIn(zone);
  const [[from, to], setPeriod] = useState<[string, string]>([moved(today, -6), today]);
  const [format, setFormat] = useState<'csv' | 'xlsx'>('csv');
  const [asking, setAsking] = useState(false);
  const fault = periodFault(from, to, today);

  async function ask() {
    setAsking(true);
    try {
      await call(exportInbox, { body: { from, to, format } });
      void loadCounters();
      props.onClose();
      await toast('success', t('inbox.download_asked'));
    } catch (error) {
      await toast('error', sentenceOf(error));
    } finally {
      setAsking(false);
    }
  }

  return (
    <Modal
      opened
      onClose={props.onClose}
      title={<Text fw={650}>{t('inbox.download_title')}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="md">
        <Suspense fallback={null}>
          <PeriodInput {...{ today, fault }} value={[from, to]} onChange={setPeriod} />
        </Suspense>
        <Stack gap={4}>
          <Text size="sm" fw={500} id="inbox-format">
            {t('inbox.format')}
          </Text>
          <SegmentedControl
            aria-labelledby="inbox-format"
            value={format}
            onChange={(value) => setFormat(value as 'csv' | 'xlsx')}
            data={(['csv', 'xlsx'] as const).map((value) => ({ value, label: t(`inbox.format_${value}`) }))}
          />
        </Stack>
        <Text size="sm" c="dimmed">
          {t('inbox.download_hint')}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onClose}>
            {t('actions.cancel')}
          </Button>
          <Button onClick={() => void ask()} loading={asking} disabled={fault !== undefined}>
            {t('inbox.download')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
