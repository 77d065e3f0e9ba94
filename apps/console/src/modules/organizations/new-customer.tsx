import { pricePlan } from '@heliograph/contract/billing/price-plan';
import type { BodyInput } from '@heliograph/contract/kernel/operation';
import { LOCALE_NAMES, LOCALES } from '@heliograph/contract/kernel/scope';
import { TIME_ZONES } from '@heliograph/contract/kernel/time-zones';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { createCustomer } from '@heliograph/contract/organizations/customer';
import { Alert, Button, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { useMay, useSession } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { labelOf } from '../../resource/columns.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { FormProvider, useFormState, useUnsavedGuard } from '../../resource/form.tsx';
import { faultsOf, initialValues, type Values } from '../../resource/form-values.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './new-customer.module.css';

const { shape } = createCustomer.body;
/** Blocks of the form, in their order, each with the record whose labels its fields have. */
const BLOCKS = {
  company: { schema: shape.company, name: 'corporations' },
  account: { schema: shape.account, name: 'billing-accounts' },
  // The block may stay empty.
  sender: { schema: shape.sender.unwrap().unwrap().partial(), name: 'sender-ids' },
  admin: { schema: shape.admin, name: 'users' },
} as const;
type Block = keyof typeof BLOCKS;

const Company = fieldsOf(BLOCKS.company.schema);
const Account = fieldsOf(BLOCKS.account.schema);
const Sender = fieldsOf(BLOCKS.sender.schema);
const Admin = fieldsOf(BLOCKS.admin.schema);
const CURRENCIES = Intl.supportedValuesOf('currency');

/** Returns the body of the call: a block whose only field is empty is left out. */
const bodyOf = (values: Record<Block, Values>) =>
  ({ ...values, sender: values.sender['sender_id'] ? values.sender : null }) as unknown as BodyInput<
    typeof createCustomer
  >;

/** Holds the values of the form, and creates the customer. */
function useNewCustomer() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const zone = useSession((s) => s.corporationTimeZone);
  const currency = useSession((s) => s.profile?.currency ?? 'PHP');
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<Record<Block, Values>>({
    initialValues: {
      company: initialValues(BLOCKS.company.schema, {
        currency,
        timezone: TIME_ZONES.includes(zone) ? zone : undefined,
        department: t('customer.first_department'),
      }),
      account: initialValues(BLOCKS.account.schema, { name: t('customer.first_account') }),
      sender: {},
      admin: initialValues(BLOCKS.admin.schema, {}),
    },
    validate: (values) => faultsOf(createCustomer.body, bodyOf(values)),
    validateInputOnBlur: true,
  });
  // The faults are drawn a moment after they are set.
  const focusFirstFault = () =>
    setTimeout(() => document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus(), 50);

  async function submit(values: Record<Block, Values>) {
    setFailure(null);
    form.setSubmitting(true);
    try {
      const { data, message } = await call(createCustomer, { body: bodyOf(values) });
      for (const name of ['corporations', 'billing-accounts', 'users', 'sender-ids'])
        void client.invalidateQueries({ queryKey: [name] });
      void toast('success', message ?? '');
      await navigate({ to: `/corporations/${data.corporation_id}`, ignoreBlocker: true });
    } catch (error) {
      const found = problemFrom(error)?.errors ?? {};
      form.setErrors(Object.fromEntries(Object.entries(found).map(([field, texts]) => [field, texts[0]])));
      setFailure(sentenceOf(error));
      focusFirstFault();
    } finally {
      form.setSubmitting(false);
    }
  }
  return { form, failure, send: form.onSubmit((values) => submit(values), focusFirstFault) };
}

/** Screen that sets up a customer in one go: company, plan and credit, sender, first administrator. */
export function NewCustomer() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayPay = useMay('billing-accounts-payment');
  const mayAssign = useMay('teams-assign');
  const { form, failure, send } = useNewCustomer();
  const guard = useUnsavedGuard(form.isDirty() && !form.submitting);
  const faults = Object.keys(form.errors).length;

  const block = (name: Block, children: ReactNode) => (
    <Section title={t(`customer.${name}.title`)}>
      <Text size="sm" c="dimmed">
        {t(`customer.${name}.text`)}
      </Text>
      <FormProvider
        value={{
          name: BLOCKS[name].name,
          schema: BLOCKS[name].schema,
          values: form.values[name],
          errors: errorsIn(form.errors, name),
          row: null,
          set: (field, value) => {
            form.setFieldValue(`${name}.${field}`, value);
            form.clearFieldError(`${name}.${field}`);
          },
        }}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }}>{children}</SimpleGrid>
      </FormProvider>
    </Section>
  );

  return (
    <form noValidate onSubmit={send}>
      <PageHeader
        title={t('menu.new-customer')}
        subtitle={t('customer.subtitle')}
        crumbs={[{ label: t('menu.corporations'), to: '/corporations' }]}
      />
      <Stack gap="md" maw={860}>
        {failure && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        {block(
          'company',
          <>
            <Company.Text name="name" autoFocus />
            <Company.Text name="department" />
            <Company.Select name="currency" options={CURRENCIES} />
            <Company.Select name="timezone" options={TIME_ZONES} />
            {mayAssign && <Company.Reference name="reseller_id" to={corporation} filter={{ is_reseller: true }} />}
          </>,
        )}
        {block(
          'account',
          <>
            <Account.Text name="name" />
            <Account.Reference name="price_plan_id" to={pricePlan} />
            {mayPay && <Account.Money name="payment" currency={String(form.values.company['currency'])} />}
            <Account.Money name="low_balance_limit" currency={String(form.values.company['currency'])} />
          </>,
        )}
        {block('sender', <Sender.Text name="sender_id" />)}
        {block(
          'admin',
          <>
            <Admin.Text name="name" />
            <Admin.Text name="email" type="email" />
            <Admin.Text name="phone" type="tel" />
            <LanguageField />
          </>,
        )}
        <div className={classes.foot}>
          {faults > 0 && (
            <Text size="sm" c="var(--mantine-color-error)" role="status" mr="auto">
              {t('customer.faults', { count: faults })}
            </Text>
          )}
          <Button variant="default" onClick={() => guard(() => void navigate({ to: '/corporations' }))}>
            {t('actions.cancel')}
          </Button>
          <Button type="submit" loading={form.submitting}>
            {t('customer.action')}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

/** Select for a language by its own name. */
function LanguageField() {
  const { values, errors, set } = useFormState();
  return (
    <Select
      label={labelOf('users', 'preferred_language')}
      allowDeselect={false}
      error={errors['preferred_language']}
      data={LOCALES.map((value) => ({ value, label: LOCALE_NAMES[value] }))}
      value={String(values['preferred_language'])}
      onChange={(value) => set('preferred_language', value)}
    />
  );
}

/** Returns the faults of one block under the names of its fields. */
function errorsIn(errors: Record<string, ReactNode>, block: Block): Record<string, ReactNode> {
  const own = Object.entries(errors).filter(([field]) => field.startsWith(`${block}.`));
  return Object.fromEntries(own.map(([field, error]) => [field.slice(block.length + 1), error]));
}
