import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { type getPersonRequest, PERSON_KINDS } from '@heliograph/contract/privacy/person-request';
import type { ConnectedConfig } from '#platform/config/config';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { open, secretKey } from '#platform/process/seal';
import { numberContext } from './person.ts';

type Shown = ReplyOf<typeof getPersonRequest>['data'];

/** Query for the requests that the caller sees. */
export const requestsOf = (ctx: Pick<Context, 'db'>) => ctx.db.selectFrom('person_request_row').selectAll();
type Row = Awaited<ReturnType<ReturnType<typeof requestsOf>['executeTakeFirstOrThrow']>>;

/** Finds a request that the caller sees; throws `not_found`. */
export async function findRequest(ctx: Pick<Context, 'db'>, id: number): Promise<Row> {
  const row = await requestsOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw new BusinessError('not_found');
  return row;
}

/** Throws unless the caller sees everything of a corporation: requests search all of its departments. */
export function requireWholeCorporation({ caller }: Pick<Context, 'caller'>): void {
  if (caller.scope_level > 2) throw new BusinessError('forbidden');
}

/** Converts a request for callers. */
export function onWire({ config, caller }: Pick<Context, 'config' | 'caller'>, row: Row): Shown {
  const { number_sealed, erased: done, activity_id: _, erased_by, ...rest } = row;
  const erased = countsOf(done);
  const needs_other = row.state === 'asked' && erased_by === caller.user_id;
  return { ...rest, number: openNumber(config, row.id!, number_sealed), erased, needs_other } as Shown;
}

/** Returns the erased records of a request by kind, in the usual order. */
export const countsOf = (erased: unknown) =>
  PERSON_KINDS.flatMap((kind) => {
    const count = (erased as Partial<Record<string, number>>)[kind];
    return count === undefined ? [] : [{ kind, count }];
  });

/** Opens the number of a request; null if it is gone, or was sealed with another key of the installation. */
function openNumber(config: ConnectedConfig, id: number, sealed: string | null): string | null {
  if (sealed === null) return null;
  try {
    return open(secretKey(config), sealed, numberContext(id));
  } catch {
    return null;
  }
}
