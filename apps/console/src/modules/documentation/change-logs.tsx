import { readChangeLogs } from '@heliograph/contract/documentation/reader';
import { Group, Skeleton, Text, Title } from '@mantine/core';
import { IconBook2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { LoadError } from '../../resource/load-error.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Html } from './html.tsx';
import { ReaderFrame } from './reader-frame.tsx';
import { StabilityBadge } from './stability.tsx';

/** Page of the changes in one version. The id is read as an integer; 0 is the newest. */
export function ChangeLogs() {
  const { id: text } = useParams({ strict: false }) as { id: string };
  const asked = Number.parseInt(text, 10) || 0;
  return (
    <ReaderFrame current={(all) => ({ version: asked || (all.change_logs[0]?.id ?? 0) })}>
      {() => <Version asked={asked} />}
    </ReaderFrame>
  );
}

function Version({ asked }: { asked: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const log = useQuery({
    queryKey: ['documentation', 'change-logs'],
    queryFn: ({ signal }) => call(readChangeLogs, { signal }),
  });
  if (log.error) return <LoadError error={log.error} retry={() => void log.refetch()} />;
  if (!log.data) return <Skeleton h={320} />;
  const version = asked === 0 ? log.data.data[0] : log.data.data.find(({ id }) => id === asked);
  if (!version)
    return (
      <EmptyState
        screen
        title={t('documentation.not_found')}
        text={t('documentation.not_found_hint')}
        icon={<IconBook2 size={28} stroke={1.5} />}
      />
    );
  return (
    <article>
      <Text size="sm" c="dimmed">
        {t('documentation.change_log')}
      </Text>
      <Group gap="sm" mb="lg">
        <Title order={1}>{version.version}</Title>
        <StabilityBadge stability={version.stability} />
      </Group>
      <Html html={version.description} lang="en" />
      <Text size="xs" c="dimmed" mt="xl">
        {t('documentation.updated', { time: format.instant(version.updated_at) })}
      </Text>
    </article>
  );
}
