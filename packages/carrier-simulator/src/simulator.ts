import type { AcceptedSegment, LogPage } from './segment-log.ts';
import type { SimulatorSettings } from './settings.ts';

export interface SimulatorOptions {
  /** 0 takes a free port. Default 2775. */
  smppPort?: number;
  /** 0 takes a free port; null starts no page. Default 2780. */
  httpPort?: number | null;
  /** Default 127.0.0.1. */
  host?: string;
  /** Append-only NDJSON of every segment and receipt answer: the truth for tests. */
  logFile?: string;
  /** Segments kept in memory. Default 200,000. */
  keep?: number;
  /** Counts only: no log in memory, no handsets, no magic numbers. For benchmarks. */
  quiet?: boolean;
  settings?: Partial<SimulatorSettings>;
  /** Seed of the faults' randomness. */
  seed?: number;
  /** PEM key and certificate for SMPP over TLS. */
  tls?: { key: string; cert: string };
  /** Requests in flight to one session (receipts, MO). Default 1,000. */
  window?: number;
}

export interface SimulatorCounts {
  submits: number;
  accepted: number;
  refused: number;
  throttled: number;
  unanswered: number;
  receipts_sent: number;
  receipts_acknowledged: number;
  mo_sent: number;
  binds: number;
}

export interface Simulator {
  smppPort: number;
  /** 0 without a page. */
  httpPort: number;
  counts(): SimulatorCounts;
  /** Segments after position `after`, oldest first. */
  log(after?: number, limit?: number): LogPage;
  /** All segments still in memory for one number. */
  messagesTo(msisdn: string): AcceptedSegment[];
  settings(): SimulatorSettings;
  configure(changes: Partial<SimulatorSettings>): void;
  /** Sends a mobile-originated message; the number of segments, or 0 when no receiver is bound. */
  sendFromHandset(message: { from: string; to: string; text: string; system_id?: string }): number;
  /** Forgets log, counts and waiting receipts. */
  reset(): void;
  stop(): Promise<void>;
}

export declare function startSimulator(options?: SimulatorOptions): Promise<Simulator>;
