import { isAdministration, SCOPE_LEVELS } from '@heliograph/contract/kernel/scope';
import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import { lazyPart } from '../../platform/connection.ts';
import { useMay, useSession } from '../../platform/session.ts';
import { CampaignDashboard } from './campaign-dashboard.tsx';

const OperatorDashboard = lazyPart(async () => (await import('./operator-dashboard.tsx')).OperatorDashboard);
const ResellerDashboard = lazyPart(async () => (await import('./reseller-dashboard.tsx')).ResellerDashboard);

/** Dashboard for the work of the person: running the platform, reselling, or sending campaigns. */
export function Dashboard() {
  const level = useSession((s) => s.profile?.scope_level ?? SCOPE_LEVELS.user);
  const isReseller = useSession((s) => s.isReseller);
  const seesLinks = useMay('links-index');
  const hasCustomers = useMay('corporations-edit');
  const operates = isAdministration(level) && seesLinks;
  const resells = isReseller && level === SCOPE_LEVELS.corporation && hasCustomers;
  return (
    <Suspense fallback={<Skeleton h={700} radius="lg" />}>
      {operates ? <OperatorDashboard /> : resells ? <ResellerDashboard /> : <CampaignDashboard />}
    </Suspense>
  );
}
