import { toThousandths } from '@heliograph/contract/kernel/money';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import { isPayable } from '@heliograph/contract/top-ups/fee';
import {
  merchantAccount,
  type noticeAddress,
  type registerNotices,
} from '@heliograph/contract/top-ups/merchant-account';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import { requireVisible } from '#platform/access/visible';
import type { Caller, Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler, ResourceHandlers } from '#platform/http/http';
import { enqueue } from '#platform/jobs/jobs';
import { seal, secretKey } from '#platform/process/seal';
import { tableStore } from '#platform/records/table-store';
import { translate } from '#platform/text/i18n';
import { secretKeyContext, webhookSecretContext } from './drivers/provider.ts';
import { noticeUrl, registerNoticesJob } from './open-page.ts';

type Row = Awaited<ReturnType<ResourceHandlers<typeof merchantAccount>['get']>>['data'];

/** Tells if a caller may change a payment method: the administration, and the reseller that owns it. */
const owns = (caller: Caller, { corporation_id }: Pick<Row, 'corporation_id'>): boolean =>
  isAdministration(caller.scope_level) || corporation_id === caller.corporation_id;

const stored = tableStore(merchantAccount, {
  table: 'merchant_account',
  from: 'merchant_account_row',
  may(row, caller) {
    const own = owns(caller, row);
    return { edit: own, delete: own };
  },
});

type Checked = Pick<
  Row,
  'driver' | 'mode' | 'currency' | 'minimum' | 'maximum' | 'fee_fixed' | 'public_key' | 'instructions'
>;

/** Providers whose payments are in pesos only. */
const IN_PESOS: readonly string[] = ['paymongo', 'maya'];

/** Throws if a field is missing that the driver needs, or if limits and currency do not fit. */
function check(row: Checked, has_secret_key: boolean): void {
  if (IN_PESOS.includes(row.driver) && row.currency !== 'PHP') throw fieldError('currency', 'pesos_only');
  if (row.driver === 'bank_transfer' && row.mode !== 'live') throw fieldError('mode', 'bank_transfer_live');
  if (row.driver === 'bank_transfer' && !row.instructions) throw fieldError('instructions', 'required');
  if (row.driver === 'maya' && row.mode !== 'simulated' && row.public_key === null)
    throw fieldError('public_key', 'required');
  if (row.driver !== 'bank_transfer' && row.mode !== 'simulated' && !has_secret_key)
    throw fieldError('secret_key', 'required');
  const [minimum, maximum] = [toThousandths(row.minimum), toThousandths(row.maximum)];
  if (minimum === 0) throw fieldError('minimum', 'too_small', { count: 0.01 });
  if (maximum < minimum) throw fieldError('maximum', 'maximum_below_minimum');
  for (const field of ['minimum', 'maximum', 'fee_fixed'] as const)
    if (!isPayable(toThousandths(row[field]), row.currency))
      throw fieldError(field, 'not_payable', { currency: row.currency });
}

interface Secrets {
  secret_key?: string | null | undefined;
  webhook_secret?: string | null | undefined;
}

async function setSecrets(ctx: Context, id: number, { secret_key, webhook_secret }: Secrets): Promise<void> {
  const key = secretKey(ctx.config);
  const sealed = (secret: string | null, context: string) => (secret === null ? null : seal(key, secret, context));
  const columns = {
    ...(secret_key !== undefined && { secret_key_sealed: sealed(secret_key, secretKeyContext(id)) }),
    ...(webhook_secret !== undefined && { webhook_secret_sealed: sealed(webhook_secret, webhookSecretContext(id)) }),
  };
  if (Object.keys(columns).length > 0)
    await ctx.db.updateTable('merchant_account').set(columns).where('id', '=', id).execute();
}

/** Returns the owner of a new payment method: a reseller's own people make them for their own customers only. */
async function ownerOf(ctx: Context, asked: number | null): Promise<number | null> {
  const { caller } = ctx;
  if (isAdministration(caller.scope_level)) {
    if (asked !== null) await requireVisible(ctx, 'corporation', asked, 'corporation_id', sql`is_reseller`);
    return asked;
  }
  if (asked !== null && asked !== caller.corporation_id) throw fieldError('corporation_id', 'not_visible');
  return caller.corporation_id;
}

/** Keys of the simulated providers; they accept any of the right form, and each payment method has its own. */
const simulatedKeys = (id: number) => ({ public_key: `pk-simulated-${id}`, secret_key: `sk-simulated-${id}` });

/** Payment methods. Secrets can be set and are never answered. */
export const merchantAccounts: ResourceHandlers<typeof merchantAccount> = {
  ...stored,
  async create(ctx, { params, query, body: { secret_key, webhook_secret, ...body } }) {
    const corporation_id = await ownerOf(ctx, body.corporation_id);
    // A reseller could otherwise let customers pay with money that does not exist, by mistake.
    if (body.mode === 'simulated' && !isAdministration(ctx.caller.scope_level))
      throw fieldError('mode', 'simulated_platform_only');
    check(body, secret_key !== null);
    const made = await stored.create(ctx, { params, query, body: { ...body, corporation_id } as never });
    const { id } = made.data;
    if (body.mode === 'simulated') await prepareSimulated(ctx, id, body.driver);
    else await setSecrets(ctx, id, { secret_key, webhook_secret });
    return { ...made, ...(await stored.get(ctx, { params: { id }, query: {}, body: {} })) };
  },
  async update(ctx, { params, query, body: { secret_key, webhook_secret, ...body } }) {
    const { data: present } = await stored.get(ctx, { params, query: {}, body: {} });
    if (!owns(ctx.caller, present)) throw new BusinessError('forbidden');
    check(
      { ...present, ...(body as Partial<Row>) },
      secret_key === undefined ? present.has_secret_key : secret_key !== null,
    );
    await setSecrets(ctx, params.id, { secret_key, webhook_secret });
    return stored.update(ctx, { params, query, body: body as never });
  },
  async remove(ctx, call) {
    if (!owns(ctx.caller, (await stored.get(ctx, call)).data)) throw new BusinessError('forbidden');
    return stored.remove(ctx, call);
  },
};

async function prepareSimulated(ctx: Context, id: number, driver: string): Promise<void> {
  const { public_key, secret_key } = simulatedKeys(id);
  await setSecrets(ctx, id, { secret_key: driver === 'maya' ? secret_key : secret_key.replace('sk-', 'sk_') });
  if (driver === 'maya')
    await ctx.db.updateTable('merchant_account').set({ public_key }).where('id', '=', id).execute();
}

async function ownMerchant(ctx: Context, params: { id: number }) {
  const { data } = await stored.get(ctx, { params, query: {}, body: {} });
  if (!owns(ctx.caller, data)) throw new BusinessError('forbidden');
  return data;
}

/** Returns the address that the provider of a payment method calls. */
export const showNoticeAddress: Handler<typeof noticeAddress> = async (ctx, { params }) => {
  await ownMerchant(ctx, params);
  const { notice_key } = await ctx.db
    .selectFrom('merchant_account')
    .select('notice_key')
    .where('id', '=', params.id)
    .executeTakeFirstOrThrow();
  return { data: { url: noticeUrl(ctx.config, notice_key) } };
};

/** Lets a worker register that address at the provider. */
export const askToRegister: Handler<typeof registerNotices> = async (ctx, { params }) => {
  const { name, corporation_id } = await ownMerchant(ctx, params);
  await enqueue(ctx.db, registerNoticesJob, { merchant_account_id: params.id });
  await audit(ctx, {
    name: 'merchant-accounts',
    description: 'notices registered',
    subject_type: 'merchant-accounts',
    subject_id: params.id,
    corporation_id,
  });
  return { message: translate(ctx.locale, 'merchant_account.registering', { name }) };
};
