import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signIn } from '@heliograph/contract/identity/session';
import type pg from 'pg';
import { hashPassword } from '#modules/identity';
import { readConfig } from '#platform/config/config';
import { createPool } from '#platform/database/db';
import { createLogger } from '#platform/log';
import { prepareDatabase } from '../../src/processes/prepare-database.ts';
import { DEMO_PASSWORD } from '../../src/seed/demo-logins.ts';
import { seedDemo } from '../../src/seed/index.ts';
import { untilServed } from '../patience.ts';
import { PASSWORD } from '../smpp-server/stage.ts';
import type { Scope } from '../template-database.ts';
import { Cluster } from './cluster.ts';
import { Program } from './cluster-program.ts';
import { type RunningProcess, SECRET_KEY, startProcess } from './running.ts';

const SYSTEM_ID = 'harbor';
const PERSON = 'corporate@heliograph.test';

/** Answer to a call, with its duration. */
interface Told {
  status: number;
  /** Value of the header Retry-After; 0 without it. */
  again: number;
  answer: Record<string, unknown>;
  ms: number;
}

/**
 * A primary and its standby with the demo in them, an API and an SMPP server over both, and a program that never stops.
 */
export class DemoCluster {
  readonly cluster: Cluster;
  /** One session of the owner, to the current primary. */
  readonly owner: pg.Pool;
  readonly #sender: { id: number; name: string };
  api!: RunningProcess;
  smpp!: RunningProcess;
  program!: Program;
  /** Texts of the quotes that were requested, and of those that were accepted. */
  readonly quotes = { asked: [] as string[], taken: [] as string[] };
  #token = '';

  private constructor(cluster: Cluster, owner: pg.Pool, sender: { id: number; name: string }) {
    this.cluster = cluster;
    this.owner = owner;
    this.#sender = sender;
  }

  static async open(t: Scope): Promise<DemoCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'heliograph-failover-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const cluster = await Cluster.start(t, async (url) => {
      await prepareDatabase(url);
      const config = readConfig({ DATABASE_URL: url, DATA_DIR: folder, SECRET_KEY });
      await seedDemo({ url, config, log: createLogger({ LOG_LEVEL: 'silent' }, 'demo') });
    });
    const owner = createPool({ DATABASE_URL: cluster.url }, 'owner', { max: 1 });
    t.after(() => owner.end());
    const { rows } = await owner.query<{ id: number; name: string }>(
      `WITH person AS (
         UPDATE user_account SET connection_type_id = (SELECT id FROM connection_type WHERE name = 'SMPP')
         WHERE email = $3 RETURNING id, corporation_id
       ), let_in AS (
         INSERT INTO smpp_system_id (system_id, corporation_id, user_id, password_hash)
         SELECT $1, corporation_id, id, $2 FROM person
       )
       SELECT s.id, s.sender_id AS name FROM sender_id s JOIN person USING (corporation_id)
       WHERE s.enabled AND NOT s.add_optout ORDER BY s.id LIMIT 1`,
      [SYSTEM_ID, await hashPassword(PASSWORD), PERSON],
    );
    return new DemoCluster(cluster, owner, rows[0]!);
  }

  /** Starts the API, the SMPP server and the program that binds to it. */
  async start(t: Scope, settings: Record<string, string> = {}): Promise<void> {
    const own = { LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent', CALLS_PER_MINUTE: '1000000', ...settings };
    [this.api, this.smpp] = await Promise.all([
      startProcess(t, 'api', this.cluster.url, own),
      startProcess(t, 'smpp-server', this.cluster.url, own),
    ]);
    this.#token = signIn.reply.parse((await this.signIn()).answer).access_token;
    const port = Number(new URL(this.smpp.url!).port);
    this.program = new Program({ port, systemId: SYSTEM_ID, sender: this.#sender.name });
    t.after(() => this.program.stop());
  }

  async call(method: string, path: string, body?: object): Promise<Told> {
    const asked = performance.now();
    const response = await fetch(this.api.url + path, {
      method,
      headers: {
        ...(this.#token && { authorization: `Bearer ${this.#token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const again = Number(response.headers.get('retry-after'));
    const answer = (await response.json()) as Record<string, unknown>;
    return { status: response.status, again, answer, ms: performance.now() - asked };
  }

  signIn(): Promise<Told> {
    return this.call('POST', signIn.path, { username: PERSON, password: DEMO_PASSWORD });
  }

  list(): Promise<Told> {
    return this.call('GET', '/api/v1/campaigns');
  }

  /** Requests a quote with a unique text. */
  async quote(): Promise<Told> {
    const content = `Hello ${this.quotes.asked.length}`;
    this.quotes.asked.push(content);
    const body = { sender_id: this.#sender.id, content, custom_numbers: '639170000001' };
    const told = await this.call('POST', '/api/v1/campaigns/quotes', body);
    if (told.status === 202) this.quotes.taken.push(content);
    return told;
  }

  /** Waits until the same processes serve every kind of caller. */
  async servesAll(): Promise<void> {
    await untilServed('somebody signs in', async () => (await this.signIn()).status === 200);
    await untilServed('a list is read', async () => (await this.list()).status === 200);
    await untilServed('a quote is taken', async () => (await this.quote()).status === 202);
    const { taken } = this.program;
    await untilServed('messages are taken', () => this.program.taken > taken + 20);
    await untilServed('the processes say that they are ready', async () => {
      const said = await Promise.all([this.api, this.smpp].map((each) => each.ask('/readyz')));
      return said.every(({ status }) => status === 200);
    });
    for (const { child } of [this.api, this.smpp])
      if (child.exitCode !== null || child.signalCode !== null) throw new Error('a process has ended');
  }
}
