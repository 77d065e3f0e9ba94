import type { Campaign } from '../campaign-state.ts';
import { endOfBlackout, type Home, scheduleOf } from './plan-schedule.ts';

/** Step that the clock takes with a campaign. */
export type Step =
  | 'start'
  | 'end'
  | 'blackout'
  | 'blackout_over'
  | 'switched_off'
  | 'switched_on'
  | 'unpaid'
  | 'paid'
  | 'watch_canary'
  | 'judge_canary';

/** Properties of a campaign that decide the step. */
export type Timed = Pick<
  Campaign,
  | 'state'
  | 'schedule'
  | 'starts_at'
  | 'ends_at'
  | 'skip_blackout'
  | 'pause_reason'
  | 'canary_state'
  | 'canary_count'
  | 'canary_until'
> & {
  /** True if its corporation or department is disabled. */
  switched_off: boolean;
  /** True if payments of its account, or of the reseller's, are overdue and bulk messages wait for them. */
  unpaid: boolean;
};

/** Number of messages that have left or ended, and of those that failed or expired. */
export interface Progress {
  processed: number;
  failed: number;
  expired: number;
}

/** Returns the step that is due at a moment, or null if none is. */
export function nextStep(campaign: Timed, progress: Progress, home: Home, now: Date): Step | null {
  const { state, starts_at, ends_at, canary_state, canary_count, canary_until } = campaign;
  const due = (moment: string | null) => moment !== null && Date.parse(moment) <= now.getTime();
  if (state !== 'scheduled' && state !== 'running' && state !== 'paused') return null;
  if (due(ends_at)) return 'end';
  if (state === 'scheduled') return starts_at === null || due(starts_at) ? 'start' : null;
  const blackout = !campaign.skip_blackout && endOfBlackout(home, now) !== null;
  if (state === 'paused') {
    if (campaign.switched_off || campaign.unpaid || blackout) return null;
    if (campaign.pause_reason === 'switched_off') return 'switched_on';
    if (campaign.pause_reason === 'unpaid') return 'paid';
    return campaign.pause_reason === 'blackout' ? 'blackout_over' : null;
  }
  if (campaign.switched_off) return 'switched_off';
  if (campaign.unpaid) return 'unpaid';
  if (blackout) return 'blackout';
  if (canary_state === 'sending' && progress.processed >= canary_count!) return 'watch_canary';
  // A failed message will not be delivered later, so too many failures end the watch early.
  if (canary_state === 'watching')
    return due(canary_until) || failsTooOften(campaign, progress) ? 'judge_canary' : null;
  return null;
}

/** Tells if more messages of the canary have failed or expired than its rule allows. */
export function failsTooOften(campaign: Pick<Campaign, 'schedule' | 'canary_count'>, progress: Progress): boolean {
  const { canary } = scheduleOf(campaign);
  const share = (progress.failed + progress.expired) / Math.max(1, campaign.canary_count ?? 0);
  return canary !== null && share * 100 > canary.max_failed_percent;
}
