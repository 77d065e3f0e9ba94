import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/** A segment as the carrier wrote it down. */
export interface CarrierSegment {
  id: string;
  to: string;
  from: string;
  text: string;
  part: { ref: number; total: number; number: number } | null;
  received_at: string;
  /** 0 accepted and answered, null accepted and never answered, anything else refused. */
  status: number | null;
}

/** A carrier's file, read on from where it was read before. */
export interface CarrierLog {
  /** Reads what was added since; answers the segments that are new. */
  read(): CarrierSegment[];
  /** Segments the carrier took, answered or not. */
  readonly accepted: readonly CarrierSegment[];
  /** The ids of receipts that were acknowledged. */
  readonly acknowledged: ReadonlySet<string>;
}

const CHUNK = 1_048_576;

/** Opens the file that a simulator appends to; it need not be there yet, and a killed one may leave half a line. */
export function readCarrierLog(path: string): CarrierLog {
  const accepted: CarrierSegment[] = [];
  const acknowledged = new Set<string>();
  const buffer = Buffer.alloc(CHUNK);
  let position = 0;
  let rest = '';

  const take = (line: string, fresh: CarrierSegment[]): void => {
    const entry = parsed(line);
    if (entry?.kind === 'acknowledged') acknowledged.add(entry.id);
    else if (entry && (entry.status === 0 || entry.status === null)) {
      accepted.push(entry);
      fresh.push(entry);
    }
  };

  return {
    accepted,
    acknowledged,
    read() {
      const fresh: CarrierSegment[] = [];
      if (!existsSync(path)) return fresh;
      const descriptor = openSync(path, 'r');
      try {
        for (;;) {
          const count = readSync(descriptor, buffer, 0, CHUNK, position);
          if (count === 0) return fresh;
          position += count;
          const lines = (rest + buffer.toString('latin1', 0, count)).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) take(line, fresh);
        }
      } finally {
        closeSync(descriptor);
      }
    },
  };
}

type Entry = ({ kind: 'segment' } & CarrierSegment) | { kind: 'acknowledged'; id: string };

/** Undefined for the half line of a carrier that was killed while it wrote, to which the next one has added its own. */
function parsed(line: string): Entry | undefined {
  try {
    return JSON.parse(Buffer.from(line, 'latin1').toString('utf8')) as Entry;
  } catch {
    return undefined;
  }
}
