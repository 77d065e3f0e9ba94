import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { Anchor, Button, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconChecks, IconClock, IconNote, IconStack2 } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { useRemoval } from '../../resource/removal.tsx';
import { Link } from '../../ui/link.tsx';
import classes from './entries.module.css';
import { piecesOf } from './fold-entries.ts';
import { useMoments } from './moments.ts';
import type { Entry } from './thread.tsx';

/**
 * Entries of a thread, the newest at the bottom. The box is laid out from its end: it opens there, and what is loaded
 * above moves nothing.
 */
export function Entries(props: { entries: readonly Entry[]; more: boolean; loading: boolean; onMore: () => void }) {
  const { t } = useTranslation();
  const moments = useMoments();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const top = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const { more } = props;
  useEffect(() => {
    if (!more || !top.current) return;
    const watch = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting && !latest.current.loading) latest.current.onMore();
    });
    watch.observe(top.current);
    return () => watch.disconnect();
  }, [more]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what it can focus
    <div className={classes.entries} tabIndex={0} role="log" aria-label={t('inbox.messages')}>
      <div>
        {more && (
          <div ref={top} className={classes.older}>
            <Button variant="subtle" size="compact-sm" loading={props.loading} onClick={props.onMore}>
              {t('inbox.earlier')}
            </Button>
          </div>
        )}
        <ol className={classes.said}>
          {piecesOf(props.entries, moments.dayOf, opened).map((piece) =>
            piece.kind === 'day' ? (
              <li key={`day ${piece.key}`} className={classes.day}>
                <time dateTime={piece.key}>{moments.day(piece.at)}</time>
              </li>
            ) : piece.kind === 'folded' ? (
              <li key={piece.key} className={classes.folded}>
                <Button
                  variant="subtle"
                  color="gray"
                  size="compact-sm"
                  fw={500}
                  leftSection={<IconStack2 size={15} stroke={1.6} />}
                  aria-expanded={false}
                  onClick={() => setOpened(new Set([...opened, piece.key]))}
                >
                  {t('inbox.folded', { count: piece.entries.length })}
                </Button>
              </li>
            ) : (
              <Line key={piece.key} entry={piece.entry} />
            ),
          )}
        </ol>
      </div>
    </div>
  );
}

function Line({ entry }: { entry: Entry }) {
  const { t } = useTranslation();
  const moments = useMoments();
  if (entry.kind === 'in' || entry.kind === 'out') return <Bubble entry={entry} />;
  if (entry.kind === 'note') return <Note entry={entry} />;
  const name = entry.user_name ?? t('inbox.somebody');
  const words =
    entry.kind === 'assigned'
      ? entry.assigned_to_name === null
        ? t('inbox.line.unassigned', { name })
        : t('inbox.line.assigned', { name, colleague: entry.assigned_to_name })
      : entry.kind === 'reopened' && entry.user_name === null
        ? t('inbox.line.reopened_by_message')
        : t(`inbox.line.${entry.kind}`, { name });
  return (
    <li className={classes.change}>
      {words} · {moments.clock(entry.at)}
    </li>
  );
}

function Note({ entry }: { entry: Entry }) {
  const { t } = useTranslation();
  const moments = useMoments();
  return (
    <li className={classes.note}>
      <Text size="xs" fw={600} className={classes.noteHead!}>
        <IconNote size={14} stroke={1.8} aria-hidden /> {t('inbox.note')} · {entry.user_name ?? t('inbox.somebody')} ·{' '}
        {moments.clock(entry.at)}
      </Text>
      <Words entry={entry} />
    </li>
  );
}

/** Text of a message or note, or when and why it was removed. */
function Words({ entry: { text, removed } }: { entry: Entry }) {
  const { t } = useTranslation();
  const say = useRemoval();
  return removed ? <em>{say('text', removed)}</em> : (text ?? t('inbox.hidden'));
}

function Bubble({ entry }: { entry: Entry }) {
  const { t } = useTranslation();
  const format = useFormat();
  const moments = useMoments();
  const mayOpen = useMay('campaigns-show');
  const incoming = entry.kind === 'in';
  const about = [entry.user_name, entry.by, moments.clock(entry.at)].filter(Boolean).join(' · ');
  return (
    <li className={incoming ? classes.in : classes.out}>
      <div className={classes.bubble} data-mono={entry.is_binary || undefined}>
        <span className="app-visually-hidden">
          {incoming ? t('inbox.from_phone') : t('inbox.from_us', { sender: entry.by })}:{' '}
        </span>
        <Words entry={entry} />
      </div>
      <div className={classes.under}>
        {entry.campaign &&
          (mayOpen && entry.campaign_id !== null && !incoming ? (
            <>
              <Anchor component={Link} to={`/campaign-history/${entry.campaign_id}`} inherit>
                {entry.campaign}
              </Anchor>
              {' · '}
            </>
          ) : (
            `${entry.campaign} · `
          ))}
        <span title={format.instant(entry.at)}>{about}</span>
        {entry.state && <State state={entry.state} />}
        {entry.handled && entry.handled !== 'inbox' && (
          <span className={classes.handled}>{t(keyIn('inbox', 'handled', entry.handled))}</span>
        )}
      </div>
      {entry.reply_error && (
        <div className={classes.failed}>
          {t('inbox.not_answered', {
            reason: t([
              keyIn('errors', entry.reply_error),
              keyIn('validation', entry.reply_error),
              'errors.internal_error',
            ]),
          })}
        </div>
      )}
    </li>
  );
}

const ICONS = { pending: IconClock, submitted: IconCheck, delivered: IconChecks } as const;

/** Delivery state of a message as a mark; words are added where something went wrong. */
function State({ state }: { state: NonNullable<Entry['state']> }) {
  const { t } = useTranslation();
  const words = t(keyIn('message_state', state));
  const known = state === 'pending' || state === 'submitted' || state === 'delivered';
  const Icon = known ? ICONS[state] : IconAlertTriangle;
  return (
    <span className={classes.state} data-state={known ? state : 'failed'} title={words}>
      <Icon size={15} stroke={2} aria-hidden />
      <span className={known ? 'app-visually-hidden' : undefined}>{words}</span>
    </span>
  );
}
