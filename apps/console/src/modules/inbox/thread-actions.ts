import { changeConversation } from '@heliograph/contract/inbox/conversation';
import i18next from 'i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { toast } from '../../platform/toast.ts';
import { readInboxAgain } from './inbox-actions.tsx';

/** Changes a conversation and reads the inbox again. Returns the changed one, and reports the error if it fails. */
async function change(id: number, body: { assigned_to?: number | null; open?: boolean }, ifMatch?: string) {
  try {
    const reply = await call(changeConversation, { params: { id }, body, ifMatch });
    await readInboxAgain();
    return reply;
  } catch (error) {
    await readInboxAgain();
    void toast('error', sentenceOf(error));
    return undefined;
  }
}

/** Closes a conversation or opens it again. Returns whether that was done. */
export async function setOpen(id: number, open: boolean): Promise<boolean> {
  const reply = await change(id, { open });
  if (reply) void toast('success', i18next.t(open ? 'inbox.reopened' : 'inbox.closed'));
  return reply !== undefined;
}

/** Assigns a conversation. Returns false if its record is no longer visible to the user. */
export async function assignTo(id: number, assigned_to: number | null, etag: string): Promise<boolean> {
  const reply = await change(id, { assigned_to }, etag);
  return reply?.data !== null;
}
