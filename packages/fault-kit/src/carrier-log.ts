import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/** A segment as the carrier logged it. */
export interface CarrierSegment {
  id: string;
  to: string;
  from: string;
  text: string;
  part: { ref: number; total: number; number: number } | null;
  received_at: string;
  /** Status of the answer: 0 accepted and answered, null accepted and never answered, anything else refused. */
  status: number | null;
}

/** Reader of a carrier's log file; each read continues where the last one ended. */
export interface CarrierLog {
  /** Reads the lines added since the last read and returns the new segments. */
  read(): CarrierSegment[];
  /** Segments that the carrier accepted, answered or not. */
  readonly accepted: readonly CarrierSegment[];
  /** Ids of the acknowledged receipts. */
  readonly acknowledged: ReadonlySet<string>;
}

const CHUNK = 1_048_576;

/** Opens the file that a simulator appends to. It may not exist yet; a killed simulator may leave half a line. */
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

/**
 * Parses a line; undefined if it is broken. A carrier killed while it wrote leaves half a line, and the next one
 * appends its own line to it.
 */
function parsed(line: string): Entry | undefined {
  try {
    return JSON.parse(Buffer.from(line, 'latin1').toString('utf8')) as Entry;
  } catch {
    return undefined;
  }
}
