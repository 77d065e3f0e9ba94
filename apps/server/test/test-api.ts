import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signIn } from '@heliograph/contract/identity/session';
import { type Clock, systemClock } from '../src/platform/clock.ts';
import { type ConnectedConfig, readConnectedConfig } from '../src/platform/config/config.ts';
import { createLogger, type Logger } from '../src/platform/log.ts';
import { buildApi } from '../src/processes/api.ts';
import { DEMO_PASSWORD } from '../src/seed/demo-logins.ts';
import { seedDemo } from '../src/seed/index.ts';
import { POOLER_VARIABLE, startPooler } from './operate/pooler.ts';
import {
  DEMO_VARIABLE,
  demoDatabase,
  ROLE_PASSWORD,
  type Scope,
  type TestDatabase,
  testDatabase,
} from './template-database.ts';

/** Answer to a call: the status, the headers and the body, parsed if it is JSON. */
export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Calls the API as one person. `body` is sent as JSON unless it is a FormData. */
export type Client = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

/** The real API over real HTTP, with its own database that has the demo in it. */
export interface TestApi {
  url: string;
  database: TestDatabase;
  config: ConnectedConfig;
  log: Logger;
  /** Signs a login in once and calls with its token; a name without a domain is at heliograph.test. */
  as(login: string): Promise<Client>;
  /** Calls without a token, or with the given one. */
  anonymous(token?: string): Client;
}

const LONG_LOAD = 120_000;

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json');
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
}

/**
 * Starts the API on a free port over a database with the demo, and stops it with the test or file. Under `npm test` the
 * database is a copy of one that was filled once, unless the caller brings a database or the key of its secrets.
 */
export async function startTestApi(
  t: Scope,
  options: {
    clock?: Clock;
    log?: Logger;
    sessions?: number;
    settings?: Record<string, string>;
    database?: TestDatabase;
  } = {},
): Promise<TestApi> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-api-'));
  const demo = options.database || options.settings?.['SECRET_KEY'] ? undefined : process.env[DEMO_VARIABLE];
  if (demo) cpSync(demo, folder, { recursive: true });
  const database = options.database ?? (await (demo ? demoDatabase(t) : testDatabase(t)));
  // All calls of a test come from one address, and a faster machine makes more of them in a minute.
  const free = { CALLS_PER_MINUTE: '10000000' };
  const logins = { DATABASE_URL: database.url, DATABASE_ROLE_PASSWORD: ROLE_PASSWORD };
  const own = { ...logins, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', ...free };
  const pooled = process.env[POOLER_VARIABLE]
    ? { POOLER_URL: await startPooler(t, database.url, undefined, ROLE_PASSWORD) }
    : {};
  const config = readConnectedConfig({ ...own, ...pooled, ...options.settings });
  const log = options.log ?? createLogger(config, 'test');
  if (!demo) await seedDemo({ url: database.url, config, log });
  const { server, stop } = await buildApi({
    config,
    log,
    clock: options.clock ?? systemClock,
    sessions: options.sessions,
  });
  t.after(stop);
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await server.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;

  const anonymous = (token?: string): Client => {
    return async (method, path, body, headers = {}) => {
      const multipart = body instanceof FormData;
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && !multipart && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: multipart ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(LONG_LOAD),
      });
      return answerOf(response);
    };
  };
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = async (username: string): Promise<string> => {
    const { status, body } = await anonymous()('POST', signIn.path, { username, password: DEMO_PASSWORD });
    if (status !== 200) throw new Error(`${username} cannot sign in: ${JSON.stringify(body)}`);
    return signIn.reply.parse(body).access_token;
  };
  const as = async (login: string): Promise<Client> => {
    const username = login.includes('@') ? login : `${login}@heliograph.test`;
    const token = tokens.get(username) ?? tokenOf(username);
    tokens.set(username, token);
    return anonymous(await token);
  };
  return { url, database, config, log, as, anonymous };
}
