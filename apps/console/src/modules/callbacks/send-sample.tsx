import { callback, testCallback } from '@heliograph/contract/callbacks/callback';
import { EVENT_TYPES, type EventType } from '@heliograph/contract/kernel/events';
import { Alert, Button, Code, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useAnswerWords } from './attempts.tsx';
import { type EndpointRow, endpointName } from './endpoint.ts';

/** Dialog that sends a sample event and shows the receiver's response. */
export function SendSample({ endpoint, onClose }: { endpoint: EndpointRow; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const words = useAnswerWords();
  const [type, setType] = useState<EventType>('message.delivered');
  const sending = useMutation({
    mutationFn: () => call(testCallback, { params: { id: endpoint.id }, body: { type } }),
    onSettled: () => client.invalidateQueries({ queryKey: [callback.name, 'log', endpoint.id] }),
  });
  const sent = sending.data?.data;
  const attempt = sent?.attempt;
  return (
    <Modal
      opened
      onClose={onClose}
      title={
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {t('callbacks.test')} · {endpointName(endpoint)}
        </Text>
      }
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="md">
        <Text size="sm">{t('callbacks.test_hint')}</Text>
        <Select
          label={t('callbacks.test_event')}
          allowDeselect={false}
          data={EVENT_TYPES.map((value) => ({ value, label: t(`event_type.${value}`) }))}
          value={type}
          onChange={(value) => value && setType(value as EventType)}
        />
        {sending.error && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {sentenceOf(sending.error)}
          </Text>
        )}
        {sent && (
          <Alert variant="light" color={attempt && attempt.fault === null ? 'teal' : 'red'} role="status">
            <Stack gap="xs">
              <Text size="sm">
                {attempt
                  ? t(attempt.fault === null ? 'callbacks.test_good' : 'callbacks.test_bad', { answer: words(attempt) })
                  : t('callbacks.test_silent')}
              </Text>
              {attempt?.answer && (
                <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                  {attempt.answer}
                </Code>
              )}
            </Stack>
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('callbacks.close')}
          </Button>
          <Button loading={sending.isPending} onClick={() => sending.mutate()}>
            {t('callbacks.test')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
