import '@mantine/dropzone/styles.css';
import { Group, Progress, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconCloudUpload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../platform/format.ts';
import { toast } from '../platform/toast.ts';

const OLD_TYPES = /\.xl(s|sb|t)$/i;

const TABLES = {
  'text/csv': ['.csv', '.txt', '.tsv', '.tab'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx'],
};

/**
 * Area where a file is dropped or chosen: a CSV or XLSX, unless `kinds` says otherwise. The hint describes its first line,
 * or what it has to be.
 */
export function FileTarget(props: {
  hint: string;
  disabled?: boolean;
  kinds?: { accept: Record<string, readonly string[]>; label: string; wrong: string };
  onFile: (file: File) => void;
}) {
  const { t } = useTranslation();
  const { accept, label, wrong } = props.kinds ?? { accept: TABLES, label: t('import.drop'), wrong: undefined };
  return (
    <Dropzone
      multiple={false}
      accept={accept as Record<string, string[]>}
      onDrop={([file]: File[]) => file && props.onFile(file)}
      onReject={([rejected]: { file: File }[]) =>
        void toast(
          'error',
          wrong ?? t(OLD_TYPES.test(rejected?.file.name ?? '') ? 'errors.file_format_old' : 'import.wrong_type'),
        )
      }
      inputProps={{ 'aria-label': label }}
      disabled={props.disabled ?? false}
      p="lg"
      radius="md"
      style={props.disabled ? { opacity: 0.55, cursor: 'not-allowed' } : {}}
    >
      <Stack align="center" gap={6} ta="center" style={{ pointerEvents: 'none' }}>
        <IconCloudUpload size={36} stroke={1.3} />
        <Text fw={500}>{label}</Text>
        <Text size="sm" c="dimmed">
          {props.hint}
        </Text>
      </Stack>
    </Dropzone>
  );
}

/** Progress of a task: a bar, its name and the share from 0 to 1. Without a share, the bar only moves. */
export function ShareBar(props: { label: string; share?: number; color?: string }) {
  const format = useFormat();
  const { share } = props;
  return (
    <div>
      <Group justify="space-between" mb={6} wrap="nowrap">
        <Text size="sm" truncate role="status">
          {props.label}
        </Text>
        {share !== undefined && (
          <Text size="sm" c="dimmed">
            {format.percent(Math.floor(share * 100) / 100)}
          </Text>
        )}
      </Group>
      <Progress
        value={(share ?? 1) * 100}
        animated={share === undefined}
        color={props.color ?? 'brand'}
        size="lg"
        aria-label={props.label}
      />
    </div>
  );
}
