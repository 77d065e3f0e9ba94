import { listPendingCampaigns } from '@heliograph/contract/campaigns/campaign';
import { inbox, markInbox } from '@heliograph/contract/inbox/inbox-message';
import { queueDownloadNotify, readDownloads } from '@heliograph/contract/notifications/download';
import { Badge, Button, Group, Popover, ScrollArea, Tabs, Text, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconFileDownload,
  IconHourglassHigh,
  IconMessage2,
  IconUserQuestion,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { cloneElement, type ReactElement, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { loadCounters } from '../../platform/counters.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay, useSession } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import classes from './notification-center.module.css';
import { type Entry, NotificationRow } from './notification-row.tsx';
import { fetchDownload } from './open-download.ts';
import { useTasks } from './tasks-opened.ts';

/** Maximum number of entries of a kind that are listed. */
const SHOWN = 100;
const TABS = ['all', 'approvals', 'replies', 'files'] as const;
type Tab = (typeof TABS)[number];
const ICON = { size: 20, stroke: 1.5, 'aria-hidden': true } as const;

/** Everything that the bell counts, by kind: campaigns to approve and other requests, unread replies and the user's files. */
export function NotificationCenter(props: { target: ReactElement<{ onClick?: () => void }> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const title = useId();
  const [opened, setOpened] = useState(true);
  const [tab, setTab] = useState<Tab>('all');
  const { entries, counts } = useEntries(opened);
  const close = () => setOpened(false);
  const shown = entries.filter(({ kind }) => tab === 'all' || kind === tab);
  const listed = shown.filter(({ unread }) => unread).length;
  const counted = tab === 'all' ? counts.approvals + counts.replies + counts.files : counts[tab];
  return (
    <Popover opened={opened} onChange={setOpened} width={400} position="bottom-end" trapFocus returnFocus shadow="md">
      <Popover.Target>{cloneElement(props.target, { onClick: () => setOpened((open) => !open) })}</Popover.Target>
      <Popover.Dropdown p={0} aria-labelledby={title} className={classes.center}>
        <Group justify="space-between" px="md" pt="sm" pb={4} wrap="nowrap">
          <Title order={2} size="h5" id={title}>
            {t('shell.notifications')}
          </Title>
          <MarkRead entries={shown} />
        </Group>
        <Tabs value={tab} onChange={(value) => setTab((value as Tab | null) ?? 'all')}>
          <Tabs.List px="xs">
            {TABS.map((name) => (
              <Tabs.Tab key={name} value={name} px="sm">
                {t(`bell.tabs.${name}`)}{' '}
                {name !== 'all' && counts[name] > 0 && (
                  <Text span size="xs" c="dimmed" ml={2}>
                    {format.integer(counts[name])}
                  </Text>
                )}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={tab}>
            <ScrollArea.Autosize mah={420} type="auto">
              {shown.length === 0 ? (
                <EmptyState of={OF[tab]} title={t(`bell.empty.${tab}`)} text={t(`bell.empty_hint.${tab}`)} />
              ) : (
                <ul className={classes.list}>
                  {shown.map(({ key, ...entry }) => (
                    <li key={key}>
                      <NotificationRow {...entry} onClose={close} />
                    </li>
                  ))}
                </ul>
              )}
              {counted > listed && (
                <Text size="xs" c="dimmed" px="md" pb="sm">
                  {t('bell.more', { count: counted - listed, replace: { count: format.integer(counted - listed) } })}
                </Text>
              )}
            </ScrollArea.Autosize>
          </Tabs.Panel>
        </Tabs>
        <div className={classes.foot}>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            onClick={() => {
              close();
              useTasks.setState({ opened: true });
            }}
          >
            {t('tasks.all')}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

const OF: Readonly<Record<Tab, string>> = {
  all: 'notifications',
  approvals: 'pending-campaigns',
  replies: 'inbox',
  files: 'transactions',
};

/** Reads the entries while the list is open, the newest first. Live events about them cause another read. */
function useEntries(opened: boolean): { entries: Entry[]; counts: Record<Exclude<Tab, 'all'>, number> } {
  const { t } = useTranslation();
  const format = useFormat();
  const files = useSession((s) => s.queueDownloads);
  const pending = useSession((s) => s.pendingCampaigns);
  const unread = useSession((s) => s.inboxUnread);
  const alarms = useSession((s) => s.alarms);
  const asked = useSession((s) => s.asked);
  useEffect(() => {
    if (opened)
      void call(queueDownloadNotify)
        .then((queueDownloads) => useSession.setState({ queueDownloads }))
        .catch(() => undefined);
  }, [opened]);
  const approvals = useQuery({
    queryKey: ['pending-campaigns', 'bell', pending],
    queryFn: ({ signal }) => call(listPendingCampaigns, { query: { per_page: SHOWN }, signal }),
    enabled: opened && pending > 0,
    placeholderData: (before) => before,
  });
  const replies = useQuery({
    queryKey: ['inbox', 'bell', unread],
    queryFn: ({ signal }) => call(inbox, { query: { read: 'false', limit: SHOWN }, signal }),
    enabled: opened && unread > 0,
    placeholderData: (before) => before,
  });
  const entries: Entry[] = [];
  if (pending > 0)
    for (const { id, name, user_name, total_count, created_at } of approvals.data?.data ?? [])
      entries.push({
        key: `approval-${id}`,
        kind: 'approvals',
        at: created_at,
        icon: <IconHourglassHigh {...ICON} />,
        title: t('bell.approval', { name }),
        facts: t('bell.approval_facts', {
          by: user_name,
          count: total_count,
          replace: { count: format.integer(total_count) },
        }),
        unread: true,
        to: '/pending-campaigns',
      });
  for (const { kind, id, name, by, at, place } of asked)
    entries.push({
      key: `asked-${kind}-${id}`,
      kind: 'approvals',
      at,
      icon: <IconUserQuestion {...ICON} />,
      title: t(`bell.asked.${kind}`, { by: by ?? '–' }),
      facts: place === '/profile' ? '' : (name ?? t('person.everywhere')),
      unread: true,
      to: place,
    });
  if (unread > 0)
    for (const { id, conversation_id, oa, message, created_at } of replies.data?.data ?? [])
      entries.push({
        key: `reply-${id}`,
        kind: 'replies',
        at: created_at,
        icon: <IconMessage2 {...ICON} />,
        title: t('bell.reply', { number: oa }),
        facts: message ?? '',
        unread: true,
        to: '/inbox',
        search: { layout: 'conversations', conversation: String(conversation_id) },
      });
  for (const file of files)
    entries.push({
      key: `file-${file.id}`,
      kind: 'files',
      at: file.created_at,
      icon: <IconFileDownload {...ICON} />,
      title: file.download_file,
      facts:
        file.state === 'done' ? (
          t('downloads.rows', { count: file.rows, replace: { count: format.integer(file.rows) } })
        ) : (
          <Badge size="xs" variant="light" color={file.state === 'failed' ? 'red' : 'gray'}>
            {t(`downloads.state.${file.state}`)}
          </Badge>
        ),
      unread: !file.downloaded_at,
      onClick: () => void fetchDownload(file.id),
      disabled: file.state !== 'done',
    });
  for (const alarm of [...(alarms?.present ?? []), ...(alarms?.past ?? [])])
    entries.push({
      key: `alarm-${alarm.id}`,
      kind: 'alarms',
      at: alarm.ended_at ?? alarm.since,
      icon: alarm.ended_at ? (
        <IconCircleCheck {...ICON} color="var(--app-good)" />
      ) : (
        <IconAlertTriangle {...ICON} color="var(--app-bad)" />
      ),
      title: t(`alarms.${alarm.ended_at ? 'over' : 'begun'}.${alarm.condition}.title`, { name: alarm.name }),
      facts: t('alarms.since', { time: format.instant(alarm.since) }),
      unread: false,
      to: alarm.link_id === null ? '/nodes' : `/links/${alarm.link_id}`,
    });
  entries.sort((a, b) => (a.at < b.at ? 1 : -1));
  const counts = {
    approvals: pending + asked.length,
    replies: unread,
    files: files.filter(({ downloaded_at }) => !downloaded_at).length,
  };
  return { entries, counts };
}

/** Button that marks the listed files and replies as read. Approvals stay until somebody decides. */
function MarkRead({ entries }: { entries: readonly Entry[] }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const mayMark = useMay('inbox-mark');
  const unread = entries.filter((entry) => entry.unread);
  const files = unread.filter(({ kind, disabled }) => kind === 'files' && !disabled);
  const replies = mayMark ? unread.filter(({ kind }) => kind === 'replies') : [];
  if (files.length + replies.length === 0) return null;
  const mark = async () => {
    try {
      if (files.length > 0) useSession.setState({ queueDownloads: await call(readDownloads) });
      const ids = replies.map(({ key }) => Number(key.slice('reply-'.length)));
      if (ids.length > 0) await call(markInbox, { body: { ids, read: true } });
    } catch (error) {
      void toast('error', sentenceOf(error));
    }
    await loadCounters();
    await client.invalidateQueries({ queryKey: ['inbox'] });
  };
  return (
    <Button variant="subtle" size="compact-sm" onClick={() => void mark()}>
      {t('bell.mark_read')}
    </Button>
  );
}
