import type { FileReading } from '@heliograph/contract/kernel/file-reading';
import type { Operation } from '@heliograph/contract/kernel/operation';
import { ActionIcon, Anchor, Group, Paper, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../platform/call.ts';
import { useChannel, userChannel } from '../platform/live.ts';
import { sentenceOf } from '../platform/problem.ts';
import { saveFile } from '../platform/save-file.ts';
import { toast } from '../platform/toast.ts';
import { FilePreview, type FilePreviewProps, type PickedFile, picked } from './file-preview.tsx';
import { FileTarget, ShareBar } from './file-target.tsx';
import { type FileProgress, isOver, UploadProgress } from './upload-progress.tsx';

type Reading = FileProgress & { id: number };

interface FilePanelProps {
  title: string;
  /** Operation that returns the progress of a file, and the live event that reports it first. */
  progress: { operation: Operation; event: string };
  /** Uploads the file, to be read as chosen. Resolves with its progress record. */
  send: (file: File, reading: FileReading, onProgress: (share: number) => void) => Promise<{ data: Reading }>;
  /** Called once a file has been read. */
  onOver: () => void;
  onClose: () => void;
  /** Content of a file's first line, or the fields to fill in before the upload. */
  hint: string;
  disabled?: boolean;
  sample: { name: string; text: string };
  /** File that is uploaded immediately, because the user chose it on another screen. */
  chosen?: File | undefined;
  /** File that was chosen elsewhere, to be previewed. */
  offered?: File | undefined;
  /** Fields that apply to all records of the file. */
  children?: ReactNode;
  /** Preview of a chosen file that asks for more than how to read it. */
  preview?: ComponentType<FilePreviewProps>;
  /** Result of a file that has been read, by its id. */
  result?: (id: number) => ReactNode;
}

const POLL_MS = 2000;

/** Panel that imports a CSV or XLSX file: the upload, the progress with its counts, and the report of refused rows. */
export function FilePanel(props: FilePanelProps) {
  const { t } = useTranslation();
  const { operation, event } = props.progress;
  const Preview = props.preview ?? FilePreview;
  const [sending, setSending] = useState<{ name: string; share: number } | null>(null);
  const [file, setFile] = useState<PickedFile | null>(null);
  const [id, setId] = useState<number | null>(null);
  const client = useQueryClient();
  const key = (of: number | null) => [operation.path, of];
  const running = useQuery({
    queryKey: key(id),
    queryFn: ({ signal }) => request(operation, { params: { id }, signal }) as Promise<{ data: Reading }>,
    enabled: id !== null,
    // The live event usually arrives first. This poll is the guarantee.
    refetchInterval: ({ state }) => (isOver(state.data?.data) ? false : POLL_MS),
  });
  useChannel<Reading>(userChannel(), event, (data) => {
    if (data.id === id) client.setQueryData(key(id), { data });
  });
  const row = id === null ? undefined : running.data?.data;
  const over = isOver(row);
  const { onOver } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: called once for each file that is over
  useEffect(() => {
    if (over) onOver();
  }, [over]);

  const { chosen } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: sent once
  useEffect(() => {
    if (chosen) void send(picked(chosen));
  }, [chosen]);

  const { offered } = props;
  useEffect(() => {
    if (offered) setFile(picked(offered));
  }, [offered]);

  async function send({ file, reading }: PickedFile) {
    setId(null);
    setSending({ name: file.name, share: 0 });
    try {
      const reply = await props.send(file, reading, (share) => setSending({ name: file.name, share }));
      client.setQueryData(key(reply.data.id), reply);
      setId(reply.data.id);
      setFile(null);
    } catch (error) {
      // The user can choose how it is read, or another file.
      setFile({ file, reading });
      void toast('error', sentenceOf(error));
    } finally {
      setSending(null);
    }
  }

  return (
    <Paper className="app-card" p="lg" mb="md" component="section" aria-label={props.title}>
      <Group justify="space-between" mb="sm">
        <Text fw={600}>{props.title}</Text>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actions.close')} onClick={props.onClose}>
          <IconX size={18} />
        </ActionIcon>
      </Group>
      {sending ? (
        <ShareBar label={t('import.uploading', { name: sending.name })} share={sending.share} />
      ) : row ? (
        <>
          <UploadProgress row={row} again={() => setId(null)} />
          {row.state === 'done' && props.result?.(row.id)}
        </>
      ) : (
        <Stack>
          {props.children}
          {file ? (
            <Preview picked={file} onChange={setFile} onSend={() => void send(file)} onOther={() => setFile(null)} />
          ) : (
            <>
              <FileTarget
                hint={props.hint}
                disabled={props.disabled ?? false}
                onFile={(chosen) => setFile(picked(chosen))}
              />
              <Group>
                <Anchor component="button" size="sm" onClick={() => saveFile(props.sample.name, props.sample.text)}>
                  {t('import.sample')}
                </Anchor>
              </Group>
            </>
          )}
        </Stack>
      )}
    </Paper>
  );
}
