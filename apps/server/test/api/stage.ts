import type { apiKey } from '@heliograph/contract/api/api-key';
import type { ApiScope } from '@heliograph/contract/kernel/public-operation';
import type { z } from 'zod';
import type { Scope, TestDatabase } from '../template-database.ts';
import { type Answer, type Client, startTestApi, type TestApi } from '../test-api.ts';

export type Key = z.output<(typeof apiKey)['row']>;

/** The demo's API with keys of Acme Retail's corporate admin. */
export interface ApiStage {
  api: TestApi;
  /** Acme, with a sender ID and its corporate admin, who owns the keys. */
  acme: { corporation_id: number; user_id: number; sender: string };
  /** Returns a valid number of a recipient. */
  number(index: number): string;
  makeKey(changes?: {
    name?: string;
    mode?: 'live' | 'test';
    scopes?: ApiScope[];
    allowed_ips?: string[];
    read_national?: boolean;
    as?: string;
  }): Promise<Key & { key: string }>;
  /** Returns a client that calls with a key. */
  by(key: string): Client;
  one<Row>(text: string, values?: unknown[]): Promise<Row>;
}

export async function apiStage(
  t: Scope,
  settings: Record<string, string> = {},
  database?: TestDatabase,
): Promise<ApiStage> {
  const api = await startTestApi(t, { settings, ...(database && { database }) });
  const owner = api.database.pool('owner');
  const one = async <Row>(text: string, values: unknown[] = []) => (await owner.query(text, values)).rows[0] as Row;
  const person = await one<{ user_id: number; corporation_id: number }>(
    "SELECT id AS user_id, corporation_id FROM user_account WHERE email = 'corporate@heliograph.test'",
  );
  const { sender } = await one<{ sender: string }>(
    'SELECT sender_id AS sender FROM sender_id WHERE corporation_id = $1 AND enabled ORDER BY id LIMIT 1',
    [person.corporation_id],
  );
  let made = 0;
  return {
    api,
    acme: { ...person, sender },
    number: (index) => `639170${String(index).padStart(6, '0')}`,
    async makeKey({ as = 'corporate', ...changes } = {}) {
      const { user_id } = await one<{ user_id: number }>('SELECT id AS user_id FROM user_account WHERE email = $1', [
        `${as}@heliograph.test`,
      ]);
      const answer = await (await api.as(as))('POST', '/api/v1/api-keys', {
        name: `Key ${++made}`,
        user_id,
        ...changes,
      });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return (answer.body as { data: Key & { key: string } }).data;
    },
    by: (key) => api.anonymous(key),
    one,
  };
}

/** Returns the status and code of an answer, with the fields that it names. */
export const codeOf = ({ status, body }: Answer): string => {
  const { code, errors = {} } = body as { code?: string; errors?: Record<string, unknown> };
  return [status, code, ...Object.keys(errors)].filter((part) => part !== undefined).join(' ');
};
