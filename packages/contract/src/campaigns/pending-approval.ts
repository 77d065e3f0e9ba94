import { z } from 'zod';
import { operation } from '../kernel/operation.ts';

/** Counts the campaigns that wait for the caller's approval. */
export const pendingApprovalNotify = operation({
  method: 'GET',
  path: '/api/v1/pending-approval-notify',
  permission: null,
  reply: z.object({ count: z.int() }),
});
