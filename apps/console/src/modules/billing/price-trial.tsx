import type { showMarginRule } from '@heliograph/contract/billing/margin-rule';
import { showTrial, tryPrices } from '@heliograph/contract/billing/price-trial';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Button, Stack, Table, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { labelOf } from '../../resource/columns.tsx';
import { DownloadDialog } from '../../resource/download-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './card-result.module.css';
import { TriedDiscounts } from './tried-discounts.tsx';

type Trial = NonNullable<ReplyOf<typeof showTrial>['data']>;
type Rule = ReplyOf<typeof showMarginRule>['data']['rule'];

const NAME = 'price-trials';
const AMOUNTS = ['charged', 'tried', 'cost', 'margin', 'margin_tried'] as const;
/** Interval in ms at which a result is looked for. */
const AGAIN_MS = 10_000;

interface AskProps {
  planId: number;
  rule?: Rule;
  cardId?: number;
  onClose: () => void;
}

function Ask({ planId, rule = null, cardId, onClose }: AskProps) {
  const { t } = useTranslation();
  return (
    <DownloadDialog
      title={t('price_trial.try')}
      text={t('price_trial.hint')}
      submit={t('price_trial.try')}
      asked={t('price_trial.asked')}
      ask={(format) =>
        call(tryPrices, { params: { id: planId }, body: { rule, card_upload_id: cardId ?? null, format } })
      }
      onClose={onClose}
    />
  );
}

/** Button that tries an uploaded card on past traffic. */
export function TryCard({ planId, cardId }: { planId: number; cardId: number }) {
  const { t } = useTranslation();
  const may = useMay(tryPrices.permission);
  const [asking, setAsking] = useState(false);
  if (!may) return null;
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('price_trial.try')}
      </Button>
      {asking && <Ask planId={planId} cardId={cardId} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Button that tries a margin rule on past traffic. */
export function TryRule({ planId, rule, disabled }: { planId: number; rule: Rule; disabled: boolean }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        variant="default"
        disabled={disabled}
        leftSection={<IconPlayerPlay size={16} stroke={1.6} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('price_trial.try')}
      </Button>
      {asking && <Ask planId={planId} rule={rule} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Result of the last trial of a plan, by network. */
export function PriceTrial({ planId }: { planId: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery({
    queryKey: ['margin-rules', planId, 'trial'],
    queryFn: ({ signal }) => call(showTrial, { params: { id: planId }, signal }),
    refetchInterval: AGAIN_MS,
  });
  if (!data) return null;
  const trial = data.data;
  return (
    <Section title={t('price_trial.title')}>
      {trial ? (
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t('price_trial.made', {
              from: format.date(trial.from),
              to: format.date(trial.to),
              prices: t(`price_trial.prices.${trial.prices}`),
            })}
          </Text>
          <Lines trial={trial} />
          {trial.discounts && <TriedDiscounts discounts={trial.discounts} currency={trial.currency} />}
        </Stack>
      ) : (
        <Text size="sm" c="dimmed">
          {t('price_trial.none')} {t('price_trial.hint')}
        </Text>
      )}
    </Section>
  );
}

function Lines({ trial }: { trial: Trial }) {
  const { t } = useTranslation();
  const format = useFormat();
  const rows = [
    { ...trial, name: t('price_trial.all') },
    ...trial.lines.map((line) => ({ ...line, name: line.network || t('price_trial.unknown') })),
  ];
  return (
    /* biome-ignore lint/a11y/noNoninteractiveTabindex: wide rows must be scrollable by keyboard */
    <section className={classes.rows} tabIndex={0} aria-label={t('price_trial.title')}>
      <Table verticalSpacing={6} horizontalSpacing="sm" fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{labelOf(NAME, 'network')}</Table.Th>
            <Table.Th ta="right">{labelOf(NAME, 'parts')}</Table.Th>
            {AMOUNTS.map((field) => (
              <Table.Th key={field} ta="right">
                {labelOf(NAME, field)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, place) => (
            <Table.Tr key={row.name} fw={place === 0 ? 600 : 400}>
              <Table.Td>{row.name}</Table.Td>
              <Table.Td ta="right">{format.integer(row.parts)}</Table.Td>
              {AMOUNTS.map((field) => (
                <Table.Td key={field} ta="right">
                  {format.money(row[field], trial.currency)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
