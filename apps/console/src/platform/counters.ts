import { navBarMenus } from '@heliograph/contract/access/menu';
import { alarms } from '@heliograph/contract/alarms/alarm';
import { totalOutstandingNotify } from '@heliograph/contract/billing/credit-change';
import { pendingApprovalNotify } from '@heliograph/contract/campaigns/pending-approval';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import { askedOfMe } from '@heliograph/contract/notifications/asked';
import { inboxNotify, queueDownloadNotify } from '@heliograph/contract/notifications/download';
import { countSenderRequests } from '@heliograph/contract/senders/sender-request';
import { call } from './call.ts';
import { may, useSession } from './session.ts';

/** Loads the main menu. */
export async function loadMenu(): Promise<void> {
  const { data } = await call(navBarMenus);
  useSession.setState({ menus: data });
}

/** Loads the balance or debt of the user's billing account. */
export async function loadTotalOutstanding(): Promise<void> {
  useSession.setState({ totalOutstanding: await call(totalOutstandingNotify) });
}

/** Tells whether the user operates the platform: they see its carrier links. */
export const isOperator = (): boolean =>
  may('links-index') && isAdministration(useSession.getState().profile?.scope_level ?? Number.POSITIVE_INFINITY);

/** Loads the alarms of the platform, for people who operate it. */
export async function loadAlarms(): Promise<void> {
  if (isOperator()) useSession.setState({ alarms: await call(alarms) });
}

/** Minimum interval between two reads of the counters, in ms. Dozens of events may arrive in a second. */
const APART_MS = 1_000;
let reading: Promise<void> | undefined;
let again = false;

/**
 * Loads the counters of the top bar and the menu: pending campaigns, requests for sender IDs, what others
 * ask, inbox, downloads, total outstanding. Loads them once more if it is
 * called during a load.
 */
export function loadCounters(): Promise<void> {
  if (reading) {
    again = true;
    return reading;
  }
  reading = readCounters();
  void reading.finally(() =>
    setTimeout(() => {
      reading = undefined;
      if (!again) return;
      again = false;
      void loadCounters();
    }, APART_MS),
  );
  return reading;
}

async function readCounters(): Promise<void> {
  await Promise.allSettled([
    may('pending-campaigns-index') &&
      call(pendingApprovalNotify).then(({ count }) => useSession.setState({ pendingCampaigns: count })),
    may('sender-ids-decide') &&
      call(countSenderRequests).then(({ count }) => useSession.setState({ senderRequests: count })),
    may('inbox-index') && call(inboxNotify).then(({ count }) => useSession.setState({ inboxUnread: count })),
    call(askedOfMe).then((asked) => useSession.setState({ asked })),
    call(queueDownloadNotify).then((queueDownloads) => useSession.setState({ queueDownloads })),
    loadTotalOutstanding(),
    loadAlarms(),
  ]);
}
