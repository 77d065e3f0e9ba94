import { openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';

// Loaded before a process: places it on a host with its own address. Every connection that it opens comes from that
// address, so a network can tell hosts apart and cut one off. Every submit written to a carrier is noted with the time
// at which its socket took it.

const { FLEET_ADDRESS: localAddress, FLEET_CARRIERS = '', FLEET_SUBMITS = '' } = process.env;
const carriers = new Set(FLEET_CARRIERS.split(',').map(Number));
/** Clock of the machine, even if the clock of the host is set ahead later. */
const { now } = Date;
const notes = FLEET_SUBMITS ? openSync(FLEET_SUBMITS, 'a') : undefined;
/** Carrier's port that each socket is connected to. */
const ports = new WeakMap<Socket, number>();

const SUBMIT_SM = 4;
/** Octets before the body of a PDU (SMPP 3.4 §3.2). */
const HEADER = 16;

interface Target {
  port?: number;
  path?: string;
}

/** Splits the arguments of `connect` into options and the rest. */
function targetOf([first, second, ...rest]: unknown[]): [Target, ...unknown[]] {
  if (typeof first === 'object') return [first as Target, second, ...rest];
  const port = Number(first);
  return typeof second === 'string' ? [{ port, host: second } as Target, ...rest] : [{ port }, second, ...rest];
}

const { connect, write } = Socket.prototype as unknown as Record<'connect' | 'write', (...given: unknown[]) => unknown>;

function connectFromHere(this: Socket, ...given: unknown[]): unknown {
  // `net.connect` passes its prepared arguments on as one list.
  const list = Array.isArray(given[0]) ? (given[0] as [Target]) : undefined;
  const [target, ...rest] = list ? [list[0]] : targetOf(given);
  if (target.path !== undefined) return connect!.apply(this, given);
  const from = { ...target, localAddress };
  if (carriers.has(Number(target.port))) ports.set(this, Number(target.port));
  if (!list) return connect!.call(this, from, ...rest);
  list[0] = from;
  return connect!.call(this, list);
}

/** Returns the position after a zero-terminated string (§3.1). */
const behind = (octets: Buffer, from: number): number => octets.indexOf(0, from) + 1;

/** Reads the recipient of a submit_sm that begins at `start` (§4.4.1). */
function recipientOf(octets: Buffer, start: number): string {
  const source = behind(octets, start + HEADER) + 2;
  const destination = behind(octets, source) + 2;
  return octets.toString('latin1', destination, behind(octets, destination) - 1);
}

/** Notes each submit of a write: epoch milliseconds, port, recipient. */
function note(octets: Buffer, port: number): void {
  const at = now();
  let lines = '';
  for (let start = 0; start + HEADER <= octets.length; start += octets.readUInt32BE(start))
    if (octets.readUInt32BE(start + 4) === SUBMIT_SM) lines += `${at} ${port} ${recipientOf(octets, start)}\n`;
  if (lines) writeSync(notes!, lines);
}

function notedWrite(this: Socket, ...given: unknown[]): unknown {
  const port = ports.get(this);
  if (port !== undefined && notes !== undefined && given[0] instanceof Uint8Array)
    note(Buffer.from(given[0].buffer, given[0].byteOffset, given[0].byteLength), port);
  return write!.apply(this, given);
}

Object.assign(Socket.prototype, { connect: connectFromHere, write: notedWrite });
