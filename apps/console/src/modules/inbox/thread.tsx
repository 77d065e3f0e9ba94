import { conversationMessages, getConversation, readConversation } from '@heliograph/contract/inbox/conversation';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { ActionIcon, Alert, Button, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDocumentVisibility, useMediaQuery } from '@mantine/hooks';
import { IconArrowBackUp, IconArrowLeft, IconCheck, IconUser } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { usePhoneName } from '../../resource/removal.tsx';
import { Assignee } from './assignee.tsx';
import classes from './conversations.module.css';
import { Entries } from './entries.tsx';
import { readInboxAgain } from './inbox-actions.tsx';
import { Person } from './person.tsx';
import { ReplyBox } from './reply-box.tsx';
import { setOpen } from './thread-actions.ts';

export type Conversation = ReplyOf<typeof getConversation>['data'];
export type Entry = ReplyOf<typeof conversationMessages>['data'][number];

/** States of a message that change no more. */
const PASSING = new Set<string | null>(['pending', 'submitted']);
/** Interval at which the states of messages under way are read, in ms, and the age until which they are. */
const FOLLOW_MS = 2_500;
const FOLLOWED_MS = 15 * 60_000;
/** Width from which the person stands beside the thread. */
const VERY_WIDE = '(min-width: 80em)';

/** Reads the messages of a conversation, newest first, and follows those that are under way. */
function useEntries(id: number) {
  const query = useInfiniteQuery({
    queryKey: ['inbox', 'entries', id],
    queryFn: ({ pageParam, signal }) =>
      call(conversationMessages, { params: { id }, query: { limit: 30, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.data.some(
        (each) => PASSING.has(each.state) && Date.now() - Date.parse(each.at) < FOLLOWED_MS,
      )
        ? FOLLOW_MS
        : false,
  });
  const entries = [
    ...new Map(query.data?.pages.flatMap(({ data }) => data).map((each) => [`${each.kind} ${each.id}`, each])).values(),
  ].reverse();
  return { query, entries };
}

/** Marks a shown conversation as read, each time something new is in it. */
function useReading(conversation: Conversation | undefined): void {
  const visible = useDocumentVisibility() === 'visible';
  const unread = conversation?.abilities.edit && visible ? conversation.unread : 0;
  const id = conversation?.id;
  useEffect(() => {
    if (unread === 0 || id === undefined) return;
    void call(readConversation, { params: { id } }).then(readInboxAgain, () => undefined);
  }, [unread, id]);
}

interface ThreadProps {
  id: number;
  /** Set when the user asks to reply. */
  replying: boolean;
  /** Called when the box of the reply has the focus, or cannot have it. */
  onReplying: () => void;
  /** Called when the conversation is left or no longer visible. */
  onLeft: () => void;
  /** Set if the thread stands alone and needs a way back. */
  back: boolean;
}

/** Conversation with one person: its messages, and what is known about the person. */
export function Thread({ id, replying, onReplying, onLeft, back }: ThreadProps) {
  const { t } = useTranslation();
  const one = useQuery({
    queryKey: ['inbox', 'one', id],
    queryFn: ({ signal }) => call(getConversation, { params: { id }, signal }),
  });
  const { query, entries } = useEntries(id);
  const conversation = one.data?.data;
  useReading(conversation);
  const beside = useMediaQuery(VERY_WIDE, undefined, { getInitialValueInEffect: false }) ?? false;
  const [person, setPerson] = useState(false);
  const error = one.error ?? query.error;
  return (
    <>
      <section className={classes.thread} aria-label={t('inbox.conversation', { number: conversation?.oa ?? '' })}>
        <Head
          conversation={conversation}
          onLeft={onLeft}
          back={back}
          {...(beside ? {} : { onPerson: () => setPerson(true) })}
        />
        {error && !conversation ? (
          <Alert color="red" variant="light" m="md">
            {sentenceOf(error)}
          </Alert>
        ) : conversation && query.data ? (
          <>
            <Entries
              entries={entries}
              more={query.hasNextPage}
              loading={query.isFetchingNextPage}
              onMore={() => void query.fetchNextPage()}
            />
            <ReplyBox key={conversation.id} {...{ conversation, replying, onReplying }} />
          </>
        ) : (
          <Stack role="status" aria-label={t('common.loading')} p="lg" style={{ flex: 1 }}>
            <Skeleton h={60} w="60%" radius="lg" />
            <Skeleton h={60} w="60%" radius="lg" ml="auto" />
            <Skeleton h={60} w="40%" radius="lg" />
          </Stack>
        )}
      </section>
      {beside ? (
        <section className={classes.person} aria-label={t('inbox.person')}>
          {conversation && <Person conversation={conversation} />}
        </section>
      ) : (
        person &&
        conversation && (
          <Drawer
            opened
            onClose={() => setPerson(false)}
            title={t('inbox.person')}
            size="sm"
            closeButtonProps={{ 'aria-label': t('actions.close') }}
          >
            <Person conversation={conversation} />
          </Drawer>
        )
      )}
    </>
  );
}

function Head(props: {
  conversation: Conversation | undefined;
  onLeft: () => void;
  back: boolean;
  onPerson?: () => void;
}) {
  const { t } = useTranslation();
  const { conversation } = props;
  const phone = usePhoneName();
  const [busy, setBusy] = useState(false);
  return (
    <header className={classes.head}>
      {props.back && (
        <ActionIcon variant="subtle" color="gray" size="lg" onClick={props.onLeft} aria-label={t('inbox.back')}>
          <IconArrowLeft size={20} stroke={1.6} />
        </ActionIcon>
      )}
      <div className={classes.title}>
        <Text component="h2" fw={600} truncate>
          {conversation ? (conversation.name ?? phone(conversation.oa)) : '\u00a0'}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {conversation &&
            [conversation.name && phone(conversation.oa), conversation.corporation_name].filter(Boolean).join(' · ')}
        </Text>
      </div>
      {conversation?.abilities.edit && (
        <Group gap="xs" wrap="nowrap" className={classes.actions!}>
          {conversation.corporation_id !== null && <Assignee conversation={conversation} onLeft={props.onLeft} />}
          <Button
            variant="default"
            size="xs"
            h={34}
            loading={busy}
            leftSection={
              conversation.open ? <IconCheck size={16} stroke={1.8} /> : <IconArrowBackUp size={16} stroke={1.8} />
            }
            onClick={async () => {
              setBusy(true);
              await setOpen(conversation.id, !conversation.open);
              setBusy(false);
            }}
          >
            {t(conversation.open ? 'inbox.close' : 'inbox.reopen')}
          </Button>
        </Group>
      )}
      {props.onPerson && (
        <ActionIcon variant="subtle" color="gray" size="lg" onClick={props.onPerson} aria-label={t('inbox.person')}>
          <IconUser size={18} stroke={1.6} />
        </ActionIcon>
      )}
    </header>
  );
}
