import { inboxThread } from '@heliograph/contract/inbox/inbox-message';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Alert, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { MessageStateBadge } from '../reports/index.ts';
import { Assignee } from './assignee.tsx';
import { HandledBadge } from './handled-badge.tsx';
import { mark } from './inbox-actions.tsx';
import { ReplyBox } from './reply-box.tsx';
import classes from './thread.module.css';

export type Conversation = ReplyOf<typeof inboxThread>['data'];
type Said = Conversation['said'][number];

/** Drawer of the conversation with one phone, with a reply form. */
export function Thread(props: { id: number; onClose: () => void }) {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ['inbox', 'thread', props.id],
    queryFn: ({ signal }) => call(inboxThread, { params: { id: props.id }, signal }),
  });
  const thread = query.data?.data;
  const unread = thread?.message.abilities.edit ? thread.unread : 0;
  // Opening a conversation marks all of it as read.
  useEffect(() => {
    if (unread > 0) void mark([{ id: props.id }], { read: true, conversation: true }, false);
  }, [unread, props.id]);
  return (
    <Drawer
      opened
      onClose={props.onClose}
      title={
        <Text fw={650} size="lg">
          {thread ? t('inbox.conversation', { number: thread.message.oa }) : t('resources.inbox.one')}
        </Text>
      }
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      {query.error && !thread ? (
        <Alert color="red" variant="light">
          {sentenceOf(query.error)}
        </Alert>
      ) : thread ? (
        <Loaded thread={thread} />
      ) : (
        <Stack role="status" aria-label={t('common.loading')}>
          <Skeleton h={60} radius="lg" />
          <Skeleton h={60} radius="lg" />
        </Stack>
      )}
    </Drawer>
  );
}

function Loaded({ thread }: { thread: Conversation }) {
  const { t } = useTranslation();
  const { message } = thread;
  return (
    <Stack gap="lg">
      <Group gap="xs">
        <HandledBadge row={message} />
        {message.campaign && (
          <Text size="sm" c="dimmed">
            {message.campaign}
          </Text>
        )}
      </Group>
      {message.reply_error && (
        <Alert color="orange" variant="light">
          {t('inbox.not_answered', {
            reason: t([
              keyIn('errors', message.reply_error),
              keyIn('validation', message.reply_error),
              'errors.internal_error',
            ]),
          })}
        </Alert>
      )}
      {message.abilities.edit && message.corporation_id !== null && <Assignee message={message} />}
      {thread.has_more && (
        <Text size="sm" c="dimmed">
          {t('inbox.older')}
        </Text>
      )}
      <ul className={classes.said} aria-label={t('inbox.conversation', { number: message.oa })}>
        {thread.said.map((said) => (
          <Bubble
            key={`${said.direction} ${said.id}`}
            said={said}
            chosen={said.direction === 'in' && said.id === message.id}
          />
        ))}
      </ul>
      <ReplyBox thread={thread} />
    </Stack>
  );
}

function Bubble({ said, chosen }: { said: Said; chosen: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const incoming = said.direction === 'in';
  return (
    <li className={`${classes.bubble} ${incoming ? classes.in : classes.out} ${chosen ? classes.chosen : ''}`}>
      <span className="app-visually-hidden">
        {incoming ? t('inbox.from_phone') : t('inbox.from_us', { sender: said.by })}:{' '}
      </span>
      <Text span size="sm" {...(said.is_binary ? { ff: 'monospace' } : {})}>
        {said.text ?? t('inbox.hidden')}
      </Text>
      <Group gap={6} className={classes.about}>
        <Text span size="xs" c="dimmed">
          {[incoming ? said.by : t('inbox.from_us', { sender: said.by }), said.campaign, format.instant(said.at)]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        {said.state && <MessageStateBadge state={said.state} />}
      </Group>
    </li>
  );
}
