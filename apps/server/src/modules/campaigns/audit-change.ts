import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import type { Campaign } from './campaign-state.ts';

/** Writes an action on a campaign into the activity log. */
export function auditChange(
  ctx: Context,
  campaign: Pick<Campaign, 'id' | 'corporation_id'>,
  description: string,
  before: object,
  after: object,
): Promise<void> {
  return audit(ctx, {
    name: 'campaigns',
    description,
    subject_type: 'campaigns',
    subject_id: campaign.id,
    corporation_id: campaign.corporation_id,
    before,
    after,
  });
}
