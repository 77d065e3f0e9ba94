import type { Campaign } from '../campaign-state.ts';
import { endOfBlackout, type Home, scheduleOf } from './plan-schedule.ts';

/** What the clock does to a campaign. */
export type Step =
  | 'start'
  | 'end'
  | 'blackout'
  | 'blackout_over'
  | 'switched_off'
  | 'switched_on'
  | 'watch_canary'
  | 'judge_canary';

/** What decides it. */
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
  /** Its corporation or department is switched off. */
  switched_off: boolean;
};

/** How many of its messages have left or ended, and how many of them in vain. */
export interface Progress {
  processed: number;
  failed: number;
  expired: number;
}

/** What is due of a campaign at a moment; null for nothing. */
export function nextStep(campaign: Timed, progress: Progress, home: Home, now: Date): Step | null {
  const { state, starts_at, ends_at, canary_state, canary_count, canary_until } = campaign;
  const due = (moment: string | null) => moment !== null && Date.parse(moment) <= now.getTime();
  if (state !== 'scheduled' && state !== 'running' && state !== 'paused') return null;
  if (due(ends_at)) return 'end';
  if (state === 'scheduled') return starts_at === null || due(starts_at) ? 'start' : null;
  const blackout = !campaign.skip_blackout && endOfBlackout(home, now) !== null;
  if (state === 'paused') {
    if (campaign.switched_off || blackout) return null;
    if (campaign.pause_reason === 'switched_off') return 'switched_on';
    return campaign.pause_reason === 'blackout' ? 'blackout_over' : null;
  }
  if (campaign.switched_off) return 'switched_off';
  if (blackout) return 'blackout';
  if (canary_state === 'sending' && progress.processed >= canary_count!) return 'watch_canary';
  // What has failed will not be delivered later: too much of it ends the watch.
  if (canary_state === 'watching')
    return due(canary_until) || failsTooOften(campaign, progress) ? 'judge_canary' : null;
  return null;
}

/** Whether more of the part that went first has failed or expired than its rule allows. */
export function failsTooOften(campaign: Pick<Campaign, 'schedule' | 'canary_count'>, progress: Progress): boolean {
  const { canary } = scheduleOf(campaign);
  const share = (progress.failed + progress.expired) / Math.max(1, campaign.canary_count ?? 0);
  return canary !== null && share * 100 > canary.max_failed_percent;
}
