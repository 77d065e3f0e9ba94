import { numberSource } from '@heliograph/contract/number-lookups/number-source';
import type { Context } from '#platform/context';
import { fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { seal, secretKey } from '#platform/process/seal';
import { tableStore } from '#platform/records/table-store';
import { authorizationContext } from './look-up.ts';

const stored = tableStore(numberSource, { table: 'number_source', from: 'number_source_row' });
type Row = Awaited<ReturnType<typeof stored.get>>['data'];
type Amounts = { daily_spend?: string | null | undefined; unit_cost?: string | undefined };

/** Returns an amount in millionths, without floating point. */
function toMillionths(amount: string): number {
  const [whole = '0', decimals = ''] = amount.split('.');
  return Number(whole + decimals.padEnd(6, '0'));
}

/** Returns the columns of amounts that a body has. */
const amountsOf = ({ daily_spend, unit_cost }: Amounts) => ({
  ...(daily_spend !== undefined && { daily_spend: daily_spend === null ? null : toMillionths(daily_spend) }),
  ...(unit_cost !== undefined && { unit_cost: toMillionths(unit_cost) }),
});

/** Fields that a driver cannot do without. */
const NEEDED = { http: ['url', 'mcc_path'], enum: ['server', 'zone'], dump: [], simulator: [] } as const;

/** Throws if a field is missing that the driver needs, or if a batch is asked for without a list of numbers. */
function check(
  source: Pick<Row, 'driver' | 'url' | 'mcc_path' | 'server' | 'zone' | 'batch_size' | 'number_path'>,
): void {
  for (const field of NEEDED[source.driver]) if (source[field] === null) throw fieldError(field, 'required');
  if (source.driver !== 'http') return;
  if (source.batch_size > 1 && !source.url!.includes('{numbers}')) throw fieldError('url', 'lookup_url_numbers');
  if (source.batch_size > 1 && source.number_path === null) throw fieldError('number_path', 'required');
}

const originOf = (url: string | null) => (url !== null && URL.canParse(url) ? new URL(url).origin : null);

async function setAuthorization(ctx: Context, id: number, secret: string | null | undefined): Promise<void> {
  if (secret === undefined) return;
  const authorization_sealed = secret === null ? null : seal(secretKey(ctx.config), secret, authorizationContext(id));
  await ctx.db.updateTable('number_source').set({ authorization_sealed }).where('id', '=', id).execute();
}

/** Services for the networks of numbers. The secret of a service can be set and is never answered. */
export const numberSources: ResourceHandlers<typeof numberSource> = {
  ...stored,
  async create(ctx, { params, query, body: { authorization, ...body } }) {
    check(body);
    const made = await stored.create(ctx, { params, query, body: { ...body, ...amountsOf(body) } as never });
    await setAuthorization(ctx, made.data.id, authorization);
    return { ...made, ...(await stored.get(ctx, { params: { id: made.data.id }, query: {}, body: {} })) };
  },
  async update(ctx, { params, query, body: { authorization, ...body } }) {
    const { data: present } = await stored.get(ctx, { params, query: {}, body: {} });
    check({ ...present, ...(body as Partial<Row>) });
    // A stored secret is never sent to another host.
    const moved = body.url !== undefined && originOf(body.url ?? null) !== originOf(present.url);
    if (moved && present.has_authorization && authorization === undefined)
      throw fieldError('authorization', 'lookup_secret_again');
    await setAuthorization(ctx, params.id, authorization);
    return stored.update(ctx, { params, query, body: { ...body, ...amountsOf(body) } as never });
  },
};
