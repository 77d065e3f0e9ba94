import assert from 'node:assert/strict';
import type { Scope } from '../template-database.ts';
import { type Answer, type Client, startTestApi, type TestApi } from '../test-api.ts';
import { startDns } from './dns-server.ts';

/** Address under which providers know the console. Nobody opens it: the tests take its parameters from redirects. */
export const HOME = 'http://127.0.0.1:8080';

/** Reply of the calls of a sign-in, as far as the tests look at it. */
export interface Reply {
  status: number;
  code?: string;
  url?: string | null;
  access_token?: string;
  verified?: boolean;
  from?: string | null;
}

const replyOf = ({ status, body }: Answer): Reply => ({ status, ...(body as Omit<Reply, 'status'>) });

/** A browser as far as the sign-in needs one: it keeps our cookies. */
export class Browser {
  readonly #client: Client;
  readonly #cookies = new Map<string, string>();

  constructor(api: TestApi) {
    this.#client = api.anonymous();
  }

  async #post(path: string, body: object): Promise<Reply> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.#client('POST', path, body, cookie === '' ? {} : { cookie });
    for (const set of answer.headers.getSetCookie()) {
      assert.match(set, /HttpOnly; SameSite=Strict/, 'no script and no other site uses it');
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
      if (value === '') this.#cookies.delete(name!);
      else this.#cookies.set(name!, value!);
    }
    return replyOf(answer);
  }

  /** Copies the cookies of another browser, as a thief of cookies would. */
  steal(other: Browser): void {
    for (const [name, value] of other.#cookies) this.#cookies.set(name, value);
  }

  begin(body: { email?: string; key?: string; from?: string }): Promise<Reply> {
    return this.#post('/api/v1/sso/begin', body);
  }

  /** Begins a sign-in, and answers the parameters of the address at the provider. */
  async beginAt(body: { email?: string; key?: string; from?: string }): Promise<URL> {
    const { status, url } = await this.begin(body);
    assert.equal(status, 200);
    assert.ok(url);
    return new URL(url);
  }

  finish(key: string, answer: Record<string, string>): Promise<Reply> {
    return this.#post('/api/v1/sso/finish', { key, answer });
  }
}

/** Record of a provider, as far as the tests look at it. */
export interface ProviderRecord {
  id: number;
  has_client_secret: boolean;
  last_fault: string | null;
  people: number;
  proofs: { domain: string; record: string; value: string; proved: boolean }[];
}

/** Starts the API with a DNS server of its own, and helpers for providers of Acme Retail. */
export async function signOnStage(t: Scope) {
  const dns = await startDns(t);
  const api = await startTestApi(t, {
    settings: { PRIVATE_TARGETS: '127.0.0.1', DNS_SERVERS: dns.address, PUBLIC_URL: HOME },
  });
  const owner = api.database.pool('owner');
  // Acme Retail belongs to a reseller, whose console is at another address.
  await owner.query('UPDATE reseller SET base_url = NULL');
  const corporate = await api.as('corporate');
  const one = async <Row>(sql: string, ...values: unknown[]): Promise<Row> =>
    (await owner.query(sql, values)).rows[0] as Row;
  const acme = (
    await one<{ id: number }>("SELECT corporation_id AS id FROM user_account WHERE email = 'corporate@heliograph.test'")
  ).id;
  const roleId = async (name: string) => (await one<{ id: number }>('SELECT id FROM role WHERE name = $1', name)).id;
  const keyOf = async (id: number) =>
    (await one<{ key: string }>('SELECT key FROM identity_provider WHERE id = $1', id)).key;
  const get = async (id: number, client = corporate) =>
    ((await client('GET', `/api/v1/identity-providers/${id}`)).body as { data: ProviderRecord }).data;

  /** Proves all domains of a provider through the DNS. */
  async function prove(id: number, client = corporate): Promise<void> {
    for (const { domain, record, value } of (await get(id, client)).proofs) {
      dns.records.set(record, ['another record', value]);
      const { status, body } = await client('POST', `/api/v1/identity-providers/${id}/prove`, { domain });
      assert.equal(status, 200, JSON.stringify(body));
    }
  }

  /** Creates a provider of Acme Retail with proved domains. */
  async function provider(fields: object, client = corporate): Promise<{ id: number; key: string }> {
    const { status, body } = await client('POST', '/api/v1/identity-providers', {
      name: `Provider ${crypto.randomUUID().slice(0, 8)}`,
      client_id: 'console',
      client_secret: 'a secret of the console',
      ...fields,
    });
    assert.equal(status, 201, JSON.stringify(body));
    const { id } = (body as { data: { id: number } }).data;
    await prove(id, client);
    return { id, key: await keyOf(id) };
  }

  const change = (id: number, fields: object, client = corporate) =>
    client('PATCH', `/api/v1/identity-providers/${id}`, fields);
  return { api, dns, owner, corporate, one, acme, roleId, keyOf, get, prove, provider, change };
}
