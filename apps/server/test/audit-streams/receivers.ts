import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { Scope } from '../template-database.ts';

/** Message of a syslog receiver, by the parts of RFC 5424. */
export interface Received {
  priority: number;
  at: string;
  app: string;
  kind: string;
  event: Record<string, unknown>;
}

/** Reads frames of RFC 5425 from the beginning of `bytes`; answers the messages and the rest. */
function readFrames(bytes: Buffer): { messages: string[]; rest: Buffer } {
  const messages: string[] = [];
  for (let rest = bytes; ; ) {
    const space = rest.indexOf(' ');
    const length = space > 0 ? Number(rest.subarray(0, space)) : Number.NaN;
    if (space > 0 && !/^[1-9]\d*$/.test(rest.subarray(0, space).toString()))
      throw new Error(`no frame: ${rest.subarray(0, 40)}`);
    if (Number.isNaN(length) || rest.length < space + 1 + length) return { messages, rest };
    messages.push(rest.subarray(space + 1, space + 1 + length).toString());
    rest = rest.subarray(space + 1 + length);
  }
}

function parse(message: string): Received {
  const found = /^<(\d{1,3})>1 (\S+) (\S+) (\S+) (\S+) (\S+) (-|\[.*?\]) (.*)$/s.exec(message);
  if (!found) throw new Error(`not RFC 5424: ${message}`);
  const [, priority, at, , app, , kind, , text] = found;
  return { priority: Number(priority), at: at!, app: app!, kind: kind!, event: JSON.parse(text!) };
}

/** Starts a syslog receiver with TLS, written from RFC 5424 and RFC 5425. */
export async function syslogReceiver(scope: Scope, files: { key: string; cert: string }) {
  const got: Received[] = [];
  const server = createTlsServer({ ...files, minVersion: 'TLSv1.2' }, (socket: TLSSocket) => {
    let bytes: Buffer = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (piece: Buffer) => {
      const { messages, rest } = readFrames(Buffer.concat([bytes, piece]));
      bytes = rest;
      got.push(...messages.map(parse));
    });
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const stop = () => new Promise<void>((done) => server.close(() => done()));
  await listen(0);
  scope.after(stop);
  const { port } = server.address() as AddressInfo;
  return { port, got, stop, start: () => listen(port) };
}

/** Starts a program that receives entries over HTTP; `state.status` is its answer. */
export async function httpReceiver(scope: Scope) {
  const came: { headers: IncomingHttpHeaders; body: string }[] = [];
  const state = { status: 200 };
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      came.push({ headers: request.headers, body: Buffer.concat(pieces).toString() });
      response.writeHead(state.status).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/audit`, came, state };
}
