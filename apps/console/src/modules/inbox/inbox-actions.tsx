import { deleteInbox, markInbox } from '@heliograph/contract/inbox/inbox-message';
import { Button } from '@mantine/core';
import { IconMail, IconMailOpened, IconMessage2, IconStar, IconStarOff, IconTrash } from '@tabler/icons-react';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { loadCounters } from '../../platform/counters.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { openDialog } from '../../ui/dialogs.ts';
import type { RowAction } from '../../ui/table-parts.tsx';
import type { InboxRow } from './inbox-table.tsx';

const ICON = { size: 16, stroke: 1.6 } as const;

/** Reads the inbox and its counters again. */
export async function readInboxAgain(): Promise<void> {
  void loadCounters();
  await queryClient.invalidateQueries({ queryKey: ['inbox'] });
}

/** Marks messages, and reports the error if that fails. */
export async function mark(
  rows: readonly Pick<InboxRow, 'id'>[],
  what: { read?: boolean; important?: boolean },
): Promise<void> {
  try {
    const { message } = await call(markInbox, { body: { ids: rows.map(({ id }) => id), ...what } });
    await readInboxAgain();
    if (message) void toast('success', message);
  } catch (error) {
    void toast('error', sentenceOf(error));
  }
}

/** Deletes messages after a confirmation. */
function remove(rows: readonly InboxRow[], done?: () => void): void {
  const t = i18next.t.bind(i18next);
  openDialog({
    title: t('delete.title'),
    text: t('delete.text'),
    confirm: rows.length === 1 ? t('actions.delete') : t('delete.many', { count: rows.length }),
    danger: true,
    onCancel: () => void toast('info', t('delete.cancelled')),
    onConfirm: async () => {
      try {
        const { message } = await call(deleteInbox, { body: { ids: rows.map(({ id }) => id) } });
        done?.();
        await readInboxAgain();
        void toast('success', message ?? t('delete.done'));
      } catch (error) {
        void toast('error', sentenceOf(error));
      }
    },
  });
}

/** Returns the actions for one message. */
export function inboxActions(row: InboxRow, open: () => void): RowAction[] {
  const t = i18next.t.bind(i18next);
  const actions: (RowAction | false)[] = [
    { label: t('inbox.open'), icon: <IconMessage2 {...ICON} />, onClick: open },
    row.abilities.edit && {
      label: t(row.read ? 'inbox.mark_unread' : 'inbox.mark_read'),
      icon: row.read ? <IconMail {...ICON} /> : <IconMailOpened {...ICON} />,
      onClick: () => void mark([row], { read: !row.read }),
    },
    row.abilities.edit && {
      label: t(row.important ? 'inbox.mark_unimportant' : 'inbox.mark_important'),
      icon: row.important ? <IconStarOff {...ICON} /> : <IconStar {...ICON} />,
      onClick: () => void mark([row], { important: !row.important }),
    },
    row.abilities.delete && {
      label: t('actions.delete'),
      icon: <IconTrash {...ICON} />,
      danger: true,
      onClick: () => remove([row]),
    },
  ];
  return actions.filter((action): action is RowAction => action !== false);
}

/** Buttons for the selected messages. */
export function BulkActions(props: { rows: InboxRow[]; clear: () => void }) {
  const { t } = useTranslation();
  const mayMark = useMay('inbox-mark');
  const mayDelete = useMay('inbox-delete');
  const { rows, clear } = props;
  const marked = (what: Parameters<typeof mark>[1]) => void mark(rows, what).then(clear);
  return (
    <>
      {mayMark && (
        <>
          <Button size="xs" variant="default" onClick={() => marked({ read: true })}>
            {t('inbox.mark_read')}
          </Button>
          <Button size="xs" variant="default" onClick={() => marked({ read: false })}>
            {t('inbox.mark_unread')}
          </Button>
          <Button size="xs" variant="default" onClick={() => marked({ important: true })}>
            {t('inbox.mark_important')}
          </Button>
        </>
      )}
      {mayDelete && (
        <Button size="xs" color="red.8" onClick={() => remove(rows, clear)}>
          {t('delete.many', { count: rows.length })}
        </Button>
      )}
    </>
  );
}
