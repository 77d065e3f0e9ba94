import { billingAccount } from '@heliograph/contract/billing/billing-account';
import { pricePlan } from '@heliograph/contract/billing/price-plan';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Divider, SimpleGrid, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useMay } from '../../platform/session.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';

const Field = fieldsOf(billingAccount.create);

/** Form of a billing account. A new one takes its credit and its monthly settings from the chosen plan. */
export function BillingAccountFields() {
  const { t } = useTranslation();
  const { values } = useFormState();
  useTermsOfPlan();
  const section = (name: string) => (
    <Divider
      label={<Text size="sm">{t(keyIn('resources.billing-accounts.sections', name))}</Text>}
      labelPosition="left"
    />
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
        <Field.Money name="low_balance_limit" />
        {values.monthly_plan === true && <Field.Money name="monthly_commitment" />}
      </SimpleGrid>
      <Field.Switch name="monthly_plan" />
      <Field.Switch name="charge_on_delivery" />
      {section('sending')}
      <Field.Number name="sms_validity" />
      <Field.Switch name="flash_allowed" />
      <Field.Switch name="content_visible" />
      <Field.Switch name="enabled" />
    </>
  );
}

/** Fills a new account with the terms of its plan, so that the user sees them before saving. */
function useTermsOfPlan(): void {
  const { row, values, set } = useFormState();
  const mayRead = useMay(pricePlan.permissions.show);
  const planId = row === null && mayRead ? (values.price_plan_id as number | null) : null;
  const fill = useRef(set);
  fill.current = set;
  useEffect(() => {
    if (planId === null) return;
    const abort = new AbortController();
    call(pricePlan.get, { params: { id: planId }, signal: abort.signal }).then(
      ({ data }) => {
        fill.current('credit_limit', data.credit_limit);
        fill.current('monthly_plan', data.monthly_plan);
        fill.current('monthly_commitment', data.monthly_commitment);
      },
      // If the fields stay empty, the server takes the terms from the plan itself.
      () => undefined,
    );
    return () => abort.abort();
  }, [planId]);
}
