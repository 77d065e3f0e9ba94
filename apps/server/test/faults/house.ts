import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROLE_LEVELS } from '@heliograph/contract/access/role-permissions';
import { type CarrierLog, type Random, readCarrierLog, startVictim, type Victim } from '@heliograph/fault-kit';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@heliograph/installation/postgres';
import { hashPassword } from '#modules/identity';
import { FAILPOINT_VARIABLE } from '#platform/failpoints';
import { createLogger } from '#platform/log';
import { newTextKey } from '#platform/text/text-keys';
import { prepareDatabase } from '../../src/processes/prepare-database.ts';
import { addCard } from '../carrier-costs/applied-card.ts';
import { Stage } from '../delivery/stage.ts';
import { type HttpForm, httpColumns } from '../http-links/http-stage.ts';
import { ownPort } from '../own-port.ts';
import { patiently, untilServed } from '../patience.ts';
import { openDatabase, type Scope, testClusterHome } from '../template-database.ts';
import { Truth } from './truth.ts';

const PROCESSES = join(import.meta.dirname, '../../src/processes');
const SIMULATOR = join(import.meta.dirname, '../../../../packages/carrier-simulator/src/main.ts');
const EMAIL = 'person@heliograph.test';
const PASSWORD = 'Lantern#41';

/** Sessions, window and rate of the link in each house. */
export const LINK = { binds: 2, window_size: 100, rate: 250 } as const;

/** Time limit of any wait; a step that takes longer never ends, even on a slow machine. */
export const PATIENCE_MS = 240_000;

export type ServerProcess = 'sender' | 'worker' | 'api';
/** Processes that run here, including one that is never killed but must survive everything. */
export type AnyProcess = ServerProcess | 'smpp-server';

/**
 * The whole product in separate processes, with a carrier that records the truth in a file. Its PostgreSQL keeps all
 * that it has committed when it is killed, but not if the machine itself dies.
 */
export class House {
  readonly folder: string;
  readonly random: Random;
  readonly log: CarrierLog;
  readonly victims = new Map<AnyProcess | 'carrier', Victim>();
  stage!: Stage;
  truth!: Truth;
  senderId = 0;
  departmentId = 0;
  /** Last call that failed, to explain why there is no progress. */
  refusal = 'none';
  #url = '';
  #database: EmbeddedPostgres | undefined;
  #carrierPort = 0;
  /** Form of the API of a carrier over HTTP, and the ports that stay over restarts; undefined over SMPP. */
  #http: { form: HttpForm; carrierPort: number; apiPort: number } | undefined;
  #connections!: ReturnType<typeof openDatabase>;
  #token = '';
  #numbers = 0;

  private constructor(random: Random) {
    this.random = random;
    this.folder = mkdtempSync(join(testClusterHome(), 'heliograph-faults-'));
    this.log = readCarrierLog(join(this.folder, 'carrier.ndjson'));
  }

  /**
   * Opens a house with its carrier and one tenant; nothing else runs yet. It creates its own database, unless `url` is
   * the address of a prepared one that belongs to somebody else. With a form, the carrier is reached over HTTP, and texts are
   * encrypted.
   */
  static async open(t: Scope, random: Random, url?: string, form?: HttpForm): Promise<House> {
    const house = new House(random);
    t.after(() => house.#close());
    if (form) house.#http = { form, carrierPort: await ownPort(), apiPort: await ownPort() };
    if (url) house.#url = url;
    else {
      await house.#startDatabase();
      await prepareDatabase(house.#url);
    }
    house.#connections = openDatabase(house.#url);
    house.stage = new Stage(house.#connections, []);
    await house.stage.build(false);
    await house.#addPerson();
    if (form) await house.#encrypt();
    // Campaigns from the console wait for an undo, so that processes also die while one waits.
    await house.stage.transaction((client) =>
      client.query(`INSERT INTO global_configuration (key, name, value, description) VALUES
        ('undo_seconds', 'Undo', '1', ''), ('undo_messages', 'From', '1', '') ON CONFLICT (key) DO UPDATE SET value = excluded.value`),
    );
    house.#carrierPort = await ownPort();
    await house.startCarrier();
    const http = house.#http && httpColumns(house.#http.form, house.#http.carrierPort);
    await house.stage.addLink({ port: house.#carrierPort, ...LINK, ...http });
    await addCard(house.stage.owner, house.stage.linkId, { '6': 2_003, '63917': 4_007 });
    house.truth = new Truth(house.#connections.pool('owner'), house.log);
    return house;
  }

  async #startDatabase(): Promise<void> {
    const dataDir = join(this.folder, 'database');
    mkdirSync(dataDir, { recursive: true });
    this.#database = await startEmbeddedPostgres({
      dataDir,
      log: createLogger({ LOG_LEVEL: 'error' }, 'test database', process.stderr),
      // A killed server loses nothing that it has passed to the system, so it need not wait for the disk.
      settings: { fsync: 'off', synchronous_commit: 'on', max_connections: 120, shared_buffers: '64MB' },
    });
    this.#url = this.#database.url;
  }

  /** Kills the database in the middle of its work, and starts it again. */
  async killDatabase(): Promise<void> {
    this.#database?.kill();
    await this.#database?.exited;
    await this.#startDatabase();
  }

  async #addPerson(): Promise<void> {
    const { stage } = this;
    const password = await hashPassword(PASSWORD);
    await stage.transaction(async (client) => {
      // The owner acts for the platform when it writes for a tenant.
      await client.query("SELECT set_config('app.level', '0', true)");
      const id = async (text: string, values: unknown[]) =>
        (await client.query<{ id: number }>(`${text} RETURNING id`, values)).rows[0]!.id;
      const { corporationId, accountId } = stage;
      this.departmentId = await id(`INSERT INTO department (corporation_id, name) VALUES ($1, 'Department')`, [
        corporationId,
      ]);
      this.senderId = await id(`INSERT INTO sender_id (corporation_id, sender_id) VALUES ($1, 'LAMPS')`, [
        corporationId,
      ]);
      await client.query(
        `INSERT INTO user_account (corporation_id, department_id, billing_account_id, name, email, password_hash, role_id, scope_level, activated_at)
         SELECT $1, $2, $3, 'Person', $4, $5, id, $6, now() FROM role WHERE name = 'department_admin'`,
        [corporationId, this.departmentId, accountId, EMAIL, password, ROLE_LEVELS.department_admin],
      );
    });
  }

  /** Adds a key for the tenant's texts under the key of the installation, which the processes find in their folder. */
  async #encrypt(): Promise<void> {
    const { corporationId, owner } = this.stage;
    await owner.query(
      "INSERT INTO text_key (corporation_id, number, state, key_sealed) VALUES ($1, 1, 'current', $2)",
      [corporationId, newTextKey({ DATA_DIR: join(this.folder, 'data') } as never, corporationId, 1)],
    );
  }

  /** Whether the carrier is reached over HTTP, and brings receipts to the API. */
  get takesCallbacks(): boolean {
    return this.#http !== undefined;
  }

  async startCarrier(): Promise<void> {
    const victim = await startVictim(SIMULATOR, {
      environment: {
        SIMULATOR_SMPP_PORT: String(this.#carrierPort),
        SIMULATOR_HTTP_PORT: String(this.#http?.carrierPort ?? 0),
        SIMULATOR_LOG_FILE: join(this.folder, 'carrier.ndjson'),
      },
    });
    this.victims.set('carrier', victim);
    const { httpPort } = victim.ready as { httpPort: number };
    await fetch(`http://127.0.0.1:${httpPort}/api/settings`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ receipt_delay_ms: 30, receipt_jitter_ms: 200 }),
    });
  }

  /**
   * Starts a process of the server in place of the current one. With a failpoint it dies by itself at the n-th visit of
   * that place. A process that gives up because the database is unavailable is started again.
   */
  async start(name: AnyProcess, failpoint?: string, nodeOptions: readonly string[] = []): Promise<Victim> {
    await this.victims.get(name)?.kill();
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      if (name === 'sender') await this.#endLeases();
      const victim = await this.#spawn(name, failpoint, nodeOptions);
      this.victims.set(name, victim);
      if (victim.alive || (await victim.gone) === 'SIGKILL') return victim;
      if (performance.now() > deadline) throw new Error(`the ${name} does not start`);
    }
  }

  #spawn(name: AnyProcess, failpoint: string | undefined, nodeOptions: readonly string[]): Promise<Victim> {
    return startVictim(join(PROCESSES, `${name}.ts`), {
      nodeOptions,
      environment: {
        NODE_ENV: 'test',
        DATABASE_URL: this.#url,
        DATA_DIR: join(this.folder, 'data'),
        LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
        PORT: name === 'api' && this.#http ? String(this.#http.apiPort) : '0',
        ...(this.#http && { PUBLIC_URL: `http://127.0.0.1:${this.#http.apiPort}` }),
        SMPP_SERVER_PORT: '0',
        OPERATIONS_PORT: '0',
        ...(failpoint && { [FAILPOINT_VARIABLE]: failpoint }),
      },
    });
  }

  /** Frees the lanes of a dead sender, only to save the wait until its leases expire. */
  async #endLeases(): Promise<void> {
    const held = this.victims.get('sender');
    if (held?.alive) return;
    await patiently(() => this.stage.owner.query('UPDATE lane SET expires_at = now() WHERE holder IS NOT NULL'));
  }

  /** Waits until PostgreSQL has noticed that a process is gone, and has ended its transactions. */
  async sessionsEnded(name: ServerProcess): Promise<void> {
    await untilServed(`no session of a dead ${name}`, async () => {
      const { count } = await this.stage.one<{ count: number }>(
        'SELECT count(*) AS count FROM pg_stat_activity WHERE application_name LIKE $1',
        [`heliograph ${name}%`],
      );
      return count === 0;
    });
  }

  /** Returns numbers new to all messages: `throttled` throttled ones, and a few refused or not delivered. */
  numbers(count: number, throttled = 0): string[] {
    return Array.from({ length: count }, (_, place) => {
      const next = String(this.#numbers++).padStart(6, '0');
      if (place < throttled) return `639${next.slice(1)}9905`;
      if (!this.random.chance(0.06)) return `63917${next}1`;
      return `639${next.slice(1)}${this.random.pick(['9904', '9903'])}`;
    });
  }

  /** Queues a campaign without the console. */
  async queue(count: number, throttled = 0): Promise<void> {
    const messages = this.numbers(count, throttled).map((msisdn) =>
      this.random.chance(0.15) ? { msisdn, text: 'x'.repeat(200), parts: 2 } : { msisdn },
    );
    await patiently(() => this.stage.campaign(messages));
  }

  /** Counts messages that wait to be handed over. */
  async waiting(): Promise<number> {
    const { count } = await patiently(() =>
      this.stage.one<{ count: number }>(
        `SELECT coalesce(sum(size - cursor), 0)::bigint AS count FROM chunk WHERE state = 'open'`,
      ),
    );
    return count;
  }

  /** Calls the API as the person, or answers undefined if it is not running or cannot answer now. */
  async call<Body>(
    method: 'GET' | 'POST',
    path: string,
    body?: object | FormData,
  ): Promise<{ status: number; data: Body } | undefined> {
    const { url } = (this.victims.get('api')?.ready ?? {}) as { url?: string };
    if (!url) return undefined;
    try {
      this.#token ||= await this.#signIn(url);
      const form = body instanceof FormData;
      const response = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          ...(body && !form && { 'content-type': 'application/json' }),
        },
        ...(body && { body: form ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(20_000),
      });
      const text = await response.text();
      if (response.status >= 400) this.refusal = `${method} ${path}: ${response.status} ${text.slice(0, 300)}`;
      if (response.status >= 500) return undefined;
      return { status: response.status, data: (JSON.parse(text) as { data: Body }).data };
    } catch (error) {
      this.refusal = `${method} ${path}: ${String((error as Error).cause ?? error)}`;
      return undefined;
    }
  }

  async #signIn(url: string): Promise<string> {
    const response = await fetch(`${url}/api/v1/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: EMAIL, password: PASSWORD }),
    });
    if (!response.ok) throw new Error(`nobody is let in: ${await response.text()}`);
    return ((await response.json()) as { access_token: string }).access_token;
  }

  async #close(): Promise<void> {
    for (const victim of this.victims.values()) await victim.kill();
    await this.#connections?.end().catch(() => undefined);
    await this.#database?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
