import pg from 'pg';
import { pay, reserve } from '../../apps/server/src/modules/billing/index.ts';
import { type ChunkShared, openChunkWriter } from '../../apps/server/src/modules/delivery/index.ts';
import { connectionSettings } from '../../apps/server/src/platform/database/db.ts';

/** Price of a part, in thousandths. */
export const PRICE = 350;
const TEXT = 'Your order is on its way and will arrive before noon today. Thank you for shopping with us.';

/** A corporation with a funded account and a link; `client` is a session of the database's owner. */
export interface BenchTenant {
  client: pg.Client;
  corporation_id: number;
  user_id: number;
  billing_account_id: number;
  link_id: number;
}

export interface QueuedCampaign {
  id: number;
  client: pg.Client;
}

async function insert(client: pg.Client, text: string, values: unknown[] = []): Promise<number> {
  return (await client.query<{ id: number }>(`${text} RETURNING id`, values)).rows[0]!.id;
}

async function transaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  await client.query("SELECT set_config('app.level', '0', true)");
  const result = await work();
  await client.query('COMMIT');
  return result;
}

/** Connects to a migrated database and makes the tenant in it, with a link of one bind to a carrier on this machine. */
export async function openTenant(url: string, port: number, window: number): Promise<BenchTenant> {
  const client = new pg.Client(connectionSettings({ DATABASE_URL: url }, 'owner'));
  // Without a listener, the loss of the database would end the process before its cleanup.
  client.on('error', () => undefined);
  await client.connect();
  return await transaction(client, async () => {
    const corporation_id = await insert(client, `INSERT INTO corporation (name) VALUES ('Bench')`);
    const role = await insert(client, `INSERT INTO role (name, level) VALUES ('bench', 0)`);
    const user_id = await insert(
      client,
      `INSERT INTO user_account (name, email, password_hash, role_id, scope_level) VALUES ('Bench', 'bench@heliograph.test', '', $1, 0)`,
      [role],
    );
    const plan = await insert(
      client,
      `INSERT INTO price_plan (name, type, default_charge) VALUES ('Bench', 'prepaid_package', $1)`,
      [PRICE],
    );
    const billing_account_id = await insert(
      client,
      `INSERT INTO billing_account (corporation_id, name, key, price_plan_id) VALUES ($1, 'Bench', 'bench', $2)`,
      [corporation_id, plan],
    );
    const link_id = await insert(
      client,
      `INSERT INTO link (name, host, port, system_id, window_size) VALUES ('Bench', '127.0.0.1', $1, 'bench', $2)`,
      [port, window],
    );
    await pay(client, { billing_account_id, corporation_id, key: 'bench', amount: 1e12 });
    return { client, corporation_id, user_id, billing_account_id, link_id };
  });
}

/** Returns the values that all messages of the tenant share. */
export const sharedBy = (tenant: BenchTenant, changes: Partial<ChunkShared> = {}): ChunkShared => ({
  corporation_id: tenant.corporation_id,
  department_id: null,
  user_id: tenant.user_id,
  billing_account_id: tenant.billing_account_id,
  campaign_id: null,
  link_id: tenant.link_id,
  class: 'bulk',
  sender_id: 'Bench',
  flash: false,
  charge_on_delivery: false,
  common_text: TEXT,
  text_key: null,
  ...changes,
});

/** Adds a campaign without messages; it does not run. */
export async function addCampaign(tenant: BenchTenant, count: number): Promise<number> {
  const { client, corporation_id, user_id, billing_account_id } = tenant;
  const id = await insert(
    client,
    `INSERT INTO campaign (corporation_id, created_by, billing_account_id, name, content, sender_id, total_count, expires_at)
     VALUES ($1, $2, $3, 'Bench', '{}', 'Bench', $4, now() + interval '12 hours')`,
    [corporation_id, user_id, billing_account_id, count],
  );
  await client.query('INSERT INTO campaign_counter (campaign_id, corporation_id) VALUES ($1, $2)', [
    id,
    corporation_id,
  ]);
  return id;
}

/**
 * Queues a campaign of single-part messages, paid and reserved, that does not run yet; returns its id. The reserve is a
 * transaction of its own, as in the product, so that writing does not lock the account that other campaigns settle on.
 */
export async function queueMessages(tenant: BenchTenant, count: number): Promise<number> {
  const { client, corporation_id, billing_account_id } = tenant;
  const campaign_id = await transaction(client, async () => {
    const id = await addCampaign(tenant, count);
    const amount = count * PRICE;
    await reserve(client, { billing_account_id, corporation_id, key: `bench reserve ${id}`, campaign_id: id, amount });
    return id;
  });
  return transaction(client, async () => {
    const writer = openChunkWriter(client, sharedBy(tenant, { campaign_id }));
    for (let i = 0; i < count; i++) {
      const msisdn = `63917${String(1_000_000 + i).slice(-7)}`;
      await writer.add({ msisdn, name: null, text: null, unicode: false, parts: 1, unit_price: PRICE });
    }
    await writer.flush();
    return campaign_id;
  });
}

/** Queues a campaign of single-part messages over a new link; it does not run yet. */
export async function queueCampaign(url: string, port: number, window: number, count: number): Promise<QueuedCampaign> {
  const tenant = await openTenant(url, port, window);
  return { id: await queueMessages(tenant, count), client: tenant.client };
}
