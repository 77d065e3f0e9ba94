import { LONGEST_REPLY, replyFromVirtualHandset, showVirtualHandset } from '@heliograph/contract/sandbox/handsets';
import { Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { readAgain } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import { RelativeTime } from '../../resource/cells.tsx';
import { Section } from '../../ui/section.tsx';
import { MessageStateBadge } from '../reports/index.ts';
import type { Handset } from './handset-list.tsx';

/** Interval at which the conversation is read again, in ms. */
const EVERY_MS = 2_000;

/** Conversation of a handset as its phone shows it, and the field for an answer. */
export function HandsetConversation({ handset }: { handset: Handset }) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['virtual-handsets', handset.id],
    queryFn: ({ signal }) => call(showVirtualHandset, { params: { id: handset.id }, signal }),
    refetchInterval: EVERY_MS,
  });
  // The newest text is next to the field for an answer.
  const texts = (data?.data ?? []).toReversed();
  return (
    <Section title={handset.number}>
      <Stack
        gap="xs"
        component="ol"
        aria-label={t('sandbox.conversation')}
        style={{ listStyle: 'none', margin: 0, padding: 0, maxHeight: 420, overflowY: 'auto' }}
        tabIndex={0}
      >
        {texts.map(({ id, direction, with: other, text, parts, state, at }) => (
          <Paper
            key={`${direction} ${id}`}
            component="li"
            p="sm"
            radius="md"
            withBorder
            maw="85%"
            style={{ alignSelf: direction === 'received' ? 'flex-start' : 'flex-end' }}
          >
            <Group gap="xs" wrap="wrap">
              {direction === 'received' && (
                <Text size="xs" fw={600}>
                  {other}
                </Text>
              )}
              <Text size="xs" c="dimmed" component="span">
                <RelativeTime at={at} />
              </Text>
              {parts > 1 && (
                <Text size="xs" c="dimmed">
                  {t('sandbox.parts', { count: parts })}
                </Text>
              )}
              {state !== null && <MessageStateBadge state={state} />}
            </Group>
            <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {text ?? t('sandbox.hidden')}
            </Text>
          </Paper>
        ))}
      </Stack>
      <Answer id={handset.id} />
    </Section>
  );
}

function Answer({ id }: { id: number }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const { busy, run, errors } = useAction('form');
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run(async () => {
      await call(replyFromVirtualHandset, { params: { id }, body: { text } });
      setText('');
      void toast('success', t('sandbox.sent'));
      await readAgain(['virtual-handsets']);
    });
  };
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="xs">
        <Textarea
          label={t('sandbox.answer')}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={LONGEST_REPLY}
          error={errors['text']?.[0]}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={busy} leftSection={<IconSend size={16} stroke={1.6} aria-hidden />}>
            {t('sandbox.send')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
