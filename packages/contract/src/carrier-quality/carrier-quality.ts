import { z } from 'zod';
import { day, id, instant } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { SENDER_KINDS } from '../senders/sender-id.ts';

/** Upper bounds of the times from submit to final receipt, in seconds; one more bucket has all longer times. */
export const LATENCY_BOUNDS = [
  1, 2, 3, 5, 8, 12, 20, 30, 45, 60, 90, 120, 180, 300, 480, 720, 1_200, 1_800, 2_700, 3_600, 7_200, 14_400, 28_800,
  86_400,
] as const;

/** States of a link for a network and kind of sender. `trial`: it gets few messages, to see if it has recovered. */
export const QUALITY_STATES = ['good', 'declined', 'trial'] as const;
export type QualityState = (typeof QUALITY_STATES)[number];

/** Causes of a decline, each against the link's own history. */
export const DECLINE_CAUSES = ['delivery', 'refusals', 'receipts', 'latency'] as const;

const count = z.int().nonnegative();
/** Share between 0 and 1; null without messages. */
const share = z.number().nullable();
/** Milliseconds from submit to final receipt; null without receipts. */
const latency = z.int().nullable();

/** Messages that were submitted in a time, and how they ended until now. */
const figures = z.object({
  /** Messages that the carrier answered, refused ones among them. */
  messages: count,
  delivered: count,
  rate: share,
  /** Messages that the carrier refused. */
  refused: share,
  /** Accepted messages without a final receipt. */
  unreported: share,
  p50_ms: latency,
  p95_ms: latency,
});

const filters = z.object({
  link_id: z.coerce.number().int().optional(),
  /** Network of the recipients; 0 for numbers that no network has. */
  network_id: z.coerce.number().int().optional(),
  sender_kind: z.enum(SENDER_KINDS).optional(),
  /** Days in the caller's time zone, both included, at most one month; the last seven days if absent. Give both or none. */
  from: day.optional(),
  to: day.optional(),
});

/** Link, network and kind of sender that messages share. */
const place = z.object({
  link_id: id,
  link_name: z.string(),
  network_id: z.int().nonnegative(),
  /** Name and country of the network; null for numbers that no network has. */
  network_name: z.string().nullable(),
  sender_kind: z.enum(SENDER_KINDS),
});

/** Lists the quality of links by network and kind of sender, the most messages first. */
export const carrierQuality = listing({
  path: '/api/v1/carrier-quality',
  permission: 'carrier-quality-index',
  row: place.extend(figures.shape).extend({
    id: z.int(),
    /** State now, whatever the period. */
    state: z.enum(QUALITY_STATES),
    state_since: instant.nullable(),
    cause: z.enum(DECLINE_CAUSES).nullable(),
  }),
  filters: filters.extend({ state: z.enum(QUALITY_STATES).optional() }),
  errors: ['malformed_request'],
});

/** Returns the quality over time: by hour for up to two days, else by day. Times without messages are left out. */
export const carrierQualityHistory = operation({
  method: 'GET',
  path: '/api/v1/carrier-quality/history',
  permission: 'carrier-quality-index',
  query: filters,
  reply: z.object({
    data: z.object({ step: z.enum(['hour', 'day']), points: z.array(figures.extend({ at: instant })) }),
  }),
});

/** Lists the decisions about links, with their evidence, newest first. */
export const carrierQualityDecisions = listing({
  path: '/api/v1/carrier-quality/decisions',
  permission: 'carrier-quality-index',
  row: place.extend({
    id,
    decided_at: instant,
    state: z.enum(QUALITY_STATES),
    cause: z.enum(DECLINE_CAUSES).nullable(),
    /** Messages that decided. */
    messages: count,
    rate: share,
    usual_rate: z.number(),
    p95_ms: latency,
    usual_p95_ms: latency,
  }),
  filters: filters.omit({ from: true, to: true }),
  errors: ['malformed_request'],
});
