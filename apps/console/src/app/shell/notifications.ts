import i18next from 'i18next';
import { loadCounters } from '../../platform/counters.ts';
import { showOnDesktop } from '../../platform/desktop.ts';
import { queryClient } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';

/** What a live notification says: the server's sentence where it sends one, and what it is about. */
interface Notification {
  type?: string;
  message?: string;
  name?: string;
  campaign_id?: number;
}

/** Takes in a live notification: what is on the screen is read again, and the person is told; `open` goes to what it is about. */
export function receive(notification: Notification, open: (path: string) => void): void {
  void loadCounters();
  // Messages from phones may come by the second, and change nothing else that is on a screen.
  const inbox = notification.type?.startsWith('inbox.');
  void queryClient.invalidateQueries(inbox ? { queryKey: ['inbox'] } : {});
  const text = sentenceOf(notification);
  if (!text) return;
  void toast(notification.type?.endsWith('.failed') ? 'error' : 'info', text);
  const { campaign_id } = notification;
  showOnDesktop(
    document.title,
    text,
    campaign_id === undefined ? undefined : () => open(`/campaign-history/${campaign_id}`),
  );
}

function sentenceOf({ type = '', message, name }: Notification): string | undefined {
  if (message) return message;
  const [about, state] = type.split('.');
  if (!name) return undefined;
  if ((about === 'billing' || about === 'callbacks') && i18next.exists(`notifications.${state}`))
    return i18next.t(`notifications.${state}`, { name });
  if (about !== 'campaign') return undefined;
  const key = [`campaign_state.${state}`, `notifications.${state}`].find((each) => i18next.exists(each));
  return key && i18next.t('notifications.campaign', { name, state: i18next.t(key) });
}
