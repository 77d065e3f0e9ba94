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

/** Rate of a campaign, and the bounds of the time that is left, in seconds. */
export interface Pace {
  perSecond: number;
  soonest: number;
  latest: number;
}

/**
 * Returns the pace of a campaign from its latest rate and its average since the start. A campaign that speeds up or is
 * throttled has two rates, and the truth is between them. Returns undefined if both are unknown.
 */
export function spanOf(
  latest: { perSecond: number } | undefined,
  average: number | undefined,
  left: number,
): Pace | undefined {
  const rates = [latest?.perSecond, average].filter((rate): rate is number => rate !== undefined && rate > 0);
  if (rates.length === 0) return undefined;
  return {
    perSecond: rates[0]!,
    soonest: left / Math.max(...rates),
    latest: left / Math.min(...rates),
  };
}

/**
 * Returns the pace of work in progress: undefined while it stands still, null until it was watched long enough. The
 * average since the start is known from the first second on.
 */
export function usePace({
  processed,
  total_count,
  state,
  started_at,
}: Pick<Campaign, 'processed' | 'total_count' | 'state' | 'started_at'>): Pace | null | undefined {
  const samples = useRef<Sample[]>([]);
  const [, tick] = useState(0);
  const underWay = state === 'running';
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
  const latest = paceOf(kept, total_count);
  // After the watch, a campaign that does not move has no rate, whatever it did before.
  if (!latest && watched >= WATCHED_MS) return undefined;
  const ran = started_at === null ? 0 : (now - Date.parse(started_at)) / 1_000;
  const average = ran >= 1 ? processed / ran : undefined;
  return spanOf(latest, average, Math.max(0, total_count - processed)) ?? null;
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
    return pause_reason && pause_reason !== 'person' && pause_reason !== 'canary' ? pause_reason : 'paused';
  if (processed >= total_count) return 'done';
  if (canary_state === 'watching') return 'canary';
  if (waiting > 0) return 'throttled';
  if (pace === null) return 'measuring';
  if (spread_until) return 'spread';
  return schedule.quiet ? 'quiet' : 'carrier';
}

const COUNTERS = ['submitted', 'delivered', 'failed', 'expired', 'blocked', 'cancelled'] as const;
type Counters = Pick<Campaign, (typeof COUNTERS)[number] | 'processed' | 'waiting'>;

/** Content of the event `campaign.progress`: the current counters, or the change of the state. */
export interface CampaignProgress extends Partial<Counters> {
  id: number;
  state?: Campaign['state'];
}

/**
 * Returns a campaign updated by an event. Counters only grow, so an outdated event changes nothing. The carrier may
 * refuse messages that were already processed, so only the sum of processed and waiting messages never shrinks.
 */
export function takeIn<C extends { id: number } & Counters>(campaign: C, news: CampaignProgress): C {
  if (campaign.id !== news.id) return campaign;
  const merged = { ...campaign };
  for (const counter of COUNTERS) merged[counter] = Math.max(campaign[counter], news[counter] ?? 0);
  const { processed, waiting = 0 } = news;
  if (processed !== undefined && processed + waiting >= campaign.processed + campaign.waiting)
    Object.assign(merged, { processed, waiting });
  return merged;
}
