import { pricePlan } from '@heliograph/contract/billing/price-plan';
import { toThousandths } from '@heliograph/contract/kernel/money';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { SimpleGrid, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { FormPage } from '../../resource/form-page.tsx';
import type { Values } from '../../resource/form-values.ts';

const Field = fieldsOf(pricePlan.create);

type PlanType = (typeof pricePlan.row.shape.type.options)[number];

/** Values that a type of plan fixes. A package is paid in advance and has no months; a prepaid month allows no debt. */
const LEFT_OUT: Readonly<Record<PlanType, Values>> = {
  prepaid_package: { credit_limit: '0.000', monthly_plan: false, monthly_commitment: '0.000' },
  prepaid_monthly: { credit_limit: '0.000', monthly_plan: true },
  postpaid_special: {},
};

/** Page that creates or edits a price plan. */
export const PricePlanForm = () => (
  <FormPage
    resource={pricePlan}
    groups={{
      general: (
        <>
          <Field.Text name="name" autoFocus />
          <TypeField />
          <Field.Textarea name="description" />
          <Field.Reference name="corporation_id" to={corporation} filter={{ is_reseller: true }} />
          <Field.Switch name="enabled" />
        </>
      ),
      price: <PriceFields />,
      validity: (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Field.Date name="starts_on" />
          <Field.Date name="expires_on" />
        </SimpleGrid>
      ),
    }}
  />
);

const typeOf = (values: Readonly<Values>) => (values['type'] as PlanType | null) ?? 'prepaid_package';

function TypeField() {
  const { t } = useTranslation();
  const { values } = useFormState();
  return (
    <div>
      <Field.Select name="type" words="price_plan_type" />
      {values.type !== null && (
        <Text size="xs" c="dimmed" mt={6} role="status">
          {t(`price_plan_type_hint.${typeOf(values)}`)}
        </Text>
      )}
    </div>
  );
}

/** Amounts of a plan. Its type decides which of them it has. */
function PriceFields() {
  const { values, set } = useFormState();
  const type = typeOf(values);
  const before = useRef(values.type);
  useEffect(() => {
    if (before.current === values.type) return;
    before.current = values.type;
    for (const [field, value] of Object.entries(LEFT_OUT[type])) set(field, value);
  }, [values.type, type, set]);
  // A field is also shown if its value contradicts the plan's type, so that it can be corrected.
  const asks = (field: 'credit_limit' | 'monthly_commitment') => !(field in LEFT_OUT[type]) || isAmount(values[field]);
  const asksMonthly = !('monthly_plan' in LEFT_OUT[type]) || values.monthly_plan !== LEFT_OUT[type].monthly_plan;
  return (
    <>
      <Field.Money name="default_charge" />
      {asks('credit_limit') && <Field.Money name="credit_limit" />}
      {asksMonthly && <Field.Switch name="monthly_plan" />}
      {asks('monthly_commitment') && (type === 'prepaid_monthly' || values.monthly_plan === true) && (
        <Field.Money name="monthly_commitment" />
      )}
    </>
  );
}

function isAmount(value: unknown): boolean {
  try {
    return toThousandths(String(value)) !== 0;
  } catch {
    return true;
  }
}
