import { costOfNumber } from '@heliograph/contract/carrier-costs/carrier-card';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { AskMessage } from '../carrier-routes/index.ts';

type Answer = ReplyOf<typeof costOfNumber>;

/** Drawer that asks for a number and shows what a part to it costs on each link. */
export function CostOfNumber({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <AskMessage
      title={t('carrier_cards.ask')}
      hint={t('carrier_cards.ask_hint')}
      submit={t('carrier_cards.ask_submit')}
      senderHint={t('carrier_cards.sender_hint')}
      ask={(query) => call(costOfNumber, { query })}
      answer={(found) => <Costs {...found} />}
      onClose={onClose}
    />
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
