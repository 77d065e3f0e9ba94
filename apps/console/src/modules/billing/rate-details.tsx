import { billingAccount } from '@heliograph/contract/billing/billing-account';
import { exportRateDetails, rateDetails } from '@heliograph/contract/billing/rate-detail';
import { rateZone } from '@heliograph/contract/billing/rate-zone';
import { Button, Group, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay, useSession } from '../../platform/session.ts';
import type { RowOf } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { useListQuery } from '../../resource/list-query.ts';
import { LoadError } from '../../resource/load-error.tsx';
import { ReferenceSelect } from '../../resource/reference.tsx';
import { ReportDownload } from '../../resource/report-download.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Fact } from '../../ui/fact.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { PriceOfNumber } from './price-of-number.tsx';

const FIELDS = ['billing_account_id'] as const;

/** Screen of the prices that an account pays today, by zone and prefix, and the price of one number. */
export function RateDetails() {
  const { t } = useTranslation();
  const mayChoose = useMay(billingAccount.permissions.index);
  const mayExport = useMay('rate-details-download');
  const mayZones = useMay(rateZone.permissions.index);
  const ownCorporation = useSession((s) => s.profile?.corporation_id ?? null);
  const query = useListQuery(FIELDS);
  const [asked, setAsked] = useState<Record<string, unknown> | null>(null);
  const accountId = Number(query.filters['billing_account_id']) || null;
  // A member of a corporation immediately sees its account. The administration chooses one.
  const ready = accountId !== null || ownCorporation !== null;
  const fixed = useMemo(() => (accountId === null ? {} : { billing_account_id: accountId }), [accountId]);
  const terms = useQuery({
    queryKey: ['rate-details', 'terms', fixed],
    queryFn: ({ signal }) => call(rateDetails, { query: { ...fixed, limit: 1 }, signal }),
    enabled: ready,
  });
  return (
    <>
      <PageHeader title={t('menu.rate-details')} subtitle={t('rate_details.subtitle')} />
      <Stack gap="md" mb="md">
        {mayChoose && (
          <ReferenceSelect
            label={t('resources.billing-accounts.one')}
            to={billingAccount}
            maw={360}
            value={accountId ?? terms.data?.billing_account_id ?? null}
            known={
              terms.data && (accountId ?? terms.data.billing_account_id) === terms.data.billing_account_id
                ? terms.data.billing_account_name
                : undefined
            }
            onChange={(value) => query.set({ billing_account_id: value ?? undefined })}
          />
        )}
        {terms.data && (
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Terms terms={terms.data} />
            <PriceOfNumber key={accountId} account={fixed} />
          </SimpleGrid>
        )}
      </Stack>
      {!ready ? (
        <div className="app-card">
          <EmptyState
            of="rates"
            title={t('rate_details.choose')}
            text={t('rate_details.choose_hint')}
            action={
              <FewAccounts mayList={mayChoose} onChoose={(id) => query.set({ billing_account_id: String(id) })} />
            }
          />
        </div>
      ) : terms.error && !terms.data ? (
        <LoadError error={terms.error} retry={() => void terms.refetch()} />
      ) : (
        <CursorList<typeof rateDetails, RowOf<typeof rateDetails>>
          name="rate-details"
          operation={rateDetails}
          title="prefix"
          header={null}
          columns={['rate_zone_name', 'prefix', 'charge', 'starts_on', 'ends_on']}
          fixed={fixed}
          filters={[...(mayZones ? [{ field: 'rate_zone_id', to: rateZone } as const] : []), 'prefix']}
          empty={<EmptyState of="rates" title={t('rate_details.none')} text={t('rate_details.none_hint')} />}
          exportLabel={t('report_format.export')}
          {...(mayExport
            ? {
                onExport: async ({ search: _, ...wanted }: Record<string, unknown>) => setAsked(wanted),
              }
            : {})}
        />
      )}
      {asked && <ReportDownload operation={exportRateDetails} query={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

/** Maximum accounts that are offered as buttons; of more, the user searches one. */
const FEW = 8;

/** Buttons of the accounts, if there are only a few. */
function FewAccounts({ mayList, onChoose }: { mayList: boolean; onChoose: (id: number) => void }) {
  const { data } = useQuery({
    queryKey: ['billing-accounts', 'few'],
    queryFn: ({ signal }) => call(billingAccount.list, { query: { per_page: FEW, sort: 'name' }, signal }),
    enabled: mayList,
  });
  if (!data || data.meta.total > FEW) return null;
  return (
    <Group justify="center" gap="xs">
      {data.data.map(({ id, name }) => (
        <Button key={id} size="xs" variant="default" onClick={() => onChoose(id)}>
          {name}
        </Button>
      ))}
    </Group>
  );
}

interface TermsOfAccount {
  billing_account_name: string;
  price_plan_name: string;
  currency: string;
  default_charge: string;
}

function Terms({ terms }: { terms: TermsOfAccount }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Section title={t('resources.price-plans.one')}>
      <SimpleGrid component="dl" cols={2} spacing="sm" m={0}>
        <Fact label={t('resources.billing-accounts.one')}>{terms.billing_account_name}</Fact>
        <Fact label={t('resources.price-plans.fields.name')}>{terms.price_plan_name}</Fact>
        <Fact label={t('resources.price-plans.fields.default_charge')}>
          {format.money(terms.default_charge, terms.currency)}
        </Fact>
        <Fact label={t('resources.billing-accounts.fields.currency')}>{terms.currency}</Fact>
      </SimpleGrid>
    </Section>
  );
}
