import { costOfNumber } from '@heliograph/contract/carrier-costs/carrier-card';
import { wordsOf } from '@heliograph/contract/kernel/fields';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { AskDrawer } from '../../ui/ask-drawer.tsx';

type Answer = ReplyOf<typeof costOfNumber>;
type MessageClass = 'otp' | 'transactional' | 'bulk';
const CLASSES = wordsOf(costOfNumber.query.shape.class) as MessageClass[];

/** Drawer that asks for a number and shows what a part to it costs on each link. */
export function CostOfNumber({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [number, setNumber] = useState('');
  const [sender, setSender] = useState('');
  const [messageClass, setMessageClass] = useState<MessageClass>('bulk');
  const ask = useMutation({
    mutationFn: () =>
      call(costOfNumber, {
        query: { number: number.trim(), class: messageClass, ...(sender.trim() && { sender_id: sender.trim() }) },
      }),
  });
  const faults = problemFrom(ask.error)?.errors;
  return (
    <AskDrawer
      title={t('carrier_cards.ask')}
      hint={t('carrier_cards.ask_hint')}
      submit={t('carrier_cards.ask_submit')}
      busy={ask.isPending}
      ready={number.trim() !== ''}
      fault={ask.error && !faults ? sentenceOf(ask.error) : undefined}
      onAsk={() => ask.mutate()}
      onClose={onClose}
      answer={ask.data && <Costs {...ask.data} />}
    >
      <TextInput
        label={t('carrier_routes.number')}
        inputMode="tel"
        required
        data-autofocus
        error={faults?.['number']?.[0]}
        value={number}
        onChange={(event) => setNumber(event.currentTarget.value)}
      />
      <TextInput
        label={t('resources.carrier-routes.fields.sender_id')}
        description={t('carrier_cards.sender_hint')}
        error={faults?.['sender_id']?.[0]}
        value={sender}
        onChange={(event) => setSender(event.currentTarget.value)}
      />
      <Select
        label={t('resources.carrier-routes.fields.class')}
        allowDeselect={false}
        data={CLASSES.map((value) => ({ value, label: t(`message_class.${value}`) }))}
        value={messageClass}
        onChange={(value) => value && setMessageClass(value as MessageClass)}
      />
    </AskDrawer>
  );
}

function Costs({ number, links }: Answer) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={number}>
      {links.map(({ link_id, link_name, cost }) => (
        <Group component="li" key={link_id} justify="space-between" align="flex-start" wrap="nowrap" gap="md">
          <div>
            <Text size="sm" fw={500}>
              {link_name}
            </Text>
            <Text size="xs" c="dimmed">
              {cost
                ? t('carrier_cards.by_rate', {
                    place: cost.matched,
                    version: cost.version,
                    when: t(`charged_on.${cost.charged_on}`),
                  })
                : t('carrier_cards.unknown_hint')}
            </Text>
          </div>
          <Text size="sm" fw={600} style={{ whiteSpace: 'nowrap' }} {...(cost ? {} : { c: 'dimmed' })}>
            {cost ? `${cost.amount} ${cost.currency}` : t('carrier_cards.unknown')}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
