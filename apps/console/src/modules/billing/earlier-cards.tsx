import { type cardUpload, cardUploads } from '@heliograph/contract/billing/rate-card';
import { Anchor, Badge, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../platform/call.ts';
import { Cell } from '../../resource/columns.tsx';

export type Card = z.output<typeof cardUpload>;

const COLORS: Readonly<Record<Card['state'], string>> = {
  checking: 'blue',
  ready: 'yellow',
  applying: 'blue',
  applied: 'teal',
  failed: 'red',
  discarded: 'gray',
};

/** Badge with the state of a card. */
export function CardState({ state }: { state: Card['state'] }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" size="sm" color={COLORS[state]} style={{ flexShrink: 0 }}>
      {t(`card_state.${state}`)}
    </Badge>
  );
}

/** List of the last cards of one plan, or of all plans. Each can be opened again. */
export function EarlierCards(props: { planId: number | null; onOpen: (id: number) => void }) {
  const { t } = useTranslation();
  const { planId } = props;
  const list = useQuery({
    queryKey: ['card-uploads', 'list', planId],
    queryFn: ({ signal }) =>
      call(cardUploads, { query: { limit: 5, ...(planId === null ? {} : { price_plan_id: planId }) }, signal }),
  });
  const cards = list.data?.data ?? [];
  if (cards.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600} mb={6}>
        {t('rate_card.earlier')}
      </Text>
      <Stack component="ul" gap={8} m={0} p={0} style={{ listStyle: 'none' }}>
        {cards.map((card) => (
          <Group component="li" key={card.id} gap={8}>
            <Anchor component="button" type="button" size="sm" onClick={() => props.onOpen(card.id)}>
              {card.file_name}
            </Anchor>
            <CardState state={card.state} />
            <Text size="xs" c="dimmed">
              {card.price_plan_name} · <Cell show="instant" value={card.created_at} />
              {card.user_name && ` · ${card.user_name}`}
            </Text>
          </Group>
        ))}
      </Stack>
    </div>
  );
}
