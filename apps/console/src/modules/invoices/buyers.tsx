import { invoiceBuyer } from '@heliograph/contract/invoices/invoice-buyer';
import { LOCALE_NAMES } from '@heliograph/contract/kernel/scope';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Select, SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { labelOf } from '../../resource/columns.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { FormPage } from '../../resource/form-page.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(invoiceBuyer.create);

/** Screen of the customers' profiles. */
export function InvoiceBuyers() {
  const { t } = useTranslation();
  return (
    <ResourceList
      resource={invoiceBuyer}
      columns={[
        'legal_name',
        'corporation_name',
        'country',
        'tax_number',
        { field: 'tax_treatment', cell: (row) => t(`tax_category.${row.tax_treatment}`) },
        'email',
        { field: 'withholds', hidden: true },
        { field: 'created_at', hidden: true },
      ]}
      filters={[{ field: 'corporation_id', to: corporation }]}
    />
  );
}

/** Page that creates or edits a customer's profile. */
export const InvoiceBuyerForm = () => (
  <FormPage
    resource={invoiceBuyer}
    groups={{
      buyer: (
        <>
          <Field.Reference name="corporation_id" to={corporation} />
          <Field.Text name="legal_name" />
          <Field.Textarea name="address" rows={2} />
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <Field.Text name="postal_code" />
            <Field.Text name="city" />
            <Field.Text name="country" />
          </SimpleGrid>
        </>
      ),
      contact: (
        <>
          <Field.Text name="email" type="email" />
          <Field.Text name="contact_name" />
          <Language />
          <Field.Text name="reference" />
        </>
      ),
      month_end: (
        <>
          <Field.Date name="invoices_from" />
          <Field.Select name="invoice_lines" words="invoice_lines" />
        </>
      ),
      tax: (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Text name="tax_number" />
            <Field.Text name="registration_number" />
          </SimpleGrid>
          <Field.Select name="tax_treatment" words="tax_category" />
          <ExemptReason />
          <Field.Switch name="withholds" />
        </>
      ),
    }}
  />
);

function ExemptReason() {
  const { values } = useFormState();
  return values['tax_treatment'] === 'exempt' ? <Field.Text name="exempt_reason" /> : null;
}

function Language() {
  const { t } = useTranslation();
  const { values, errors, set } = useFormState();
  return (
    <Select
      label={labelOf(invoiceBuyer.name, 'language')}
      description={t('resources.invoice-buyers.hints.language')}
      clearable
      data={Object.entries(LOCALE_NAMES).map(([value, label]) => ({ value, label }))}
      error={errors['language']}
      value={(values['language'] as string | null) ?? null}
      onChange={(value) => set('language', value)}
    />
  );
}
