import { Buffer } from 'node:buffer';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const UPPER_PDU = 252; // LINKTYPE_WIRESHARK_UPPER_PDU
const PROTOCOL_NAME = 12; // EXP_PDU_TAG_DISSECTOR_NAME
/** Separator between the values of a repeated field; no generated text contains it. */
const AGGREGATOR = '|';

const runs = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status === 0;

/**
 * Answers why Wireshark's decoder is missing and how to get it; undefined if it is here. Root on Debian installs it
 * now, like the browser of the other tests.
 */
export function tsharkMissing(): string | undefined {
  if (runs('tshark', '--version')) return undefined;
  if (process.getuid?.() === 0 && runs('apt-get', '--version')) {
    runs('apt-get', 'update', '-qq');
    runs('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'tshark');
    if (runs('tshark', '--version')) return undefined;
  }
  return 'tshark is missing, and without it nobody but ourselves reads what we write. Install it: apt-get install --no-install-recommends tshark (Debian), brew install wireshark (macOS).';
}

/** Builds a capture file in which every packet is exactly one PDU of SMPP. */
function capture(pdus: readonly Buffer[]): Buffer {
  const file = Buffer.alloc(24);
  file.writeUInt32LE(0xa1b2c3d4, 0);
  file.writeUInt16LE(2, 4);
  file.writeUInt16LE(4, 6);
  file.writeUInt32LE(0x40000, 16);
  file.writeUInt32LE(UPPER_PDU, 20);
  const name = Buffer.alloc(12);
  name.writeUInt16BE(PROTOCOL_NAME, 0);
  name.writeUInt16BE(4, 2);
  name.write('smpp', 4);
  const packets = pdus.map((pdu, index) => {
    const header = Buffer.alloc(16);
    const length = name.length + pdu.length;
    header.writeUInt32LE(index + 1, 0);
    header.writeUInt32LE(length, 8);
    header.writeUInt32LE(length, 12);
    return [header, name, pdu];
  });
  return Buffer.concat([file, ...packets.flat()]);
}

/** Answers the values that tshark finds for every field of each PDU, in their order. Throws if tshark fails. */
export async function readByTshark(
  pdus: readonly Buffer[],
  fields: readonly string[],
): Promise<Map<string, string[]>[]> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-tshark-'));
  try {
    const path = join(folder, 'pdus.pcap');
    writeFileSync(path, capture(pdus));
    const options = ['-T', 'fields', '-E', 'occurrence=a', '-E', `aggregator=${AGGREGATOR}`];
    const program = spawn('tshark', ['-n', '-r', path, ...options, ...fields.flatMap((field) => ['-e', field])], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    });
    let text = '';
    let complaint = '';
    program.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    program.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      complaint += chunk;
    });
    const status = await new Promise((ended) => program.once('close', ended));
    if (status !== 0) throw new Error(`tshark ended with ${String(status)}: ${complaint}`);
    const lines = text.split('\n').slice(0, -1);
    return lines.map((line) => {
      const values = line.split('\t');
      return new Map(fields.map((field, i) => [field, values[i] ? values[i].split(AGGREGATOR) : []]));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
