import { type FileReading, PREVIEW_BYTES, previewFile } from '@heliograph/contract/kernel/file-reading';
import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconFileSpreadsheet } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { upload } from '../platform/call.ts';
import { useFormat } from '../platform/format.ts';
import { sentenceOf } from '../platform/problem.ts';
import { FirstRows, ReadingSelects } from './reading-choice.tsx';

/**
 * Returns the part of a file that a preview needs. For a text file, the beginning is enough; the directory of a
 * workbook is at its end.
 */
export async function partOf(file: File): Promise<File> {
  const workbook = (await file.slice(0, 2).text()) === 'PK';
  return workbook ? file : new File([file.slice(0, PREVIEW_BYTES)], file.name);
}

/** File that a person chose, and how to read it. */
export interface PickedFile {
  file: File;
  reading: FileReading;
}

export const picked = (file: File): PickedFile => ({ file, reading: {} });

/** Ids of files, because two files may have the same name. */
const ids = new WeakMap<File, number>();
let files = 0;
/** Returns the id of a file, for the keys of queries. */
export function idOf(file: File): number {
  const id = ids.get(file) ?? ++files;
  ids.set(file, id);
  return id;
}

export interface FilePreviewProps {
  picked: PickedFile;
  onChange: (picked: PickedFile) => void;
  onSend: () => void;
  onOther: () => void;
}

/** Name and size of a file, and why it cannot be read. */
export function FileHead(props: { file: File; fault: string | null | undefined; reading: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { file, fault } = props;
  return (
    <>
      <Group gap={8} wrap="nowrap">
        <IconFileSpreadsheet size={20} stroke={1.6} aria-hidden style={{ flexShrink: 0 }} />
        <Text size="sm" fw={500} truncate>
          {file.name}
        </Text>
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {format.bytes(file.size)}
        </Text>
        {props.reading && <Loader size="xs" aria-label={t('reading.reading')} />}
      </Group>
      {fault && (
        <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle size={18} />}>
          {fault}
        </Alert>
      )}
    </>
  );
}

/**
 * Preview of the first rows of a file as the server will read them. The person can correct the reading and then send
 * the file.
 */
export function FilePreview(props: FilePreviewProps) {
  const { t } = useTranslation();
  const { file, reading } = props.picked;
  const query = useQuery({
    queryKey: ['file-previews', idOf(file), reading],
    queryFn: async ({ signal }) =>
      (await upload(previewFile, { query: reading, file: await partOf(file), signal })).data,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const last = useRef<typeof query.data>(undefined);
  last.current = query.data ?? last.current;
  const shown = last.current;
  const fault = query.error ? sentenceOf(query.error) : query.data?.fault;
  return (
    <Stack gap="sm">
      <FileHead file={file} fault={fault} reading={query.isFetching} />
      {shown && (
        <>
          {!query.error && <FirstRows readAs={shown.read_as} rows={shown.rows} />}
          <ReadingSelects
            readAs={shown.read_as}
            rows={shown.rows}
            reading={reading}
            onChange={(chosen) => props.onChange({ file, reading: chosen })}
          />
        </>
      )}
      <Group>
        <Button disabled={!query.data || Boolean(fault)} onClick={props.onSend}>
          {t('reading.send')}
        </Button>
        <Button variant="default" onClick={props.onOther}>
          {t('reading.other')}
        </Button>
      </Group>
    </Stack>
  );
}
