import { inbox } from '@heliograph/contract/inbox/inbox-message';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Badge, Group, Text } from '@mantine/core';
import { IconMessage2, IconStarFilled } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import type { Column } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { PhoneNumber, useRemoval } from '../../resource/removal.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EncryptedHint } from './encrypted-hint.tsx';
import { BulkActions, inboxActions } from './inbox-actions.tsx';

export type InboxRow = ReplyOf<typeof inbox>['data'][number];

/** Text of a message as it was received; bold until someone has read it. */
function MessageCell({ row }: { row: InboxRow }) {
  const { t } = useTranslation();
  const say = useRemoval();
  const gone = row.removed && say('text', row.removed);
  const strong = !row.read;
  return (
    <Group gap={6} wrap="nowrap" maw="34ch">
      {strong && <span className="app-visually-hidden">{t('inbox.unread')}: </span>}
      {row.important && (
        <IconStarFilled
          size={14}
          style={{ flexShrink: 0 }}
          color="var(--mantine-color-yellow-7)"
          role="img"
          aria-label={t('inbox.important')}
        />
      )}
      {row.is_binary && (
        <Badge size="sm" variant="light" color="gray" style={{ flexShrink: 0 }}>
          {t('inbox.binary')}
        </Badge>
      )}
      <Text
        span
        inherit
        truncate
        fw={strong ? 650 : 400}
        title={gone ?? row.message ?? ''}
        {...(row.is_binary ? { ff: 'monospace' } : {})}
      >
        {gone ?? row.message ?? t('inbox.hidden')}
      </Text>
    </Group>
  );
}

const COLUMNS: readonly Column<InboxRow>[] = [
  {
    field: 'oa',
    cell: (row) => (
      <Text span inherit fw={row.read ? 400 : 650}>
        <PhoneNumber oa={row.oa} />
      </Text>
    ),
  },
  { field: 'message', cell: (row) => <MessageCell row={row} /> },
  'created_at',
  { field: 'handled', cell: (row) => <HandledBadge row={row} /> },
  'reply_message',
  'number',
  'campaign',
  'assigned_to_name',
  { field: 'keyword', hidden: true },
  { field: 'corporation_name', hidden: true },
];

/** Table of all messages from phones, with the columns that reports use. A row leads to its conversation. */
export function InboxTable(props: { actions: ReactNode; open: (conversation: number) => void }) {
  const { t } = useTranslation();
  const mayCorporations = useMay(corporation.permissions.index);
  const { search } = useSearch({ strict: false }) as { search?: string };
  return (
    <CursorList<typeof inbox, InboxRow>
      name="inbox"
      operation={inbox}
      title="oa"
      columns={COLUMNS}
      filters={[
        'read',
        'important',
        'mine',
        { field: 'handled', words: 'inbox.handled' },
        'oa',
        'number',
        ...(mayCorporations ? [{ field: 'corporation_id', to: corporation }] : []),
      ]}
      header={{ actions: props.actions }}
      empty={
        <EmptyState
          icon={<IconMessage2 size={28} stroke={1.5} />}
          title={t('resources.inbox.many')}
          text={t('resources.inbox.empty')}
        />
      }
      onRowClick={(row) => props.open(row.conversation_id)}
      rowActions={(row) => inboxActions(row, () => props.open(row.conversation_id))}
      bulkActions={(rows, clear) => <BulkActions rows={rows} clear={clear} />}
    >
      <EncryptedHint search={search} />
    </CursorList>
  );
}

const COLORS: Readonly<Record<InboxRow['handled'], string>> = {
  inbox: 'brand',
  url: 'cyan',
  opt_out: 'red',
  opt_in: 'teal',
  loop: 'orange',
  unrouted: 'gray',
};

/** Badge with the result of an inbound message, and whether it was a valid reply. */
function HandledBadge({ row }: { row: Pick<InboxRow, 'handled' | 'valid'> }) {
  const { t } = useTranslation();
  const validity = row.valid === null ? null : t(row.valid ? 'inbox.valid' : 'inbox.invalid');
  return (
    <Badge variant="light" size="sm" color={row.valid === false ? 'orange' : row.valid ? 'teal' : COLORS[row.handled]}>
      {validity ?? t(`inbox.handled.${row.handled}`)}
    </Badge>
  );
}
