import { blackoutTime } from '@heliograph/contract/organizations/blackout-time';
import { requireVisible } from '#platform/access/visible';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';

const stored = tableStore(blackoutTime, {
  table: 'blackout_time',
  from: 'blackout_time_row',
  searched: ['corporation_name', 'start_time', 'end_time'],
});

/** Hours of each day in which a corporation starts no campaign. */
export const blackoutTimes: ResourceHandlers<typeof blackoutTime> = {
  ...stored,
  async create(ctx, call) {
    await requireVisible(ctx, 'corporation', call.body.corporation_id, 'corporation_id');
    return stored.create(ctx, call);
  },
};
