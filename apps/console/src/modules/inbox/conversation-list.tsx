import { CONVERSATION_VIEWS, type ConversationView, MOST_COUNTED } from '@heliograph/contract/inbox/conversation';
import { Alert, Button, Skeleton, Tabs, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconMessage2, IconSearch, IconStarFilled } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useSession } from '../../platform/session.ts';
import { RelativeTime } from '../../resource/cells.tsx';
import { usePhoneName } from '../../resource/removal.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import classes from './conversation-list.module.css';
import { EncryptedHint } from './encrypted-hint.tsx';
import type { ConversationRow, useConversationList } from './use-conversation-list.ts';

/** Height of a row in px, as in the style sheet. Only rows near the visible part are drawn. */
const ROW = 76;
const BEYOND = 6;
const PAUSE_MS = 300;

interface ListProps {
  list: ReturnType<typeof useConversationList>;
  view: ConversationView;
  text: string;
  opened: number | null;
  onView: (view: ConversationView) => void;
  onSearch: (text: string) => void;
  onOpen: (id: number) => void;
}

/** List of conversations with its filters and search. */
export function ConversationList(props: ListProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { list, view } = props;
  const [typed, setTyped] = useState(props.text);
  const search = useDebouncedCallback(props.onSearch, PAUSE_MS);
  const count = (of: ConversationView) => {
    const found = list.counts?.[of];
    if (found === undefined || (of === 'closed' && found >= MOST_COUNTED)) return '';
    return found >= MOST_COUNTED ? `${format.integer(MOST_COUNTED - 1)}+` : format.integer(found);
  };
  return (
    <section className={classes.list} aria-label={t('resources.inbox.many')}>
      <Tabs value={view} onChange={(value) => props.onView(value as ConversationView)} variant="default">
        <Tabs.List className={classes.views!} aria-label={t('inbox.lists')}>
          {CONVERSATION_VIEWS.map((each) => (
            <Tabs.Tab key={each} value={each} className={classes.view!} aria-controls="conversations">
              {t(`inbox.views.${each}`)} <span className={classes.count}>{count(each)}</span>
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <div className={classes.search}>
        <TextInput
          type="search"
          size="sm"
          aria-label={t('inbox.search')}
          placeholder={t('inbox.search')}
          leftSection={<IconSearch size={16} stroke={1.6} />}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            search(event.currentTarget.value.trim());
          }}
        />
        <EncryptedHint search={props.text} />
      </div>
      {list.error ? (
        <Alert color="red" variant="light" m="md">
          {sentenceOf(list.error)}
        </Alert>
      ) : list.loading || (list.rows.length === 0 && list.searching) ? (
        <div role="status" aria-label={t('common.loading')} className={classes.waiting} id="conversations">
          {[0, 1, 2, 3, 4].map((row) => (
            <Skeleton key={row} h={ROW - 16} radius="md" />
          ))}
        </div>
      ) : list.rows.length === 0 ? (
        <div className={classes.rows} id="conversations">
          <EmptyState
            icon={<IconMessage2 size={28} stroke={1.5} />}
            title={t(props.text ? 'list.nothing_found' : `inbox.none.${view}`)}
            {...(props.text || view !== 'open' ? {} : { text: t('resources.inbox.empty') })}
            action={list.goesOn && <MoreButton list={list} />}
          />
        </div>
      ) : (
        <Rows {...props} />
      )}
    </section>
  );
}

function Rows({ list, view, opened, onOpen }: ListProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ top: 0, height: 800 });
  const { rows, more } = list;
  const at = rows.findIndex(({ id }) => id === opened);
  // The opened row stays in view when it is reached by the keyboard.
  useEffect(() => {
    const box = scroller.current;
    if (!box || at === -1) return;
    if (at * ROW < box.scrollTop) box.scrollTop = at * ROW;
    else if ((at + 1) * ROW > box.scrollTop + box.clientHeight) box.scrollTop = (at + 1) * ROW - box.clientHeight;
  }, [at]);
  const look = () => {
    const { scrollTop: top, clientHeight: height } = scroller.current!;
    setSeen({ top, height });
    if (top + height * 2 > rows.length * ROW) more();
  };
  const first = Math.max(0, Math.floor(seen.top / ROW) - BEYOND);
  const last = Math.min(rows.length, Math.ceil((seen.top + seen.height) / ROW) + BEYOND);
  return (
    <div
      className={classes.rows}
      id="conversations"
      ref={scroller}
      onScroll={look}
      data-stale={list.stale || undefined}
    >
      <ul aria-label={t(`inbox.views.${view}`)} style={{ height: rows.length * ROW }}>
        {rows.slice(first, last).map((row, place) => (
          <li
            key={row.id}
            style={{ transform: `translateY(${(first + place) * ROW}px)` }}
            aria-setsize={rows.length}
            aria-posinset={first + place + 1}
          >
            <Row row={row} opened={row.id === opened} onOpen={() => onOpen(row.id)} />
          </li>
        ))}
      </ul>
      {list.goesOn && <MoreButton list={list} />}
    </div>
  );
}

function MoreButton({ list }: Pick<ListProps, 'list'>) {
  const { t } = useTranslation();
  return (
    <Button variant="default" size="xs" m="md" loading={list.searching} onClick={list.more}>
      {t('list.load_more')}
    </Button>
  );
}

function Row({ row, opened, onOpen }: { row: ConversationRow; opened: boolean; onOpen: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const own = useSession((s) => s.profile?.id);
  const phone = usePhoneName();
  const text = row.message ?? t('inbox.hidden');
  return (
    <Link
      to="/inbox"
      search={{ conversation: String(row.id) }}
      className={classes.row!}
      data-unread={row.unread > 0 || undefined}
      aria-current={opened ? 'true' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onOpen();
      }}
    >
      <span className={classes.dot} aria-hidden="true" />
      <span className={classes.who}>
        <span className={classes.name}>{row.name ?? phone(row.oa)}</span>
        {row.important && (
          <IconStarFilled size={12} role="img" aria-label={t('inbox.important')} className={classes.star!} />
        )}
        <span className={classes.when}>
          <RelativeTime at={row.last_at} />
        </span>
      </span>
      <span className={classes.text}>{row.direction === 'out' ? t('inbox.you', { text }) : text}</span>
      <span className={classes.about}>
        <Text span inherit truncate>
          {[row.name && phone(row.oa), row.number, row.assigned_to === own ? t('inbox.me') : row.assigned_to_name]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        {row.unread > 0 && (
          <span className={classes.unread}>
            {format.integer(row.unread)}
            <span className="app-visually-hidden"> {t('inbox.unread')}</span>
          </span>
        )}
      </span>
    </Link>
  );
}
