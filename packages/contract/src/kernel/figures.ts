import type { MessageState } from './states.ts';

/**
 * Figure that counts a message, by its state. Each state counts in one figure, the same on every screen and in every
 * report, file and call. The guide's article `figures` explains them.
 */
export const FIGURE_OF_STATE = {
  pending: 'pending',
  submitted: 'submitted',
  delivered: 'delivered',
  expired: 'expired',
  cancelled: 'cancelled',
  failed_internal: 'failed',
  failed_billing: 'failed',
  failed_submit: 'failed',
  failed_other: 'failed',
  blocked: 'blocked',
} as const satisfies Record<MessageState, string>;

/** Figures of messages with a final state. */
export const END_FIGURES = ['delivered', 'failed', 'expired', 'blocked', 'cancelled'] as const;
type EndFigure = (typeof END_FIGURES)[number];

/** Returns the number of messages that left and have no final state: on their way, or never reported. */
export const onTheirWay = (figures: Record<EndFigure | 'processed', number>): number =>
  Math.max(0, figures.processed - END_FIGURES.reduce((sum, figure) => sum + figures[figure], 0));

/**
 * Returns the share of delivered messages among those that were delivered, failed or expired, from 0 to 1; null if
 * there are none. Blocked and cancelled messages were never handed to a carrier, so they do not count.
 */
export function deliveryRate(figures: Record<'delivered' | 'failed' | 'expired', number>): number | null {
  const { delivered, failed, expired } = figures;
  const ended = delivered + failed + expired;
  return ended === 0 ? null : delivered / ended;
}

/** Figures with a definition: `figure_means.<figure>`, on the screens and in the guide. */
export const FIGURES = [
  'processed',
  'waiting',
  'accepted',
  'submitted',
  'delivered',
  'failed',
  'expired',
  'blocked',
  'cancelled',
  'delivery_rate',
  'spend',
] as const;
export type Figure = (typeof FIGURES)[number];

const OF_CAMPAIGN = {
  processed: 'processed',
  waiting: 'waiting',
  submitted: 'accepted',
  delivered: 'delivered',
  failed: 'failed',
  expired: 'expired',
  blocked: 'blocked',
  cancelled: 'cancelled',
  charged: 'spend',
} as const satisfies Record<string, Figure>;

/** Figures of the fields of a list, by the list's name. */
export const FIGURE_FIELDS: Readonly<Record<string, Readonly<Record<string, Figure>>>> = {
  campaigns: OF_CAMPAIGN,
  'campaign-history': { ...OF_CAMPAIGN, submitted: 'submitted' },
  'summary-reports': {
    messages: 'accepted',
    delivered: 'delivered',
    failed: 'failed',
    blocked: 'blocked',
    expired: 'expired',
    delivery_rate: 'delivery_rate',
    spend: 'spend',
  },
};
