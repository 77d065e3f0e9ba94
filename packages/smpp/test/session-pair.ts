import { Buffer } from 'node:buffer';
import type { TestContext } from 'node:test';
import { until } from '@heliograph/fault-kit';
import {
  type Closing,
  type Outcome,
  openSession,
  type Session,
  type SessionHandler,
  type SessionOptions,
  STATUS,
  startServer,
} from '../src/index.ts';

export const text = Buffer.from('hello');
type Server = SessionHandler<unknown>;

interface Pair {
  client: Session<number>;
  server: Session<unknown>;
  outcomes: Outcome<number>[];
  closings: Closing[];
}

/** Opens a bound pair of sessions over loopback; both end with the test. */
export async function pair(
  t: TestContext,
  clientOptions: SessionOptions,
  serverHandler: Server,
  clientHandler: Partial<SessionHandler<number>> = {},
  serverOptions: SessionOptions = {},
  mode: 'transmitter' | 'receiver' | 'transceiver' = 'transceiver',
): Promise<Pair> {
  const server = await startServer<unknown>(
    { port: 0, ...serverOptions },
    { onBind: (_bind, session) => session.acceptBind('smsc'), ...serverHandler },
  );
  const outcomes: Outcome<number>[] = [];
  const closings: Closing[] = [];
  const bind = { mode, system_id: 'esme', password: 'secret' };
  const client = openSession<number>(
    { host: '127.0.0.1', port: server.port, bind, ...clientOptions },
    { onResponses: (batch) => outcomes.push(...batch), onClose: (closing) => closings.push(closing), ...clientHandler },
  );
  t.after(async () => {
    client.destroy();
    for (const session of server.sessions) session.destroy();
    await server.stop();
  });
  await until('the bind', () => client.state === 'bound');
  return { client, server: [...server.sessions][0]!, outcomes, closings };
}

export const acceptAll: Server = {
  onRequests: (requests, session) => {
    for (const request of requests) session.respond(request, STATUS.ROK, `id-${request.sequence}`);
  },
};
