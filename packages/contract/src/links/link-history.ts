import { z } from 'zod';
import { instant } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { idParams } from '../kernel/resource.ts';

/** Counts of a link that are stored for each minute. */
export const LINK_MINUTE_COUNTS = [
  'submitted',
  'accepted',
  'throttled',
  'failed',
  'unanswered',
  'answers',
  'response_ms',
  'delivered',
  'undelivered',
] as const;

/** Periods of a link's charts, and the minutes of each of their points. */
export const LINK_PERIODS = { hour: 1, day: 10, week: 60 } as const;
export type LinkPeriod = keyof typeof LINK_PERIODS;
/** Minutes of each period. */
export const LINK_PERIOD_MINUTES: Readonly<Record<LinkPeriod, number>> = { hour: 60, day: 1_440, week: 10_080 };

const count = z.int().nonnegative();

/** Point of a link's charts; it covers as many minutes as the period says. */
export const linkPoint = z.object({
  /** Beginning of its time. */
  at: instant,
  /** Segments handed to the carrier, and those that it accepted. */
  submitted: count,
  accepted: count,
  /** Segments that the carrier refused: those it was too busy for, and all others. */
  throttled: count,
  failed: count,
  /** Segments without an answer. */
  unanswered: count,
  /** Mean time to an answer in milliseconds; null without answers. */
  response_ms: z.number().nullable(),
  /** Final receipts that arrived in this time. */
  delivered: count,
  undelivered: count,
});

/** Returns the traffic of a link over the last hour by minute, day by ten minutes, or week by hour. */
export const linkHistory = operation({
  method: 'GET',
  path: '/api/v1/links/:id/history',
  permission: 'links-show',
  params: idParams,
  query: z.object({ period: z.enum(['hour', 'day', 'week']).default('hour') }),
  reply: z.object({
    data: z.object({
      /** Minutes of each point. */
      minutes: z.int().positive(),
      /** Points, oldest first; the last one is not over. Times without traffic are there, with zeros. */
      points: z.array(linkPoint),
      /** Refusals of the period by their SMPP status, the most frequent first. */
      errors: z.array(z.object({ code: z.string(), count })),
    }),
  }),
  errors: ['not_found'],
});

/** Returns the segments that each link's carrier accepted in every minute of the last hour, oldest first. */
export const linkPulses = operation({
  method: 'GET',
  path: '/api/v1/links/pulses',
  permission: 'links-index',
  reply: z.object({ data: z.array(z.object({ id: z.int(), accepted: z.array(count) })) }),
});
