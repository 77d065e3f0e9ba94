import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { TIME_ZONES } from '@heliograph/contract/kernel/time-zones';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { previewCorporationOff } from '@heliograph/contract/organizations/switch-off';
import { team } from '@heliograph/contract/organizations/team';
import { Button, Divider, Group, SimpleGrid, Text } from '@mantine/core';
import { IconBuildingPlus, IconBuildingStore, IconHierarchy2 } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { Link } from '../../ui/link.tsx';
import { AssignReseller, MakeReseller } from './reseller-dialogs.tsx';
import { SwitchedOff } from './switched-off.tsx';

const Field = fieldsOf(corporation.create);
const CURRENCIES = Intl.supportedValuesOf('currency');

type Row = ReplyOf<typeof corporation.get>['data'];

export function Corporations() {
  const { t } = useTranslation();
  const mayMake = useMay(team.permissions.create);
  const mayAssign = useMay('teams-assign');
  const mayShow = useMay(corporation.permissions.show);
  const mayOnboard = useMayOnboard();
  const [open, setOpen] = useState<{ row: Row; what: 'make' | 'assign' } | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <ResourceList<typeof corporation>
        resource={corporation}
        header={{ actions: mayOnboard && <NewCustomerLink /> }}
        {...(mayShow && { rowTo: (row: Row) => `/corporations/${row.id}` })}
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
        rowActions={(row) => [
          ...(mayAssign && !row.is_reseller
            ? [
                {
                  label: t('teams.assign'),
                  icon: <IconHierarchy2 size={16} stroke={1.6} />,
                  onClick: () => setOpen({ row, what: 'assign' }),
                },
              ]
            : []),
          ...(mayMake && !row.is_reseller && row.reseller_id === null
            ? [
                {
                  label: t('teams.make'),
                  icon: <IconBuildingStore size={16} stroke={1.6} />,
                  onClick: () => setOpen({ row, what: 'make' }),
                },
              ]
            : []),
        ]}
      />
      {open?.what === 'assign' && <AssignReseller corporation={open.row} onClose={close} />}
      {open?.what === 'make' && <MakeReseller corporation={open.row} onClose={close} />}
    </>
  );
}

/** Returns whether the user may do everything that setting up a customer consists of. */
function useMayOnboard(): boolean {
  const corporations = useMay(corporation.permissions.create);
  const accounts = useMay('billing-accounts-create');
  const users = useMay('users-create');
  return corporations && accounts && users;
}

function NewCustomerLink() {
  const { t } = useTranslation();
  return (
    <Button component={Link} to="/new-customer" leftSection={<IconBuildingPlus size={16} stroke={1.6} aria-hidden />}>
      {t('menu.new-customer')}
    </Button>
  );
}

/** Fields of the form of a corporation. */
export function CorporationFields() {
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
      <SwitchedOff preview={previewCorporationOff} />
    </>
  );
}
