import { testSend } from '@heliograph/contract/campaigns/quote';
import { senderId } from '@heliograph/contract/senders/sender-id';
import { Alert, Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { useSession } from '../../platform/session.ts';
import { ReferenceSelect } from '../../resource/reference.tsx';

const ENABLED = { enabled: 'true' } as const;

/** Dialog that sends one real message to the user's own phone. */
export function FirstRunTest({ corporation, onClose }: { corporation: string; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const profile = useSession((s) => s.profile);
  const [sender, setSender] = useState<number | null>(null);
  const [number, setNumber] = useState(profile?.phone ?? '');
  const [content, setContent] = useState(() => t('first_run.test.content', { corporation }));
  const send = useMutation({
    mutationFn: () => call(testSend, { body: { sender_id: sender ?? 0, content, number, literal: true } }),
  });
  const faults = problemFrom(send.error)?.errors ?? {};
  const named = ['number', 'content', 'sender_id'].some((field) => faults[field]);

  function submit(event: FormEvent) {
    event.preventDefault();
    send.mutate();
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={650}>{t('first_run.test.name')}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={t('test.number')}
            description={t('test.hint')}
            inputMode="tel"
            autoComplete="tel"
            data-autofocus
            value={number}
            error={faults['number']?.[0]}
            onChange={(event) => setNumber(event.currentTarget.value)}
          />
          <ReferenceSelect
            label={t('resources.sender-ids.fields.sender_id')}
            to={senderId}
            within={ENABLED}
            choosesOnly
            value={sender}
            error={faults['sender_id']?.[0]}
            onChange={setSender}
          />
          <Textarea
            label={t('first_run.test.message')}
            autosize
            minRows={2}
            value={content}
            error={faults['content']?.[0]}
            onChange={(event) => setContent(event.currentTarget.value)}
          />
          {send.error && !named && (
            <Alert color="red" variant="light" role="alert">
              {sentenceOf(send.error)}
            </Alert>
          )}
          {send.data && (
            <Alert color="teal" variant="light" role="status">
              {t('test.done', {
                number,
                count: send.data.data.parts,
                cost: format.money(send.data.data.cost, profile?.currency),
              })}
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t(send.data ? 'actions.close' : 'actions.cancel')}
            </Button>
            {!send.data && (
              <Button
                type="submit"
                loading={send.isPending}
                disabled={sender === null || number.trim() === '' || content.trim() === ''}
              >
                {t('test.send')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
