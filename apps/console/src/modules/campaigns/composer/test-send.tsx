import { testSend } from '@heliograph/contract/campaigns/quote';
import type { BodyInput } from '@heliograph/contract/kernel/operation';
import { Alert, Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { IconSend2 } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../platform/call.ts';
import { useFormat } from '../../../platform/format.ts';
import { problemFrom, sentenceOf } from '../../../platform/problem.ts';
import { useSession } from '../../../platform/session.ts';
import classes from './send-sms.module.css';

/** Button that sends the text to the user's own number before it goes to everyone. */
export function TestSend(props: {
  content: Omit<BodyInput<typeof testSend>, 'number'>;
  /** Recipient of the sample text; undefined before there is any. */
  recipient: string | undefined;
  disabled: boolean;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const phone = useSession((s) => s.profile?.phone ?? '');
  const currency = useSession((s) => s.profile?.currency);
  const [open, setOpen] = useState(false);
  const [number, setNumber] = useState(phone);
  const send = useMutation({
    mutationFn: () => call(testSend, { body: { ...props.content, number } }),
  });
  const problem = problemFrom(send.error);
  const numberError =
    problem?.errors?.['number']?.[0] ?? (problem?.code === 'test_number_missing' ? problem.message : undefined);

  function submit(event: FormEvent) {
    event.preventDefault();
    send.mutate();
  }

  return (
    <Popover opened={open} onChange={setOpen} width={300} position="top" shadow="md" trapFocus withArrow>
      <Popover.Target>
        <Button
          variant="default"
          className={classes.test ?? ''}
          leftSection={<IconSend2 size={18} aria-hidden />}
          aria-label={t('test.action')}
          disabled={props.disabled}
          onClick={() => {
            send.reset();
            setOpen(!open);
          }}
        >
          {t('test.action')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={submit}>
          <Stack gap="sm">
            <TextInput
              label={t('test.number')}
              description={t('test.hint')}
              inputMode="tel"
              autoComplete="tel"
              data-autofocus
              value={number}
              error={numberError}
              onChange={(event) => setNumber(event.currentTarget.value)}
            />
            {send.error && !numberError && (
              <Text size="sm" c="var(--mantine-color-error)" role="alert">
                {sentenceOf(send.error)}
              </Text>
            )}
            {props.recipient && (
              <Text size="xs" c="dimmed">
                {t('test.as', { recipient: props.recipient })}
              </Text>
            )}
            {send.data && (
              <Alert color="teal" variant="light" role="status">
                {t('test.done', {
                  number,
                  count: send.data.data.parts,
                  cost: format.money(send.data.data.cost, currency),
                })}
              </Alert>
            )}
            <Group justify="flex-end">
              <Button type="submit" size="sm" loading={send.isPending} disabled={number.trim() === ''}>
                {t('test.send')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
