import { navBarMenus } from '@heliograph/contract/access/menu';
import { totalOutstandingNotify } from '@heliograph/contract/billing/credit-change';
import { pendingApprovalNotify } from '@heliograph/contract/campaigns/campaign';
import { inboxNotify, queueDownloadNotify } from '@heliograph/contract/notifications/download';
import { call } from './call.ts';
import { may, useSession } from './session.ts';

/** Loads the main menu. */
export async function loadMenu(): Promise<void> {
  const { data } = await call(navBarMenus);
  useSession.setState({ menus: data });
}

/** Loads what the user's billing account holds or owes. */
export async function loadTotalOutstanding(): Promise<void> {
  useSession.setState({ totalOutstanding: await call(totalOutstandingNotify) });
}

/** Loads the top bar's counters: pending campaigns, inbox, downloads, total outstanding. */
export async function loadCounters(): Promise<void> {
  await Promise.allSettled([
    may('pending-campaigns-index') &&
      call(pendingApprovalNotify).then(({ count }) => useSession.setState({ pendingCampaigns: count })),
    may('inbox-index') && call(inboxNotify).then(({ count }) => useSession.setState({ inboxUnread: count })),
    call(queueDownloadNotify).then((queueDownloads) => useSession.setState({ queueDownloads })),
    loadTotalOutstanding(),
  ]);
}
