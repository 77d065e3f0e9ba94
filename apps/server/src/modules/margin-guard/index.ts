import { campaignMargin, losingDestinations, marginLosses } from '@heliograph/contract/margins/loss';
import { type App, mount } from '#platform/http/http';
import type { Retention } from '#platform/jobs/retention';
import { listLosses, showCampaignMargin } from './list-losses.ts';
import { listLosingDestinations } from './losing-destinations.ts';

export { AudienceForecast, audienceMargins } from './audience.ts';
export { type MarginGuard, readMarginGuard } from './guard.ts';
export { losingTraffic } from './losing-traffic.ts';
export { LateLosses } from './losses.ts';
export { marginOfQuote } from './margin-of-quote.ts';

/** Counts of losses are kept for a year, as long as reports reach back. */
export const lossRetention: Retention = { table: 'margin_loss', days: 366, since: 'day', order: ['day'], rows: 1_000 };

/** Mounts the losses: those that happened, those of plans and routes, and the margin of a campaign. */
export function mountMarginGuard(app: App): void {
  // Before the list, whose path takes any word.
  mount(app, losingDestinations, listLosingDestinations);
  mount(app, campaignMargin, showCampaignMargin);
  mount(app, marginLosses, listLosses);
}
