import { judgeStart, type StartVerdict } from '@heliograph/contract/campaigns/quote';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconClockPause } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../platform/call.ts';
import { useFormat } from '../../../platform/format.ts';
import { wallTime } from './blackout.ts';
import { edit, useDraft } from './draft.ts';
import type { Quote } from './use-quote.ts';
import { scheduleOf } from './when.tsx';

/** Notes on what hours and limits say about the chosen start, and about the next run of a repeated campaign. */
export function StartNote({ quote }: { quote: Quote }) {
  const { t } = useTranslation();
  const format = useFormat();
  const schedule = scheduleOf(useDraft());
  const judged = useQuery({
    queryKey: ['quote', quote.id, 'start', schedule],
    queryFn: ({ signal }) => call(judgeStart, { params: { id: quote.id }, body: { schedule }, signal }),
    retry: false,
  }).data?.data;
  if (!judged) return null;
  const { start, next, timezone } = judged;
  const why = ({ refusal, allowed_from, limit_refusal }: StartVerdict) =>
    t(keyIn('errors', refusal!), {
      ...limit_refusal,
      until: allowed_from === null ? '–' : format.instant(allowed_from),
    });
  const wait = ({ hours_wait }: StartVerdict) => ({
    count: hours_wait!.messages,
    n: format.integer(hours_wait!.messages),
    until: format.instant(hours_wait!.until),
  });
  // The card of the quote shows a limit that is reached now.
  const refused = start.refusal !== null && start.refusal !== 'sending_limit_reached';
  const from = start.allowed_from === null ? null : wallTime(new Date(start.allowed_from), timezone);
  return (
    <>
      {start.hours_wait && (
        <Text size="sm" role="note">
          {t('quote.hours_wait', wait(start))}
        </Text>
      )}
      {refused && (
        <Alert color="orange" variant="light" role="status" icon={<IconClockPause size={18} aria-hidden />}>
          <Text size="sm">{why(start)}</Text>
          {from !== null && (
            <Group mt="xs">
              <Button
                size="compact-sm"
                variant="light"
                color="orange"
                onClick={() => edit({ schedule: { ...schedule, start: from } })}
              >
                {t('quote.start_from', { at: from.replace('T', ' ') })}
              </Button>
            </Group>
          )}
        </Alert>
      )}
      {next?.hours_wait && (
        <Text size="sm" role="note">
          {t('quote.next_wait', { at: format.instant(next.at), ...wait(next) })}
        </Text>
      )}
      {next && next.refusal !== null && (
        <Text size="sm" role="note">
          {t('quote.next_refused', { at: format.instant(next.at), why: why(next) })}
        </Text>
      )}
    </>
  );
}
