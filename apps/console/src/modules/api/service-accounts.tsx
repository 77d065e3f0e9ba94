import { serviceAccount } from '@heliograph/contract/api/service-account';
import { billingAccount } from '@heliograph/contract/billing/billing-account';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { department } from '@heliograph/contract/organizations/department';
import { Badge, Button } from '@mantine/core';
import { IconBook2, IconKey } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { Link } from '../../ui/link.tsx';
import { Doors, LastUse, rightsColumns, Scopes } from './key-parts.tsx';

type Row = z.output<(typeof serviceAccount)['row']>;

const Field = fieldsOf(serviceAccount.create);
const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

/** Screen of the accounts of programs. */
export function ServiceAccounts() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const openKeys = ({ id }: Pick<Row, 'id'>) =>
    void navigate({
      to: '/service-account-keys',
      search: { service_account_id: String(id) },
      // The form that has just saved still counts as changed.
      ignoreBlocker: true,
    });
  return (
    <ResourceList
      resource={serviceAccount}
      columns={[
        'name',
        {
          field: 'enabled',
          title: 'common.state',
          cell: ({ enabled }) => (
            <Badge variant="light" size="sm" color={enabled ? 'teal' : 'gray'} style={{ minWidth: 'max-content' }}>
              {t(enabled ? 'service_accounts.on' : 'service_accounts.off')}
            </Badge>
          ),
          csv: ({ enabled }) => t(enabled ? 'service_accounts.on' : 'service_accounts.off'),
        },
        {
          field: 'keys',
          figure: true,
          cell: ({ keys }) => (keys === 0 ? t('service_accounts.none') : keys),
        },
        'ends_next',
        { field: 'last_used_at', cell: (row) => <LastUse row={row} /> },
        'contact_email',
        'corporation_name',
        'department_name',
        { field: 'billing_account_name', hidden: true },
        ...rightsColumns<Row>(),
        { field: 'created_by_name', hidden: true },
        { field: 'created_at', hidden: true },
      ]}
      filters={[{ field: 'corporation_id', to: corporation }, 'enabled']}
      header={{
        actions: (
          <Button variant="default" component={Link} to="/api-reference" leftSection={<IconBook2 {...ICON} />}>
            {t('api_keys.reference')}
          </Button>
        ),
      }}
      rowActions={(row) => [
        { label: t('service_accounts.keys'), icon: <IconKey {...ICON} />, onClick: () => openKeys(row) },
      ]}
      onRowClick={(row) => openKeys(row)}
      // A new account is of no use without a key.
      onSaved={({ id }, isNew) => isNew && openKeys({ id: Number(id) })}
      form={
        <>
          <Field.Text name="name" autoFocus />
          <Place />
          <Field.Reference name="billing_account_id" to={billingAccount} within="corporation_id" />
          <Field.Text name="contact_email" type="email" />
          <Scopes of="service-accounts" />
          <Doors of="service-accounts" />
          <Field.Tags name="allowed_ips" />
          <Field.Switch name="read_national" />
          <Field.Switch name="enabled" />
        </>
      }
    />
  );
}

/** Fields for the place of an account. It is chosen once, for a new one. */
function Place() {
  const { row } = useFormState();
  if (row) return null;
  return (
    <>
      <Field.Reference name="corporation_id" to={corporation} />
      <Field.Reference name="department_id" to={department} within="corporation_id" />
    </>
  );
}
