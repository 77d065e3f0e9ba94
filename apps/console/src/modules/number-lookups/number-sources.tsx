import { NUMBER_DUMP_COLUMNS, numberSource, uploadNumberDump } from '@heliograph/contract/number-lookups/number-source';
import { SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useBulkUpload } from '../../resource/bulk-upload.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(numberSource.create);
const Dump = fieldsOf(uploadNumberDump.query);

/** Fields that depend on the driver. */
function DriverFields() {
  const form = useFormState();
  const driver = form.values['driver'] ?? form.row?.['driver'];
  if (driver === 'http')
    return (
      <>
        <Field.Text name="url" type="url" />
        <Field.Secret name="authorization" />
        <Field.Number name="batch_size" />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Field.Text name="items_path" />
          <Field.Text name="number_path" />
          <Field.Text name="mcc_path" />
          <Field.Text name="mnc_path" />
        </SimpleGrid>
        <Field.Text name="state_path" />
        <Field.Tags name="dead_values" />
      </>
    );
  if (driver === 'enum')
    return (
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Field.Text name="server" />
        <Field.Text name="zone" />
      </SimpleGrid>
    );
  return driver === 'dump' ? <Field.Tags name="dead_values" /> : null;
}

/** Screen of the services that tell the networks of numbers. */
export function NumberSources() {
  const { t } = useTranslation();
  const format = useFormat();
  const bulk = useBulkUpload({
    resource: numberSource,
    operation: uploadNumberDump,
    title: t('resources.number-sources.bulk'),
    columns: NUMBER_DUMP_COLUMNS,
    required: ['number', 'mcc', 'mnc'],
    sample: ['639171234577,515,66,', '639171234500,,,dead'],
    children: <Dump.Reference name="number_source_id" to={numberSource} filter={{ driver: 'dump' }} />,
  });
  return (
    <ResourceList
      resource={numberSource}
      header={{ title: t('menu.number-sources'), actions: bulk.button }}
      columns={[
        'name',
        {
          field: 'driver',
          cell: (row) => t(`lookup_driver.${row.driver}`),
          csv: (row) => t(`lookup_driver.${row.driver}`),
        },
        'position',
        'prefix',
        { field: 'lookups_today', figure: true, cell: (row) => format.integer(row.lookups_today) },
        { field: 'answered_today', figure: true, cell: (row) => format.integer(row.answered_today) },
        { field: 'spend_today', cell: (row) => `${row.spend_today} ${row.currency}` },
        { field: 'daily_lookups', hidden: true },
        { field: 'daily_spend', hidden: true },
        { field: 'unit_cost', hidden: true },
        { field: 'cache_days', hidden: true },
        'enabled',
        { field: 'created_at', hidden: true },
      ]}
      filters={[{ field: 'driver', words: 'lookup_driver' }, 'enabled']}
      form={
        <>
          <Field.Text name="name" autoFocus />
          <Field.Select name="driver" words="lookup_driver" />
          <DriverFields />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Number name="position" />
            <Field.Text name="prefix" />
            <Field.Number name="cache_days" />
            <Field.Number name="daily_lookups" />
            <Field.Text name="unit_cost" />
            <Field.Text name="daily_spend" />
          </SimpleGrid>
          <Field.Text name="currency" />
          <Field.Switch name="enabled" />
        </>
      }
    >
      {bulk.panel}
    </ResourceList>
  );
}
