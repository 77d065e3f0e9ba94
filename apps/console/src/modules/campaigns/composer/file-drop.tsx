import { uploadCampaignFile } from '@heliograph/contract/campaigns/recipient-file';
import type { FileReading } from '@heliograph/contract/kernel/file-reading';
import { ActionIcon, Group, Input, Progress, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconFileUpload, IconX } from '@tabler/icons-react';
import { type DragEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { upload } from '../../../platform/call.ts';
import { problemFrom, sentenceOf } from '../../../platform/problem.ts';
import { type PickedFile, FilePreview as Preview } from '../../../resource/file-preview.tsx';
import { type Draft, edit } from './draft.ts';
import { FilePreview } from './file-preview.tsx';
import classes from './recipients.module.css';

const TYPES = /\.(csv|txt|tsv|tab|xlsx)$/i;
/** Error codes of refused files that may be accepted with other reading settings. */
const READ_OTHERWISE: ReadonlySet<string> = new Set([
  'file_headers_invalid',
  'file_bytes_invalid',
  'separators_mixed',
  'quote_open',
  'sheet_missing',
  'header_row_missing',
]);
const OLD_TYPES = /\.xl(s|sb|t)$/i;

/** Upload area for a CSV or XLSX file of recipients. It shows the first rows as the server read them. */
export function FileDrop(props: { draft: Draft; error: string | undefined }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const running = useRef<AbortController>(null);
  const [over, setOver] = useState(false);
  const [sending, setSending] = useState<{ name: string; share: number } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  // Refused file that may be accepted with other reading settings.
  const [refused, setRefused] = useState<PickedFile | null>(null);

  async function take(file: File | undefined, reading: FileReading = {}) {
    if (!file) return;
    setFailure(null);
    setRefused(null);
    if (OLD_TYPES.test(file.name)) return setFailure(t('errors.file_format_old'));
    if (!TYPES.test(file.name)) return setFailure(t('errors.file_type_unknown'));
    const abort = new AbortController();
    running.current = abort;
    setSending({ name: file.name, share: 0 });
    try {
      const { data } = await upload(uploadCampaignFile, {
        query: reading,
        file,
        signal: abort.signal,
        onProgress: (share) => setSending({ name: file.name, share }),
      });
      edit({ file: data, columns: data.mapping });
    } catch (error) {
      if (abort.signal.aborted) return;
      setFailure(sentenceOf(error));
      if (READ_OTHERWISE.has(problemFrom(error)?.code ?? '')) setRefused({ file, reading });
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
        accept=".csv,.txt,.tsv,.tab,.xlsx"
        hidden
        tabIndex={-1}
        aria-label={t('compose.file')}
        onChange={(event) => {
          void take(event.currentTarget.files?.[0]);
          // The same file may be chosen again after a correction.
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
      ) : props.draft.file ? (
        <FilePreview
          file={props.draft.file}
          columns={props.draft.columns}
          multi={props.draft.content_type === 'multi'}
        />
      ) : refused ? (
        <Preview
          picked={refused}
          onChange={setRefused}
          onSend={() => void take(refused.file, refused.reading)}
          onOther={() => {
            setRefused(null);
            setFailure(null);
          }}
        />
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
              {t(props.draft.content_type === 'multi' ? 'compose.file_hint_multi' : 'compose.file_hint')}
            </Text>
          </span>
        </UnstyledButton>
      )}
    </Input.Wrapper>
  );
}
