import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { reconcile } from '#modules/billing';
import type { Scope, TestDatabase } from '../template-database.ts';

// Statements that the program of release 0.2.0 sends to its database where traffic flows, word for word. They stay the
// same when the program changes. They are written again when release.json moves on.

const POST = 'SELECT key, result FROM post_transfers($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)';

const INSERT_CHUNK = `
  WITH n AS MATERIALIZED (
    SELECT next_chunk_id() AS id, c.* FROM jsonb_to_recordset($1) AS c(nth integer, corporation_id bigint, department_id bigint, user_id bigint,
      billing_account_id bigint, campaign_id bigint, link_id bigint, class message_class, sender_id text, flash boolean,
      charge_on_delivery boolean, common_text text, expires_at timestamptz, size integer, carrier_route_id bigint, channel text,
      reseller_account_id bigint, reseller_corporation_id bigint, reseller_unit_price bigint,
      reseller_charge_on_delivery boolean, quiet_zone text, after_canary boolean, confirms_opt_out boolean, tells boolean,
      not_before timestamptz)
  ), k AS (
    INSERT INTO chunk (id, corporation_id, department_id, user_id, billing_account_id, campaign_id, link_id, class, sender_id,
      flash, charge_on_delivery, common_text, expires_at, size, carrier_route_id, channel, reseller_account_id,
      reseller_corporation_id, reseller_unit_price, reseller_charge_on_delivery, quiet_zone, after_canary, confirms_opt_out,
      tells, not_before, state)
    SELECT id, corporation_id, department_id, user_id, billing_account_id, campaign_id, link_id, class, sender_id,
      flash, charge_on_delivery, common_text, expires_at, size, carrier_route_id, channel, reseller_account_id,
      reseller_corporation_id, reseller_unit_price, reseller_charge_on_delivery, quiet_zone, after_canary, confirms_opt_out,
      coalesce(tells, anybody_is_told(corporation_id, department_id)), not_before,
      CASE WHEN not_before IS NULL THEN 'open' ELSE 'held' END FROM n
  ), inserted AS (
    INSERT INTO message (id, corporation_id, campaign_id, unit_price, parts, unicode, msisdn, name, text)
    SELECT (n.id << 10) + m.place, n.corporation_id, n.campaign_id, m.unit_price, m.parts, m.unicode, m.msisdn, m.name, m.text
    FROM n CROSS JOIN (
      SELECT generate_series(0, $8 - 1) AS place, unnest($2::bigint[]) AS unit_price, unnest($3::smallint[]) AS parts,
        unnest($4::boolean[]) AS unicode, unnest($5::text[]) AS msisdn, unnest($6::text[]) AS name, unnest($7::text[]) AS text
    ) m
  )
  SELECT id FROM n`;

const TAKE_LANES = `
  UPDATE lane SET holder = $2, expires_at = now() + interval '10000 ms',
    fence = fence + CASE WHEN holder = $2 AND expires_at > now() THEN 0 ELSE 1 END
  WHERE link_id = $1 AND (holder IS NULL OR holder = $2 OR expires_at <= now())
  RETURNING class, fence`;

const FIND_CHUNKS = `
  SELECT k.id AS chunk_id, k.corporation_id, coalesce(k.department_id, 0) AS department_id,
    coalesce(k.user_id, 0) AS user_id, k.billing_account_id, k.campaign_id, k.class, k.channel, k.sender_id,
    extract(epoch FROM k.created_at)::float8 * 1000 AS created_at, k.flash, k.charge_on_delivery, k.reseller_account_id,
    k.reseller_corporation_id, k.reseller_unit_price, k.reseller_charge_on_delivery, k.common_text,
    extract(epoch FROM coalesce(k.expires_at, c.expires_at))::float8 * 1000 AS expires_at,
    c.spread_until IS NOT NULL AS spread, k.confirms_opt_out, k.tells, k.size, k.cursor FROM campaign c
  CROSS JOIN unnest($2::message_class[]) AS lane(class)
  CROSS JOIN LATERAL (
    SELECT * FROM chunk WHERE link_id = $1 AND class = lane.class AND campaign_id = c.id AND state = 'open'
      AND id <> ALL ($3::bigint[])
    ORDER BY id LIMIT $4
  ) k
  WHERE c.state = 'running' AND (c.expires_at IS NULL OR c.expires_at > now())
  ORDER BY chunk_id`;

const COMMIT_INTENTS = `
  WITH wanted AS (
    SELECT * FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::bigint[]) AS w(id, expected, messages, fence)
  ), locked AS (
    SELECT id FROM chunk WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE
  ), moved AS (
    UPDATE chunk k SET cursor = k.cursor + w.messages,
      state = CASE WHEN k.cursor + w.messages = k.size THEN 'done' ELSE k.state END
    FROM locked JOIN wanted w USING (id)
    WHERE k.id = w.id AND k.state = 'open' AND k.cursor = w.expected AND k.link_id = $6
      AND EXISTS (SELECT FROM lane l WHERE l.link_id = k.link_id AND l.class = k.class AND l.holder = $5
        AND l.fence = w.fence AND l.expires_at > now())
      AND (k.campaign_id IS NULL OR EXISTS (SELECT FROM campaign c WHERE c.id = k.campaign_id AND c.state = 'running'))
    RETURNING k.id, k.campaign_id, w.messages
  ), sums AS (
    SELECT campaign_id, sum(messages) AS messages FROM moved WHERE campaign_id IS NOT NULL GROUP BY campaign_id
  ), counter AS (
    SELECT campaign_id FROM campaign_counter WHERE campaign_id IN (SELECT campaign_id FROM sums)
    ORDER BY campaign_id FOR NO KEY UPDATE
  ), counted AS (
    UPDATE campaign_counter n SET processed = n.processed + s.messages
    FROM counter JOIN sums s USING (campaign_id) WHERE n.campaign_id = s.campaign_id
    RETURNING n.campaign_id
  )
  SELECT (SELECT coalesce(array_agg(id), '{}') FROM moved) AS moved,
    (SELECT coalesce(array_agg(campaign_id), '{}') FROM counted) AS campaigns`;

const TELL_LINK = `
  INSERT INTO link_state (link_id, holder, state, carried, live)
  SELECT u.id, $1, u.state, u.carried, u.live
  FROM unnest($2::bigint[], $3::text[], $4::boolean[], $5::jsonb[]) AS u(id, state, carried, live) JOIN link USING (id)
  WHERE EXISTS (SELECT FROM lane l WHERE l.link_id = u.id AND l.holder = $6)
  ON CONFLICT (link_id) DO UPDATE SET holder = excluded.holder, state = excluded.state, live = excluded.live,
    carried = link_state.carried OR excluded.carried, updated_at = now(),
    since = CASE WHEN link_state.state = excluded.state AND link_state.holder IS NOT DISTINCT FROM excluded.holder
      THEN link_state.since ELSE now() END`;

/** Queries of the screens that people open in the meantime. */
const SCREENS = [
  'SELECT * FROM campaign ORDER BY id DESC LIMIT 20',
  'SELECT state, count(*) FROM message_row GROUP BY state',
  'SELECT * FROM billing_account LIMIT 20',
  'SELECT * FROM link_health_row',
  'SELECT * FROM opt_out ORDER BY id DESC LIMIT 20',
  'SELECT * FROM sender_id_row LIMIT 20',
];

const SETTLE_MS = 5;

/** The work of the last release's program on a database, without its outcomes: messages wait for their answers. */
export class ReleasedProgram {
  readonly #database: TestDatabase;
  #ids = { corporation: 0, user: 0, account: 0, link: 0 };
  #campaigns = 0;

  constructor(database: TestDatabase) {
    this.#database = database;
  }

  /** Creates a tenant with money and a link. */
  async fill(): Promise<void> {
    const client = await this.#database.pool('owner').connect();
    const id = async (text: string, values: unknown[] = []) =>
      (await client.query<{ id: number }>(`${text} RETURNING id`, values)).rows[0]!.id;
    try {
      await client.query('BEGIN');
      await client.query("SELECT set_config('app.level', '0', true)");
      const corporation = await id("INSERT INTO corporation (name) VALUES ('Corporation')");
      const role = await id("INSERT INTO role (name, level) VALUES ('released', 0)");
      const user = await id(
        "INSERT INTO user_account (name, email, password_hash, role_id, scope_level) VALUES ('U', 'u@heliograph.test', '', $1, 0)",
        [role],
      );
      const plan = await id("INSERT INTO price_plan (name, type, default_charge) VALUES ('P', 'prepaid_package', 350)");
      const account = await id(
        "INSERT INTO billing_account (corporation_id, name, key, price_plan_id) VALUES ($1, 'A', 'A', $2)",
        [corporation, plan],
      );
      const link = await id("INSERT INTO link (name, host, port, system_id) VALUES ('Carrier', '127.0.0.1', 1, 'me')");
      await client.query(
        "INSERT INTO lane (link_id, class) SELECT $1, unnest('{otp,transactional,bulk}'::message_class[])",
        [link],
      );
      this.#ids = { corporation, user, account, link };
      await this.#post(client, 'funds', 'payment', 1_000_000_000, null);
      await client.query('COMMIT');
    } finally {
      client.release();
    }
  }

  async #post(db: Pick<pg.ClientBase, 'query'>, key: string, kind: string, amount: number, campaign: number | null) {
    const { account, corporation } = this.#ids;
    const none = [null];
    const values = [[key], [kind], [account], [corporation], [amount], [campaign], none, none, none, none];
    const { rows } = await db.query<{ result: string }>(POST, values);
    if (rows[0]?.result !== 'posted') throw new Error(`the transfer ${key} is ${rows[0]?.result}`);
  }

  /** Queues a campaign, in one transaction of the worker. */
  async #queue(): Promise<void> {
    const { corporation, user, account, link } = this.#ids;
    const client = await this.#database.pool('worker').connect();
    try {
      await client.query('BEGIN');
      const { rows } = await client.query<{ id: number }>(
        `INSERT INTO campaign (corporation_id, created_by, billing_account_id, name, content, sender_id, state, total_count, started_at, expires_at)
         VALUES ($1, $2, $3, 'C', '{}', 'Acme', 'running', 5, now(), now() + interval '1 hour') RETURNING id`,
        [corporation, user, account],
      );
      const { id } = rows[0]!;
      await client.query('INSERT INTO campaign_counter (campaign_id, corporation_id) VALUES ($1, $2)', [
        id,
        corporation,
      ]);
      const five = <T>(value: T) => Array.from({ length: 5 }, () => value);
      const numbers = five(0).map((_, place) => `6391700${String(this.#campaigns).padStart(4, '0')}${place}`);
      const none = five(null);
      const chunk = {
        ...{
          nth: 0,
          corporation_id: corporation,
          user_id: user,
          billing_account_id: account,
          campaign_id: id,
          link_id: link,
        },
        ...{ class: 'bulk', sender_id: 'Acme', flash: false, charge_on_delivery: false, common_text: 'Hello', size: 5 },
        ...{ channel: 'console', after_canary: false, confirms_opt_out: false },
      };
      const messages = [five(350), five(1), five(false), numbers, none, none];
      await client.query(INSERT_CHUNK, [JSON.stringify([chunk]), ...messages, 5]);
      await this.#post(client, `campaign:${id}:reserve`, 'reservation', 5 * 350, id);
      await client.query('COMMIT');
      this.#campaigns++;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  }

  /** Hands over waiting messages, as a sender does. */
  async #send(): Promise<void> {
    const { link } = this.#ids;
    const pool = this.#database.pool('sender');
    const { rows: lanes } = await pool.query<{ class: string; fence: number }>(TAKE_LANES, [link, 'released']);
    const fence = lanes.find((lane) => lane.class === 'bulk')?.fence;
    if (fence === undefined) throw new Error('the lanes are not to be had');
    await pool.query(TELL_LINK, ['released', [link], ['up'], [false], ['{}'], 'released']);
    const { rows } = await pool.query<{ chunk_id: number; cursor: number; size: number }>(FIND_CHUNKS, [
      link,
      ['bulk'],
      [],
      6,
    ]);
    for (const { chunk_id, cursor, size } of rows) {
      const values = [[chunk_id], [cursor], [size - cursor], [fence], 'released', link];
      const moved = await pool.query<{ moved: number[] }>(COMMIT_INTENTS, values);
      if (moved.rows[0]?.moved.length !== 1) throw new Error('an intent was refused');
    }
  }

  async #look(): Promise<void> {
    const client = await this.#database.pool('api').connect();
    try {
      await client.query('BEGIN');
      await client.query("SELECT set_config('app.level', '0', true), set_config('app.user', $1, true)", [
        this.#ids.user,
      ]);
      for (const screen of SCREENS) await client.query(screen);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  }

  /** Repeats all this work until `stop`, which returns the errors. */
  run(t: Scope): { readonly rounds: number; readonly faults: readonly string[]; stop(): Promise<string[]> } {
    const faults: string[] = [];
    let rounds = 0;
    let stopped = false;
    const again = async (work: () => Promise<void>) => {
      while (!stopped) {
        await work().catch((error: Error) => {
          faults.push(error.message);
          stopped = true;
        });
        rounds++;
        await sleep(SETTLE_MS);
      }
    };
    const running = Promise.all([again(() => this.#queue()), again(() => this.#send()), again(() => this.#look())]);
    const stop = async () => {
      stopped = true;
      await running;
      return faults;
    };
    t.after(async () => void (await stop()));
    return {
      get rounds() {
        return rounds;
      },
      faults,
      stop,
    };
  }

  /** Returns the ledger mismatches afterwards. */
  contradictions(): Promise<unknown[]> {
    return reconcile(this.#database.pool('owner'));
  }
}
