import { z } from 'zod';
import { idText } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { downloadRow } from '../reports/transaction.ts';

/** Lists the caller's files of the last 7 days, newest first. */
export const queueDownloadNotify = operation({
  method: 'GET',
  path: '/api/v1/queue-download-notify',
  permission: null,
  reply: z.array(downloadRow),
});

/** Marks a file as read and returns an address, valid for a minute, from which the browser fetches it. */
export const openDownload = operation({
  method: 'GET',
  path: '/api/v1/queue-download-unread-file/:id',
  support: 'refused',
  permission: null,
  params: z.object({ id: idText }),
  reply: z.object({
    success: z.boolean(),
    message: z.string(),
    data: z.object({ download_list: z.array(downloadRow), fileName: z.string(), path: z.string() }).nullable(),
  }),
});

/** Marks all finished files of the caller as read, and lists the files. */
export const readDownloads = operation({
  method: 'POST',
  path: '/api/v1/queue-download-notify/read',
  permission: null,
  reply: z.array(downloadRow),
});

/** Returns the file as an attachment. `openDownload` signed the address for a session, so no token is needed. */
export const downloadFile = operation({
  method: 'GET',
  path: '/api/v1/downloads/:id/file',
  session: 'public',
  permission: null,
  params: z.object({ id: idText }),
  query: z.object({ user: idText, session: z.uuid(), expires: idText, signature: z.string().max(64) }),
  reply: z.string(),
  errors: ['not_found', 'numbers_hidden'],
});

export const inboxNotify = operation({
  method: 'GET',
  path: '/api/v1/inbox-notify',
  permission: null,
  reply: z.object({ count: z.int() }),
});
