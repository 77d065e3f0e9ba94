import { existsSync, readFileSync } from 'node:fs';
import type { Carrier } from './fleet.ts';

/** Segments within some seconds, as a share of the number that the rate allows in them. */
type Share = number;

export interface Busiest {
  /** Share at the sockets of senders, within a second. */
  written: Share;
  /** Share at the carrier, within a second. */
  arrived: Share;
  /** Share at the carrier within three seconds, with an allowance for segments that took longer than others. */
  arrived_in_3: Share;
  /** Milliseconds from a sender's socket to the carrier: the median, the 99th percentile and the maximum. */
  way: [half: number, most: number, all: number];
}

interface Arrival {
  at: number;
  way: number;
}

const ASCENDING = (a: number, b: number) => a - b;

/** Calls `look` for each time, with the place of the first time in the window of `milliseconds` that ends there. */
function eachWindow(times: readonly number[], milliseconds: number, look: (from: number, to: number) => void): void {
  let from = 0;
  for (let to = 0; to < times.length; to++) {
    while (times[to]! - times[from]! >= milliseconds) from++;
    look(from, to);
  }
}

function most(times: readonly number[], milliseconds: number): number {
  let found = 0;
  eachWindow(times, milliseconds, (from, to) => {
    found = Math.max(found, to - from + 1);
  });
  return found;
}

/** Reads the epoch milliseconds at which submits were written, by the carrier's port and by recipient. */
function readWritten(path: string): Map<number, Map<string, number[]>> {
  const byPort = new Map<number, Map<string, number[]>>();
  for (const line of existsSync(path) ? readFileSync(path, 'latin1').split('\n') : []) {
    const [at, port, to] = line.split(' ');
    if (!to) continue;
    const ofPort = byPort.get(Number(port)) ?? new Map<string, number[]>();
    byPort.set(Number(port), ofPort);
    const times = ofPort.get(to);
    if (times) times.push(Number(at));
    else ofPort.set(to, [Number(at)]);
  }
  return byPort;
}

/**
 * Returns the highest share of its rate that any carrier received. We must keep our writes below the rate. Arrivals may
 * bunch because of a busy machine: a carrier that reads late gets the segments of more than a second in one. Therefore
 * the sockets of senders are checked for each second. The carrier is checked for three seconds, with the difference of
 * the ways as the allowance.
 */
export function busiestOf(carriers: readonly Carrier[], submits: string, rate: number): Busiest {
  const written = readWritten(submits);
  const busiest: Busiest = { written: 0, arrived: 0, arrived_in_3: 0, way: [0, 0, 0] };
  const ways: number[] = [];
  for (const { proxy, log } of carriers) {
    const ofPort = written.get(proxy.port) ?? new Map<string, number[]>();
    const arrivals = log.accepted
      .map(({ to, received_at }): Arrival => {
        const at = Date.parse(received_at);
        // A segment that the carrier refused before was written twice.
        const left = ofPort.get(to)?.findLast((each) => each <= at);
        if (left === undefined) throw new Error(`a segment to ${to} arrived and was written by no sender`);
        return { at, way: at - left };
      })
      .sort((a, b) => a.at - b.at);
    const times = arrivals.map(({ at }) => at);
    const left = [...ofPort.values()].flat().sort(ASCENDING);
    busiest.written = Math.max(busiest.written, most(left, 1_000) / rate);
    busiest.arrived = Math.max(busiest.arrived, most(times, 1_000) / rate);
    busiest.arrived_in_3 = Math.max(busiest.arrived_in_3, mostLessWays(arrivals, 3_000, rate));
    for (const { way } of arrivals) ways.push(way);
  }
  ways.sort(ASCENDING);
  const at = (share: number) => Math.round(ways[Math.ceil(ways.length * share) - 1] ?? 0);
  busiest.way = [at(0.5), at(0.99), at(1)];
  return busiest;
}

/**
 * Returns the highest share in a window. The window is `milliseconds` plus the difference between the longest and
 * shortest way in it.
 */
function mostLessWays(arrivals: readonly Arrival[], milliseconds: number, rate: number): Share {
  let found = 0;
  eachWindow(
    arrivals.map(({ at }) => at),
    milliseconds,
    (from, to) => {
      const count = to - from + 1;
      const share = (count * 1_000) / (rate * milliseconds);
      // Rarely above the allowed rate; the ways matter only then.
      found = Math.max(found, Math.min(1, share));
      if (share <= found) return;
      let [shortest, longest] = [Number.POSITIVE_INFINITY, 0];
      for (let place = from; place <= to; place++) {
        shortest = Math.min(shortest, arrivals[place]!.way);
        longest = Math.max(longest, arrivals[place]!.way);
      }
      found = Math.max(found, (count * 1_000) / (rate * (milliseconds + longest - shortest)));
    },
  );
  return found;
}
