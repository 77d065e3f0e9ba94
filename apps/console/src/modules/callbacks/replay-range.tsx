import { replayCallbacks } from '@heliograph/contract/callbacks/callback';
import { Button, Fieldset, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useZone } from '../../platform/format.ts';
import { toast } from '../../platform/toast.ts';
import { InZone } from '../../resource/in-zone.tsx';
import { MomentInput } from '../../resource/moment-input.tsx';
import { momentAt, wallTime } from '../../resource/period.ts';

const WHICH = ['failed', 'done', 'all'] as const;

/** Form that sends the callbacks of a period again. */
export function ReplayRange({ id, onDone }: { id: number; onDone: () => void }) {
  const { t } = useTranslation();
  const zone = useZone();
  const [from, setFrom] = useState(() => wallTime(zone, new Date(Date.now() - 86_400_000)));
  const [to, setTo] = useState(() => wallTime(zone, new Date(Date.now() + 60_000)));
  const [state, setState] = useState<(typeof WHICH)[number]>('failed');
  const { busy, run } = useAction();

  const replay = () =>
    run(async () => {
      const { data } = await call(replayCallbacks, {
        params: { id },
        body: { from: momentAt(zone, from).toISOString(), to: momentAt(zone, to).toISOString(), state },
      });
      void toast('success', t('callbacks.range_replayed', { count: data.replayed }));
      onDone();
    });

  return (
    <Fieldset legend={t('callbacks.replay_range')}>
      <Stack gap="sm">
        <Text size="xs" c="dimmed">
          {t('callbacks.replay_hint')}
          <InZone />
        </Text>
        <MomentInput
          required
          zone={zone}
          label={t('callbacks.from')}
          value={from}
          onChange={(moment) => moment && setFrom(moment)}
        />
        <MomentInput
          required
          zone={zone}
          label={t('callbacks.to')}
          value={to}
          onChange={(moment) => moment && setTo(moment)}
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
          <Button loading={busy} onClick={() => void replay()}>
            {t('callbacks.replay')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
