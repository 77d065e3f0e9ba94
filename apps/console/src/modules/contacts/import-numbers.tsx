import { getImport, importNumbers, type importRow } from '@heliograph/contract/contacts/number-list';
import { ActionIcon, Anchor, Group, Paper, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call, upload } from '../../platform/call.ts';
import { useChannel, userChannel } from '../../platform/live.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { saveFile } from '../../platform/save-file.ts';
import { toast } from '../../platform/toast.ts';
import { FileTarget, ShareBar } from '../../resource/file-target.tsx';
import { isOver, UploadProgress } from '../../resource/upload-progress.tsx';

type Import = z.output<typeof importRow>;

const SAMPLE = 'number,name,param1,param2\r\n639171234567,Maria,Gold,28 Feb\r\n639181234567,Jose,Silver,1 Mar\r\n';

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
        <UploadProgress row={row} again={() => setImportId(null)} />
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
