import i18next from 'i18next';
import { loadCounters } from '../../platform/counters.ts';
import { queryClient } from '../../platform/queries.ts';
import { useSession } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';

/** What a live notification says: the server's sentence where it sends one, and what it is about. */
interface Notification {
  type?: string;
  message?: string;
}

/** Takes in a live notification: the counters are read again, and a new file is announced. */
export async function receive(notification: Notification): Promise<void> {
  const known = new Set(
    useSession
      .getState()
      .queueDownloads.filter((f) => f.state === 'done')
      .map((f) => f.id),
  );
  await loadCounters();
  void queryClient.invalidateQueries();
  const arrived = useSession
    .getState()
    .queueDownloads.find((file) => file.state === 'done' && !file.downloaded_at && !known.has(file.id));
  if (arrived) void toast('info', i18next.t('downloads.ready', { name: arrived.download_file }));
  else if (notification.message) void toast('info', notification.message);
}
