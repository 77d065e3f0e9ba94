import { openDownload } from '@heliograph/contract/notifications/download';
import { t } from 'i18next';
import { call } from '../../platform/call.ts';
import { useSession } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { openDialog } from '../../ui/dialogs.ts';

/** Fetches a file listed under the bell and marks it read. */
export async function fetchDownload(id: number): Promise<void> {
  try {
    const reply = await call(openDownload, { params: { id } });
    if (!reply.success || !reply.data) return void openDialog({ title: t('downloads.warning'), text: reply.message });
    useSession.setState({ queueDownloads: reply.data.download_list });
    const link = document.createElement('a');
    link.href = reply.data.path;
    link.download = reply.data.fileName;
    link.click();
    void toast('success', reply.message);
  } catch {
    // The specification requires that a failed download request shows no error.
  }
}
