import { corporation } from '@heliograph/contract/organizations/corporation';
import { Divider, Group, SimpleGrid, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(corporation.create);
const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];
const CURRENCIES = Intl.supportedValuesOf('currency');

export function Corporations() {
  return (
    <ResourceList
      resource={corporation}
      columns={[
        'name',
        'currency',
        'timezone',
        'reseller_name',
        'is_reseller',
        'enabled',
        { field: 'sales_code', hidden: true },
        { field: 'throughput', hidden: true },
        { field: 'api_throughput', hidden: true },
        { field: 'campaign_alerts', hidden: true },
        'created_at',
      ]}
      filters={['enabled', 'is_reseller', { field: 'reseller_id', to: corporation }]}
      form={<CorporationFields />}
    />
  );
}

function CorporationFields() {
  const { t } = useTranslation();
  return (
    <>
      <Field.Text name="name" autoFocus />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Field.Select name="currency" options={CURRENCIES} />
        <Field.Select name="timezone" options={TIME_ZONES} />
        <Field.Text name="sales_code" />
        <Field.Reference name="reseller_id" to={corporation} filter={{ is_reseller: true }} />
      </SimpleGrid>
      <Divider label={<Text size="sm">{t('resources.corporations.sections.sending')}</Text>} labelPosition="left" />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Field.Number name="throughput" />
        <Field.Number name="api_throughput" />
      </SimpleGrid>
      <Field.Textarea name="opt_out_message" />
      <Field.Text name="callback_url" type="url" />
      <Group gap="xl">
        <Field.Switch name="campaign_alerts" />
        <Field.Switch name="enabled" />
      </Group>
    </>
  );
}
