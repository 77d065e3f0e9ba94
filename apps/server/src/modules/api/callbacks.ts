import * as contract from '@heliograph/contract/api/callback-address';
import { EVENT_TYPES, type EventType } from '@heliograph/contract/kernel/events';
import {
  addProgramEndpoint,
  endpointsOfProgram,
  type ProgramEndpoint,
  removeProgramEndpoint,
  sample,
} from '#modules/callbacks';
import { BusinessError } from '#platform/errors';
import type { KeyHolder } from './keyring.ts';
import { mountPublicOperation, type PublicApi } from './mount-public.ts';

const adderOf = ({ key_id, caller }: KeyHolder) => ({ key_id, corporation_id: caller.corporation_id! });

const statusOf = ({ enabled, paused_at, failing_since }: ProgramEndpoint) =>
  !enabled ? 'disabled' : paused_at !== null ? 'paused' : failing_since !== null ? 'failing' : 'active';

const onWire = (row: ProgramEndpoint) => {
  const { id, url, types, description, created_at } = row;
  return { id: String(id), url, types, description, status: statusOf(row), created_at } as const;
};

/** Throws `scope_missing` unless the key may read the events that it wants sent. */
function requireScopes({ scopes }: KeyHolder, types: readonly EventType[]): void {
  const needed = types.includes('journey.step')
    ? (['events:read', 'contacts:read'] as const)
    : (['events:read'] as const);
  const scope = needed.find((each) => !scopes.has(each));
  if (scope) throw new BusinessError('scope_missing', { params: { scope } });
}

/** Mounts the calls by which programs have events sent to them, and the samples of events. */
export function callbackCalls(api: PublicApi): void {
  mountPublicOperation(api, contract.listCallbacks, ({ holder, read }) =>
    read(async (ctx) => ({ data: (await endpointsOfProgram(ctx, adderOf(holder))).map(onWire) })),
  );
  mountPublicOperation(api, contract.addCallback, ({ holder, body, read }) => {
    requireScopes(holder, body.types);
    const types = EVENT_TYPES.filter((type) => body.types.includes(type));
    return read(async (ctx) => {
      const added = await addProgramEndpoint(ctx, adderOf(holder), {
        ...body,
        types,
        description: body.description ?? null,
      });
      return { ...onWire(added), secret: added.secret };
    });
  });
  mountPublicOperation(api, contract.removeCallback, ({ holder, params, read }) =>
    read(async (ctx) => {
      await removeProgramEndpoint(ctx, adderOf(holder), Number(params.id));
      return { id: params.id };
    }),
  );
  mountPublicOperation(api, contract.sampleEvents, ({ query }) => {
    const timestamp = api.app.clock.now().toISOString();
    const data = EVENT_TYPES.filter((type) => query.type === undefined || type === query.type).map((type, place) => ({
      id: String(place + 1),
      type,
      timestamp,
      data: sample(type, timestamp),
    }));
    // The schema of the reply checks the data of each type.
    return Promise.resolve({ data } as never);
  });
}
