import { carrierCard } from '@heliograph/contract/carrier-costs/carrier-card';
import { CARRIER_COLUMNS, carrierRate, uploadCarrierRates } from '@heliograph/contract/carrier-costs/carrier-rate';
import { link } from '@heliograph/contract/links/link';
import { SimpleGrid } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useBulkUpload } from '../../resource/bulk-upload.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(carrierRate.create);
const Upload = fieldsOf(uploadCarrierRates.query);

/** Screen of the rates of carriers' cards. Those of a draft are entered, or added from the carrier's file. */
export function CarrierRates() {
  const { t } = useTranslation();
  const format = useFormat();
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const cardId = Number(search['carrier_card_id']) || null;
  const preset = useMemo(() => ({ carrier_card_id: cardId }), [cardId]);
  const bulk = useBulkUpload({
    resource: carrierRate,
    operation: uploadCarrierRates,
    title: t('carrier_cards.upload'),
    columns: CARRIER_COLUMNS,
    required: ['price'],
    sample: ['63917,,,,,,0.0125,EUR,,,2026-12-01,', ',,,51503,,,0.0119,EUR,,,2026-12-01,'],
    preset,
    children: (
      <>
        <Field.Reference name="carrier_card_id" to={carrierCard} filter={{ state: 'draft' }} />
        <Upload.Text name="columns" />
      </>
    ),
  });
  const any = (value: string | null) => value ?? t('carrier_cards.any');
  return (
    <ResourceList<typeof carrierRate>
      resource={carrierRate}
      preset={preset}
      header={{ subtitle: t('carrier_cards.rates_subtitle'), actions: bulk.button }}
      columns={[
        'prefix',
        { field: 'mcc', cell: (row) => row.mcc && `${row.mcc} ${row.mnc ?? ''}` },
        { field: 'amount', figure: true, cell: (row) => `${row.amount} ${row.currency}` },
        { field: 'class', cell: (row) => any(row.class && t(`message_class.${row.class}`)) },
        { field: 'sender_kind', cell: (row) => any(row.sender_kind && t(`sender_kind.${row.sender_kind}`)) },
        { field: 'starts_on', cell: (row) => (row.starts_on ? format.date(row.starts_on) : '–') },
        { field: 'ends_on', cell: (row) => (row.ends_on ? format.date(row.ends_on) : '–') },
        'carrier_card_name',
        'link_name',
        { field: 'mnc', hidden: true },
        { field: 'currency', hidden: true },
        { field: 'created_at', hidden: true },
      ]}
      filters={[
        { field: 'carrier_card_id', to: carrierCard },
        { field: 'link_id', to: link },
        'prefix',
        'mcc',
        { field: 'class', words: 'message_class' },
        { field: 'sender_kind', words: 'sender_kind' },
      ]}
      form={
        <>
          <Field.Reference name="carrier_card_id" to={carrierCard} filter={{ state: 'draft' }} />
          <Field.Text name="prefix" type="tel" />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Text name="mcc" />
            <Field.Text name="mnc" />
          </SimpleGrid>
          <Field.Text name="amount" />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Select name="class" words="message_class" />
            <Field.Select name="sender_kind" words="sender_kind" />
            <Field.Date name="starts_on" />
            <Field.Date name="ends_on" />
          </SimpleGrid>
        </>
      }
    >
      {bulk.panel}
    </ResourceList>
  );
}
