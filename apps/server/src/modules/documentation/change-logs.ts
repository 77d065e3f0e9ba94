import { changeLog } from '@heliograph/contract/documentation/change-log';
import { requirePlatform } from '#platform/context';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { sanitise } from './sanitise.ts';

const stored = tableStore(changeLog, { table: 'change_log', searched: ['version', 'description'] });

/** Change log by version. An entry of the program that somebody changed is no longer updated by the program. */
export const changeLogs: ResourceHandlers<typeof changeLog> = {
  ...stored,
  async create(ctx, call) {
    requirePlatform(ctx.caller);
    const body = { ...call.body, description: sanitise(call.body.description), edited: true };
    return stored.create(ctx, { ...call, body: body as typeof call.body });
  },
  async update(ctx, call) {
    await stored.get(ctx, call);
    requirePlatform(ctx.caller);
    if (Object.keys(call.body).length === 0) return stored.update(ctx, call);
    const { description } = call.body;
    const body = {
      ...call.body,
      ...(description !== undefined && { description: sanitise(description) }),
      edited: true,
      updated_at: ctx.clock.now().toISOString(),
    };
    return stored.update(ctx, { ...call, body: body as typeof call.body });
  },
};
