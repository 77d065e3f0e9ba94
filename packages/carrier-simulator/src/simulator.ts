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
  /** 0 takes a free port. Default 2775. */
  smppPort?: number;
  /** 0 takes a free port; null starts no page. Default 2780. */
  httpPort?: number | null;
  /** Default 127.0.0.1. */
  host?: string;
  /** Append-only NDJSON of every segment and every receipt acknowledged: the truth for tests. */
  logFile?: string;
  /** Bytes of the log file, beyond which it is kept as `<logFile>.1` and begun again. Without a bound by default. */
  logBytes?: number;
  /** Segments kept in memory. Default 200,000. */
  keep?: number;
  /** Counts only: no log, so handsets stay empty. For benchmarks. */
  quiet?: boolean;
  settings?: SettingsChange;
  /** Seed of the faults' randomness. */
  seed?: number;
  /** Time, replaceable in tests; `now` tells epoch milliseconds. */
  clock?: Clock;
  /** PEM key and certificate for SMPP over TLS. */
  tls?: { key: string; cert: string };
  /** Receipts and replies in flight to one session. Default 1,000. */
  window?: number;
}

/** A running simulator. */
export interface Simulator {
  readonly smppPort: number;
  /** 0 without a page. */
  readonly httpPort: number;
  counts(): SimulatorCounts;
  /** Segments after position `after`, oldest first; at most `limit` (default 1,000). */
  log(after?: number, limit?: number): LogPage;
  /** All segments still in memory to one number. */
  segmentsTo(msisdn: string): AcceptedSegment[];
  /** The messages of one handset, joined and decoded, oldest first. */
  messagesOf(msisdn: string): HandsetMessage[];
  settings(): SimulatorSettings;
  configure(change: SettingsChange): void;
  /** Sends a mobile-originated message; the number of parts, or 0 when no receiver is bound. */
  sendFromHandset(message: { from: string; to: string; text: string; system_id?: string }): number;
  /** Forgets log, counts and waiting receipts. */
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

/** Starts a carrier on real SMPP with its page of virtual handsets. Rejects when a port is taken. */
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
