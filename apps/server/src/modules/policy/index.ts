import { sendingHours as sendingHoursContract } from '@heliograph/contract/policy/sending-hours';
import { sendingLimit } from '@heliograph/contract/policy/sending-limit';
import { type App, mountResource } from '#platform/http/http';
import type { Retention } from '#platform/jobs/retention';
import { consentRoutes } from './consent-list.ts';
import { sendingHours } from './sending-hours.ts';
import { sendingLimits } from './sending-limit.ts';

export {
  type AudienceLimits,
  audienceLimits,
  countCampaign,
  countRecipients,
  giveBackCampaign,
} from './campaign-limits.ts';
export { type ConsentRule, confirmConsents, consentedAmong, consentRule } from './consent.ts';
export { consentKind } from './consent-list.ts';
export { type DailyWindow, endOfWindow } from './daily-window.ts';
export { explainConsent, explainLimits } from './explain.ts';
export { explainHours } from './explain-hours.ts';
export { firstAllowed } from './first-allowed.ts';
export { type ClosedHours, closedIn, heldUntil, outsideHours, readHours } from './hours.ts';
export { type Counted, OpenLimits } from './limits.ts';

export { zonesOf } from './zones-by-prefix.ts';

/** Retention of what limits have counted. No period is longer than a month. */
export const limitUseRetention: Retention = {
  table: 'sending_limit_use',
  days: 40,
  since: 'starts_on',
  order: ['starts_on', 'limit_id', 'subject'],
  rows: 5_000,
  inOrder: true,
};

/** Mounts the policy of sending: limits of messages and money, hours, and consents. */
export function mountPolicy(app: App): void {
  mountResource(app, sendingLimit, sendingLimits);
  consentRoutes(app);
  mountResource(app, sendingHoursContract, sendingHours);
}
