import { conversationColleagues } from '@heliograph/contract/inbox/conversation';
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useSession } from '../../platform/session.ts';
import classes from './conversations.module.css';
import type { Conversation } from './thread.tsx';
import { assignTo } from './thread-actions.ts';

/** Select that assigns a conversation to the user or to a colleague. The user comes first. */
export function Assignee({ conversation, onLeft }: { conversation: Conversation; onLeft: () => void }) {
  const { t } = useTranslation();
  const own = useSession((s) => s.profile?.id);
  const { id, assigned_to, etag } = conversation;
  const colleagues = useQuery({
    queryKey: ['inbox', 'colleagues', conversation.corporation_id],
    queryFn: ({ signal }) => call(conversationColleagues, { params: { id }, signal }),
    staleTime: 60_000,
  });
  const choices = (colleagues.data?.data ?? [])
    .map((person) => ({ value: String(person.id), label: person.name }))
    .sort((a, b) => Number(b.value === String(own)) - Number(a.value === String(own)));
  const present = assigned_to === null ? null : String(assigned_to);
  if (present !== null && !choices.some(({ value }) => value === present))
    choices.unshift({ value: present, label: conversation.assigned_to_name ?? '…' });
  return (
    <Select
      size="xs"
      className={classes.assignee!}
      styles={{ input: { height: 34 } }}
      aria-label={t('inbox.assign')}
      placeholder={t('inbox.assign')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('inbox.unassign') }}
      comboboxProps={{ width: 240, position: 'bottom-end' }}
      nothingFoundMessage={t('form.nothing_found')}
      data={choices}
      value={present}
      onChange={async (value) => {
        if (!(await assignTo(id, value === null ? null : Number(value), etag))) onLeft();
      }}
    />
  );
}
