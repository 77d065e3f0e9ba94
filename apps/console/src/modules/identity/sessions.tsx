import { endSessions, sessions } from '@heliograph/contract/identity/session';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { leave } from '../../platform/sign-in.ts';
import { toast } from '../../platform/toast.ts';
import { openDialog } from '../../ui/dialogs.ts';
import { Section } from '../../ui/section.tsx';

type Entry = ReplyOf<typeof sessions>['data'][number];

/** Returns a browser's name and system, as far as it reports them. */
export function deviceOf(agent: string | null): string | undefined {
  if (!agent) return undefined;
  const browser = /Edg\//.test(agent)
    ? 'Edge'
    : /Firefox\//.test(agent)
      ? 'Firefox'
      : /Chrome\//.test(agent)
        ? 'Chrome'
        : /Safari\//.test(agent)
          ? 'Safari'
          : undefined;
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(agent)?.[0]?.replace('Mac OS X', 'macOS');
  return [browser, system].filter(Boolean).join(', ') || agent.slice(0, 40);
}

/** List of the user's sessions, with a button to end each. */
export function Sessions() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const query = useQuery({ queryKey: ['identity', 'sessions'], queryFn: ({ signal }) => call(sessions, { signal }) });
  const list = query.data?.data;

  async function end(which: string) {
    try {
      const { message } = await call(endSessions, { body: { sessions: which } });
      void toast('success', message ?? t('sessions.ended'));
      await client.invalidateQueries({ queryKey: ['identity', 'sessions'] });
    } catch (error) {
      void toast('error', sentenceOf(error));
    }
  }
  const endAll = () =>
    openDialog({
      title: t('sessions.end_all'),
      text: t('sessions.end_all_text'),
      confirm: t('sessions.end_all'),
      danger: true,
      onConfirm: async () => {
        await call(endSessions, { body: { sessions: 'others' } });
        await leave();
      },
    });

  return (
    <Section title={t('sessions.title')}>
      {!list && <Skeleton h={80} radius="md" />}
      <Stack gap="sm">
        {list?.map((entry) => (
          <SessionLine key={entry.id} entry={entry} onEnd={() => void end(entry.id)} />
        ))}
      </Stack>
      <Group gap="xs">
        {list && list.length > 1 && (
          <Button variant="default" size="xs" onClick={() => void end('others')}>
            {t('sessions.end_others')}
          </Button>
        )}
        <Button variant="default" size="xs" c="var(--mantine-color-error)" onClick={endAll}>
          {t('sessions.end_all')}
        </Button>
      </Group>
    </Section>
  );
}

function SessionLine({ entry, onEnd }: { entry: Entry; onEnd: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Group gap={8}>
          <Text size="sm" fw={500}>
            {entry.support
              ? t('support.session', { name: entry.support.name })
              : (deviceOf(entry.user_agent) ?? t('sessions.unknown_device'))}
          </Text>
          {entry.current && (
            <Badge size="sm" variant="light">
              {t('sessions.current')}
            </Badge>
          )}
          {!entry.verified && (
            <Badge size="sm" variant="light" color="gray">
              {t('sessions.unverified')}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {entry.support
            ? t('support.session_ends', {
                reason: entry.support.reason,
                time: format.instant(entry.support.ends_at),
              })
            : `${entry.ip} · ${t('sessions.begun', { time: format.instant(entry.created_at) })} · ${t('sessions.used', {
                time: format.instant(entry.used_at),
              })}`}
        </Text>
      </div>
      {!entry.current && (
        <Button variant="subtle" size="compact-sm" style={{ flexShrink: 0 }} onClick={onEnd}>
          {t('sessions.end')}
        </Button>
      )}
    </Group>
  );
}
