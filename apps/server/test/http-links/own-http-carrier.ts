import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { HttpMapping } from '@heliograph/contract/links/http-mapping';
import { HTTP_PRESETS } from '@heliograph/contract/links/http-presets';
import { listenOn } from '../own-port.ts';
import type { Scope } from '../template-database.ts';

/** A request as a carrier of a test received it. */
export interface Asked {
  query: URLSearchParams;
  body: string;
  request: IncomingMessage;
  response: ServerResponse;
  at: number;
}

/** A carrier whose answers a test decides one by one. */
export async function ownHttpCarrier(t: Scope, onAsked: (asked: Asked) => void) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { searchParams: query } = new URL(request.url ?? '/', 'http://carrier');
      const each = { query, body: Buffer.concat(chunks).toString(), request, response, at: performance.now() };
      asked.push(each);
      onAsked(each);
    });
  });
  const port = await listenOn(server, t);
  return { port, asked };
}

/** Returns the settings of a link to such a carrier in the form `get`. */
export const ownMapping = (port: number, changes: Partial<HttpMapping> = {}): Partial<HttpMapping> => ({
  ...HTTP_PRESETS.get.mapping,
  url: `http://127.0.0.1:${port}/send`,
  ...changes,
});
