import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { readConnectedConfig } from '../../src/platform/config/config.ts';
import { createLogger } from '../../src/platform/log.ts';
import { buildApi } from '../../src/processes/api.ts';
import { DEMO_PASSWORD } from '../../src/seed/demo-logins.ts';
import { seedDemo } from '../../src/seed/index.ts';
import { type TestDatabase, testDatabase } from '../template-database.ts';

/** An answer of the API: its status and its parsed body. */
export interface Answer<Body = Record<string, unknown>> {
  status: number;
  body: Body;
}

/** Makes calls as one person. */
export type Client = <
  Body = { code?: string; errors?: Record<string, string[]>; data: { id: number } & Record<string, unknown> },
>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
) => Promise<Answer<Body>>;

/** Starts the API over the demo, for a whole test file. `as` signs a person in and returns their client. */
export async function demoApi(): Promise<{
  database: TestDatabase;
  /** DATA_DIR of the API. */
  folder: string;
  as(email: string): Promise<Client>;
  call(request: {
    method: 'GET' | 'POST';
    url: string;
    headers?: Record<string, string>;
    payload?: string | object;
  }): Promise<Answer & { headers: Record<string, unknown>; cookies: { name: string; value: string }[] }>;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-api-'));
  const database = await testDatabase({ after });
  const config = readConnectedConfig({ DATABASE_URL: database.url, DATA_DIR: folder });
  const log = createLogger({ LOG_LEVEL: 'error' }, 'api', process.stderr);
  await seedDemo({ url: database.url, config, log });
  const api = await buildApi({ config, log });
  after(async () => {
    await api.stop();
    rmSync(folder, { recursive: true });
  });
  const { server } = api;
  return {
    database,
    folder,
    async call(request) {
      const reply = await server.inject(request);
      return { status: reply.statusCode, body: reply.json(), headers: reply.headers, cookies: reply.cookies };
    },
    async as(email) {
      const entered = await server.inject({
        method: 'POST',
        url: '/api/v1/oauth/token',
        payload: { username: email, password: DEMO_PASSWORD },
      });
      const authorization = `Bearer ${entered.json().access_token}`;
      return async (method, path, body) => {
        const url = `/api/v1/${path}`;
        const reply = await server.inject({ method, url, headers: { authorization }, ...(body && { payload: body }) });
        return { status: reply.statusCode, body: reply.json() };
      };
    },
  };
}
