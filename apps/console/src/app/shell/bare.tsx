import { Outlet, useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { lazyPart } from '../../platform/connection.ts';
import { useSession } from '../../platform/session.ts';
import { IS_SUPPORT } from '../../platform/support-tab.ts';
import { useTabTitle } from '../../platform/title.ts';
import { ScreenSkeleton } from './screen-skeleton.tsx';

const SupportBanner = lazyPart(async () => (await import('./support-banner.tsx')).SupportBanner);

/** Frame of a protected screen that hides top bar and menu. The screen fills the page. */
export function Bare() {
  useTabTitle();
  const navigate = useNavigate();
  const isLoggedIn = useSession((s) => s.isLoggedIn);
  // The user has signed out, here or in another tab.
  useEffect(() => {
    if (!isLoggedIn && location.pathname !== '/unauthorized') void navigate({ to: '/login', replace: true });
  }, [isLoggedIn, navigate]);
  return (
    <>
      <Suspense>{IS_SUPPORT && <SupportBanner />}</Suspense>
      <Suspense fallback={<ScreenSkeleton />}>
        <Outlet />
      </Suspense>
    </>
  );
}
