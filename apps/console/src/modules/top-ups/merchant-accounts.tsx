import { corporation } from '@heliograph/contract/organizations/corporation';
import { merchantAccount, noticeAddress, registerNotices } from '@heliograph/contract/top-ups/merchant-account';
import { Badge, Group, SimpleGrid } from '@mantine/core';
import { IconLink, IconPlugConnected } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useSession } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { ShownOnce } from '../../ui/secret-dialogs.tsx';

const Field = fieldsOf(merchantAccount.create);
const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

/** Fields that depend on the provider. */
function DriverFields() {
  const form = useFormState();
  const of = (name: string) => form.values[name] ?? form.row?.[name];
  if (of('driver') === 'bank_transfer')
    return (
      <>
        <Field.Textarea name="instructions" rows={5} />
        <Field.Money name="four_eyes_above" />
      </>
    );
  if (of('mode') === 'simulated' || of('driver') === undefined) return null;
  return (
    <>
      {of('driver') === 'maya' && <Field.Text name="public_key" />}
      <Field.Secret name="secret_key" />
      {of('driver') !== 'maya' && <Field.Secret name="webhook_secret" />}
    </>
  );
}

/** Screen of the payment methods: accounts at providers, their limits and fees. */
export function MerchantAccounts() {
  const { t } = useTranslation();
  const format = useFormat();
  const { run } = useAction();
  const isPlatform = useSession((s) => (s.profile?.corporation_id ?? null) === null);
  const [address, setAddress] = useState<string | null>(null);
  return (
    <ResourceList
      resource={merchantAccount}
      columns={[
        {
          field: 'name',
          cell: (row) => (
            <Group gap={8}>
              {row.name}
              {row.mode !== 'live' && (
                <Badge size="xs" variant="light" color="yellow">
                  {t(`payment_mode.${row.mode}`)}
                </Badge>
              )}
            </Group>
          ),
        },
        {
          field: 'driver',
          cell: (row) => t(`payment_driver.${row.driver}`),
          csv: (row) => t(`payment_driver.${row.driver}`),
        },
        { field: 'mode', hidden: true, cell: (row) => t(`payment_mode.${row.mode}`) },
        { field: 'corporation_name', cell: (row) => row.corporation_name ?? t('merchant_account.platform') },
        { field: 'minimum', figure: true, cell: (row) => format.money(row.minimum, row.currency) },
        { field: 'maximum', figure: true, cell: (row) => format.money(row.maximum, row.currency) },
        {
          field: 'fee_percent',
          cell: (row) => `${Number(row.fee_percent)}% + ${format.money(row.fee_fixed, row.currency)}`,
        },
        { field: 'fee_payer', cell: (row) => t(`fee_payer.${row.fee_payer}`) },
        'enabled',
        { field: 'has_webhook_secret', hidden: true },
        { field: 'created_at', hidden: true },
      ]}
      filters={[{ field: 'driver', words: 'payment_driver' }, { field: 'mode', words: 'payment_mode' }, 'enabled']}
      rowActions={(row) =>
        row.abilities.edit && row.driver !== 'bank_transfer'
          ? [
              {
                label: t('merchant_account.show_address'),
                icon: <IconLink {...ICON} />,
                onClick: () =>
                  void run(async () => setAddress((await call(noticeAddress, { params: { id: row.id } })).data.url)),
              },
              {
                label: t('merchant_account.register'),
                icon: <IconPlugConnected {...ICON} />,
                onClick: () =>
                  void run(async () => {
                    const { message } = await call(registerNotices, { params: { id: row.id } });
                    void toast('success', message);
                  }),
              },
            ]
          : []
      }
      form={
        <>
          <Field.Text name="name" autoFocus />
          {isPlatform && <Field.Reference name="corporation_id" to={corporation} filter={{ is_reseller: true }} />}
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Select name="driver" words="payment_driver" />
            <Field.Select name="mode" words="payment_mode" />
          </SimpleGrid>
          <Field.Text name="currency" />
          <DriverFields />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Money name="minimum" />
            <Field.Money name="maximum" />
            <Field.Money name="fee_percent" />
            <Field.Money name="fee_fixed" />
          </SimpleGrid>
          <Field.Select name="fee_payer" words="fee_payer" />
          <Field.Switch name="enabled" />
        </>
      }
    >
      {address !== null && (
        <ShownOnce
          title={t('merchant_account.address_title')}
          explained={t('merchant_account.address_about')}
          value={address}
          onClose={() => setAddress(null)}
        />
      )}
    </ResourceList>
  );
}
