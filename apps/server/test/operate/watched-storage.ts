import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { listenOn } from '../own-port.ts';
import type { Scope } from '../template-database.ts';

/** A client's request to the storage. */
export interface Asked {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
}

export interface WatchedStorage {
  url: string;
  asked: Asked[];
  /** Returns a status to answer instead of the storage, or undefined to let the request through. */
  refuse: (asked: Asked) => number | undefined;
}

/** Starts a proxy between a client and the storage, which records requests and answers faults. */
export async function watchStorage(scope: Scope, target: string): Promise<WatchedStorage> {
  const { hostname, port } = new URL(target);
  const watched: WatchedStorage = { url: '', asked: [], refuse: () => undefined };
  const server = createServer((incoming, reply) => {
    const asked = { method: incoming.method!, url: incoming.url!, headers: incoming.headers };
    watched.asked.push(asked);
    const status = watched.refuse(asked);
    if (status !== undefined) {
      incoming.resume();
      incoming.on('end', () => reply.writeHead(status).end());
      return;
    }
    // The host is part of the signature, so it is passed on unchanged.
    const { method, url: path } = asked;
    const headers = { ...asked.headers, connection: 'close' };
    const onward = request({ hostname, port, method, path, headers, agent: false }, (answer) => {
      reply.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(reply);
    });
    // Swift sends a body after a refused HEAD. It is read as noise once the answer is through.
    onward.on('error', () => reply.headersSent || reply.destroy());
    incoming.pipe(onward);
  });
  watched.url = `http://127.0.0.1:${await listenOn(server, scope)}`;
  return watched;
}
