import { NOTICE_PATH } from '@heliograph/contract/top-ups/merchant-account';
import { z } from 'zod';
import { failpoint } from '#platform/failpoints';
import { defineJob } from '#platform/jobs/jobs';
import { brandOf } from '#platform/operator/brand';
import { isLoopback } from '#platform/process/loopback';
import { seal, secretKey } from '#platform/process/seal';
import { publicUrl } from '#platform/process/shutdown';
import { ProviderRefused } from './drivers/driver.ts';
import { DRIVERS, type OnlineDriver, type Providers, webhookSecretContext } from './drivers/provider.ts';
import { countDecline } from './kept-card.ts';
import { merchantOf, type TopUpWorker } from './look.ts';
import { lockTopUp, type TopUp, tellChange } from './settle.ts';
import { addNews } from './tell-top-ups.ts';

/** Job that opens the provider's page of a top-up. */
export const openPageJob = defineJob('open-top-up-page', z.object({ top_up_id: z.int() }));
/** Job that registers the address for notices at a payment method's provider. */
export const registerNoticesJob = defineJob('register-payment-notices', z.object({ merchant_account_id: z.int() }));

/** Returns the address that a provider calls. */
export const noticeUrl = (config: TopUpWorker['config'], key: string) => `${publicUrl(config)}${NOTICE_PATH}/${key}`;

/**
 * Returns the console to which the provider's page returns: where the person was, if that is the platform's address, their
 * reseller's, or this machine while no address is set. Any other origin is not used.
 */
async function consoleOf({ database, config }: TopUpWorker, { origin, corporation_id }: TopUp): Promise<string> {
  const own = publicUrl(config);
  const { url } = await brandOf(database, config, corporation_id);
  if (origin === null || !URL.canParse(origin)) return url;
  const asked = new URL(origin);
  if ([own, url].some((each) => new URL(each).origin === asked.origin)) return asked.origin;
  const isHere = config.PUBLIC_URL === undefined && isLoopback(asked.hostname) && /^https?:$/.test(asked.protocol);
  return isHere && asked.port === new URL(own).port ? asked.origin : url;
}

/** Registers the address for notices, and keeps the secret that signs them. */
export async function registerNotices(worker: TopUpWorker, providers: Providers, id: number): Promise<void> {
  const { database, config } = worker;
  const stored = await merchantOf(worker, id);
  if (stored.driver === 'bank_transfer') return;
  const { notice_key } = await database
    .selectFrom('merchant_account')
    .select('notice_key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const driver = DRIVERS[stored.driver as OnlineDriver];
  const secret = await driver.register(providers.merchant(stored), noticeUrl(config, notice_key));
  if (secret === null) return;
  const webhook_secret_sealed = seal(secretKey(config), secret, webhookSecretContext(id));
  await database.updateTable('merchant_account').set({ webhook_secret_sealed }).where('id', '=', id).execute();
}

/** Registers a simulated provider's notices before the first page: nobody has a dashboard where they would do it. */
async function prepareSimulated(worker: TopUpWorker, providers: Providers, id: number): Promise<void> {
  const merchant = await worker.database
    .selectFrom('merchant_account')
    .select(['mode', 'driver', 'webhook_secret_sealed'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (merchant.mode !== 'simulated') return;
  if (merchant.webhook_secret_sealed === null || merchant.driver === 'maya')
    await registerNotices(worker, providers, id);
}

/** Ends a top-up whose page or charge the provider refused. A charge counts as declined, unless none was made. */
export async function failTopUp(worker: TopUpWorker, id: number, fault: string, declined = true): Promise<void> {
  const { database, log, clock } = worker;
  log.warn({ top_up_id: id, fault }, 'payment provider refused a top-up');
  await database.transaction().execute(async (db) => {
    const topUp = await lockTopUp(db, id);
    if (topUp?.state !== 'created') return;
    const refused = { state: 'failed', problem: 'provider_refused' };
    await db.updateTable('top_up').set(refused).where('id', '=', id).execute();
    await tellChange(db, topUp);
    await addNews(db, topUp, 'failed', topUp.amount);
    if (topUp.automatic && declined) await countDecline(db, topUp, clock.now());
  });
}

/**
 * Opens the provider's page of a top-up, and stores its address. A crash between both opens another page under the same
 * reference, and only its address is shown. Throws `ProviderUnreachable`.
 */
export async function openPage(worker: TopUpWorker, providers: Providers, id: number): Promise<void> {
  const { database } = worker;
  const topUp = await database.selectFrom('top_up').selectAll().where('id', '=', id).executeTakeFirst();
  if (topUp?.state !== 'created' || topUp.merchant_account_id === null) return;
  try {
    await prepareSimulated(worker, providers, topUp.merchant_account_id);
    const stored = await merchantOf(worker, topUp.merchant_account_id);
    const { app } = await brandOf(database, worker.config, topUp.corporation_id);
    const opened = await DRIVERS[stored.driver as OnlineDriver].open(providers.merchant(stored), {
      reference: topUp.reference,
      total: topUp.total,
      currency: topUp.currency,
      description: app,
      return_url: `${await consoleOf(worker, topUp)}/top-ups/${id}`,
      save_method: topUp.save_method,
    });
    failpoint('top-up.page-opened');
    await database.transaction().execute(async (db) => {
      const { checkout_id, url: checkout_url, expires_at } = opened;
      const { numUpdatedRows } = await db
        .updateTable('top_up')
        .set({ checkout_id, checkout_url, expires_at, state: 'awaiting_payment' })
        .where('id', '=', id)
        .where('state', '=', 'created')
        .executeTakeFirst();
      if (numUpdatedRows > 0n) await tellChange(db, topUp);
    });
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    await failTopUp(worker, id, error.message);
  }
}
