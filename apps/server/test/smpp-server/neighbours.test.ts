import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom, seedOf } from '@heliograph/fault-kit';
import { encodePdu, encodeShortMessage, statusName } from '@heliograph/smpp';
import { mutants } from '../../../../packages/smpp/test/mutants.ts';
import { bind, bindPdu, rawSocket, smppStage, until } from './stage.ts';

/** Numbers of well-behaved customers and of their submits; `npm run soak` sets larger ones. */
const CUSTOMERS = Number(process.env.FAULT_SMPP_CUSTOMERS || 20);
const SUBMITS = Number(process.env.FAULT_SMPP_SUBMITS || 12);
const seed = seedOf('FAULT_SEED');

const stage = await smppStage({ after });
const server = await stage.server();

/** Binds over its own socket; if `reads` is false, the socket reads nothing after the bind. */
async function rude(system_id: string, reads: boolean): Promise<Socket> {
  const socket = await rawSocket(server, '127.0.0.66');
  socket.write(bindPdu(system_id));
  await once(socket, 'data');
  if (reads) socket.resume();
  else socket.pause();
  return socket;
}

const flood = Buffer.concat(
  Array.from({ length: 500 }, (_, i) =>
    encodePdu({
      command: 'submit_sm',
      sequence: i + 2,
      source_addr: 'Acme',
      source_addr_ton: 5,
      destination_addr: `63917${String(i).padStart(7, '0')}`,
      short_message: encodeShortMessage('flood', 'gsm'),
    }),
  ),
);

test(`one flooding customer does not affect ${CUSTOMERS} others (FAULT_SEED=${seed})`, async () => {
  await stage.customer('rude', { window_size: 10_000, max_binds: 50 });
  const names = Array.from({ length: CUSTOMERS }, (_, i) => `good-${i}`);
  const good = [];
  for (const name of names) {
    await stage.customer(name, { window_size: 20, max_binds: 1 });
    good.push(await bind(server, name));
  }
  let on = true;
  let floods = 0;
  const sockets = [await rude('rude', true), await rude('rude', true), await rude('rude', false)];
  const source = mutants(seededRandom(seed), seed);
  const misbehaving = sockets.map(async (socket, index) => {
    while (on && !socket.destroyed) {
      const octets =
        index === 0 ? Buffer.concat(Array.from({ length: 200 }, () => source.next().value as Buffer)) : flood;
      if (index > 0) floods++;
      // If the server stops reading, the socket waits for room, as a program does.
      if (!socket.write(octets)) await Promise.race([once(socket, 'drain'), sleep(100)]);
      await sleep(index === 0 ? 20 : 5);
    }
  });
  await until('the flood is on', () => floods > 5);
  const statuses = await Promise.all(
    good.map(async (esme, c) => {
      const seen: string[] = [];
      for (let i = 0; i < SUBMITS; i++) {
        const destination_addr = `63918${String(c).padStart(3, '0')}${String(i).padStart(4, '0')}`;
        seen.push(statusName((await esme.submit({ destination_addr })).status));
      }
      return seen;
    }),
  );
  on = false;
  await Promise.all(misbehaving);
  for (const socket of sockets) socket.destroy();
  assert.deepEqual([...new Set(statuses.flat())], ['ESME_ROK']);
  const { taken } = await stage.one<{ taken: number }>(
    `SELECT count(*) AS taken FROM program_message p JOIN smpp_system_id s ON s.id = p.smpp_system_id WHERE s.system_id LIKE 'good-%'`,
  );
  assert.equal(taken, CUSTOMERS * SUBMITS);
  await Promise.all(good.map(({ session }) => session.unbind()));
});
