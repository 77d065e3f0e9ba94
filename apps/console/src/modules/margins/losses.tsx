import { pricePlan } from '@heliograph/contract/billing/price-plan';
import { carrierRoute } from '@heliograph/contract/carrier-routes/carrier-route';
import { link } from '@heliograph/contract/links/link';
import { losingDestinations, marginLosses } from '@heliograph/contract/margins/loss';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Badge, Tabs, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat, useZone } from '../../platform/format.ts';
import type { Column, RowOf } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { useListQuery } from '../../resource/list-query.ts';
import { moved, periodFault, todayIn } from '../../resource/period.ts';
import { PeriodInput } from '../../resource/period-input.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Amount } from './amount.tsx';

type Destination = RowOf<typeof losingDestinations>;
type Loss = RowOf<typeof marginLosses>;

const AMOUNTS = ['price', 'cost', 'margin'] as const;
/** Screen of the destinations and messages for which carriers take more than the platform gets. */
export function Losses() {
  const { t } = useTranslation();
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const asks = Boolean(search['price_plan_id'] ?? search['carrier_route_id']);
  const [tab, setTab] = useState<string | null>(asks ? 'destinations' : 'messages');
  return (
    <>
      <PageHeader
        title={t('menu.losses')}
        subtitle={t('loss.subtitle')}
        crumbs={[{ label: t('menu.margins'), to: '/margins' }]}
      />
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="messages">{t('loss.messages')}</Tabs.Tab>
          <Tabs.Tab value="destinations">{t('loss.destinations')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="messages">
          <Messages />
        </Tabs.Panel>
        <Tabs.Panel value="destinations">
          <Destinations />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

const PLACES = ['price_plan_id', 'carrier_route_id', 'class', 'zone'] as const;

/** Destinations that bring a loss by today's prices and costs, of a price plan or a carrier route. */
function Destinations() {
  const { t } = useTranslation();
  const { filters } = useListQuery(PLACES);
  const chosen = [filters.price_plan_id, filters.carrier_route_id].filter(Boolean).length;
  const columns: readonly Column<Destination>[] = [
    { field: 'network', cell: (row) => row.network || <Text c="dimmed">{t('margin.unknown')}</Text> },
    'price_plan_name',
    ...AMOUNTS.map((field) => ({
      field,
      figure: true,
      // Amounts of one part have up to six decimals, all of which count.
      cell: (row: Destination) => (
        <Text span inherit {...(field === 'margin' && { c: 'red' })}>
          {row[field]} {row.currency}
        </Text>
      ),
    })),
    'prefix',
    'prefixes',
    { field: 'route_name', cell: (row) => row.route_name ?? t('card_replay.no_route') },
    'link_name',
  ];
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {t('loss.destinations_hint')}
      </Text>
      <CursorList<typeof losingDestinations, Destination>
        name="losing-destinations"
        operation={losingDestinations}
        title="network"
        header={null}
        ready={chosen === 1}
        columns={columns}
        filters={[
          { field: 'price_plan_id', to: pricePlan },
          { field: 'carrier_route_id', to: carrierRoute },
          { field: 'class', words: 'message_class' },
          { field: 'zone', words: 'loss_zone' },
        ]}
        empty={
          <EmptyState
            of="margins"
            title={t(chosen === 1 ? 'loss.no_destinations' : 'loss.choose')}
            text={t(chosen === 1 ? 'loss.no_destinations_hint' : 'loss.choose_hint')}
          />
        }
      />
    </>
  );
}

const FIELDS = ['from', 'to', 'corporation_id', 'link_id', 'refused'] as const;

/** Messages of programs that were taken or refused at a loss. */
function Messages() {
  const { t } = useTranslation();
  const zone = useZone();
  const format = useFormat();
  const query = useListQuery(FIELDS);
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const today = todayIn(zone);
  const from = search['from'] ?? moved(today, -7);
  const to = search['to'] ?? today;
  const fault = periodFault(from, to, today);
  const fixed = useMemo(() => ({ from, to }), [from, to]);
  const columns: readonly Column<Loss>[] = [
    'corporation_name',
    { field: 'network', cell: (row) => row.network || <Text c="dimmed">{t('margin.unknown')}</Text> },
    'link_name',
    {
      field: 'refused',
      cell: (row) => (
        <Badge color={row.refused ? 'gray' : 'orange'} variant="light">
          {t(row.refused ? 'loss.refused' : 'loss.taken')}
        </Badge>
      ),
    },
    { field: 'messages', figure: true, cell: (row) => format.integer(row.messages) },
    { field: 'parts', figure: true, cell: (row) => format.integer(row.parts) },
    ...AMOUNTS.map((field) => ({
      field,
      figure: true,
      cell: (row: Loss) => <Amount value={row[field]} currency={row.currency} signed={field === 'margin'} />,
    })),
  ];
  return (
    <CursorList<typeof marginLosses, Loss>
      name="margin-losses"
      operation={marginLosses}
      title="corporation_name"
      header={null}
      ready={!fault}
      fixed={fixed}
      columns={columns}
      lead={
        <PeriodInput
          today={today}
          fault={fault}
          value={[from, to]}
          onChange={([start, end]) => query.set({ from: start, to: end })}
          onClear={() => query.set({ from: undefined, to: undefined })}
        />
      }
      filters={[{ field: 'corporation_id', to: corporation }, { field: 'link_id', to: link }, 'refused']}
      empty={<EmptyState of="margins" learn title={t('loss.none')} text={t('loss.none_hint')} />}
    />
  );
}
