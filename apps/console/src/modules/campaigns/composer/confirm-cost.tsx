import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../platform/format.ts';
import type { Quote } from './use-quote.ts';

/**
 * Dialog about a cost above the account's warning limit. Far above it, the person types the number of messages, which a
 * habit of clicking does not do.
 */
export function ConfirmCost(props: {
  quote: Quote;
  text: string;
  action: string;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const [typed, setTyped] = useState('');
  const { quote } = props;
  const { far_above_warning: far, usual_cost, currency } = quote;
  const expected = String(quote.total_count);
  const confirmed = !far || typed.replace(/\D/g, '') === expected;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (confirmed) props.onConfirm();
  }

  return (
    <Modal
      opened
      onClose={props.onClose}
      title={<Text fw={600}>{t('final.warning_title')}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm">{props.text}</Text>
          {usual_cost !== null && (
            <Text size="sm" fw={500}>
              {t('final.usual', { cost: format.money(usual_cost, currency) })}
            </Text>
          )}
          {far && (
            <TextInput
              label={t('final.type', { n: format.integer(quote.total_count) })}
              inputMode="numeric"
              autoComplete="off"
              data-autofocus
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={props.onClose} {...(far ? {} : { 'data-autofocus': true })}>
              {t('actions.cancel')}
            </Button>
            <Button type="submit" color={far ? 'red.8' : 'brand'} loading={props.busy} disabled={!confirmed}>
              {props.action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
