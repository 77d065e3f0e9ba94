import { createHash, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import type pg from 'pg';
import type { House } from './house.ts';
import type { BenchTenant } from './tenant.ts';

/** A customer's program over HTTP. */
export interface HttpProgram {
  /** Posts JSON and returns the body of the 202; rejects on any other answer. */
  post(path: string, body: string): Promise<string>;
}

/** Gives the tenant's person an API key, and opens at most `connections` connections to the API. */
export async function httpProgram(
  house: House,
  owner: pg.Client,
  { corporation_id, user_id }: BenchTenant,
  { port, connections }: { port: number; connections: number },
): Promise<HttpProgram> {
  const key = `hk_live_${randomBytes(32).toString('base64url')}`;
  await owner.query('UPDATE user_account SET corporation_id = $1, scope_level = 2 WHERE id = $2', [
    corporation_id,
    user_id,
  ]);
  await owner.query("INSERT INTO sender_id (corporation_id, sender_id) VALUES ($1, 'Bench')", [corporation_id]);
  await owner.query(
    `INSERT INTO api_key (corporation_id, user_id, name, mode, prefix, digest, scopes)
     VALUES ($1, $2, 'Bench', 'live', 'hk_live_bench', $3, '{messages:send,verifications:write}')`,
    [corporation_id, user_id, createHash('sha256').update(key).digest()],
  );
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  house.closing.push(async () => agent.destroy());
  return {
    post: (path, body) =>
      new Promise<string>((resolve, reject) => {
        const call = request(
          {
            host: '127.0.0.1',
            port,
            path,
            method: 'POST',
            agent,
            headers: {
              authorization: `Bearer ${key}`,
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(body),
            },
          },
          (response) => {
            let text = '';
            response.setEncoding('utf8');
            response.on('data', (chunk: string) => (text += chunk));
            response.on('end', () =>
              response.statusCode === 202
                ? resolve(text)
                : reject(new Error(`${response.statusCode} ${text.slice(0, 300)}`)),
            );
          },
        );
        call.on('error', reject);
        call.end(body);
      }),
  };
}
