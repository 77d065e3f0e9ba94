import { type Clock, type SmppServer, startServer } from '@heliograph/smpp';
import type { InFlight } from './account.ts';
import { Carrier } from './carrier.ts';
import type { SimulatorCounts } from './counts.ts';
import { type HandsetMessage, Handsets } from './handset.ts';
import { startPage } from './http.ts';
import { LogFile } from './log-file.ts';
import type { AcceptedSegment, LogPage } from './segment-log.ts';
import { DEFAULT_SETTINGS, type SettingsChange, type SimulatorSettings, withChange } from './settings.ts';

export interface SimulatorOptions {
  /** Port for SMPP; 0 takes a free port. Default 2775. */
  smppPort?: number;
  /** Port of the page; 0 takes a free port, null starts no page. Default 2780. */
  httpPort?: number | null;
  /** Address to listen on. Default 127.0.0.1. */
  host?: string;
  /** Append-only NDJSON file of every segment and every acknowledged receipt: the source of truth for tests. */
  logFile?: string;
  /**
   * Maximum bytes of the log file; a full one is renamed to `<logFile>.1` and a new one begins. No limit by default.
   */
  logBytes?: number;
  /** Segments kept in memory. Default 200,000. */
  keep?: number;
  /** True counts only and keeps no log, so handsets stay empty. For benchmarks. */
  quiet?: boolean;
  settings?: SettingsChange;
  /** Seed of the faults' randomness. */
  seed?: number;
  /** Clock that tests can replace; `now` returns epoch milliseconds. */
  clock?: Clock;
  /** PEM key and certificate for SMPP over TLS. */
  tls?: { key: string; cert: string };
  /** Maximum receipts and replies in flight to one session. Default 1,000. */
  window?: number;
}

/** A running simulator. */
export interface Simulator {
  readonly smppPort: number;
  /** Port of the page; 0 without one. */
  readonly httpPort: number;
  counts(): SimulatorCounts;
  /** Returns the segments after position `after`, oldest first; at most `limit` (default 1,000). */
  log(after?: number, limit?: number): LogPage;
  /** Returns all segments to one number that are still in memory. */
  segmentsTo(msisdn: string): AcceptedSegment[];
  /** Returns the messages of one handset, joined and decoded, oldest first. */
  messagesOf(msisdn: string): HandsetMessage[];
  settings(): SimulatorSettings;
  configure(change: SettingsChange): void;
  /** Sends a mobile-originated message. Returns the number of parts, or 0 if no receiver is bound. */
  sendFromHandset(message: { from: string; to: string; text: string; system_id?: string }): number;
  /** Removes the log, the counts and the waiting receipts. */
  reset(): void;
  stop(): Promise<void>;
}

const WALL_CLOCK: Clock = {
  now: () => Date.now(),
  schedule(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Starts a carrier on real SMPP with its page of virtual handsets. Rejects if a port is taken. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const host = options.host ?? '127.0.0.1';
  const file = options.logFile === undefined ? undefined : new LogFile(options.logFile, options.logBytes);
  const { keep = 200_000, quiet = false, seed = 1, clock = WALL_CLOCK } = options;
  const carrier = new Carrier(withChange(DEFAULT_SETTINGS, options.settings ?? {}), { keep, quiet, seed, file, clock });
  const handsets = new Handsets(carrier);
  const smpp: SmppServer<InFlight> = await startServer<InFlight>(
    { port: options.smppPort ?? 2775, host, tls: options.tls, window: options.window ?? 1_000, maxUnanswered: 100_000 },
    carrier,
  );
  const reset = (): void => {
    carrier.reset();
    handsets.clear();
  };
  const { httpPort = 2780 } = options;
  const page =
    httpPort === null ? undefined : await startPage({ port: httpPort, host, carrier, handsets, reset }).catch(abandon);

  async function abandon(error: Error): Promise<never> {
    carrier.stop();
    await smpp.stop();
    throw error;
  }

  return {
    smppPort: smpp.port,
    httpPort: page?.port ?? 0,
    counts: () => ({ ...carrier.counts }),
    log: (after = 0, limit = 1_000) => carrier.log.page(after, limit),
    segmentsTo: (msisdn) => handsets.segmentsTo(msisdn),
    messagesOf: (msisdn) => handsets.messagesOf(msisdn),
    settings: () => carrier.settings,
    configure: (change) => carrier.configure(withChange(carrier.settings, change)),
    sendFromHandset: (message) => handsets.send(message),
    reset,
    async stop() {
      carrier.stop();
      await page?.stop();
      await smpp.stop();
      file?.close();
    },
  };
}
