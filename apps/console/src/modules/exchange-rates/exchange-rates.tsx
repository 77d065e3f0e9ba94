import {
  EXCHANGE_RATE_COLUMNS,
  exchangeRate,
  uploadExchangeRates,
} from '@heliograph/contract/exchange-rates/exchange-rate';
import { SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useBulkUpload } from '../../resource/bulk-upload.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { FindRate } from './find-rate.tsx';

const Field = fieldsOf(exchangeRate.create);

/** Screen of the values of currencies by day, by which amounts of carriers are converted. */
export function ExchangeRates() {
  const { t } = useTranslation();
  const bulk = useBulkUpload({
    resource: exchangeRate,
    operation: uploadExchangeRates,
    title: t('resources.exchange-rates.bulk'),
    columns: EXCHANGE_RATE_COLUMNS,
    required: ['from_currency', 'to_currency', 'day', 'rate'],
    sample: ['USD,PHP,2026-05-01,57.25,BSP', 'EUR,PHP,2026-05-01,62.1875,BSP'],
  });
  return (
    <ResourceList
      resource={exchangeRate}
      header={{
        actions: (
          <>
            <FindRate />
            {bulk.button}
          </>
        ),
      }}
      columns={['pair', 'day', 'rate', 'source', { field: 'created_at', hidden: true }]}
      filters={['from_currency', 'to_currency', 'day']}
      form={
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Text name="from_currency" autoFocus />
            <Field.Text name="to_currency" />
            <Field.Date name="day" />
            <Field.Text name="rate" />
          </SimpleGrid>
          <Field.Text name="source" />
        </>
      }
    >
      {bulk.panel}
    </ResourceList>
  );
}
