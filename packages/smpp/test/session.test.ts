import assert from 'node:assert/strict';
import type { Buffer } from 'node:buffer';
import { connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@heliograph/fault-kit';
import {
  type ApplicationRequest,
  type Closing,
  encodePdu,
  type Outcome,
  openSession,
  STATUS,
  startServer,
} from '../src/index.ts';
import { pair, text } from './session-pair.ts';

test('enquire_link finds a silent peer and keeps a living one', async (t) => {
  const sockets: Socket[] = [];
  const blackHole = createServer((socket) => {
    sockets.push(socket);
    socket.once('data', (chunk: Buffer) => {
      socket.write(
        encodePdu({ command: 'bind_transceiver_resp', sequence: chunk.readUInt32BE(12), system_id: 'hole' }),
      );
    });
  });
  await new Promise<void>((resolve) => blackHole.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    blackHole.close();
  });
  const { port } = blackHole.address() as { port: number };
  const closings: Closing[] = [];
  const bind = { mode: 'transceiver' as const, system_id: 'esme', password: '' };
  openSession(
    { host: '127.0.0.1', port, bind, enquireLinkMs: 200, responseMs: 200 },
    { onClose: (closing) => closings.push(closing) },
  );
  // Many enquiries and a long response timer: a machine that stops for a moment does not look like silence.
  const { client } = await pair(
    t,
    { enquireLinkMs: 50, responseMs: 10_000 },
    {},
    {},
    { enquireLinkMs: 70, responseMs: 10_000 },
  );
  await until('detection', () => closings.length === 1);
  assert.equal(closings[0]?.reason, 'half_open');
  assert.equal(client.state, 'bound');
});

test('reports the status of a refused bind and closes binds without an answer', async (t) => {
  const server = await startServer(
    { port: 0, bindMs: 60_000 },
    { onBind: (bind, session) => (bind.password === 'right' ? undefined : session.refuseBind(STATUS.RINVPASWD)) },
  );
  const impatient = await startServer({ port: 0, bindMs: 200 }, {});
  const never = connect(impatient.port, '127.0.0.1');
  t.after(async () => {
    never.destroy();
    await server.stop();
    await impatient.stop();
  });
  let ended = false;
  never.on('error', () => undefined);
  never.on('close', () => {
    ended = true;
  });
  const open = (password: string, bindMs: number): Promise<Closing> =>
    new Promise((resolve) => {
      const bind = { mode: 'transmitter' as const, system_id: 'e', password };
      openSession({ host: '127.0.0.1', port: server.port, bind, bindMs }, { onClose: resolve });
    });
  assert.deepEqual(await open('wrong', 30_000), { reason: 'bind_refused', status: STATUS.RINVPASWD });
  assert.equal((await open('right', 100)).reason, 'bind_timeout');
  await until('the server to let go', () => server.sessions.size === 0);
  await until('the end of one that never binds', () => ended && impatient.sessions.size === 0);
});

test('answers requests outside the bind with RINVBNDSTS', async (t) => {
  let reached = 0;
  const { client, outcomes } = await pair(t, {}, { onRequests: () => reached++ }, {}, {}, 'receiver');
  client.submit({ destination_addr: '1' }, 1);
  await until('the refusal', () => outcomes.length === 1);
  assert.equal(outcomes[0]?.status, STATUS.RINVBNDSTS);
  assert.equal(reached, 0);
});

test('deliver_sm is answered when the application says so, and not before', async (t) => {
  const delivered: ApplicationRequest[] = [];
  const answers: Outcome<unknown>[] = [];
  const { client, server } = await pair(
    t,
    {},
    { onResponses: (batch) => answers.push(...batch) },
    {
      onRequests: (requests) => delivered.push(...requests),
    },
  );
  for (let i = 0; i < 3; i++) server.deliver({ source_addr: '1', short_message: text }, i);
  await until('delivery', () => delivered.length === 3);
  await sleep(50);
  assert.equal(answers.length, 0);
  client.respond(delivered[0]!, STATUS.ROK);
  client.respond({ command: 'deliver_sm', sequence: delivered[1]!.sequence }, STATUS.RX_T_APPN);
  await until('answers', () => answers.length === 2);
  assert.deepEqual(
    answers.map((a) => [a.context, a.status]),
    [
      [0, 0],
      [1, STATUS.RX_T_APPN],
    ],
  );
});

test('unbind waits for open answers, and takes nothing new meanwhile', async (t) => {
  const { client, outcomes, closings } = await pair(
    t,
    {},
    {
      onRequests: (requests, session) => {
        setTimeout(() => {
          for (const request of requests) session.respond(request, STATUS.ROK, 'x');
        }, 80);
      },
    },
  );
  for (let i = 0; i < 20; i++) client.submit({ destination_addr: '1' }, i);
  const done = client.unbind();
  assert.equal(client.submit({ destination_addr: '1' }, 21), false);
  await done;
  assert.equal(outcomes.filter((o) => o.kind === 'answered').length, 20);
  assert.deepEqual(closings, [{ reason: 'unbound' }]);
});
