import { rateZone } from '@heliograph/contract/billing/rate-zone';
import { requirePlatform } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';

const stored = tableStore(rateZone, { table: 'rate_zone', may: (zone) => ({ delete: !zone.built_in }) });

/**
 * Rate zones, one set for all. Prices are looked up by the two built-in ones, so these can be neither renamed nor
 * deleted.
 */
export const rateZones: ResourceHandlers<typeof rateZone> = {
  ...stored,
  create(ctx, call) {
    requirePlatform(ctx.caller);
    return stored.create(ctx, call);
  },
  async update(ctx, call) {
    requirePlatform(ctx.caller);
    const { data } = await stored.get(ctx, call);
    if (data.built_in && call.body.name !== undefined && call.body.name !== data.name)
      throw fieldError('name', 'built_in');
    return stored.update(ctx, call);
  },
  async remove(ctx, call) {
    requirePlatform(ctx.caller);
    const { data } = await stored.get(ctx, call);
    if (data.built_in) throw new BusinessError('has_dependencies');
    return stored.remove(ctx, call);
  },
};
