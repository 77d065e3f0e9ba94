import { z } from 'zod';
import { money } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';

const counts = z.object({
  messages: z.int(),
  parts: z.int(),
  delivered: z.int(),
  failed: z.int(),
  expired: z.int(),
  spend: money(),
});

/** The last seven days in the caller's scope and timezone; today is the last day. */
export const dashboard = operation({
  method: 'GET',
  path: '/api/v1/dashboard',
  permission: 'dashboard-index',
  reply: z.object({
    currency: z.string(),
    today: counts,
    days: z.array(counts.extend({ date: z.iso.date() })),
    running_campaigns: z.int(),
    pending_campaigns: z.int(),
    number_lists: z.int(),
    recent_campaigns: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        state: z.string(),
        total_count: z.int(),
        delivered: z.int(),
        created_at: z.string(),
      }),
    ),
  }),
});
