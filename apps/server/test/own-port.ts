import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';
import { freePort } from '@heliograph/installation/ports';
import type { Scope } from './template-database.ts';

/**
 * Lowest port to use. These ports are below those that a system assigns, so no other program takes one before its use.
 * Browsers refuse 10080, the highest port on their list of other protocols.
 */
const FIRST = 10_100;
const COUNT = 22_000;
/** Number of ports that each process has to itself. */
const OF_A_PROCESS = 16;

let asked = 0;

/** Finds a port that nobody listens on, for a program that starts later and must be given its port. */
export async function ownPort(): Promise<number> {
  for (;;) {
    const port = FIRST + ((process.pid * OF_A_PROCESS + asked++) % COUNT);
    if ((await freePort(port)) !== undefined) return port;
  }
}

/** Returns whether a program accepts connections on a port of this machine. */
export function listens(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      answer(true);
    });
    socket.once('error', () => answer(false));
  });
}

/**
 * Lets a server listen on a free port of this machine, and returns the port. With a scope, the server and its
 * connections end with it.
 */
export async function listenOn(server: Server | HttpServer, t?: Scope, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  t?.after(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
