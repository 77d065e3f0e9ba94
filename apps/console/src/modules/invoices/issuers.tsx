import { invoiceIssuer } from '@heliograph/contract/invoices/invoice-issuer';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { FormPage } from '../../resource/form-page.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(invoiceIssuer.create);

/** Screen of the sellers' profiles. */
export function InvoiceIssuers() {
  const { t } = useTranslation();
  return (
    <ResourceList
      resource={invoiceIssuer}
      columns={[
        'legal_name',
        { field: 'corporation_name', hidden: true },
        { field: 'preset', cell: (row) => t(`invoice_preset.${row.preset}`) },
        'tax_number',
        'country',
        {
          field: 'series',
          cell: (row) => row.series.map(({ prefix, next_number }) => `${prefix}${next_number}`).join(', ') || '–',
          csv: (row) => row.series.map(({ prefix, next_number }) => `${prefix}${next_number}`).join(' '),
        },
        { field: 'created_at', hidden: true },
      ]}
    />
  );
}

/** Page that creates or edits a seller's profile. */
export const InvoiceIssuerForm = () => (
  <FormPage
    resource={invoiceIssuer}
    groups={{
      seller: (
        <>
          <Field.Select name="preset" words="invoice_preset" />
          <Field.Reference name="corporation_id" to={corporation} filter={{ is_reseller: true }} />
          <Field.Text name="legal_name" />
          <Field.Textarea name="address" rows={2} />
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <Field.Text name="postal_code" />
            <Field.Text name="city" />
            <Field.Text name="country" />
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Text name="email" type="email" />
            <Field.Text name="phone" type="tel" />
          </SimpleGrid>
        </>
      ),
      tax: <TaxFields />,
      payment: (
        <>
          <Field.Number name="payment_days" />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Text name="bank_name" />
            <Field.Text name="bank_code" />
          </SimpleGrid>
          <Field.Text name="bank_account" />
          <Field.Textarea name="note" rows={2} />
        </>
      ),
      automatic: (
        <>
          <Field.Switch name="issue_automatically" />
          <Field.Switch name="receipts" />
          <Field.Switch name="mail_documents" />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Number name="remind_before" />
            <Field.Number name="remind_after" />
          </SimpleGrid>
        </>
      ),
      numbers: (
        <>
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <Field.Text name="invoice_prefix" />
            <Field.Text name="credit_note_prefix" />
            <Field.Text name="receipt_prefix" />
          </SimpleGrid>
          <Field.Switch name="number_yearly" />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Number name="number_digits" />
            <Field.Number name="first_number" />
          </SimpleGrid>
        </>
      ),
    }}
  />
);

/** Tax of a seller. One that is not registered has no rate. */
function TaxFields() {
  const { values } = useFormState();
  const registered = values['tax_registered'] === true;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Field.Text name="tax_number" />
        <Field.Text name="registration_number" />
      </SimpleGrid>
      <Field.Text name="permit_number" />
      <Field.Switch name="tax_registered" />
      {registered && (
        <>
          <Field.Money name="tax_rate" />
          <Field.Switch name="prices_include_tax" />
        </>
      )}
      <Field.Text name="exempt_reason" />
      <Field.Money name="withholding_rate" />
    </>
  );
}
