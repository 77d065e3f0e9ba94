import {
  type CARRIER_CARD_STATES,
  carrierCard,
  type carrierCard as contract,
} from '@heliograph/contract/carrier-costs/carrier-card';
import { link } from '@heliograph/contract/links/link';
import { Badge, Button, SimpleGrid, Text } from '@mantine/core';
import { IconCoin, IconGitCompare, IconHistory, IconReceipt2 } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useFormat } from '../../platform/format.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { CardChanges } from './card-changes.tsx';
import { CostOfNumber } from './cost-of-number.tsx';

export type CarrierCard = z.output<typeof contract.row>;
type State = (typeof CARRIER_CARD_STATES)[number];

const Field = fieldsOf(carrierCard.create);
const ICON = { size: 16, stroke: 1.6 } as const;
const COLORS: Readonly<Record<State, string>> = { draft: 'gray', scheduled: 'blue', in_force: 'teal', past: 'gray' };

/** Badge with the state of a card. */
export function CardState({ state }: { state: State }) {
  const { t } = useTranslation();
  return (
    <Badge variant={state === 'draft' ? 'outline' : 'light'} color={COLORS[state]}>
      {t(`carrier_card_state.${state}`)}
    </Badge>
  );
}

/** Screen of the cards of carriers' prices. A draft gets its rates, is compared with the present card, and is applied. */
export function CarrierCards() {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const [compared, setCompared] = useState<CarrierCard | null>(null);
  const openRates = (row: CarrierCard) =>
    void navigate({ to: '/carrier-rates', search: { carrier_card_id: String(row.id) } });
  return (
    <>
      <ResourceList<typeof carrierCard>
        resource={carrierCard}
        header={{
          title: t('menu.carrier-cards'),
          subtitle: t('carrier_cards.subtitle'),
          actions: (
            <Button variant="default" leftSection={<IconCoin {...ICON} />} onClick={() => setAsking(true)}>
              {t('carrier_cards.ask')}
            </Button>
          ),
        }}
        columns={[
          'name',
          'link_name',
          {
            field: 'state',
            cell: (row) => <CardState state={row.state} />,
            csv: (row) => t(`carrier_card_state.${row.state}`),
          },
          'version',
          'rates',
          'currency',
          {
            field: 'charged_on',
            cell: (row) => t(`charged_on.${row.charged_on}`),
            csv: (row) => t(`charged_on.${row.charged_on}`),
          },
          { field: 'starts_on', cell: (row) => format.date(row.starts_on) },
          { field: 'ends_on', cell: (row) => (row.ends_on ? format.date(row.ends_on) : '–') },
          { field: 'from_at', hidden: true, exact: true },
          { field: 'until_at', hidden: true, exact: true },
          { field: 'applied_at', hidden: true },
          { field: 'applied_by_name', hidden: true },
          { field: 'created_at', hidden: true },
        ]}
        filters={[{ field: 'link_id', to: link }, { field: 'state', words: 'carrier_card_state' }, 'currency']}
        onRowClick={(row) => {
          openRates(row);
          return true;
        }}
        rowActions={(row) => [
          { label: t('carrier_cards.open_rates'), icon: <IconReceipt2 {...ICON} />, onClick: () => openRates(row) },
          {
            label: t(row.state === 'draft' ? 'carrier_cards.check' : 'carrier_cards.compare'),
            icon: <IconGitCompare {...ICON} />,
            onClick: () => setCompared(row),
          },
          {
            label: t('card_replay.try'),
            icon: <IconHistory {...ICON} />,
            onClick: () => void navigate({ to: `/card-replays/${row.id}` }),
          },
        ]}
        form={
          <>
            <Field.Reference name="link_id" to={link} />
            <Field.Text name="name" autoFocus />
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <Field.Text name="currency" />
              <Field.Select name="charged_on" words="charged_on" />
              <Field.Date name="starts_on" />
              <Field.Date name="ends_on" />
            </SimpleGrid>
            <Field.Switch name="copy" />
            <Text size="xs" c="dimmed">
              {t('carrier_cards.next')}
            </Text>
          </>
        }
      />
      {asking && <CostOfNumber onClose={() => setAsking(false)} />}
      {compared && <CardChanges card={compared} onClose={() => setCompared(null)} />}
    </>
  );
}
