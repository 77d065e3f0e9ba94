import { readdirSync } from 'node:fs';

// Names of PostgreSQL's write-ahead log: 8 hexadecimal digits each for the timeline and the halves of the segment's number.

/** PostgreSQL's default, which an embedded cluster has. */
const SEGMENT_BYTES = 16n * 1024n * 1024n;
const SEGMENTS_OF_A_HALF = 0x1_0000_0000n / SEGMENT_BYTES;
const SEGMENT = /^[0-9A-F]{24}$/;

const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, '0');

function nameOf(timeline: bigint, number: bigint): string {
  return hex(timeline) + hex(number / SEGMENTS_OF_A_HALF) + hex(number % SEGMENTS_OF_A_HALF);
}

function partsOf(name: string): { timeline: bigint; number: bigint } {
  const half = (from: number) => BigInt(`0x${name.slice(from, from + 8)}`);
  return { timeline: half(0), number: half(8) * SEGMENTS_OF_A_HALF + half(16) };
}

function locationOf(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** Names the segment of a timeline that holds the bytes written at `lsn`, such as 0/3000028. */
export function segmentOf(timeline: number, lsn: string): string {
  return nameOf(BigInt(timeline), locationOf(lsn) / SEGMENT_BYTES);
}

/**
 * Names the segment that holds the last bytes before `lsn`: a location at a border belongs to the segment before it.
 */
export function segmentBefore(timeline: number, lsn: string): string {
  return nameOf(BigInt(timeline), (locationOf(lsn) - 1n) / SEGMENT_BYTES);
}

/** All segments from one to another of the same timeline, both included. */
export function segmentsFrom(first: string, last: string): string[] {
  const { timeline, number } = partsOf(first);
  const count = Number(partsOf(last).number - number) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => nameOf(timeline, number + BigInt(index)));
}

/** Tells whether a segment, or a file that belongs to one, is older than `segment`, on any timeline. */
export function isOlder(file: string, segment: string): boolean {
  const [name = ''] = file.split('.');
  return SEGMENT.test(name) && partsOf(name).number < partsOf(segment).number;
}

/**
 * Lists the files of an archive that a recovery from segment `first` may ask for: segments of any timeline, and the
 * histories of timelines.
 */
export function neededFiles(archive: string, first: string): string[] {
  return readdirSync(archive)
    .filter((name) => (SEGMENT.test(name) && !isOlder(name, first)) || /^[0-9A-F]{8}\.history$/.test(name))
    .sort();
}

/**
 * The first segment that is missing between `first` and the last one of an archive; undefined if it is whole. A segment
 * counts for every timeline, since a recovery may change to another in the middle.
 */
export function firstMissing(files: readonly string[], first: string): string | undefined {
  const numbers = new Set(files.filter((name) => SEGMENT.test(name)).map((name) => partsOf(name).number));
  const { timeline, number: start } = partsOf(first);
  let last = start;
  for (const number of numbers) if (number > last) last = number;
  for (let number = start; number <= last; number += 1n) if (!numbers.has(number)) return nameOf(timeline, number);
  return undefined;
}
