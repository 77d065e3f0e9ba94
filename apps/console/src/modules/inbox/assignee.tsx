import { assignInbox, inboxColleagues } from '@heliograph/contract/inbox/inbox-message';
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { toast } from '../../platform/toast.ts';
import type { InboxRow } from './inbox.tsx';
import { readInboxAgain } from './inbox-actions.tsx';

/** Select that assigns a message to a colleague. */
export function Assignee({ message }: { message: InboxRow }) {
  const { t } = useTranslation();
  const colleagues = useQuery({
    queryKey: ['inbox', 'colleagues', message.corporation_id],
    queryFn: ({ signal }) => call(inboxColleagues, { params: { id: message.id }, signal }),
    staleTime: 60_000,
  });
  const choices = (colleagues.data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  const present = message.assigned_to === null ? null : String(message.assigned_to);
  if (present !== null && !choices.some(({ value }) => value === present))
    choices.unshift({ value: present, label: message.assigned_to_name ?? '…' });

  async function assign(value: string | null) {
    try {
      const reply = await call(assignInbox, {
        body: { ids: [message.id], assigned_to: value === null ? null : Number(value) },
      });
      await readInboxAgain();
      if (reply.message) void toast('success', reply.message);
    } catch (error) {
      void toast('error', sentenceOf(error));
    }
  }

  return (
    <Select
      label={t('inbox.assign')}
      placeholder={t('inbox.nobody')}
      searchable
      clearable
      nothingFoundMessage={t('form.nothing_found')}
      data={choices}
      value={present}
      onChange={(value) => void assign(value)}
    />
  );
}
