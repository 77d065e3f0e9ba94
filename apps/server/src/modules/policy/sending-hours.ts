import { sendingHours as contract } from '@heliograph/contract/policy/sending-hours';
import { fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { ZONES_BY_PREFIX } from './zones-by-prefix.ts';

const stored = tableStore(contract, { table: 'sending_hours', searched: ['name', 'calling_code'] });

/** Throws on a calling code that no country has. */
function check(code: string | null | undefined): void {
  if (code && ZONES_BY_PREFIX[code] === undefined) throw fieldError('calling_code', 'calling_code');
}

/** Hours in which people may get messages; only the platform's own people change them. */
export const sendingHours: ResourceHandlers<typeof contract> = {
  ...stored,
  create(ctx, call) {
    check(call.body.calling_code);
    return stored.create(ctx, call);
  },
  update(ctx, call) {
    check(call.body.calling_code);
    return stored.update(ctx, call);
  },
};
