import { createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { decodePdu, encodePdu, FrameReader, type PduFields, type SubmitSm } from '@heliograph/smpp';
import { listenOn } from '../own-port.ts';

/** A submit_sm: its octets as they came, and the same decoded. */
export interface Wire {
  octets: Buffer;
  pdu: SubmitSm;
}

/** Builds the answer to a request; undefined if it needs none. */
function answerTo(command: string, sequence: number, id: number): PduFields | undefined {
  switch (command) {
    case 'bind_transceiver':
    case 'bind_transmitter':
    case 'bind_receiver':
      return { command: `${command}_resp`, sequence, system_id: 'wire' };
    case 'submit_sm':
      return { command: 'submit_sm_resp', sequence, message_id: `w${id}` };
    case 'enquire_link':
    case 'unbind':
      return { command: `${command}_resp`, sequence };
    default:
      return undefined;
  }
}

/**
 * Starts a carrier on plain sockets. It takes every bind, answers every submit_sm, and keeps the octets of each
 * account.
 */
export async function wireCarrier(t: TestContext): Promise<{ port: number; of(systemId: string): Wire[] }> {
  const taken = new Map<string, Wire[]>();
  const sockets = new Set<Socket>();
  let id = 0;
  const server = createServer((socket) => {
    let mine: Wire[] = [];
    sockets.add(socket);
    const reader = new FrameReader((buffer, at, length) => {
      const octets = Buffer.from(buffer.subarray(at, at + length));
      const pdu = decodePdu(octets);
      if ('password' in pdu) {
        mine = taken.get(pdu.system_id) ?? [];
        taken.set(pdu.system_id, mine);
      }
      if (pdu.command === 'submit_sm') mine.push({ octets, pdu });
      const answer = answerTo(pdu.command, pdu.sequence, ++id);
      if (answer) socket.write(encodePdu(answer));
      if (pdu.command === 'unbind') socket.end();
    });
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
  });
  const port = await listenOn(server);
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port, of: (systemId) => taken.get(systemId) ?? [] };
}
