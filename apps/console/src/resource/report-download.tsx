import { FILE_FORMATS } from '@heliograph/contract/kernel/file-format';
import type { Operation } from '@heliograph/contract/kernel/operation';
import { Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../platform/call.ts';
import { loadCounters } from '../platform/counters.ts';
import { sentenceOf } from '../platform/problem.ts';
import { toast } from '../platform/toast.ts';

interface ReportDownloadProps {
  operation: Operation;
  /** What the filters chose, as the list asks for it. */
  query: Record<string, unknown>;
  onClose: () => void;
}

/** Numbers go into a body as numbers; what is not chosen stays away. */
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

/** Asks for a format and lets the report be written; it arrives in the bell. */
export function ReportDownload(props: ReportDownloadProps) {
  const { t } = useTranslation();
  const [format, setFormat] = useState<string>('csv');
  const [asking, setAsking] = useState(false);

  async function ask() {
    setAsking(true);
    try {
      await request(props.operation, { body: { ...bodyOf(props.query), format } });
      void loadCounters();
      props.onClose();
      await toast('success', t('report.export_asked'));
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
      title={<Text fw={650}>{t('report_format.title')}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('report_format.text')}
        </Text>
        <SegmentedControl
          aria-label={t('report_format.title')}
          value={format}
          onChange={setFormat}
          data={FILE_FORMATS.map((value) => ({ value, label: t(`report_format.${value}`) }))}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onClose}>
            {t('actions.cancel')}
          </Button>
          <Button onClick={() => void ask()} loading={asking}>
            {t('report_format.export')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
