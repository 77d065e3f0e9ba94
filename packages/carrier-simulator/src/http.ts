import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Carrier } from './carrier.ts';
import type { Handsets } from './handset.ts';
import { HttpCarrier } from './http-carrier.ts';
import { lookupOf } from './lookup.ts';
import { MAGIC_NUMBERS } from './outcome.ts';
import { PROFILE_NAMES } from './profile.ts';
import { type SettingsChange, settingsProblem, withChange } from './settings.ts';

interface PageOptions {
  port: number;
  host: string;
  carrier: Carrier;
  handsets: Handsets;
  reset(): void;
}

const FILES: Record<string, [file: string, type: string]> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/page.css': ['page.css', 'text/css; charset=utf-8'],
};

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const MAX_BODY = 65_536;
const EVENT_MS = 300;

/** Error that is answered with a status other than 200. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Starts the page of virtual handsets and its JSON calls. Rejects if the port is taken. */
export function startPage(options: PageOptions): Promise<{ port: number; stop(): Promise<void> }> {
  const files = new Map(
    Object.entries(FILES).map(([path, [file, type]]) => [
      path,
      { body: readFileSync(new URL(`../page/${file}`, import.meta.url)), type },
    ]),
  );
  const listeners = new Set<ServerResponse>();
  announce(options.carrier, listeners);
  const carrier = new HttpCarrier(options.carrier);

  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const url = new URL(request.url ?? '/', 'http://simulator');
    if (carrier.handle(request, response, url)) return;
    const file = request.method === 'GET' ? files.get(url.pathname) : undefined;
    if (file) {
      response.setHeader('content-type', file.type).end(file.body);
      return;
    }
    if (request.method === 'GET' && url.pathname === '/api/events') {
      response.setHeader('content-type', 'text/event-stream').write(':\n\n');
      listeners.add(response);
      response.once('close', () => listeners.delete(response));
      return;
    }
    answer(options, request, url).then(
      (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
      (error: Error) => {
        response.statusCode = error instanceof Refusal ? error.status : 500;
        const message = error instanceof Refusal ? error.message : 'The simulator could not do that.';
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ message }));
      },
    );
  });

  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : 0,
        stop: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}

/** Sends changes to open pages, at most once per `EVENT_MS`, even if segments come faster. */
function announce(carrier: Carrier, listeners: Set<ServerResponse>): void {
  let waiting = false;
  carrier.onChange = () => {
    if (waiting || listeners.size === 0) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      const event = `data: ${JSON.stringify({ seq: carrier.log.total, counts: carrier.counts })}\n\n`;
      for (const listener of listeners) listener.write(event);
    }, EVENT_MS).unref();
  };
}

async function answer({ carrier, handsets, reset }: PageOptions, request: IncomingMessage, url: URL): Promise<unknown> {
  const number = (name: string, fallback: number, max: number): number => {
    const value = Number(url.searchParams.get(name) ?? fallback);
    if (!Number.isInteger(value) || value < 0) throw new Refusal(422, `“${name}” must be a whole number.`);
    return Math.min(value, max);
  };
  const handset = /^\/api\/handsets\/([^/]{1,21})(\/replies)?$/.exec(url.pathname);
  const route = `${request.method} ${handset ? `/api/handsets/:number${handset[2] ?? ''}` : url.pathname}`;
  switch (route) {
    case 'GET /api/lookups':
      return { data: (url.searchParams.get('numbers') ?? '').split(',').filter(Boolean).slice(0, 1_000).map(lookupOf) };
    case 'GET /api/counts':
      return { data: carrier.counts };
    case 'GET /api/log': {
      const page = carrier.log.page(number('after', 0, Number.MAX_SAFE_INTEGER), number('limit', 1_000, 10_000));
      return { ...page, total: carrier.log.total, oldest: carrier.log.oldest };
    }
    case 'GET /api/magic-numbers':
      return { data: MAGIC_NUMBERS };
    case 'GET /api/profiles':
      return { data: PROFILE_NAMES };
    case 'GET /api/settings':
      return { data: carrier.settings };
    case 'PATCH /api/settings': {
      const change = await readJson(request);
      const problem = settingsProblem(change);
      if (problem !== undefined) throw new Refusal(422, problem);
      carrier.configure(withChange(carrier.settings, change as SettingsChange));
      return { data: carrier.settings };
    }
    case 'POST /api/reset':
      await readJson(request);
      reset();
      return { data: carrier.counts };
    case 'GET /api/handsets':
      return {
        data: handsets.recent((url.searchParams.get('search') ?? '').replace(/\D/g, ''), number('limit', 50, 500)),
      };
    case 'GET /api/handsets/:number':
      return { data: handsets.messagesOf(decodeNumber(handset![1]!)) };
    case 'POST /api/handsets/:number/replies':
      return { data: reply(handsets, decodeNumber(handset![1]!), await readJson(request)) };
    default:
      throw new Refusal(404, 'There is nothing here.');
  }
}

function decodeNumber(text: string): string {
  if (!/^[0-9A-Za-z]{1,20}$/.test(text)) throw new Refusal(422, 'A number has 1 to 20 digits.');
  return text;
}

function reply(handsets: Handsets, from: string, body: unknown): { parts: number } {
  const { to, text, system_id } = (body ?? {}) as Record<string, unknown>;
  if (typeof to !== 'string' || !/^[\x21-\x7e]{1,20}$/.test(to))
    throw new Refusal(422, 'Say which number or sender the reply goes to.');
  if (typeof text !== 'string' || text === '' || text.length > 1_500)
    throw new Refusal(422, 'Write a text of 1 to 1,500 characters.');
  if (system_id !== undefined && typeof system_id !== 'string') throw new Refusal(422, '“system_id” must be a text.');
  const parts = handsets.send({ from, to, text, system_id });
  if (parts === 0)
    throw new Refusal(409, 'No receiver is bound, so the reply has nowhere to go. Start the sender and try again.');
  return { parts };
}

/** Reads a JSON body. The content type is required, so that another site's form cannot write here. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!request.headers['content-type']?.startsWith('application/json')) throw new Refusal(415, 'Send JSON.');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Refusal(413, 'That is more than 64 KB.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
  } catch {
    throw new Refusal(400, 'That is no valid JSON.');
  }
}
