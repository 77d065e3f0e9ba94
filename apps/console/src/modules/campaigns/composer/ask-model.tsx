import { suggestText, TEXT_WISHES } from '@heliograph/contract/campaigns/text-suggestion';
import { Button, Group, Popover, Stack, Text } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../platform/call.ts';
import { sentenceOf } from '../../../platform/problem.ts';
import { Difference } from './difference.tsx';

/** Button that asks the operator's language model for another form of a text. The person sees the difference first. */
export function AskModel(props: {
  senderId: number;
  text: string;
  partsOf: (text: string) => number;
  onTaken: (text: string) => void;
}) {
  const { t } = useTranslation();
  const { senderId, text, partsOf, onTaken } = props;
  const [open, setOpen] = useState(false);
  const ask = useMutation({
    mutationFn: (wish: (typeof TEXT_WISHES)[number]) =>
      call(suggestText, { body: { sender_id: senderId, text, wish } }),
  });
  const found = ask.data?.data.text;
  return (
    <Popover opened={open} onChange={setOpen} width={340} position="bottom-start" shadow="md" trapFocus withArrow>
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconSparkles size={16} aria-hidden />}
          aria-expanded={open}
          onClick={() => {
            ask.reset();
            setOpen(!open);
          }}
        >
          {t('text_model.action')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Text size="sm">{t('text_model.text')}</Text>
          <Group gap="xs">
            {TEXT_WISHES.map((wish) => (
              <Button
                key={wish}
                size="compact-sm"
                variant="default"
                loading={ask.isPending && ask.variables === wish}
                disabled={ask.isPending}
                onClick={() => ask.mutate(wish)}
              >
                {t(`text_model.${wish}`)}
              </Button>
            ))}
          </Group>
          <div aria-live="polite">
            {ask.error && (
              <Text size="sm" c="var(--mantine-color-error)">
                {sentenceOf(ask.error)}
              </Text>
            )}
            {found === null && <Text size="sm">{t('text_model.unusable')}</Text>}
            {found && <Difference before={text} after={found} />}
          </div>
          {found && (
            <Group justify="space-between">
              <Text size="sm" c="dimmed">
                {t('meter.parts', { count: partsOf(found) })}
              </Text>
              <Button
                size="sm"
                onClick={() => {
                  setOpen(false);
                  onTaken(found);
                }}
              >
                {t('text_model.take')}
              </Button>
            </Group>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
