import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { replayRoutingCall, routing, routingCalls } from '@heliograph/contract/routing/routing';
import { Badge, Button, Drawer, Group, List, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { LoadError } from '../../resource/load-error.tsx';

type Call = ReplyOf<typeof routingCalls>['data'][number];

const COLORS: Readonly<Record<Call['state'], string>> = { waiting: 'yellow', done: 'teal', failed: 'red' };

/** Drawer of the messages that a routing passed on, with all attempts, newest first. */
export function RoutingCalls(props: { id: number; name: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { id } = props;
  const calls = useInfiniteQuery({
    queryKey: [routing.name, 'calls', id],
    queryFn: ({ pageParam, signal }) =>
      call(routingCalls, { params: { id }, query: { limit: 20, ...(pageParam ? { cursor: pageParam } : {}) }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: 5_000,
  });
  const rows = calls.data?.pages.flatMap(({ data }) => data);
  return (
    <Drawer
      opened
      onClose={props.onClose}
      title={
        <Text fw={650} size="lg">
          {t('routings.calls_of', { name: props.name })}
        </Text>
      }
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="sm">
        {calls.error && !rows && <LoadError error={calls.error} retry={() => void calls.refetch()} />}
        {!rows && !calls.error && <Skeleton h={80} radius="lg" role="status" aria-label={t('common.loading')} />}
        {rows?.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('routings.no_calls')}
          </Text>
        )}
        {rows?.map((each) => (
          <OneCall key={each.id} made={each} />
        ))}
        {calls.hasNextPage && (
          <Button variant="default" loading={calls.isFetchingNextPage} onClick={() => void calls.fetchNextPage()}>
            {t('list.load_more')}
          </Button>
        )}
      </Stack>
    </Drawer>
  );
}

function OneCall({ made }: { made: Call }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const mayReplay = useMay('routings-edit');

  async function replay() {
    try {
      await call(replayRoutingCall, { params: { id: made.id } });
      await client.invalidateQueries({ queryKey: [routing.name, 'calls'] });
      void toast('success', t('routings.replayed'));
    } catch (error) {
      void toast('error', sentenceOf(error));
    }
  }

  return (
    <Paper className="app-card" p="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={2} miw={0}>
          <Group gap="xs">
            <Text fw={600} size="sm">
              {made.oa}
            </Text>
            <Badge size="sm" variant="light" color={COLORS[made.state]}>
              {t(`route_call_state.${made.state}`)}
            </Badge>
          </Group>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {made.message ?? t('inbox.hidden')}
          </Text>
          <Text size="xs" c="dimmed">
            {format.instant(made.created_at)} · {t('routings.tries', { count: made.tries })}
            {made.tries > 0 && made.next_at && ` · ${t('routings.next_try', { time: format.instant(made.next_at) })}`}
          </Text>
        </Stack>
        {mayReplay && (
          <Button
            size="compact-sm"
            variant="default"
            style={{ flexShrink: 0 }}
            leftSection={<IconRefresh size={14} stroke={1.6} />}
            onClick={() => void replay()}
          >
            {t('routings.replay')}
          </Button>
        )}
      </Group>
      {made.attempts.length > 0 && (
        <List size="xs" mt={6} spacing={2}>
          {made.attempts.map((attempt) => (
            <List.Item key={attempt.id}>
              <Text span size="xs">
                {format.instant(attempt.created_at)} ·{' '}
                {[
                  attempt.fault && t(keyIn('route_fault', attempt.fault)),
                  attempt.status !== null &&
                    t('routings.answered_in', { status: attempt.status, ms: format.integer(attempt.duration_ms) }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
              {attempt.answer && (
                <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                  {attempt.answer}
                </Text>
              )}
            </List.Item>
          ))}
        </List>
      )}
    </Paper>
  );
}
