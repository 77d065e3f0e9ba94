import type { httpDeliveries } from '@heliograph/contract/http-deliveries/http-delivery';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Code, List, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';

export type Delivery = ReplyOf<typeof httpDeliveries>['data'][number];
type Attempt = Delivery['attempts'][number];

/** Returns a function that describes the result of an attempt. */
export function useAnswerWords() {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ fault, status, ms }: Pick<Attempt, 'fault' | 'status' | 'ms'>): string =>
    [
      fault && t(keyIn('route_fault', fault)),
      status !== null && t('callbacks.answered_in', { status, ms: format.integer(ms) }),
    ]
      .filter(Boolean)
      .join(' · ');
}

/** Details of a delivery: the result of each attempt, newest first, and the content. */
export function Attempts({ made }: { made: Delivery }) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useAnswerWords();
  return (
    <Stack gap="xs" p="sm">
      {made.attempts.length > 0 && (
        <List size="xs" spacing={2}>
          {made.attempts.toReversed().map((attempt) => (
            <List.Item key={attempt.at}>
              <Text span size="xs">
                {format.instant(attempt.at)} · {words(attempt)}
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
      <Text size="xs" c="dimmed">
        {t('callbacks.body')}
      </Text>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {made.body ?? t('inbox.hidden')}
      </Code>
    </Stack>
  );
}
