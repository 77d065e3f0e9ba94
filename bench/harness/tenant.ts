import pg from 'pg';
import { pay, reserve } from '../../apps/server/src/modules/billing/index.ts';
import { openChunkWriter } from '../../apps/server/src/modules/delivery/index.ts';
import { connectionSettings } from '../../apps/server/src/platform/db.ts';

export interface QueuedCampaign {
  id: number;
  client: pg.Client;
}

/** Queues a campaign of single-part messages over a new link; it does not run yet. */
export async function queueCampaign(url: string, port: number, window: number, count: number): Promise<QueuedCampaign> {
  const client = new pg.Client(connectionSettings({ DATABASE_URL: url }, 'owner'));
  await client.connect();
  const id = async (text: string, values: unknown[] = []) =>
    (await client.query<{ id: number }>(`${text} RETURNING id`, values)).rows[0]!.id;
  await client.query('BEGIN');
  await client.query("SELECT set_config('app.level', '0', true)");
  const corporation_id = await id(`INSERT INTO corporation (name) VALUES ('Bench')`);
  const role = await id(`INSERT INTO role (name, level) VALUES ('bench', 0)`);
  const user = await id(
    `INSERT INTO user_account (name, email, password_hash, role_id, scope_level) VALUES ('Bench', 'bench@heliograph.test', '', $1, 0)`,
    [role],
  );
  const plan = await id(`INSERT INTO price_plan (name, type, default_charge) VALUES ('Bench', 'prepaid_package', 350)`);
  const account = await id(
    `INSERT INTO billing_account (corporation_id, name, key, price_plan_id) VALUES ($1, 'Bench', 'bench', $2)`,
    [corporation_id, plan],
  );
  const link = await id(
    `INSERT INTO link (name, host, port, system_id, window_size) VALUES ('Bench', '127.0.0.1', $1, 'bench', $2)`,
    [port, window],
  );
  const campaign = await id(
    `INSERT INTO campaign (corporation_id, created_by, billing_account_id, name, content, sender_id, total_count, expires_at)
     VALUES ($1, $2, $3, 'Bench', '{}', 'Bench', $4, now() + interval '12 hours')`,
    [corporation_id, user, account, count],
  );
  await client.query('INSERT INTO campaign_counter (campaign_id, corporation_id) VALUES ($1, $2)', [
    campaign,
    corporation_id,
  ]);
  const money = { billing_account_id: account, corporation_id };
  await pay(client, { ...money, key: 'bench', amount: 1e12 });
  await reserve(client, { ...money, key: 'bench reserve', campaign_id: campaign, amount: count * 350 });
  const writer = openChunkWriter(client, {
    ...money,
    department_id: null,
    user_id: user,
    campaign_id: campaign,
    link_id: link,
    class: 'bulk',
    sender_id: 'Bench',
    flash: false,
    charge_on_delivery: false,
    common_text: 'Your order is on its way and will arrive before noon today. Thank you for shopping with us.',
  });
  for (let i = 0; i < count; i++) {
    const msisdn = `63917${String(1_000_000 + i).slice(-7)}`;
    await writer.add({ msisdn, name: null, text: null, unicode: false, parts: 1, unit_price: 350 });
  }
  await writer.flush();
  await client.query('COMMIT');
  return { id: campaign, client };
}
