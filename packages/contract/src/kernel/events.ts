/** Types of events that programs receive by callback, feed or session. */
export const EVENT_TYPES = [
  'message.delivered',
  'message.failed',
  'message.expired',
  'message.corrected',
  'message.received',
  'campaign.finished',
  'link.clicked',
  'journey.step',
  'verification.approved',
  'verification.failed',
  'verification.expired',
  'balance.low',
  'payment.received',
  'invoice.issued',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
