import { cardReplayLines, getCardReplay, replayCarrierCard } from '@heliograph/contract/margins/card-replay';
import { Alert, Badge, Button, Paper, SimpleGrid, Stack } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, request } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { labelOf, type RowOf } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { DownloadDialog } from '../../resource/download-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Fact } from '../../ui/fact.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

type Line = RowOf<typeof cardReplayLines>;
const NAME = 'card-replays';
const AMOUNTS = ['price', 'cost_before', 'cost_after'] as const;

/** Page of a card's replay: what the traffic of the last 30 days would have cost by it. */
export function CardReplay() {
  const { t } = useTranslation();
  const format = useFormat();
  const id = Number(useParams({ strict: false, select: (params) => (params as { id?: string }).id }));
  const [asking, setAsking] = useState(false);
  const params = useMemo(() => ({ id }), [id]);
  const { data, error } = useQuery({
    queryKey: [NAME, id],
    queryFn: ({ signal }) => call(getCardReplay, { params: { id }, signal }),
    refetchInterval: 10_000,
  });
  const replay = data?.data;
  const money = (amount: string, currency: string) => format.money(amount, currency);
  return (
    <>
      <PageHeader
        title={replay?.card_name ?? t('menu.card-replay')}
        subtitle={replay ? t('card_replay.made', { from: replay.from, to: replay.to }) : t('card_replay.hint')}
        crumbs={[{ label: t('menu.carrier-cards'), to: '/carrier-cards' }]}
        actions={
          <Button leftSection={<IconPlayerPlay size={16} stroke={1.6} />} onClick={() => setAsking(true)}>
            {t(replay ? 'card_replay.again' : 'card_replay.try')}
          </Button>
        }
      />
      {error && <Alert color="red">{sentenceOf(error)}</Alert>}
      {data && !replay && (
        <div className="app-card">
          <EmptyState of="carrier-cards" title={t('card_replay.none')} text={t('card_replay.hint')} />
        </div>
      )}
      {replay && (
        <Stack gap="lg">
          <Paper className="app-card" p="lg">
            <SimpleGrid component="dl" cols={{ base: 2, sm: 3, lg: 7 }} spacing="md" m={0}>
              <Fact label={labelOf(NAME, 'parts')}>{format.integer(replay.parts)}</Fact>
              {AMOUNTS.map((field) => (
                <Fact key={field} label={labelOf(NAME, field)}>
                  {money(replay[field], replay.currency)}
                </Fact>
              ))}
              <Fact label={labelOf(NAME, 'unknown_before')}>{format.integer(replay.unknown_before)}</Fact>
              <Fact label={labelOf(NAME, 'unknown_after')}>{format.integer(replay.unknown_after)}</Fact>
              <Fact label={t('card_replay.turning')}>{format.integer(replay.turning)}</Fact>
            </SimpleGrid>
          </Paper>
          <CursorList<typeof cardReplayLines, Line>
            name={NAME}
            operation={cardReplayLines}
            title="network"
            header={null}
            params={params}
            columns={[
              'network',
              'corporation_name',
              { field: 'route_name', cell: (row) => row.route_name ?? t('card_replay.no_route') },
              'parts',
              ...([...AMOUNTS, 'margin_before', 'margin_after'] as const).map((field) => ({
                field,
                figure: true,
                cell: (row: Line) => money(row[field], row.currency),
              })),
              {
                field: 'turns',
                cell: (row) => row.turns && <Badge color="red">{t('resources.card-replays.fields.turns')}</Badge>,
              },
            ]}
            filters={['turns']}
            empty={<EmptyState of="carrier-cards" title={t('common.no_data')} />}
          />
        </Stack>
      )}
      {asking && (
        <DownloadDialog
          title={t('card_replay.try')}
          text={t('card_replay.hint')}
          submit={t('card_replay.try')}
          asked={t('card_replay.asked')}
          ask={(wanted) => request(replayCarrierCard, { params: { id }, body: { format: wanted } })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
