import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenFaultLine } from '@heliograph/installation/ports';
import type { Config } from '../config/config.ts';
import type { Logger } from '../log.ts';
import type { Readiness } from './readiness.ts';

/** Processes that answer, each at OPERATIONS_PORT plus its place here: one machine can run all of them. */
const PLACES: readonly string[] = ['api', 'worker', 'sender', 'smpp-server'];
const AGAIN_MS = 5_000;

/** Answers the operations port of a kind of process; 0 if any free one will do. */
export const operationsPort = ({ OPERATIONS_PORT }: Pick<Config, 'OPERATIONS_PORT'>, name: string): number =>
  OPERATIONS_PORT && OPERATIONS_PORT + PLACES.indexOf(name);

/** Server on which a process reports its state. */
export interface OperationsServer {
  /** Undefined while the port is taken by another. */
  readonly port: number | undefined;
  stop(): Promise<void>;
}

interface Options {
  name: string;
  config: Pick<Config, 'OPERATIONS_HOST' | 'OPERATIONS_PORT'>;
  readiness: Readiness;
  /** The text of /metrics, and its content type. */
  metrics: { type: string; read(): Promise<string> };
  log: Logger;
  /** Pause in ms before a taken port is tried again. */
  againMs?: number;
}

const JSON_TYPE = 'application/json';

async function answer(path: string, { readiness, metrics }: Options): Promise<[number, string, string]> {
  switch (path) {
    case '/healthz':
      return [200, JSON_TYPE, JSON.stringify({ status: 'ok' })];
    case '/readyz': {
      const { ready, checks } = await readiness.report();
      return [ready ? 200 : 503, JSON_TYPE, JSON.stringify({ status: ready ? 'ok' : 'not_ready', checks }, null, 2)];
    }
    case '/metrics':
      return [200, metrics.type, await metrics.read()];
    default:
      return [404, JSON_TYPE, JSON.stringify({ status: 'not_found', paths: ['/healthz', '/readyz', '/metrics'] })];
  }
}

async function respond(request: IncomingMessage, response: ServerResponse, options: Options): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  const [status, type, body] = await answer((request.url ?? '/').split('?', 1)[0]!, options);
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/**
 * Answers /healthz (the event loop turns), /readyz (the work can be done; 503 with the reasons otherwise) and /metrics
 * on the process's own operations port. A taken port stops no process from working: it is tried again until it is free.
 * Undefined for a process that has no such port.
 */
export async function startOperationsServer(options: Options): Promise<OperationsServer | undefined> {
  const { name, config, log, againMs = AGAIN_MS } = options;
  if (!PLACES.includes(name)) return undefined;
  const port = operationsPort(config, name);
  const server = createServer((request, response) => {
    respond(request, response, options).catch((error: unknown) => {
      log.warn({ err: error }, 'operations port could not answer');
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  server.requestTimeout = 10_000;
  // It does not keep the process running by itself.
  server.unref();
  let timer: NodeJS.Timeout | undefined;
  let told = false;
  // Listeners are added once: those of `server.listen` would remain if the port is taken, one more for each try.
  const tried = new Promise<void>((done) => {
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (server.listening) return log.warn({ err: error }, 'operations port error');
      if (!told) {
        const address = { host: config.OPERATIONS_HOST, port, hostSetting: 'OPERATIONS_HOST' };
        const reason = listenFaultLine(error.code, { ...address, portSetting: 'OPERATIONS_PORT' });
        log.warn(
          { address: `${config.OPERATIONS_HOST}:${port}`, code: error.code, reason },
          'health and metrics not served yet; retrying',
        );
      }
      told = true;
      timer = setTimeout(listen, againMs).unref();
      done();
    });
    server.on('listening', () => {
      if (told) log.info({ port }, 'health and metrics served');
      done();
    });
  });
  const listen = () => void server.listen(port, config.OPERATIONS_HOST);
  listen();
  await tried;
  return {
    get port() {
      return (server.address() as AddressInfo | null)?.port;
    },
    async stop() {
      clearTimeout(timer);
      if (!server.listening) return;
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}
