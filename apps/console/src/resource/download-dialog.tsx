import { FILE_FORMATS, type FileFormat, type ListFormat } from '@heliograph/contract/kernel/file-format';
import { Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadCounters } from '../platform/counters.ts';
import { sentenceOf } from '../platform/problem.ts';
import { toast } from '../platform/toast.ts';

interface DownloadDialogProps<Format> {
  title: string;
  text: ReactNode;
  submit: string;
  /** Text shown once the server has started to write the file. */
  asked: string;
  ask(format: Format): Promise<unknown>;
  /** Formats to choose from; lines and a workbook if absent. */
  formats?: readonly Format[];
  disabled?: boolean;
  onClose: () => void;
  /** Other choices, above the format. */
  children?: ReactNode;
}

/** Dialog that asks for a format and requests a file. The finished file appears in the bell's menu. */
export function DownloadDialog<Format extends ListFormat = FileFormat>(props: DownloadDialogProps<Format>) {
  const { t } = useTranslation();
  const [format, setFormat] = useState<ListFormat>('csv');
  const [asking, setAsking] = useState(false);

  async function ask() {
    setAsking(true);
    try {
      await props.ask(format as Format);
      void loadCounters();
      props.onClose();
      await toast('success', props.asked);
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
      title={<Text fw={600}>{props.title}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="md">
        {props.children}
        <SegmentedControl
          aria-label={t('report_format.title')}
          value={format}
          onChange={setFormat}
          data={(props.formats ?? FILE_FORMATS).map((value) => ({ value, label: t(`report_format.${value}`) }))}
        />
        <Text size="sm" c="dimmed">
          {props.text}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onClose}>
            {t('actions.cancel')}
          </Button>
          <Button onClick={() => void ask()} loading={asking} disabled={props.disabled === true}>
            {props.submit}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
