import type pg from 'pg';
import { pay } from '#modules/billing';
import { Intake, type Program, type Submission } from '#modules/intake';
import { type Clock, systemClock } from '#platform/clock';
import { createLogger } from '#platform/log';
import { type Scope, type TestDatabase, testDatabase } from '../template-database.ts';

/** Amount of a tenant's first payment, in thousandths. */
export const FUNDS = 1_000_000_000;
/** Prices of a part in the zones of the console and of programs, in thousandths. */
export const PRICES = { web: 900, api: 350 };

/** The intake of programs' messages, and a way to add corporations with a program. */
export interface IntakeStage {
  database: TestDatabase;
  owner: pg.Pool;
  intake: Intake;
  /** Adds a corporation with a person, a sender ID `Acme`, and an account that holds `funds`. */
  tenant(name: string, options?: { funds?: number; apiThroughput?: number }): Promise<Program>;
  one<Row>(text: string, values?: unknown[]): Promise<Row>;
}

/** Builds the message that a program hands in, with default values for all fields that a test does not set. */
export const submission = (changes: Partial<Submission> = {}): Submission => ({
  from: 'Acme',
  to: '639170000001',
  text: 'Hello',
  class: 'transactional',
  tells: true,
  ...changes,
});

/** Opens the intake over its own database, with a link for live traffic and one for tests. */
export async function makeIntakeStage(t: Scope, { clock = systemClock }: { clock?: Clock } = {}): Promise<IntakeStage> {
  const database = await testDatabase(t);
  const owner = database.pool('owner');
  const one = async <Row>(text: string, values: unknown[] = []) => (await owner.query(text, values)).rows[0] as Row;
  const id = async (text: string, values: unknown[] = []) => (await one<{ id: number }>(text, values)).id;
  await owner.query(`INSERT INTO link (name, host, port, system_id, for_tests)
    VALUES ('Carrier', '127.0.0.1', 1, 'x', false), ('Tests', '127.0.0.1', 2, 'x', true)`);
  const role = await id(`INSERT INTO role (name, level) VALUES ('stage', 2) RETURNING id`);
  const client = await owner.connect();
  const plan = await transaction(client, async () => {
    await client.query("SELECT set_config('app.level', '0', true)");
    const { rows } = await client.query(
      `INSERT INTO price_plan (name, type, default_charge) VALUES ('P', 'prepaid_package', $1) RETURNING id`,
      [PRICES.web],
    );
    await client.query(
      `INSERT INTO rate (price_plan_id, rate_zone_id, prefix, charge, starts_on)
       SELECT $1, id, '63', $2, '2020-01-01' FROM rate_zone WHERE name = 'API'`,
      [rows[0].id, PRICES.api],
    );
    return rows[0].id as number;
  });
  const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  const intake = new Intake(database.pool('intake'), { clock, log });
  t.after(() => intake.close());
  let keys = 0;
  return {
    database,
    owner,
    intake,
    one,
    async tenant(name, { funds = FUNDS, apiThroughput = null as number | null } = {}) {
      const corporation_id = await id('INSERT INTO corporation (name, api_throughput) VALUES ($1, $2) RETURNING id', [
        name,
        apiThroughput,
      ]);
      const billing_account_id = await id(
        'INSERT INTO billing_account (corporation_id, name, key, price_plan_id, flash_allowed) VALUES ($1, $2, $2, $3, false) RETURNING id',
        [corporation_id, name, plan],
      );
      const user_id = await id(
        `INSERT INTO user_account (corporation_id, name, email, password_hash, role_id, scope_level)
         VALUES ($1, $2, lower($2) || '@heliograph.test', '', $3, 2) RETURNING id`,
        [corporation_id, name, role],
      );
      await owner.query("INSERT INTO sender_id (corporation_id, sender_id) VALUES ($1, 'Acme')", [corporation_id]);
      if (funds > 0) await pay(owner, { key: `funds:${name}`, billing_account_id, corporation_id, amount: funds });
      const smpp_system_id = null;
      const program = { corporation_id, department_id: null, user_id, billing_account_id, smpp_system_id };
      return { ...program, api_key_id: ++keys, is_test: false, read_national: false };
    },
  };
}

async function transaction<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  try {
    await client.query('BEGIN');
    const result = await work();
    await client.query('COMMIT');
    return result;
  } finally {
    client.release();
  }
}
