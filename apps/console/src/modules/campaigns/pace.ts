import { useEffect, useRef, useState } from 'react';
import type { Campaign } from './campaign-feed.ts';

interface Sample {
  at: number;
  processed: number;
}

/** Time span of the samples from which the rate is computed, in milliseconds. */
const WINDOW_MS = 12_000;

/** Time for which a campaign is watched before it counts as stalled, in milliseconds. */
const WATCHED_MS = 3_000;

/**
 * Returns the messages per second and the seconds left, from the latest samples. Returns undefined until two samples
 * differ.
 */
export function paceOf(
  samples: readonly Sample[],
  total: number,
): { perSecond: number; secondsLeft: number } | undefined {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.at - first.at < 900 || last.processed <= first.processed) return undefined;
  const perSecond = ((last.processed - first.processed) * 1000) / (last.at - first.at);
  return { perSecond, secondsLeft: Math.max(0, total - last.processed) / perSecond };
}

/** Returns the rate of work in progress: undefined while it stands still, null until it was watched long enough. */
export function usePace(processed: number, total: number, underWay: boolean) {
  const samples = useRef<Sample[]>([]);
  const [, tick] = useState(0);
  // A stalled campaign sends no events, so the rate must fall by itself.
  useEffect(() => {
    if (!underWay) return;
    const timer = setInterval(() => tick((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, [underWay]);
  if (!underWay) return undefined;
  const now = Date.now();
  const kept = samples.current.filter(({ at }) => now - at <= WINDOW_MS);
  if (kept.length === 0 || now - kept.at(-1)!.at >= 450) kept.push({ at: now, processed });
  samples.current = kept;
  const watched = kept.length > 0 ? now - kept[0]!.at : 0;
  return paceOf(kept, total) ?? (watched < WATCHED_MS ? null : undefined);
}

type Standing = Pick<
  Campaign,
  'state' | 'pause_reason' | 'processed' | 'waiting' | 'total_count' | 'canary_state' | 'spread_until' | 'schedule'
>;

/**
 * Returns the reason why a campaign has no rate, as a word of `campaign.no_rate`. `pace` is the result of `usePace`.
 */
export function whyNoRate(campaign: Standing, pace: null | undefined): string {
  const { state, pause_reason, processed, waiting, total_count, canary_state, spread_until, schedule } = campaign;
  if (state === 'paused')
    return pause_reason === 'blackout' || pause_reason === 'switched_off' ? pause_reason : 'paused';
  if (processed >= total_count) return 'done';
  if (canary_state === 'watching') return 'canary';
  if (waiting > 0) return 'throttled';
  if (pace === null) return 'measuring';
  if (spread_until) return 'spread';
  return schedule.quiet ? 'quiet' : 'carrier';
}
