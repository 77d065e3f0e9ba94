import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Scope } from '../template-database.ts';

const HEADER = 12;
const TXT = 16;

/** Reads the name that a DNS query asks for, and the offset after the question (RFC 1035, 4.1.2). */
function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

function txtRecord(text: string): Buffer {
  const data = Buffer.from(text);
  const head = Buffer.from([0xc0, HEADER, 0, TXT, 0, 1, 0, 0, 0, 1, 0, data.length + 1, data.length]);
  return Buffer.concat([head, data]);
}

/** Starts a DNS server on this machine that answers TXT queries from a map; every other name does not exist. */
export async function startDns(t: Scope): Promise<{ address: string; records: Map<string, string[]> }> {
  const records = new Map<string, string[]>();
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, end } = questionOf(query);
    const texts = records.get(name) ?? [];
    const answer = Buffer.from(query.subarray(0, end));
    answer.writeUInt16BE(texts.length > 0 ? 0x8180 : 0x8183, 2);
    answer.writeUInt16BE(texts.length, 6);
    answer.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([answer, ...texts.map(txtRecord)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => void socket.close());
  return { address: `127.0.0.1:${(socket.address() as AddressInfo).port}`, records };
}
