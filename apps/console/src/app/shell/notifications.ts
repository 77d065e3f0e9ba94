import i18next from 'i18next';
import { loadCounters } from '../../platform/counters.ts';
import { queryClient } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';

/** What a live notification says: the server's sentence where it sends one, and what it is about. */
interface Notification {
  type?: string;
  message?: string;
  name?: string;
}

/** Takes in a live notification: what is on the screen is read again, and the person is told. */
export function receive(notification: Notification): void {
  void loadCounters();
  void queryClient.invalidateQueries();
  const { type, message, name } = notification;
  const [about, state] = (type ?? '').split('.');
  if (message) void toast(state === 'failed' ? 'error' : 'info', message);
  else if (about === 'campaign' && name && i18next.exists(`campaign_state.${state}`))
    void toast('info', i18next.t('notifications.campaign', { name, state: i18next.t(`campaign_state.${state}`) }));
}
