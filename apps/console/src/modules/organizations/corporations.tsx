import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { team } from '@heliograph/contract/organizations/team';
import { Button } from '@mantine/core';
import { IconBuildingPlus, IconBuildingStore, IconHierarchy2 } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { ResourceList } from '../../resource/resource-list.tsx';
import { Link } from '../../ui/link.tsx';
import { AssignReseller, MakeReseller } from './reseller-dialogs.tsx';

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
          { field: 'web_links', hidden: true, cell: (row) => row.web_links && t(`web_link_mode.${row.web_links}`) },
          'created_at',
        ]}
        filters={['enabled', 'is_reseller', { field: 'reseller_id', to: corporation }]}
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
