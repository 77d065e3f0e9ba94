import { getImport, importNumbers, type importRow } from '@heliograph/contract/contacts/number-list';
import { ActionIcon, Anchor, Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconFileSpreadsheet, IconX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call, upload } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useChannel, userChannel } from '../../platform/live.ts';
import { openFile } from '../../platform/open-file.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { saveFile } from '../../platform/save-file.ts';
import { toast } from '../../platform/toast.ts';
import { FileTarget, ShareBar } from '../../resource/file-target.tsx';

type Import = z.output<typeof importRow>;

const SAMPLE = 'number,name,param1,param2\r\n639171234567,Maria,Gold,28 Feb\r\n639181234567,Jose,Silver,1 Mar\r\n';
const COUNTS = ['rows_read', 'rows_added', 'rows_duplicate', 'rows_rejected'] as const;

/** Fills a list from a CSV or XLSX file: the upload, the reading with its counts, and the file of refused rows. */
export function ImportNumbers({ listId, onClose }: { listId: number; onClose: () => void }) {
  const { t } = useTranslation();
  const [sending, setSending] = useState<{ name: string; share: number } | null>(null);
  const [importId, setImportId] = useState<number | null>(null);
  const client = useQueryClient();
  const running = useQuery({
    queryKey: ['imports', importId],
    queryFn: ({ signal }) => call(getImport, { params: { id: importId! }, signal }),
    enabled: importId !== null,
    // The live event tells first; this is the guarantee.
    refetchInterval: ({ state }) => (isOver(state.data?.data) ? false : 2000),
  });
  useChannel<Import>(userChannel(), '.import.progress', (data) => {
    if (data.id === importId) client.setQueryData(['imports', importId], { data });
  });
  const row = importId === null ? undefined : running.data?.data;
  const over = isOver(row);
  useEffect(() => {
    if (over) {
      void client.invalidateQueries({ queryKey: ['numbers'] });
      void client.invalidateQueries({ queryKey: ['number-lists'] });
    }
  }, [over, client]);

  async function send(file: File) {
    setImportId(null);
    setSending({ name: file.name, share: 0 });
    try {
      const onProgress = (share: number) => setSending({ name: file.name, share });
      const reply = await upload(importNumbers, { params: { id: listId }, file, onProgress });
      client.setQueryData(['imports', reply.data.id], reply);
      setImportId(reply.data.id);
    } catch (error) {
      void toast('error', sentenceOf(error));
    } finally {
      setSending(null);
    }
  }

  return (
    <Paper className="app-card" p="lg" mb="md" component="section" aria-label={t('import.title')}>
      <Group justify="space-between" mb="sm">
        <Text fw={600}>{t('import.title')}</Text>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actions.close')} onClick={onClose}>
          <IconX size={18} />
        </ActionIcon>
      </Group>
      {sending ? (
        <ShareBar label={t('import.uploading', { name: sending.name })} share={sending.share} />
      ) : row ? (
        <Progressing row={row} again={() => setImportId(null)} />
      ) : (
        <FileTarget hint={t('import.header')} onFile={(file) => void send(file)} />
      )}
      {!sending && !row && (
        <Anchor component="button" size="sm" mt="sm" onClick={() => saveFile('numbers.csv', SAMPLE)}>
          {t('import.sample')}
        </Anchor>
      )}
    </Paper>
  );
}

const isOver = (row: Import | undefined) => row?.state === 'done' || row?.state === 'failed';

function Progressing({ row, again }: { row: Import; again: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const name = row.file_name;
  const label =
    row.state === 'done'
      ? t('import.done', { name })
      : row.state === 'failed'
        ? t('import.failed', { name })
        : t('import.reading', { name });
  const share = row.state === 'done' ? 1 : row.bytes_total > 0 ? row.bytes_read / row.bytes_total : 0;
  return (
    <Stack gap="md">
      <ShareBar
        label={label}
        share={share}
        color={row.state === 'failed' ? 'red' : row.state === 'done' ? 'teal' : 'brand'}
      />
      {row.error_code && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {t(`errors.${row.error_code}`)}
        </Text>
      )}
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        {COUNTS.map((count) => (
          <div key={count}>
            <Text size="xs" c="dimmed">
              {t(`import.${count}`)}
            </Text>
            <Text fw={600} size="lg">
              {format.integer(row[count])}
            </Text>
          </div>
        ))}
      </SimpleGrid>
      {isOver(row) && (
        <Group>
          {row.error_file && (
            <Button
              variant="light"
              leftSection={<IconFileSpreadsheet size={16} stroke={1.6} />}
              onClick={() => void openFile(row.error_file!, `${name}.refused.csv`)}
            >
              {t('import.error_file')}
            </Button>
          )}
          <Button variant="default" onClick={again}>
            {t('import.again')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
