import { CONVERSATION_VIEWS, type ConversationView, conversations } from '@heliograph/contract/inbox/conversation';
import { useMediaQuery } from '@mantine/hooks';
import { IconMessages } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ConversationList } from './conversation-list.tsx';
import classes from './conversations.module.css';
import { Thread } from './thread.tsx';
import { setOpen } from './thread-actions.ts';
import { useConversationList } from './use-conversation-list.ts';

/** Width from which list and thread stand side by side. */
const WIDE = '(min-width: 62em)';

/** Place of the inbox: which list, what is searched, and the opened conversation. It is kept in the address. */
function useInboxPlace() {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const navigate = useNavigate();
  const go = (patch: Record<string, string | undefined>, replace = false) => {
    const next = Object.entries({ ...search, phone: undefined, ...patch }).filter(([, value]) => value);
    void navigate({ to: '.', search: Object.fromEntries(next), replace, resetScroll: false });
  };
  return {
    view: CONVERSATION_VIEWS.find((each) => each === search['view']) ?? 'open',
    text: search['search'] ?? '',
    opened: /^\d{1,16}$/.test(search['conversation'] ?? '') ? Number(search['conversation']) : null,
    phone: search['phone'],
    go,
  };
}

/** Opens the conversation with the phone that the address names, in the list that holds it. */
function useAskedPhone({ phone, go }: ReturnType<typeof useInboxPlace>): void {
  const found = useQuery({
    queryKey: ['inbox', 'phone', phone],
    queryFn: async ({ signal }) => {
      for (const view of ['open', 'closed'] as const) {
        const { data } = await call(conversations, { query: { view, oa: phone, limit: 1 }, signal });
        if (data[0]) return { view, id: data[0].id };
      }
      return null;
    },
    enabled: phone !== undefined,
  }).data;
  const latest = useRef(go);
  latest.current = go;
  useEffect(() => {
    if (phone === undefined || found === undefined) return;
    latest.current(found ? { view: found.view, conversation: String(found.id) } : { search: phone }, true);
  }, [phone, found]);
}

/** Inbox with one row a person: the list, the opened conversation, and what is known about the person. */
export function Conversations(props: { actions: ReactNode }) {
  const { t } = useTranslation();
  const place = useInboxPlace();
  useAskedPhone(place);
  const wide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false }) ?? true;
  const list = useConversationList(place.view, place.text);
  const [replying, setReplying] = useState<number | null>(null);
  const { opened, go } = place;
  const open = (id: number | null) =>
    go({ conversation: id === null ? undefined : String(id) }, wide && opened !== null);
  const at = list.rows.findIndex(({ id }) => id === opened);

  /** Opens the row that many places further down. */
  function step(by: number) {
    const next = list.rows[at === -1 ? 0 : Math.min(Math.max(at + by, 0), list.rows.length - 1)];
    if (next) open(next.id);
  }
  /** Closes the opened conversation or opens it again, and goes on with the next one. */
  async function toggle() {
    const row = list.rows[at];
    if (!row?.abilities.edit) return;
    const next = list.rows[at + 1] ?? list.rows[at - 1];
    if (await setOpen(row.id, !row.open)) open(next?.id ?? null);
  }
  function leave() {
    setReplying(null);
    open(null);
  }
  // Keys that are pressed before the box of a reply is there are meant for it.
  useInboxKeys(replying !== null && replying === opened, {
    j: () => step(1),
    arrowdown: () => step(1),
    k: () => step(-1),
    arrowup: () => step(-1),
    e: () => void toggle(),
    r: () => setReplying(opened),
    ...(opened !== null && { escape: leave }),
  });

  const listShown = wide || opened === null;
  return (
    <div className={classes.screen}>
      {listShown && <PageHeader title={t('resources.inbox.many')} actions={props.actions} />}
      <div className={classes.panes}>
        {listShown && (
          <ConversationList
            list={list}
            view={place.view}
            text={place.text}
            opened={opened}
            onView={(view: ConversationView) =>
              go({ view: view === 'open' ? undefined : view, conversation: undefined })
            }
            onSearch={(text) => go({ search: text || undefined }, true)}
            onOpen={open}
          />
        )}
        {opened !== null ? (
          <Thread
            key={opened}
            id={opened}
            replying={replying === opened}
            onReplying={() => setReplying(null)}
            onLeft={() => open(null)}
            back={!wide}
          />
        ) : (
          wide && (
            <div className={classes.nothing}>
              <EmptyState
                icon={<IconMessages size={28} stroke={1.5} />}
                title={t('inbox.choose')}
                text={t('inbox.choose_hint')}
              />
            </div>
          )
        )}
      </div>
    </div>
  );
}

/** Runs an action when its key is pressed outside a field, a menu and a dialog; only Escape while keys are `held`. */
function useInboxKeys(held: boolean, keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = held && keys['escape'] ? { escape: keys['escape'] } : keys;
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const elsewhere = 'input, textarea, select, [contenteditable=true], [role=menu], [role=listbox], [role=dialog]';
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (target.closest(elsewhere)) return;
      // The arrows scroll a thread that has the focus, and choose a tab.
      if (event.key.startsWith('Arrow') && target.closest('[role=log], [role=tablist]')) return;
      const handler = latest.current[event.key.toLowerCase()];
      if (!handler) return;
      event.preventDefault();
      handler();
    };
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
