import { uploadCampaignFile } from '@heliograph/contract/campaigns/quote';
import { ActionIcon, Group, Input, Progress, Stack, Table, Text, UnstyledButton } from '@mantine/core';
import { IconFileSpreadsheet, IconFileUpload, IconX } from '@tabler/icons-react';
import { type DragEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { upload } from '../../../platform/call.ts';
import { useFormat } from '../../../platform/format.ts';
import { sentenceOf } from '../../../platform/problem.ts';
import { edit, type Upload } from './draft.ts';
import classes from './recipients.module.css';

const TYPES = /\.(csv|xlsx)$/i;

/** Takes a CSV or XLSX of recipients and shows its first rows as the server read them. */
export function FileDrop(props: { file: Upload | null; error: string | undefined }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const running = useRef<AbortController>(null);
  const [over, setOver] = useState(false);
  const [sending, setSending] = useState<{ name: string; share: number } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  async function take(file: File | undefined) {
    if (!file) return;
    setFailure(null);
    if (!TYPES.test(file.name)) return setFailure(t('errors.file_type_unknown'));
    const abort = new AbortController();
    running.current = abort;
    setSending({ name: file.name, share: 0 });
    try {
      const { data } = await upload(uploadCampaignFile, {
        file,
        signal: abort.signal,
        onProgress: (share) => setSending({ name: file.name, share }),
      });
      edit({ file: data });
    } catch (error) {
      if (!abort.signal.aborted) setFailure(sentenceOf(error));
    } finally {
      setSending(null);
    }
  }

  const drop = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      void take(event.dataTransfer.files[0]);
    },
  };

  return (
    <Input.Wrapper label={t('compose.file')} labelElement="div" error={failure ?? props.error}>
      <input
        ref={input}
        type="file"
        accept=".csv,.xlsx"
        hidden
        tabIndex={-1}
        aria-label={t('compose.file')}
        onChange={(event) => {
          void take(event.currentTarget.files?.[0]);
          // The same file may be chosen again after it was corrected.
          event.currentTarget.value = '';
        }}
      />
      {sending ? (
        <Group className={classes.drop ?? ''} wrap="nowrap">
          <Stack gap={6} style={{ flex: 1, minWidth: 0 }} role="status">
            <Text size="sm" truncate>
              {t('import.uploading', { name: sending.name })}
            </Text>
            <Progress value={sending.share * 100} aria-label={t('import.uploading', { name: sending.name })} />
          </Stack>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('actions.cancel')}
            onClick={() => running.current?.abort()}
          >
            <IconX size={18} />
          </ActionIcon>
        </Group>
      ) : props.file ? (
        <Preview file={props.file} />
      ) : (
        <UnstyledButton
          className={classes.drop ?? ''}
          data-over={over || undefined}
          onClick={() => input.current?.click()}
          {...drop}
        >
          <IconFileUpload size={26} stroke={1.5} style={{ flexShrink: 0 }} aria-hidden />
          <span>
            <Text size="sm" fw={500}>
              {t('import.drop')}
            </Text>
            <Text size="xs" c="dimmed">
              {t('import.header')}
            </Text>
          </span>
        </UnstyledButton>
      )}
    </Input.Wrapper>
  );
}

function Preview({ file }: { file: Upload }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Stack gap={8}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap={8} wrap="nowrap" style={{ minWidth: 0 }}>
          <IconFileSpreadsheet size={20} stroke={1.6} aria-hidden />
          <Text size="sm" fw={500} truncate>
            {file.file_name}
          </Text>
          <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            {format.bytes(file.size)}
          </Text>
        </Group>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('compose.file_remove')}
          onClick={() => edit({ file: null })}
        >
          <IconX size={18} />
        </ActionIcon>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide rows must be scrollable by keyboard */}
      <section className={classes.rows} tabIndex={0} aria-label={t('compose.file_preview')}>
        <Table withColumnBorders verticalSpacing={5} horizontalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              {file.columns.map((column) => (
                <Table.Th key={column} className={classes.known ?? ''}>
                  {column}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {file.preview.map((row, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows are told apart by their line
              <Table.Tr key={line}>
                {file.columns.map((column, at) => (
                  <Table.Td key={column} style={{ whiteSpace: 'nowrap' }}>
                    {row[at] ?? ''}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      <Text size="xs" c="dimmed">
        {t('compose.file_preview')}
      </Text>
    </Stack>
  );
}
