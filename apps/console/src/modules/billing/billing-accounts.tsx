import { billingAccount } from '@heliograph/contract/billing/billing-account';
import { pricePlan } from '@heliograph/contract/billing/price-plan';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Badge, Divider, SimpleGrid, Text } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { type PaidAccount, Payment } from './payment.tsx';

const Field = fieldsOf(billingAccount.create);

export function BillingAccounts() {
  const { t } = useTranslation();
  const [paying, setPaying] = useState<PaidAccount | null>(null);
  const mayPay = useMay('billing-accounts-payment');
  return (
    <>
      <ResourceList
        resource={billingAccount}
        columns={[
          'name',
          'corporation_name',
          'price_plan_name',
          'credit_balance',
          'reserved',
          'credit_limit',
          {
            field: 'suspended',
            cell: (row) => (
              <Badge variant="light" size="sm" color={row.suspended ? 'red' : 'teal'}>
                {t(row.suspended ? 'resources.billing-accounts.fields.suspended' : 'billing.active')}
              </Badge>
            ),
          },
          { field: 'key', hidden: true },
          { field: 'sms_validity', hidden: true },
          { field: 'charge_on_delivery', hidden: true },
          { field: 'cost_warning_limit', hidden: true },
          { field: 'enabled', hidden: true },
          { field: 'created_at', hidden: true },
        ]}
        filters={[{ field: 'corporation_id', to: corporation }, 'enabled', 'suspended']}
        form={<BillingAccountFields />}
        rowActions={(row) =>
          mayPay
            ? [
                {
                  label: t('payment.action'),
                  icon: <IconCoins size={16} stroke={1.6} />,
                  onClick: () => setPaying(row),
                },
              ]
            : []
        }
      />
      {paying && <Payment account={paying} onClose={() => setPaying(null)} />}
    </>
  );
}

function BillingAccountFields() {
  const { t } = useTranslation();
  const section = (name: string) => (
    <Divider label={<Text size="sm">{t(`resources.billing-accounts.sections.${name}`)}</Text>} labelPosition="left" />
  );
  return (
    <>
      <Field.Reference name="corporation_id" to={corporation} />
      <Field.Text name="name" autoFocus />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Field.Text name="key" />
        <Field.Reference name="price_plan_id" to={pricePlan} />
      </SimpleGrid>
      {section('credit')}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Field.Money name="credit_limit" />
        <Field.Money name="cost_warning_limit" />
        <Field.Money name="monthly_commitment" />
      </SimpleGrid>
      <Field.Switch name="monthly_plan" />
      <Field.Switch name="charge_on_delivery" />
      {section('sending')}
      <Field.Number name="sms_validity" />
      <Field.Switch name="flash_allowed" />
      <Field.Switch name="content_visible" />
      <Field.Switch name="enabled" />
      <Field.Switch name="suspended" />
    </>
  );
}
