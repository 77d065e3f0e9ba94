import { Buffer } from 'node:buffer';
import type { Random } from '@heliograph/fault-kit';
import fc from 'fast-check';
import { COMMAND_ID, encodePdu, type Pdu, type PduFields } from '../src/index.ts';
import { anyPdu } from './pdu-arbitrary.ts';

const STOCK = 3_000;
const NO_ANSWER: number[] = [COMMAND_ID.alert_notification, COMMAND_ID.outbind];

/** Octets at the limits of field values. */
const TELLING = [0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff];

export const isUnbind = (pdu: Buffer): boolean => (pdu.readUInt32BE(4) & 0x7fffffff) === COMMAND_ID.unbind;

/** Answers whether the standard asks for an answer to these octets, whatever is wrong with them. */
export const wantsAnswer = (pdu: Buffer): boolean =>
  pdu.readUInt32BE(4) < 0x80000000 && !NO_ANSWER.includes(pdu.readUInt32BE(4));

/**
 * Yields endless damaged PDUs: valid ones with octets overwritten, moved, cut or added, or only noise. command_length
 * is corrected, so that framing holds. None is an unbind.
 */
export function* mutants(random: Random, seed: number): Generator<Buffer> {
  const stock = fc.sample(anyPdu, { numRuns: STOCK, seed }).map((pdu: Pdu) => encodePdu(pdu as PduFields));
  for (;;) {
    const mutant = random.chance(0.05) ? noise(random) : mutated(random.pick(stock), random);
    mutant.writeUInt32BE(mutant.length, 0);
    if (!isUnbind(mutant)) yield mutant;
  }
}

const octet = (random: Random): number => (random.chance(0.5) ? random.pick(TELLING) : random.below(256));

function noise(random: Random): Buffer {
  const bytes = Buffer.alloc(16 + random.below(300));
  for (let i = 4; i < bytes.length; i++) bytes[i] = octet(random);
  return bytes;
}

function mutated(valid: Buffer, random: Random): Buffer {
  const growth = random.chance(0.4) ? random.below(41) - 20 : 0;
  const bytes = Buffer.alloc(Math.max(16, valid.length + growth), 0x41);
  valid.copy(bytes);
  for (let edits = random.below(6); edits > 0; edits--) {
    const at = 4 + random.below(bytes.length - 4);
    if (random.chance(0.8)) bytes[at] = octet(random);
    else bytes.copyWithin(at, 4 + random.below(bytes.length - 4));
  }
  return bytes;
}
