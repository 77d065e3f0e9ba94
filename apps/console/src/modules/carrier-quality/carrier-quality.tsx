import { carrierQuality } from '@heliograph/contract/carrier-quality/carrier-quality';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { link } from '@heliograph/contract/links/link';
import { network } from '@heliograph/contract/networks/network';
import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat, useZone } from '../../platform/format.ts';
import { CursorList } from '../../resource/cursor-list.tsx';
import { InZone } from '../../resource/in-zone.tsx';
import { useListQuery } from '../../resource/list-query.ts';
import { noneYet } from '../../resource/none-yet.ts';
import { periodFault, todayIn } from '../../resource/period.ts';
import { PeriodInput } from '../../resource/period-input.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { latencyText } from './latency-text.ts';
import { QualityBadge } from './quality-badge.tsx';
import { QualityChart } from './quality-chart.tsx';
import { QualityDecisions } from './quality-decisions.tsx';

type QualityRow = ReplyOf<typeof carrierQuality>['data'][number];

const PERIOD = ['from', 'to'] as const;

/** Screen of the quality of links by network and kind of sender, with its course. A row opens the decisions about it. */
export function CarrierQuality() {
  const { t } = useTranslation();
  const format = useFormat();
  const today = todayIn(useZone());
  const query = useListQuery(PERIOD);
  const { from, to, link_id, network_id, sender_kind } = useSearch({ strict: false }) as Record<
    string,
    string | undefined
  >;
  const period = useMemo(() => (from && to ? { from, to } : {}), [from, to]);
  const fault = from && to ? periodFault(from, to, today) : undefined;
  const share = (value: number | null) => (value === null ? '–' : format.percent(value));
  const percent = (field: 'rate' | 'refused' | 'unreported') => ({
    field,
    cell: (row: QualityRow) => share(row[field]),
    csv: (row: QualityRow) => (row[field] === null ? '' : String(row[field])),
  });
  const time = (field: 'p50_ms' | 'p95_ms') => ({
    field,
    cell: (row: QualityRow) => latencyText(row[field]),
    csv: (row: QualityRow) => String(row[field] ?? ''),
  });
  const networkOf = (row: QualityRow) => row.network_name ?? t('carrier_quality.unknown_network');
  return (
    <CursorList<typeof carrierQuality, QualityRow>
      name="carrier-quality"
      operation={carrierQuality}
      title="link_name"
      header={{
        subtitle: (
          <>
            {t('resources.carrier-quality.empty')} <InZone />
          </>
        ),
      }}
      lead={
        <PeriodInput
          today={today}
          fault={fault}
          value={[from ?? null, to ?? null]}
          onChange={([first, last]) => query.set({ from: first, to: last })}
          onClear={() => query.set({ from: undefined, to: undefined })}
        />
      }
      fixed={period}
      ready={!fault}
      columns={[
        'link_name',
        { field: 'network_name', cell: networkOf, csv: networkOf },
        {
          field: 'sender_kind',
          cell: (row) => t(`sender_kind.${row.sender_kind}`),
          csv: (row) => t(`sender_kind.${row.sender_kind}`),
        },
        {
          field: 'state',
          cell: (row) => <QualityBadge {...row} />,
          csv: (row) => t(`quality_state.${row.state}`),
        },
        'messages',
        percent('rate'),
        percent('refused'),
        percent('unreported'),
        time('p50_ms'),
        time('p95_ms'),
      ]}
      filters={[
        { field: 'link_id', to: link },
        { field: 'network_id', to: network },
        { field: 'sender_kind', words: 'sender_kind' },
        { field: 'state', words: 'quality_state' },
      ]}
      expand={(row) => <QualityDecisions {...row} />}
      empty={
        <EmptyState
          of="carrier-quality"
          learn
          title={noneYet('carrier-quality')}
          text={t('carrier_quality.none_text')}
        />
      }
    >
      {!fault && <QualityChart query={{ ...period, link_id, network_id, sender_kind }} />}
    </CursorList>
  );
}
