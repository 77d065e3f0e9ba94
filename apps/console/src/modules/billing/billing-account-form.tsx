import { billingAccount } from '@heliograph/contract/billing/billing-account';
import { pricePlan } from '@heliograph/contract/billing/price-plan';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { SimpleGrid } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { call } from '../../platform/call.ts';
import { useMay } from '../../platform/session.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { FormPage } from '../../resource/form-page.tsx';

const Field = fieldsOf(billingAccount.create);

/** Page that creates or edits a billing account. A new one takes its credit and monthly settings from its plan. */
export function BillingAccountForm() {
  return (
    <FormPage
      resource={billingAccount}
      groups={{
        general: (
          <>
            <Field.Reference name="corporation_id" to={corporation} />
            <Field.Text name="name" autoFocus />
            <Pairs>
              <Field.Text name="key" />
              <Field.Reference name="price_plan_id" to={pricePlan} />
            </Pairs>
            <Field.Switch name="enabled" />
          </>
        ),
        credit: <CreditFields />,
        sending: (
          <>
            <Field.Number name="sms_validity" />
            <Field.Switch name="flash_allowed" />
            <Field.Switch name="content_visible" />
          </>
        ),
      }}
    />
  );
}

const Pairs = ({ children }: { children: ReactNode }) => <SimpleGrid cols={{ base: 1, xs: 2 }}>{children}</SimpleGrid>;

function CreditFields() {
  const { values } = useFormState();
  useTermsOfPlan();
  return (
    <>
      <Pairs>
        <Field.Money name="credit_limit" />
        <Field.Money name="cost_warning_limit" />
        <Field.Money name="low_balance_limit" />
        {values.monthly_plan === true && <Field.Money name="monthly_commitment" />}
      </Pairs>
      <Field.Switch name="monthly_plan" />
      <Field.Switch name="charge_on_delivery" />
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
