import { z } from 'zod';
import { id, instant } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { LINK_STATES } from '../links/link.ts';
import { nodeKind } from '../nodes/node.ts';

/** Minutes of the chart, and of the sums of receipts and errors. */
export const OPERATIONS_MINUTES = 60;
export const OPERATIONS_RECENT = 15;

const count = z.int().nonnegative();
const receipts = z.object({ delivered: count, undelivered: count });

/** Returns what an operator watches: links, queue, receipts, refusals and processes, as they are now. */
export const operations = operation({
  method: 'GET',
  path: '/api/v1/dashboard/operations',
  permission: 'links-index',
  reply: z.object({
    /** Parts that all carriers accepted per second, over the last minute. */
    parts_per_second: z.number(),
    /** Beginning of the first of the minutes. */
    from: instant,
    links: z.array(
      z.object({
        id,
        name: z.string(),
        state: z.enum(LINK_STATES),
        since: instant.nullable(),
        bound: count,
        wanted: count,
        /** Parts accepted in the last minute. */
        accepted: count,
        /** Parts handed over in each minute of the last hour, oldest first; the present minute is not there. */
        minutes: z.array(count),
      }),
    ),
    /** Messages that may leave now, and the time since which the first of them waits. */
    queue: z.object({ waiting: count, since: instant.nullable() }),
    /** Final receipts of the last 15 minutes, and of the 15 minutes before. */
    receipts,
    receipts_before: receipts,
    /** Refusals by carriers in the last 15 minutes, by SMPP status, the most frequent first. */
    errors: z.array(z.object({ code: z.string(), count })),
    refused: count,
    refused_before: count,
    nodes: z.array(z.object({ kind: nodeKind, live: count, silent: count })),
  }),
});
