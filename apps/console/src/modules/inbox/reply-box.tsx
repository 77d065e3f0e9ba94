import { replyToInbox } from '@heliograph/contract/inbox/inbox-message';
import { countParts, MAX_PARTS } from '@heliograph/contract/kernel/segments';
import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { toast } from '../../platform/toast.ts';
import { TemplateSelect } from '../templates/index.ts';
import { readInboxAgain } from './inbox-actions.tsx';
import type { Conversation } from './thread.tsx';

/**
 * Form for a reply to a phone. The text is typed or started from a template, and its parts are counted. It is sent from
 * the sender that the phone wrote to.
 */
export function ReplyBox({ thread }: { thread: Conversation }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [text, setText] = useState('');
  const { message, sender, opted_out } = thread;
  const send = useMutation({
    mutationFn: () => call(replyToInbox, { params: { id: message.id }, body: { message: text } }),
    onSuccess: async ({ data }) => {
      setText('');
      await readInboxAgain();
      void toast('success', t('inbox.replied', { cost: format.money(data.cost, data.currency) }));
    },
  });
  if (opted_out)
    return (
      <Alert color="orange" variant="light">
        {t('inbox.opted_out')}
      </Alert>
    );
  if (!message.abilities.reply)
    return message.corporation_id === null || message.handled === 'loop' ? (
      <Text size="sm" c="dimmed">
        {t('inbox.unreachable')}
      </Text>
    ) : null;
  const { parts } = countParts(text.trim());
  const fault = problemFrom(send.error)?.errors?.['message']?.[0];

  function submit(event: FormEvent) {
    event.preventDefault();
    send.mutate();
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TemplateSelect corporationId={message.corporation_id ?? undefined} written={text} onChosen={setText} />
        <Textarea
          label={t('inbox.reply_label', { sender })}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={1_530}
          value={text}
          error={parts > MAX_PARTS ? t('errors.text_too_long') : fault}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {send.error && !fault && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {sentenceOf(send.error)}
          </Text>
        )}
        <Group justify="space-between">
          <Text size="sm" c="dimmed" aria-live="polite">
            {text.trim() !== '' && t('inbox.reply_parts', { count: parts })}
          </Text>
          <Button type="submit" loading={send.isPending} disabled={text.trim() === '' || parts > MAX_PARTS}>
            {t('inbox.send')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
