import { createHash, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type pg from 'pg';
import type { House } from './house.ts';
import type { BenchTenant } from './tenant.ts';

/** A customer's program over HTTP. */
export interface HttpProgram {
  /** Posts JSON and returns the body of the 202; rejects on any other answer. */
  post(path: string, body: string): Promise<string>;
}

/**
 * Connection of HTTP/1.1 for one call at a time. It knows only answers with a Content-Length: a whole HTTP client took as much of
 * the processor for a call as the API, and both share the machine here.
 */
class Connection {
  readonly #socket: Socket;
  #received = '';
  #answer: { resolve(answer: { status: string; body: string }): void; reject(error: Error): void } | undefined;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('latin1');
    this.#socket.on('data', (text: string) => this.#read(text));
    const lost = (error?: Error) => this.#answer?.reject(error ?? new Error('the API closed a connection'));
    this.#socket.on('error', lost);
    this.#socket.on('close', () => lost());
  }

  call(head: string, body: string): Promise<{ status: string; body: string }> {
    return new Promise((resolve, reject) => {
      this.#answer = { resolve, reject };
      this.#socket.write(head + body);
    });
  }

  close(): void {
    this.#answer = undefined;
    this.#socket.destroy();
  }

  #read(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = /\r\ncontent-length: *(\d+)/i.exec(this.#received)?.[1];
    if (length === undefined) {
      this.#answer?.reject(new Error('an answer came without its length'));
      return;
    }
    if (this.#received.length < end + 4 + Number(length)) return;
    const body = this.#received.slice(end + 4);
    const status = this.#received.slice(9, 12);
    this.#received = '';
    this.#answer?.resolve({ status, body });
  }
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
  const free: Connection[] = [];
  const all: Connection[] = [];
  const waiting: ((connection: Connection) => void)[] = [];
  house.closing.push(async () => all.forEach((each) => void each.close()));
  const take = (): Connection | Promise<Connection> => {
    const known = free.pop();
    if (known) return known;
    if (all.length >= connections) return new Promise((resolve) => waiting.push(resolve));
    const made = new Connection(port);
    all.push(made);
    return made;
  };
  const fields = `host: 127.0.0.1:${port}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json`;
  return {
    async post(path, body) {
      const connection = await take();
      const head = `POST ${path} HTTP/1.1\r\n${fields}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
      const answer = await connection.call(head, body);
      const next = waiting.shift();
      if (next) next(connection);
      else free.push(connection);
      if (answer.status !== '202') throw new Error(`${answer.status} ${answer.body.slice(0, 300)}`);
      return answer.body;
    },
  };
}
