import { corporation } from '@heliograph/contract/organizations/corporation';
import { corporationOverview } from '@heliograph/contract/organizations/customer';
import { Badge, Button, Group, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { IconEdit, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { LoadError } from '../../resource/load-error.tsx';
import { OneRecord } from '../../resource/one-record.tsx';
import { openDialog } from '../../ui/dialogs.ts';
import { Link } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Accounts, Activity, type Data, People, type Row, Senders, Traffic } from './corporation-parts.tsx';

/** Page of one corporation: its money, people, senders, traffic and last activity. */
export function CorporationPage() {
  const { t } = useTranslation();
  return (
    <OneRecord name="corporations" operation={corporation.get} notFound={t('customer.not_found')}>
      {(row) => <Loaded row={row} />}
    </OneRecord>
  );
}

/** Suspends a corporation, or lets it send again, after the user has read what that does. */
function switchCorporation(row: Row, t: ReturnType<typeof useTranslation>['t']): void {
  const what = row.enabled ? 'suspend' : 'resume';
  openDialog({
    title: t(`customer.${what}.title`, { name: row.name }),
    text: t(`customer.${what}.text`),
    confirm: t(`customer.${what}.action`),
    cancel: t('actions.cancel'),
    danger: row.enabled,
    onConfirm: async () => {
      try {
        await call(corporation.updateOne, {
          params: { id: row.id },
          body: { enabled: !row.enabled },
          ifMatch: row.etag,
        });
        void toast('success', t(`customer.${what}.done`, { name: row.name }));
      } catch (error) {
        void toast('error', sentenceOf(error));
      }
      await queryClient.invalidateQueries({ queryKey: ['corporations'] });
    },
  });
}

function Loaded({ row }: { row: Row }) {
  const { t } = useTranslation();
  const mayEdit = useMay(corporation.permissions.edit) && row.abilities.edit;
  const query = useQuery({
    queryKey: ['corporations', 'overview', row.id],
    queryFn: ({ signal }) => call(corporationOverview, { params: { id: row.id }, signal }),
  });
  const data = query.data?.data;
  const Icon = row.enabled ? IconPlayerPause : IconPlayerPlay;
  return (
    <>
      <PageHeader
        title={
          <Group component="span" gap={12}>
            <span style={{ overflowWrap: 'anywhere' }}>{row.name}</span>
            {!row.enabled && <Badge color="red.8">{t('customer.suspended')}</Badge>}
          </Group>
        }
        subtitle={[row.currency, row.timezone, row.reseller_name].filter(Boolean).join(' · ')}
        crumbs={[{ label: t('menu.corporations'), to: '/corporations' }]}
        actions={
          mayEdit && (
            <>
              <Button
                variant="default"
                leftSection={<Icon size={16} stroke={1.6} aria-hidden />}
                onClick={() => switchCorporation(row, t)}
              >
                {t(row.enabled ? 'customer.suspend.action' : 'customer.resume.action')}
              </Button>
              <Button
                component={Link}
                to={`/corporations/${row.id}/edit`}
                leftSection={<IconEdit size={16} stroke={1.6} aria-hidden />}
              >
                {t('actions.edit')}
              </Button>
            </>
          )
        }
      />
      {data ? (
        <Overview row={row} data={data} />
      ) : query.error ? (
        <LoadError error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Skeleton h={420} radius="lg" role="status" aria-label={t('common.loading')} />
      )}
    </>
  );
}

function Overview({ row, data }: { row: Row; data: Data }) {
  const mayAccounts = useMay('billing-accounts-index');
  const mayUsers = useMay('users-index');
  const maySenders = useMay('sender-ids-index');
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        {mayAccounts && <Accounts row={row} accounts={data.accounts} />}
        <Activity row={row} data={data} />
      </SimpleGrid>
      <Traffic data={data} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        {mayUsers && <People row={row} data={data} />}
        {maySenders && <Senders row={row} senders={data.senders} />}
      </SimpleGrid>
    </Stack>
  );
}
