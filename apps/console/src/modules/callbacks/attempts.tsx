import type { callbackLog } from '@heliograph/contract/callbacks/callback';
import { replayCallback } from '@heliograph/contract/callbacks/callback';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Badge, Button, Code, Group, List, Paper, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';

export type Callback = ReplyOf<typeof callbackLog>['data'][number];
type Attempt = Callback['attempts'][number];

const COLORS: Readonly<Record<Callback['state'], string>> = { waiting: 'yellow', done: 'teal', failed: 'red' };

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

/** Card of one callback: its content, the result of each attempt, and a button that sends it again. */
export function CallbackCard({ made, onReplayed }: { made: Callback; onReplayed: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useAnswerWords();
  const mayReplay = useMay('callbacks-edit');
  const [open, setOpen] = useState(false);

  async function replay() {
    try {
      await call(replayCallback, { params: { id: made.id } });
      void toast('success', t('callbacks.replayed'));
      onReplayed();
    } catch (error) {
      void toast('error', sentenceOf(error));
    }
  }

  return (
    <Paper className="app-card" p="sm">
      <Stack gap={6}>
        <Group gap="xs">
          <Text fw={600} size="sm">
            {t(`event_type.${made.type}`)}
          </Text>
          <Badge size="sm" variant="light" color={COLORS[made.state]}>
            {t(`callback_state.${made.state}`)}
          </Badge>
          {made.test && (
            <Badge size="sm" variant="light" color="gray">
              {t('callbacks.sample')}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {made.webhook_id} · {format.instant(made.created_at)} ·{' '}
          {t('callbacks.tries', { count: made.attempts.length })}
          {made.state === 'waiting' && ` · ${t('callbacks.next_try', { time: format.instant(made.next_at) })}`}
        </Text>
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
        {open && (
          <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {made.body ?? t('inbox.hidden')}
          </Code>
        )}
        <Group gap="xs">
          <Button size="compact-sm" variant="default" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t('callbacks.body')}
          </Button>
          {mayReplay && !made.test && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconRefresh size={14} stroke={1.6} aria-hidden />}
              onClick={() => void replay()}
            >
              {t('callbacks.replay')}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
