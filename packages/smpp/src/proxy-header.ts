import { Buffer } from 'node:buffer';
import { isIP, type Socket, SocketAddress } from 'node:net';

const SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
const PREFIX = Buffer.from('PROXY ');
const LINE_END = Buffer.from('\r\n');
/** Longest line of version 1. */
const LONGEST_LINE = 107;
/** Octets of version 2 before the addresses, and maximum octets of the addresses with everything after them. */
const FIXED = 16;
const LONGEST_REST = 4_096;
const [TCP4, TCP6] = [0x11, 0x21];

interface ProxyHeader {
  octets: number;
  /** Address of the client; undefined if the proxy speaks for itself. */
  address: string | undefined;
}

/**
 * Parses the PROXY protocol header, version 1 or 2, at the start of a connection. Undefined while octets are missing;
 * throws for anything else.
 */
function parseProxyHeader(octets: Buffer): ProxyHeader | undefined {
  if (startsLike(octets, SIGNATURE)) return octets.length < FIXED ? undefined : version2(octets);
  if (!startsLike(octets, PREFIX)) throw new Error('there is no PROXY header');
  const end = octets.subarray(0, LONGEST_LINE).indexOf(LINE_END);
  if (end >= 0) return { octets: end + LINE_END.length, address: version1(octets.toString('latin1', 0, end)) };
  if (octets.length >= LONGEST_LINE) throw new Error('the PROXY header has no end');
  return undefined;
}

function startsLike(octets: Buffer, start: Buffer): boolean {
  const length = Math.min(octets.length, start.length);
  return octets.subarray(0, length).equals(start.subarray(0, length));
}

function version1(line: string): string | undefined {
  const [, family, source = ''] = line.split(' ');
  if (family === 'UNKNOWN') return undefined;
  if (isIP(source) === 0 || family !== `TCP${isIP(source)}`) throw new Error('the PROXY header has no address');
  return plain(source);
}

function version2(octets: Buffer): ProxyHeader | undefined {
  const rest = octets.readUInt16BE(14);
  const [version, command] = [octets[12]! >> 4, octets[12]! & 15];
  if (version !== 2 || command > 1 || rest > LONGEST_REST) throw new Error('the PROXY header is damaged');
  const end = FIXED + rest;
  if (octets.length < end) return undefined;
  const family = octets[13];
  const source = (length: number) => {
    if (rest < length * 2 + 4) throw new Error('the PROXY header has no address');
    return octets.subarray(FIXED, FIXED + length);
  };
  if (command === 0 || (family !== TCP4 && family !== TCP6)) return { octets: end, address: undefined };
  if (family === TCP4) return { octets: end, address: source(4).join('.') };
  const groups = source(16).toString('hex').match(/.{4}/g)!.join(':');
  return { octets: end, address: plain(groups) };
}

/** Answers an address in its usual form; IPv4 within IPv6 becomes IPv4. */
const plain = (address: string): string =>
  isIP(address) === 4
    ? address
    : new SocketAddress({ address, family: 'ipv6' }).address.replace(/^::ffff:(?=\d+\.)/, '');

/**
 * Reads the PROXY header of a socket, and calls back with the client's address once the socket is behind the header. A
 * socket without a complete header in time is closed.
 */
export function readProxyHeader(
  socket: Socket,
  withinMs: number,
  then: (address: string | undefined) => void,
  onFault: (reason: string) => void,
): void {
  let octets = Buffer.alloc(0);
  const fail = (reason: string): void => {
    done();
    socket.destroy();
    onFault(reason);
  };
  const timer = setTimeout(() => fail('the PROXY header did not come in time'), withinMs);
  const onGone = (): void => {
    done();
    socket.destroy();
  };
  const onReadable = (): void => {
    for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null)
      octets = Buffer.concat([octets, chunk]);
    try {
      const header = parseProxyHeader(octets);
      if (!header) return;
      done();
      const rest = octets.subarray(header.octets);
      if (rest.length > 0) socket.unshift(rest);
      then(header.address);
    } catch (error) {
      fail((error as Error).message);
    }
  };
  const done = (): void => {
    clearTimeout(timer);
    socket.off('readable', onReadable);
    socket.off('end', onGone);
    socket.off('close', onGone);
  };
  socket.on('readable', onReadable);
  socket.once('end', onGone);
  socket.once('close', onGone);
}
