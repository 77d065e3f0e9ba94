import { type bulkUpload, type bulkUploadOf, getBulkUpload } from '@heliograph/contract/kernel/bulk-upload';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { ActionIcon, Anchor, Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconUpload, IconX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call, upload } from '../platform/call.ts';
import { useChannel, userChannel } from '../platform/live.ts';
import { sentenceOf } from '../platform/problem.ts';
import { saveFile } from '../platform/save-file.ts';
import { useMay, useSession } from '../platform/session.ts';
import { toast } from '../platform/toast.ts';
import { FileTarget, ShareBar } from './file-target.tsx';
import { FormProvider, type Values } from './form.tsx';
import { isOver, UploadProgress } from './upload-progress.tsx';

type Upload = z.output<typeof bulkUpload>;
type Operation = ReturnType<typeof bulkUploadOf>;

interface BulkUploadProps {
  resource: AnyResource;
  operation: Operation;
  title: string;
  columns: readonly string[];
  required: readonly string[];
  /** Rows of a sample file, below its header. */
  sample: readonly string[];
  /** The fields of what all records of a file have in common. */
  children?: ReactNode;
}

/** A button for a screen's header and the panel it opens; both draw nothing for who may not upload. */
export function useBulkUpload(props: BulkUploadProps): { button: ReactNode; panel: ReactNode } {
  const [open, setOpen] = useState(false);
  const may = useMay(props.operation.permission ?? '');
  if (!may) return { button: null, panel: null };
  if (open) return { button: null, panel: <BulkUpload {...props} onClose={() => setOpen(false)} /> };
  const button = (
    <Button variant="default" leftSection={<IconUpload size={16} stroke={1.6} />} onClick={() => setOpen(true)}>
      {props.title}
    </Button>
  );
  return { button, panel: null };
}

/** Adds records from a CSV or XLSX file: what they have in common, the upload, the reading, and its report. */
function BulkUpload(props: BulkUploadProps & { onClose: () => void }) {
  const { t } = useTranslation();
  const { resource, operation, columns, required } = props;
  const schema = operation.query as unknown as z.ZodObject;
  const own = useSession((s) => s.profile?.corporation_id ?? null);
  const [values, setValues] = useState<Values>(() => ({
    ...Object.fromEntries(
      Object.entries(schema.shape).map(([field, type]) => [field, (type as z.ZodType).safeParse(undefined).data]),
    ),
    ...('corporation_id' in schema.shape ? { corporation_id: own } : {}),
  }));
  const [sending, setSending] = useState<{ name: string; share: number } | null>(null);
  const [uploadId, setUploadId] = useState<number | null>(null);
  const client = useQueryClient();
  const running = useQuery({
    queryKey: ['bulk-uploads', uploadId],
    queryFn: ({ signal }) => call(getBulkUpload, { params: { id: uploadId! }, signal }),
    enabled: uploadId !== null,
    // The live event tells first; this is the guarantee.
    refetchInterval: ({ state }) => (isOver(state.data?.data) ? false : 2000),
  });
  useChannel<Upload>(userChannel(), '.bulk.progress', (data) => {
    if (data.id === uploadId) client.setQueryData(['bulk-uploads', uploadId], { data });
  });
  const row = uploadId === null ? undefined : running.data?.data;
  const over = isOver(row);
  useEffect(() => {
    if (over) void client.invalidateQueries({ queryKey: [resource.name] });
  }, [over, client, resource]);
  const query = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
  const ready = schema.safeParse(query).success;

  async function send(file: File) {
    setUploadId(null);
    setSending({ name: file.name, share: 0 });
    try {
      const onProgress = (share: number) => setSending({ name: file.name, share });
      const reply = await upload(operation, { query, file, onProgress });
      client.setQueryData(['bulk-uploads', reply.data.id], reply);
      setUploadId(reply.data.id);
    } catch (error) {
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
        <UploadProgress row={row} again={() => setUploadId(null)} />
      ) : (
        <Stack>
          <FormProvider
            value={{
              name: resource.name,
              schema: resource.create,
              values,
              errors: {},
              row: null,
              set: (field, value) => setValues((before) => ({ ...before, [field]: value })),
            }}
          >
            {props.children && <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>{props.children}</SimpleGrid>}
          </FormProvider>
          <FileTarget
            hint={
              ready
                ? t('bulk.header', { columns: columns.join(', '), required: required.join(', ') })
                : t('bulk.fill_first')
            }
            disabled={!ready}
            onFile={(file) => void send(file)}
          />
          <Group>
            <Anchor
              component="button"
              size="sm"
              onClick={() =>
                saveFile(`${resource.name}.csv`, `${[columns.join(','), ...props.sample].join('\r\n')}\r\n`)
              }
            >
              {t('import.sample')}
            </Anchor>
          </Group>
        </Stack>
      )}
    </Paper>
  );
}
