/** States of a campaign and the allowed transitions; the server refuses any other. */
export const CAMPAIGN_TRANSITIONS = {
  preparing: ['rejected', 'pending', 'scheduled', 'running', 'failed', 'stopped'],
  pending: ['discarded', 'scheduled', 'running', 'stopped', 'preparing'],
  scheduled: ['running', 'stopped', 'preparing', 'pending', 'failed'],
  running: ['paused', 'completed', 'stopped', 'failed'],
  paused: ['running', 'stopped', 'completed'],
  rejected: [],
  discarded: [],
  completed: [],
  stopped: [],
  failed: [],
} as const satisfies Record<string, readonly string[]>;

export type CampaignState = keyof typeof CAMPAIGN_TRANSITIONS;
export const CAMPAIGN_STATES = Object.keys(CAMPAIGN_TRANSITIONS) as [CampaignState, ...CampaignState[]];

/** Returns whether a campaign may go from one state to another. */
export function mayBecome(from: CampaignState, to: CampaignState): boolean {
  return (CAMPAIGN_TRANSITIONS[from] as readonly CampaignState[]).includes(to);
}

/** States of a message in reports. Only `pending` and `submitted` can still change. */
export const MESSAGE_STATES = [
  'pending',
  'submitted',
  'delivered',
  'expired',
  'cancelled',
  'failed_internal',
  'failed_billing',
  'failed_submit',
  'failed_other',
  'blocked',
] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** Classes of traffic, in order of priority within a link. */
export const MESSAGE_CLASSES = ['otp', 'transactional', 'bulk'] as const;
export type MessageClass = (typeof MESSAGE_CLASSES)[number];
