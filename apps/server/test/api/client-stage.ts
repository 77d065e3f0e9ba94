import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { addEvents } from '#modules/events';
import { Heliograph } from '../../../../packages/client/src/index.ts';
import { listenOn } from '../own-port.ts';
import { apiStage } from './stage.ts';

const COMMAND = resolve(import.meta.dirname, '../../../../packages/client/src/cli.ts');

/** A platform with a test key, and faults between it and the client or the command. */
export const stage = await apiStage({ after });
export const { api, acme, one } = stage;
await api.database
  .pool('owner')
  .query("INSERT INTO link (name, host, port, system_id, for_tests) VALUES ('Tests', '127.0.0.1', 1, 'x', true)");
export const { key } = await stage.makeKey({ mode: 'test' });
export const folder = mkdtempSync(join(tmpdir(), 'heliograph-command-'));
after(() => rmSync(folder, { recursive: true, force: true }));

export const count = async () => Number((await one<{ n: string }>('SELECT count(*) AS n FROM program_message')).n);
export const message = (to: number, words = 'Hello') => ({ from: acme.sender, to: stage.number(to), text: words });

/** Adds the event that a message has failed. */
export const failed = ({ user_id, id }: { user_id: number; id: number }, error_code: string) =>
  addEvents(api.database.pool('owner') as never, [
    {
      corporation_id: acme.corporation_id,
      department_id: null,
      user_id,
      type: 'message.failed',
      message_id: id,
      data: { state: 'failed_other', error_code, at: new Date().toISOString() },
    },
  ]);

type Fault = 'pass' | 'refuse' | 'lose' | 'busy' | 'stall' | 'full' | (() => void);

/** Answer of the API while the disk of its database is full. No test waits for the 600 seconds. */
export const FULL = { code: 'unavailable', reason: 'database_full', message: 'The disk is full. Try again in 600 s.' };

/** Starts a proxy between a program and the API that disturbs the next calls, one by one, as planned. */
export async function harm(...plan: Fault[]) {
  const seen: { key: string | undefined; at: number }[] = [];
  const server = createServer(async (request, response) => {
    const fault = plan.shift();
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    seen.push({ key: headers['idempotency-key'], at: performance.now() });
    if (fault === 'refuse') return void request.socket.destroy();
    if (fault === 'busy')
      return void response.writeHead(429, { 'retry-after': '1' }).end('{"code":"too_many_requests"}');
    if (fault === 'full') return void response.writeHead(503, { 'retry-after': '600' }).end(JSON.stringify(FULL));
    const body = request.method === 'POST' ? await text(request) : undefined;
    const answer = await fetch(api.url + request.url, {
      method: request.method!,
      headers,
      ...(body !== undefined && { body }),
    });
    const said = await answer.text();
    // The API has done it, but the caller gets no answer.
    if (fault === 'lose') return void request.socket.destroy();
    if (fault === 'stall') return;
    if (typeof fault === 'function') return fault();
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(said);
  });
  const url = `http://127.0.0.1:${await listenOn(server, { after })}`;
  return { seen, url, client: new Heliograph({ url, key, timeoutMs: 10_000 }) };
}

interface Ran {
  code: number | null;
  out: string;
  wrong: string;
}

/** Runs the command as a person would. */
export async function heliograph(
  args: string[],
  { url = api.url, signal }: { url?: string; signal?: AbortSignal } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd: folder,
    env: { ...process.env, HOME: folder, HELIOGRAPH_URL: url, HELIOGRAPH_API_KEY: key },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  signal?.addEventListener('abort', () => child.kill('SIGKILL'));
  const [out, wrong, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, out, wrong };
}
