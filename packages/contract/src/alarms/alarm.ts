import { z } from 'zod';
import { cost, id, instant } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';

/** Conditions that need an operator. */
export const ALARM_CONDITIONS = [
  'link_down',
  'queue_delayed',
  'node_gone',
  'disk_low',
  'quality_declined',
  'receipts_false',
  'margin_negative',
  'delivery_late',
] as const;
export type AlarmCondition = (typeof ALARM_CONDITIONS)[number];

/** Types of the events that are posted when a condition begins, and when it is over. */
export const ALARM_EVENTS = {
  link_down: ['link.down', 'link.up'],
  queue_delayed: ['queue.delayed', 'queue.recovered'],
  node_gone: ['node.gone', 'node.back'],
  disk_low: ['disk.low', 'disk.recovered'],
  quality_declined: ['quality.declined', 'quality.recovered'],
  receipts_false: ['receipts.false', 'receipts.true'],
  margin_negative: ['margin.negative', 'margin.recovered'],
  delivery_late: ['delivery.late', 'delivery.recovered'],
} as const satisfies Record<AlarmCondition, readonly [string, string]>;

/** Channel of all links, and its event by which consoles learn that alarms have changed. */
export const ALARM_CHANNEL = 'links.0';
export const ALARM_EVENT = 'alarm.changed';

export const alarm = z.object({
  id,
  condition: z.enum(ALARM_CONDITIONS),
  /** Name of the link, process or machine. */
  name: z.string(),
  link_id: id.nullable(),
  /** Kind of a process that is gone; null for other conditions. */
  node_kind: z.string().nullable(),
  /** Number of waiting messages of a delayed queue; null for other conditions. */
  waiting: z.int().nullable(),
  /** Amount that traffic of the last day lost, and its currency; null for other conditions. */
  lost: cost().nullable(),
  currency: z.string().nullable(),
  since: instant,
  /** Time at which the condition was over; null while it lasts. */
  ended_at: instant.nullable(),
});
export type Alarm = z.output<typeof alarm>;

/** Lists the alarms that last, oldest first, and those of the last day, newest first. */
export const alarms = operation({
  method: 'GET',
  path: '/api/v1/alarms',
  permission: 'links-index',
  reply: z.object({
    present: z.array(alarm),
    past: z.array(alarm),
    /** Number of links that should carry messages, and number of messages that wait for a link. */
    links: z.int(),
    waiting: z.int(),
  }),
});
