import { callback, callbackLog, replayCallbacks } from '@heliograph/contract/callbacks/callback';
import { EVENT_TYPES } from '@heliograph/contract/kernel/events';
import { Button, Drawer, Fieldset, Group, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconRefresh } from '@tabler/icons-react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useZone } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { InZone } from '../../resource/in-zone.tsx';
import { LoadError } from '../../resource/load-error.tsx';
import { momentAt, wallTime } from '../../resource/period.ts';
import { type Callback, CallbackCard } from './attempts.tsx';
import { type EndpointRow, endpointName } from './endpoint.ts';

type Type = Callback['type'];
const STATES = ['waiting', 'done', 'failed'] as const;

/** Drawer of an endpoint's callbacks with all attempts, newest first. */
export function CallbackLog({ endpoint, onClose }: { endpoint: EndpointRow; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [state, setState] = useState<string | null>(null);
  const [type, setType] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 300);
  const [ranging, setRanging] = useState(false);
  const mayReplay = useMay('callbacks-edit');
  const { id } = endpoint;
  const query = {
    limit: 20,
    ...(state && { state: state as Callback['state'] }),
    ...(type && { type: type as Type }),
    ...(search && { search }),
  };
  const calls = useInfiniteQuery({
    queryKey: [callback.name, 'log', id, query],
    queryFn: ({ pageParam, signal }) =>
      call(callbackLog, { params: { id }, query: { ...query, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: 5_000,
  });
  const rows = calls.data?.pages.flatMap(({ data }) => data);
  const again = () => void client.invalidateQueries({ queryKey: [callback.name, 'log', id] });
  return (
    <Drawer
      opened
      onClose={onClose}
      title={
        <Text fw={650} size="lg" style={{ overflowWrap: 'anywhere' }}>
          {t('callbacks.log_of', { name: endpointName(endpoint) })}
        </Text>
      }
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="sm">
        <TextInput
          aria-label={t('callbacks.search')}
          placeholder={t('callbacks.search')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Group grow gap="xs">
          <Select
            aria-label={t('callbacks.any_state')}
            placeholder={t('callbacks.any_state')}
            clearable
            data={STATES.map((value) => ({ value, label: t(`callback_state.${value}`) }))}
            value={state}
            onChange={setState}
          />
          <Select
            aria-label={t('callbacks.any_type')}
            placeholder={t('callbacks.any_type')}
            clearable
            data={EVENT_TYPES.map((value) => ({ value, label: t(`event_type.${value}`) }))}
            value={type}
            onChange={setType}
          />
        </Group>
        {mayReplay && !ranging && (
          <Group>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconRefresh size={14} stroke={1.6} aria-hidden />}
              onClick={() => setRanging(true)}
            >
              {t('callbacks.replay_range')}
            </Button>
          </Group>
        )}
        {ranging && (
          <ReplayRange
            id={id}
            onDone={() => {
              setRanging(false);
              again();
            }}
          />
        )}
        {calls.error && !rows && <LoadError error={calls.error} retry={() => void calls.refetch()} />}
        {!rows && !calls.error && <Skeleton h={80} radius="lg" role="status" aria-label={t('common.loading')} />}
        {rows?.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('callbacks.no_calls')}
          </Text>
        )}
        {rows?.map((each) => (
          <CallbackCard key={each.id} made={each} onReplayed={again} />
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

const WHICH = ['failed', 'done', 'all'] as const;

/** Form that sends the callbacks of a period again. */
function ReplayRange({ id, onDone }: { id: number; onDone: () => void }) {
  const { t } = useTranslation();
  const zone = useZone();
  const [from, setFrom] = useState(() => wallTime(zone, new Date(Date.now() - 86_400_000)));
  const [to, setTo] = useState(() => wallTime(zone, new Date(Date.now() + 60_000)));
  const [state, setState] = useState<(typeof WHICH)[number]>('failed');
  const [busy, setBusy] = useState(false);

  async function replay() {
    setBusy(true);
    try {
      const { data } = await call(replayCallbacks, {
        params: { id },
        body: { from: momentAt(zone, from).toISOString(), to: momentAt(zone, to).toISOString(), state },
      });
      void toast('success', t('callbacks.range_replayed', { count: data.replayed }));
      onDone();
    } catch (error) {
      void toast('error', sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Fieldset legend={t('callbacks.replay_range')}>
      <Stack gap="sm">
        <Text size="xs" c="dimmed">
          {t('callbacks.replay_hint')}
          <InZone />
        </Text>
        <TextInput
          type="datetime-local"
          label={t('callbacks.from')}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label={t('callbacks.to')}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <Select
          label={t('callbacks.which')}
          allowDeselect={false}
          data={WHICH.map((value) => ({ value, label: t(`callbacks.which_${value}`) }))}
          value={state}
          onChange={(value) => value && setState(value as typeof state)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            {t('actions.cancel')}
          </Button>
          <Button loading={busy} disabled={!from || !to} onClick={() => void replay()}>
            {t('callbacks.replay')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
