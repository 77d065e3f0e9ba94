import { createHash } from 'node:crypto';
import type { Campaign } from './campaign-state.ts';

/** Properties of a campaign that an approval covers. */
type Bound = Pick<
  Campaign,
  'content' | 'sender_id' | 'schedule' | 'billing_account_id' | 'total_count' | 'total_sms' | 'estimated_cost'
>;

/**
 * Returns a hash of a campaign's text, audience, sender, schedule and cost, in 64 characters. Any edit of them changes
 * it.
 */
export function fingerprintOf(campaign: Bound): string {
  const { content, sender_id, schedule, billing_account_id, total_count, total_sms, estimated_cost } = campaign;
  // The database keeps the members of a JSON document in a fixed order, so equal documents are equal texts.
  const bound = [content, sender_id, schedule, billing_account_id, total_count, total_sms, estimated_cost];
  return createHash('sha256').update(JSON.stringify(bound)).digest('hex');
}
