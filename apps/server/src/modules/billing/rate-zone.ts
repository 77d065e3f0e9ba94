import { rateZone } from '@heliograph/contract/billing/rate-zone';
import { requirePlatform } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';

const stored = tableStore(rateZone, { table: 'rate_zone' });
type Zone = Awaited<ReturnType<typeof stored.get>>['data'];

const withAbilities = (zone: Zone): Zone =>
  zone.built_in ? { ...zone, abilities: { ...zone.abilities, delete: false } } : zone;

/**
 * Rate zones, one set for all. Prices are looked up by the two built-in ones, so these can be neither renamed nor
 * deleted.
 */
export const rateZones: ResourceHandlers<typeof rateZone> = {
  async list(ctx, call) {
    const page = await stored.list(ctx, call);
    return { ...page, data: page.data.map(withAbilities) };
  },
  async get(ctx, call) {
    return { data: withAbilities((await stored.get(ctx, call)).data) };
  },
  create(ctx, call) {
    requirePlatform(ctx.caller);
    return stored.create(ctx, call);
  },
  async update(ctx, call) {
    requirePlatform(ctx.caller);
    const { data } = await stored.get(ctx, call);
    if (data.built_in && call.body.name !== undefined && call.body.name !== data.name)
      throw fieldError('name', 'built_in');
    const updated = await stored.update(ctx, call);
    return { ...updated, data: withAbilities(updated.data) };
  },
  async remove(ctx, call) {
    requirePlatform(ctx.caller);
    const { data } = await stored.get(ctx, call);
    if (data.built_in) throw new BusinessError('has_dependencies');
    return stored.remove(ctx, call);
  },
};
