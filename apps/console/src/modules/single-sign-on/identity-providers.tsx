import { corporation } from '@heliograph/contract/organizations/corporation';
import { identityProvider, testProvider } from '@heliograph/contract/single-sign-on/identity-provider';
import { Badge, Group, Text } from '@mantine/core';
import { IconLink, IconPlugConnected, IconUsersGroup, IconWorldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { toast } from '../../platform/toast.ts';
import { ResourceList } from '../../resource/resource-list.tsx';
import { DirectoryDialog } from './directory-dialog.tsx';
import { AddressesDialog, DomainsDialog } from './provider-dialogs.tsx';

type Row = z.output<typeof identityProvider.row>;

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

/** Screen of the identity providers with their domains, addresses and last failures. */
export function IdentityProviders() {
  const { t } = useTranslation();
  const { run } = useAction();
  const [dialog, setDialog] = useState<{ kind: 'addresses' | 'domains' | 'directory'; row: Row } | null>(null);
  const close = () => setDialog(null);
  const corporationOf = (row: Row) => row.corporation_name ?? t('sign_on.platform');
  const test = (row: Row) =>
    void run(async () => {
      const { data } = await call(testProvider, { params: { id: row.id } });
      if (data.ok) void toast('success', t('sign_on.test_ok', { count: data.keys }));
      else void toast('error', t('sign_on.test_failed', { fault: data.fault }));
    });
  return (
    <ResourceList
      resource={identityProvider}
      columns={[
        'name',
        { field: 'corporation_name', cell: corporationOf, csv: corporationOf },
        {
          field: 'domains',
          cell: (row) => (
            <Group gap={6}>
              {row.proofs.map(({ domain, proved }) => (
                <Badge key={domain} variant="light" tt="none" color={proved ? 'green' : 'yellow'}>
                  {`${domain} · ${t(proved ? 'sign_on.proved' : 'sign_on.not_proved')}`}
                </Badge>
              ))}
            </Group>
          ),
          csv: (row) => row.domains.join(' '),
        },
        'people',
        'enabled',
        'enforced',
        'last_sign_in_at',
        {
          field: 'last_fault',
          cell: (row) =>
            row.last_fault && (
              <Text span size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {row.last_fault}
              </Text>
            ),
        },
        { field: 'last_fault_at', hidden: true },
        { field: 'issuer', hidden: true },
        { field: 'created_at', hidden: true },
      ]}
      filters={[{ field: 'corporation_id', to: corporation }, 'enabled']}
      rowActions={(row) => [
        {
          label: t('sign_on.addresses'),
          icon: <IconLink {...ICON} />,
          onClick: () => setDialog({ kind: 'addresses', row }),
        },
        {
          label: t('sign_on.directory'),
          icon: <IconUsersGroup {...ICON} />,
          onClick: () => setDialog({ kind: 'directory', row }),
        },
        ...(row.abilities.edit
          ? [
              {
                label: t('sign_on.domains'),
                icon: <IconWorldCheck {...ICON} />,
                onClick: () => setDialog({ kind: 'domains', row }),
              },
              { label: t('sign_on.test'), icon: <IconPlugConnected {...ICON} />, onClick: () => test(row) },
            ]
          : []),
      ]}
    >
      {dialog?.kind === 'addresses' && <AddressesDialog id={dialog.row.id} onClose={close} />}
      {dialog?.kind === 'domains' && <DomainsDialog id={dialog.row.id} onClose={close} />}
      {dialog?.kind === 'directory' && (
        <DirectoryDialog id={dialog.row.id} editable={dialog.row.abilities.edit} onClose={close} />
      )}
    </ResourceList>
  );
}
