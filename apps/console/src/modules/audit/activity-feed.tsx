import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { Anchor, Group, Paper, Stack, Text, ThemeIcon, Title, UnstyledButton } from '@mantine/core';
import {
  IconActivity,
  IconCoins,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat, useZone, writerOf } from '../../platform/format.ts';
import { hasText } from '../../platform/language.ts';
import { Cell } from '../../resource/columns.tsx';
import { recordPath } from '../../resource/record-path.ts';
import { Link } from '../../ui/link.tsx';
import type { Activity } from './activity-logs.tsx';

interface FeedProps {
  rows: readonly Activity[];
  whoOf: (row: Activity) => string;
  onOpen: (row: Activity) => void;
}

/** The log as sentences, grouped by day, newest first. */
export function ActivityFeed({ rows, ...props }: FeedProps) {
  const format = useFormat();
  const dayOf = writerOf('en', useZone(), 'iso');
  const days = Map.groupBy(rows, (row) => dayOf(new Date(row.created_at)));
  return (
    <Stack gap="lg">
      {[...days].map(([day, entries]) => (
        <section key={day} aria-label={format.date(day)}>
          <Title order={2} size="h5" mb="xs">
            {format.date(day)}
          </Title>
          <Paper className="app-card">
            {entries.map((row) => (
              <Entry key={row.id} row={row} {...props} />
            ))}
          </Paper>
        </section>
      ))}
    </Stack>
  );
}

/** Number of changes that a line shows; the drawer shows all. */
const SHOWN = 2;

function Entry({ row, whoOf, onOpen }: Omit<FeedProps, 'rows'> & { row: Activity }) {
  const { t } = useTranslation();
  const format = useFormat();
  const Icon = iconOf(row.description);
  const shown = row.changes.filter(({ before, after }) => before !== null && after !== null).slice(0, SHOWN);
  return (
    <Group wrap="nowrap" align="flex-start" gap="sm" p="sm" style={{ borderBottom: '1px solid var(--app-line)' }}>
      <ThemeIcon variant="light" color={row.description === 'deleted' ? 'red' : 'gray'} size={30} radius="xl">
        <Icon size={16} stroke={1.6} aria-hidden />
      </ThemeIcon>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Sentence row={row} who={whoOf(row)} />
        </Text>
        {shown.map(({ field, label, show, before, after }) => (
          <Text key={field} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }} lineClamp={2}>
            {label}: <Value {...{ show, value: before, currency: row.currency }} /> →{' '}
            <Value {...{ show, value: after, currency: row.currency }} />
          </Text>
        ))}
      </div>
      <Stack gap={2} align="flex-end">
        <Text size="xs" c="dimmed" title={format.instant(row.created_at)} style={{ whiteSpace: 'nowrap' }}>
          {format.time(row.created_at)}
        </Text>
        <UnstyledButton onClick={() => onOpen(row)} aria-label={t('activity.entry', { id: row.id })}>
          <Text size="xs" c="var(--mantine-color-anchor)">
            {t('activity.details')}
          </Text>
        </UnstyledButton>
      </Stack>
    </Group>
  );
}

/** Places in a sentence that a person and a record take. */
const WHO = '{who}';
const RECORD = '{record}';

/** “Ana changed User Ben”: a sentence of the action if the language has one, otherwise the action's name. */
function Sentence({ row, who }: { row: Activity; who: string }) {
  const { t } = useTranslation();
  const own = keyIn('activity_sentence', row.description.replace(/[ -]/g, '_'));
  const text = hasText(own)
    ? t(own, { who: WHO, record: RECORD })
    : t('activity_sentence.other', { who: WHO, record: RECORD, action: row.action, interpolation: PLAIN });
  const gone = row.description === 'deleted';
  const path = gone ? undefined : recordPath(row.subject_type, row.subject_id);
  const parts: Readonly<Record<string, ReactNode>> = {
    [WHO]: (
      <Text span inherit fw={600}>
        {who}
      </Text>
    ),
    [RECORD]: path ? (
      <Anchor component={Link} to={path} inherit underline="always">
        {row.subject}
      </Anchor>
    ) : (
      <Text span inherit fw={500}>
        {row.subject}
      </Text>
    ),
  };
  // A sentence names each of them once, so the words between differ.
  return text.split(/(\{who\}|\{record\})/).map((part) => <span key={part}>{parts[part] ?? part}</span>);
}
const PLAIN = { escapeValue: false };

type Change = Activity['changes'][number];

/** Value of a changed field, as its kind is written. */
export function Value(props: { show: Change['show']; value: string | null; currency: string | null }) {
  const { show, value, currency } = props;
  if (show !== 'text' || value === null)
    return (
      <Cell show={show} value={show === 'yes-no' && value !== null ? value === 'true' : value} currency={currency} />
    );
  return <span style={{ overflowWrap: 'anywhere' }}>{value}</span>;
}

function iconOf(action: string) {
  if (/^(created|.*added)$/.test(action)) return IconPlus;
  if (/^delete/.test(action)) return IconTrash;
  if (/^(updated|changed|edited|renamed)/.test(action)) return IconPencil;
  if (/^(payment|refund|correction)/.test(action)) return IconCoins;
  if (/upload/.test(action)) return IconUpload;
  if (/^(stopped|paused|suspended|disable|drain|discarded)/.test(action)) return IconPlayerPause;
  return /^(enable|resume|approved)/.test(action) ? IconPlayerPlay : IconActivity;
}
