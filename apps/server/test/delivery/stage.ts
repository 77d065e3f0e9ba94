export { until } from '@heliograph/fault-kit';

import type { TestContext } from 'node:test';
import { type Simulator, type SimulatorOptions, startSimulator } from '@heliograph/carrier-simulator';
import type pg from 'pg';
import { pay, reserve } from '#modules/billing';
import { type ChunkShared, type NewMessage, openChunkWriter, Sender, wakeSenders } from '#modules/delivery';
import { readConnectedConfig } from '#platform/config/config';
import { inTransaction } from '#platform/database/in-transaction';
import { createLogger } from '#platform/log';
import { type TestDatabase, testDatabase } from '../template-database.ts';
import { TEST_KEY } from '../test-key.ts';

/** First payment into the account, in thousandths. */
export const FUNDS = 1_000_000_000;
export const UNIT_PRICE = 350;

export interface Campaign {
  id: number;
  shared: ChunkShared;
  total: number;
}

/** A corporation with a funded account, a link to a simulator, and senders that are stopped with the test. */
export class Stage {
  readonly database: TestDatabase;
  readonly owner: pg.Pool;
  corporationId = 0;
  userId = 0;
  accountId = 0;
  linkId = 0;
  /** Settings of the senders besides the usual ones. */
  settings: Record<string, string> = {};
  /** Functions to run in reverse order before the database is dropped. */
  readonly closing: (() => Promise<unknown>)[];

  constructor(database: TestDatabase, closing: (() => Promise<unknown>)[]) {
    this.closing = closing;
    this.database = database;
    this.owner = database.pool('owner');
  }

  async one<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row> {
    const { rows } = await this.owner.query<Row>(text, values);
    if (!rows[0]) throw new Error(`no row: ${text}`);
    return rows[0];
  }

  async build(chargeOnDelivery: boolean): Promise<void> {
    await this.transaction(async (client) => {
      // Only the owner of price plans may write them; the seed acts for the platform.
      await client.query("SELECT set_config('app.level', '0', true)");
      await this.#tenant(client, chargeOnDelivery);
    });
  }

  async #tenant(client: pg.PoolClient, chargeOnDelivery: boolean): Promise<void> {
    const id = async (text: string, values: unknown[]) =>
      (await client.query<{ id: number }>(text, values)).rows[0]!.id;
    this.corporationId = await id('INSERT INTO corporation (name) VALUES ($1) RETURNING id', ['Corporation']);
    const role = await id(`INSERT INTO role (name, level) VALUES ('stage', 0) RETURNING id`, []);
    this.userId = await id(
      `INSERT INTO user_account (name, email, password_hash, role_id, scope_level) VALUES ('U', 'u@heliograph.test', '', $1, 0) RETURNING id`,
      [role],
    );
    const plan = await id(
      `INSERT INTO price_plan (name, type, default_charge) VALUES ('P', 'prepaid_package', $1) RETURNING id`,
      [UNIT_PRICE],
    );
    this.accountId = await id(
      `INSERT INTO billing_account (corporation_id, name, key, price_plan_id, charge_on_delivery) VALUES ($1, 'A', 'A', $2, $3) RETURNING id`,
      [this.corporationId, plan, chargeOnDelivery],
    );
    await pay(client, {
      key: 'funds',
      billing_account_id: this.accountId,
      corporation_id: this.corporationId,
      amount: FUNDS,
    });
  }

  transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return inTransaction(this.owner, work);
  }

  /** Adds a link. Settings that a test does not name have the schema's defaults. */
  async addLink(settings: { port: number } & Record<string, unknown>): Promise<number> {
    const columns = { name: 'Carrier', host: '127.0.0.1', system_id: 'heliograph', ...settings };
    const names = Object.keys(columns);
    const { id } = await this.one<{ id: number }>(
      `INSERT INTO link (${names.join()}) VALUES (${names.map((_, i) => `$${i + 1}`).join()}) RETURNING id`,
      Object.values(columns),
    );
    this.linkId = id;
    return id;
  }

  async simulator(options: SimulatorOptions = {}): Promise<Simulator> {
    const simulator = await startSimulator({
      smppPort: 0,
      httpPort: null,
      ...options,
      settings: { receipt_delay_ms: 20, ...options.settings },
    });
    this.closing.push(() => simulator.stop());
    return simulator;
  }

  /** Creates a running campaign with its messages queued and their price reserved. */
  async campaign(
    messages: readonly Partial<NewMessage>[],
    { shared = {}, expiresIn }: { shared?: Partial<ChunkShared>; expiresIn?: string } = {},
  ): Promise<Campaign> {
    const campaign = await this.transaction(async (client) => {
      const { rows } = await client.query<{ id: number }>(
        `INSERT INTO campaign (corporation_id, created_by, billing_account_id, name, content, sender_id, state, total_count, started_at, expires_at)
         VALUES ($1, $2, $3, 'C', '{}', 'Acme', 'running', $4, now(), now() + $5::interval) RETURNING id`,
        [this.corporationId, this.userId, this.accountId, messages.length, expiresIn ?? '12 hours'],
      );
      const id = rows[0]!.id;
      await client.query('INSERT INTO campaign_counter (campaign_id, corporation_id) VALUES ($1, $2)', [
        id,
        this.corporationId,
      ]);
      const all = this.shared({ campaign_id: id, ...shared });
      const writer = openChunkWriter(client, all);
      for (const message of messages) {
        await writer.add({
          msisdn: '639170000001',
          name: null,
          text: null,
          unicode: false,
          parts: 1,
          unit_price: UNIT_PRICE,
          ...message,
        });
      }
      const { amount } = await writer.flush();
      await reserve(client, {
        key: `reserve:${id}`,
        billing_account_id: this.accountId,
        corporation_id: this.corporationId,
        campaign_id: id,
        amount,
      });
      await wakeSenders(client);
      return { id, shared: all, total: messages.length };
    });
    return campaign;
  }

  shared(changes: Partial<ChunkShared> = {}): ChunkShared {
    return {
      corporation_id: this.corporationId,
      department_id: null,
      user_id: this.userId,
      billing_account_id: this.accountId,
      campaign_id: null,
      link_id: this.linkId,
      class: 'bulk',
      sender_id: 'Acme',
      flash: false,
      charge_on_delivery: false,
      common_text: 'Hello',
      text_key: null,
      ...changes,
    };
  }

  config() {
    const LOG_LEVEL = process.env.LOG_LEVEL ?? 'silent';
    return readConnectedConfig({ DATABASE_URL: this.database.url, SECRET_KEY: TEST_KEY, LOG_LEVEL, ...this.settings });
  }

  async sender(): Promise<Sender> {
    const config = this.config();
    const sender = new Sender(config, createLogger(config, 'sender', process.stderr));
    let stopped = false;
    const stop = sender.stop.bind(sender);
    sender.stop = async () => {
      if (!stopped) {
        stopped = true;
        await stop();
      }
    };
    // A sender that fails to start must also stop the parts it did start.
    this.closing.push(() => sender.stop());
    await sender.start();
    return sender;
  }

  /** Counts messages by state, as the product shows them. */
  async states(): Promise<Record<string, number>> {
    const { rows } = await this.owner.query<{ state: string; count: number }>(
      'SELECT state, count(*) FROM message_row GROUP BY state',
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  }

  async counters(campaignId: number): Promise<Record<string, number>> {
    const { campaign_id, corporation_id, ...counters } = await this.one<Record<string, number>>(
      'SELECT * FROM campaign_counter WHERE campaign_id = $1',
      [campaignId],
    );
    return counters;
  }

  account(): Promise<{ credit_balance: number; reserved: number }> {
    return this.one('SELECT credit_balance, reserved FROM billing_account WHERE id = $1', [this.accountId]);
  }
}

/** Prepares a stage on its own database. */
export async function stage(t: TestContext, { chargeOnDelivery = false } = {}): Promise<Stage> {
  const closing: (() => Promise<unknown>)[] = [];
  // Hooks run in the order of their registration, and the database registers its own.
  t.after(async () => {
    for (const close of closing.reverse()) await close();
  });
  const made = new Stage(await testDatabase(t), closing);
  await made.build(chargeOnDelivery);
  return made;
}

/** Makes different numbers that end in `ending`. */
export const numbers = (count: number, ending = ''): { msisdn: string }[] =>
  Array.from({ length: count }, (_, i) => ({
    msisdn: `63917${String(i).padStart(ending === '' ? 7 : 3, '0')}${ending}`,
  }));

/** Lists all segments that the simulator accepted or refused. */
export function logOf(simulator: Simulator) {
  return simulator.log(0, 1_000_000).data;
}
