import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import {
  addSenderDocument,
  getSenderDocument,
  listSenderDocuments,
  MOST_SENDER_DOCUMENTS,
  removeSenderDocument,
  SENDER_DOCUMENT_BYTES,
  SENDER_DOCUMENT_TYPES,
} from '@heliograph/contract/senders/sender-document';
import { senderId } from '@heliograph/contract/senders/sender-id';
import { ActionIcon, Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload, IconFileText, IconPhoto, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, upload } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { openFile } from '../../platform/open-file.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { may, useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { Cell } from '../../resource/columns.tsx';
import { FileTarget, ShareBar } from '../../resource/file-target.tsx';
import { openDialog } from '../../ui/dialogs.ts';
import { Section } from '../../ui/section.tsx';
import type { Sender } from './sender-state.tsx';

type Document = ReplyOf<typeof listSenderDocuments>['data'][number];

const ICON = { size: 18, stroke: 1.5, 'aria-hidden': true } as const;

const useDocuments = (id: number) =>
  useQuery({
    queryKey: ['sender-ids', 'documents', id],
    queryFn: async ({ signal }) => (await call(listSenderDocuments, { params: { id }, signal })).data,
  });

const download = ({ id, name }: Document) => void openFile(getSenderDocument.path.replace(':id', String(id)), name);

/** Documents of a sender ID with their size, who added them and when, and a button that downloads each. */
export function DocumentList({ id, removable = false }: { id: number; removable?: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const opens = useMay(senderId.permissions.edit) || may('sender-ids-decide');
  const { data } = useDocuments(id);
  if (data?.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('sender.document.none')}
      </Text>
    );
  return (
    <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('sender.document.title')}>
      {data?.map((each) => (
        <Group component="li" key={each.id} wrap="nowrap" gap="sm" align="flex-start">
          {each.type === 'application/pdf' ? <IconFileText {...ICON} /> : <IconPhoto {...ICON} />}
          <div style={{ flex: 1, minWidth: 0 }}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {each.name}
            </Text>
            <Text size="xs" c="dimmed" component="div">
              {format.bytes(each.size)}
              {each.user_name && ` · ${each.user_name}`} · <Cell show="instant" value={each.created_at} />
            </Text>
          </div>
          {opens && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('sender.document.download', { name: each.name })}
              onClick={() => download(each)}
            >
              <IconDownload {...ICON} />
            </ActionIcon>
          )}
          {removable && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('sender.document.remove', { name: each.name })}
              onClick={() => askToRemove(each, t)}
            >
              <IconTrash {...ICON} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {!opens && (
        <Text size="xs" c="dimmed" component="li">
          {t('sender.document.closed')}
        </Text>
      )}
    </Stack>
  );
}

const reread = () => queryClient.invalidateQueries({ queryKey: ['sender-ids'] });

function askToRemove({ id, name }: Document, t: ReturnType<typeof useTranslation>['t']) {
  openDialog({
    title: t('sender.document.remove', { name }),
    text: t('sender.document.ask', { name }),
    confirm: t('actions.delete'),
    danger: true,
    onConfirm: async () => {
      try {
        const { message } = await call(removeSenderDocument, { params: { id } });
        void toast('success', message);
      } catch (error) {
        void toast('error', sentenceOf(error));
      }
      await reread();
    },
  });
}

/** Section of a sender ID's documents, where its owner adds more. */
export function SenderDocuments({ sender, editable }: { sender: Sender; editable: boolean }) {
  const { t } = useTranslation();
  const removable = editable && (sender.state === 'draft' || sender.state === 'rejected');
  const full = (useDocuments(sender.id).data?.length ?? 0) >= MOST_SENDER_DOCUMENTS;
  return (
    <Section title={t('sender.document.title')}>
      <DocumentList id={sender.id} removable={removable} />
      {editable && !full && <Adding id={sender.id} stay={!removable} />}
    </Section>
  );
}

/** Area where a document is dropped, its progress, and what went wrong. */
function Adding({ id, stay }: { id: number; stay: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [sent, setSent] = useState<{ file: File; share: number } | null>(null);
  const [failed, setFailed] = useState<{ file: File; problem: string; again: boolean } | null>(null);
  const size = format.bytes(SENDER_DOCUMENT_BYTES);

  async function send(file: File) {
    setFailed(null);
    if (file.size > SENDER_DOCUMENT_BYTES) {
      setFailed({ file, problem: t('sender.document.too_large', { name: file.name, size }), again: false });
      return;
    }
    setSent({ file, share: 0 });
    try {
      const onProgress = (share: number) => setSent({ file, share });
      const { message } = await upload(addSenderDocument, { params: { id }, file, onProgress });
      await reread();
      void toast('success', message ?? '');
    } catch (error) {
      const own = problemFrom(error)?.errors?.['file']?.[0];
      const problem = t('sender.document.failed', { name: file.name, problem: own ?? sentenceOf(error) });
      setFailed({ file, problem, again: own === undefined });
    } finally {
      setSent(null);
    }
  }

  return (
    <>
      {failed && (
        <Alert color="red" role="alert" p="xs">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {failed.problem}
          </Text>
          {failed.again && (
            <Button size="xs" variant="default" mt={6} onClick={() => void send(failed.file)}>
              {t('sender.document.again')}
            </Button>
          )}
        </Alert>
      )}
      {sent ? (
        <ShareBar label={t('sender.document.sending', { name: sent.file.name })} share={sent.share} />
      ) : (
        <FileTarget
          hint={`${t('sender.document.hint', { size })}${stay ? ` ${t('sender.document.kept')}` : ''}`}
          kinds={{
            accept: SENDER_DOCUMENT_TYPES,
            label: t('sender.document.drop'),
            wrong: t('validation.document_kind'),
          }}
          onFile={(file) => void send(file)}
        />
      )}
    </>
  );
}
