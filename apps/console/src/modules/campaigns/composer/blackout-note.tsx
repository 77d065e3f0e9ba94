import type { CampaignSchedule } from '@heliograph/contract/campaigns/schedule';
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconMoon } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../../platform/session.ts';
import { type Blackout, endOfBlackout, wallTime } from './blackout.ts';

const TICK_MS = 15_000;

/**
 * Note, shown before Send, on how the corporation's blackout time affects a start. It offers the first time after the
 * blackout.
 */
export function BlackoutNote(props: {
  blackout: Blackout | null;
  zone: string;
  value: CampaignSchedule;
  onChange: (value: CampaignSchedule) => void;
}) {
  const { t } = useTranslation();
  const runs = useMay('campaigns-run');
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const { blackout, zone, value, onChange } = props;
  if (!blackout) return null;
  const { from, to } = blackout;
  const start = value.start ?? wallTime(now, zone);
  const end = endOfBlackout(blackout, start);
  // If a campaign that starts immediately needs an approval, the approver decides the time of the start.
  const asks = value.start === null && !runs;
  if (end === null || asks)
    return (
      <Text size="xs" c="dimmed" role="note">
        {t(asks ? 'schedule.blackout_approval' : 'schedule.blackout_pauses', { from, to })}
      </Text>
    );
  const wholeDay = from === to;
  const words = wholeDay ? 'blackout_all_day' : value.start === null ? 'blackout_now' : 'blackout_start';
  return (
    <Alert color="orange" variant="light" role="status" icon={<IconMoon size={18} aria-hidden />}>
      <Text size="sm">{t(`schedule.${words}`, { from, to, at: start.slice(11) })}</Text>
      {!wholeDay && (
        <Group mt="xs">
          <Button size="compact-sm" variant="light" color="orange" onClick={() => onChange({ ...value, start: end })}>
            {t('schedule.blackout_after', { at: end.replace('T', ' ') })}
          </Button>
        </Group>
      )}
    </Alert>
  );
}
