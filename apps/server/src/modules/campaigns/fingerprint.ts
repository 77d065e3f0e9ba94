import { createHash } from 'node:crypto';
import type { Campaign } from './campaign-state.ts';

/** What an approval is bound to. */
type Bound = Pick<
  Campaign,
  'content' | 'sender_id' | 'schedule' | 'billing_account_id' | 'total_count' | 'total_sms' | 'estimated_cost'
>;

/** A campaign's text, audience, sender, schedule and cost as a word of 64 letters: any edit of them makes another. */
export function fingerprintOf(campaign: Bound): string {
  const { content, sender_id, schedule, billing_account_id, total_count, total_sms, estimated_cost } = campaign;
  // The database keeps the members of its documents in an order of its own, so equal ones are equal texts.
  const bound = [content, sender_id, schedule, billing_account_id, total_count, total_sms, estimated_cost];
  return createHash('sha256').update(JSON.stringify(bound)).digest('hex');
}
