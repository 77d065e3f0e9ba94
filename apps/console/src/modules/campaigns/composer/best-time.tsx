import {
  BEST_TIME,
  BEST_TIME_RESULTS,
  type BestTimes,
  campaignBestTimes,
} from '@heliograph/contract/campaigns/best-time';
import { Loader, SegmentedControl, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../platform/call.ts';
import { useFormat } from '../../../platform/format.ts';
import { languageTag } from '../../../platform/language.ts';
import { sentenceOf } from '../../../platform/problem.ts';

const clock = (hour: number) => `${String(hour % 24).padStart(2, '0')}:00`;
/** Returns the name of a day of the week; 1 is Monday. */
const dayName = (weekday: number) =>
  new Intl.DateTimeFormat(languageTag(), { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, weekday));

/** Comparison of the times at which earlier campaigns started, with how sure it is. */
export function BestTime({ senderId }: { senderId: number }) {
  const { t } = useTranslation();
  const [result, setResult] = useState<(typeof BEST_TIME_RESULTS)[number]>('replied');
  const query = useQuery({
    queryKey: ['composer', 'best-times', senderId, result],
    queryFn: ({ signal }) => call(campaignBestTimes, { query: { sender_id: senderId, result }, signal }),
    staleTime: 300_000,
    retry: false,
  });
  const times = query.data?.data;
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        aria-label={t('best_time.result')}
        data={BEST_TIME_RESULTS.map((value) => ({ value, label: t(`best_time.${value}`) }))}
        value={result}
        onChange={(value) => setResult(value as typeof result)}
      />
      {query.error ? (
        <Text size="sm">{sentenceOf(query.error)}</Text>
      ) : !times ? (
        <Loader size="sm" />
      ) : (
        <Found {...times} />
      )}
    </Stack>
  );
}

function Found(times: BestTimes & { timezone: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { campaigns, delivered, enough, hours, weekdays, timezone } = times;
  const figures = { count: campaigns, campaigns: format.integer(campaigns), delivered: format.integer(delivered) };
  const tried = campaigns >= BEST_TIME.leastCampaigns && delivered >= BEST_TIME.leastDelivered;
  if (!enough) return <Text size="sm">{t(tried ? 'best_time.nobody' : 'best_time.too_little', figures)}</Text>;
  const bandOf = (hour: number) => `${clock(hour)}–${clock(hour + BEST_TIME.bandHours)}`;
  const best = [
    ...hours.filter(({ stands_out }) => stands_out).map(({ at }) => bandOf(at)),
    ...weekdays.filter(({ stands_out }) => stands_out).map(({ at }) => dayName(at)),
  ];
  return (
    <>
      <Text size="sm" fw={500}>
        {best.length > 0 ? t('best_time.best', { times: best.join(', ') }) : t('best_time.none')}
      </Text>
      <Rates label={t('best_time.hour')} rows={hours} nameOf={bandOf} />
      <Rates label={t('best_time.weekday')} rows={weekdays} nameOf={dayName} />
      <Text size="xs" c="dimmed">
        {t('best_time.explained', { ...figures, zone: timezone.replaceAll('_', ' ') })}
      </Text>
    </>
  );
}

function Rates(props: { label: string; rows: BestTimes['hours']; nameOf: (at: number) => string }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Table fz="xs" verticalSpacing={2}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{props.label}</Table.Th>
          <Table.Th ta="right">{t('best_time.rate')}</Table.Th>
          <Table.Th ta="right">{t('best_time.range')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {props.rows.map(({ at, rate, low, high, stands_out }) => (
          <Table.Tr key={at} {...(stands_out && { fw: 600 })}>
            <Table.Td>{props.nameOf(at)}</Table.Td>
            <Table.Td ta="right">{format.percent(rate)}</Table.Td>
            <Table.Td ta="right">{`${format.percent(low)} – ${format.percent(high)}`}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
