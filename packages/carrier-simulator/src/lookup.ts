import { createSocket } from 'node:dgram';

/** Answer of the simulated service for lookups about a number. */
export interface Lookup {
  number: string;
  /** Codes of its network; null if nobody has the number. */
  mcc: string | null;
  mnc: string | null;
  state: 'active' | 'dead';
}

/**
 * Returns the network of a number. Those that end with 77 were ported to the Philippine network 515-66, those with 88 to
 * 515-03, and those with 00 are dead. Of all others the service knows nothing.
 */
export function lookupOf(number: string): Lookup | { number: string; mcc: null; mnc: null; state: 'unknown' } {
  if (number.endsWith('00')) return { number, mcc: null, mnc: null, state: 'dead' };
  if (number.endsWith('77')) return { number, mcc: '515', mnc: '66', state: 'active' };
  if (number.endsWith('88')) return { number, mcc: '515', mnc: '03', state: 'active' };
  return { number, mcc: null, mnc: null, state: 'unknown' };
}

const NAPTR = 35;
const NO_SUCH_NAME = 3;
const TTL_SECONDS = 60;

/** Reads the name of the only question of a DNS query, and where the question ends. */
function questionOf(query: Buffer): { labels: string[]; end: number } {
  const labels: string[] = [];
  let at = 12;
  while (query[at]! > 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
    at += query[at]! + 1;
  }
  return { labels, end: at + 5 };
}

const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value, 'latin1')]);

/** Answers a DNS query of ENUM (RFC 6116) with a NAPTR record, or with no such name for a number that is not known. */
export function answerEnum(query: Buffer): Buffer {
  const { labels, end } = questionOf(query);
  const number = labels
    .filter((label) => /^\d$/.test(label))
    .reverse()
    .join('');
  const { mcc, mnc } = lookupOf(number);
  const known = mcc !== null && query.readUInt16BE(end - 4) === NAPTR;
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8400 | (query.readUInt16BE(2) & 0x0100) | (known ? 0 : NO_SUCH_NAME), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(known ? 1 : 0, 6);
  header.fill(0, 8);
  const question = query.subarray(12, end);
  if (!known) return Buffer.concat([header, question]);
  const data = Buffer.concat([
    Buffer.from([0, 10, 0, 50]),
    text('u'),
    text('E2U+pstn:sip'),
    text(`!^.*$!sip:+${number}@mnc${mnc!.padStart(3, '0')}.mcc${mcc}.3gppnetwork.org!`),
    Buffer.from([0]),
  ]);
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(NAPTR, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(TTL_SECONDS, 6);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([header, question, record, data]);
}

/** Starts an ENUM server on a UDP port; 0 takes a free one. */
export function startEnumServer(
  port = 0,
  host = '127.0.0.1',
): Promise<{ port: number; queries(): number; stop(): Promise<void> }> {
  const socket = createSocket('udp4');
  let queries = 0;
  socket.on('message', (query, from) => {
    queries++;
    if (query.length > 16) socket.send(answerEnum(query), from.port, from.address);
  });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, host, () =>
      resolve({
        port: socket.address().port,
        queries: () => queries,
        stop: () => new Promise((done) => socket.close(() => done())),
      }),
    );
  });
}
