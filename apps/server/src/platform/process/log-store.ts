import type { ConnectedConfig } from '../config/config.ts';
import { createPool } from '../database/db.ts';
import { repeat } from '../jobs/repeat.ts';
import { alsoLogTo, maskNumbers } from '../log.ts';

interface Entry {
  logged_at: string;
  level: string;
  source: string;
  request_id: string | null;
  message: string;
  details: unknown;
}

/** Levels of pino; entries below them are not kept. */
const LEVELS: Readonly<Record<number, string>> = { 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };
const FLUSH_MS = 1_000;
const AT_ONCE = 500;
/** Maximum entries that wait while the database cannot be written; further ones are dropped and counted. */
const MOST_WAITING = 2_000;
const MESSAGE_CHARACTERS = 1_000;
const DETAILS_CHARACTERS = 8_000;

function masked(value: unknown): unknown {
  if (typeof value === 'string') return maskNumbers(value);
  if (Array.isArray(value)) return value.map(masked);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, masked(each)]));
}

/**
 * Makes an entry of a line of the log, from which the logger has removed texts and secrets; undefined if its level is
 * not kept.
 */
export function entryOf(line: string, source: string): Entry | undefined {
  const { level, time, pid, hostname, name, msg, request_id, reqId, ...rest } = JSON.parse(line) as Record<
    string,
    unknown
  >;
  const word = LEVELS[Number(level)];
  if (!word) return undefined;
  const details = masked(rest);
  const id = request_id ?? reqId;
  return {
    logged_at: new Date(Number(time)).toISOString(),
    level: word,
    source,
    request_id: typeof id === 'string' ? id : null,
    // A text of PostgreSQL cannot hold the character 0.
    message: maskNumbers(String(msg ?? ''))
      .replaceAll('\0', '')
      .slice(0, MESSAGE_CHARACTERS),
    details: JSON.stringify(details).length > DETAILS_CHARACTERS ? { too_long: true } : details,
  };
}

/**
 * Stores this process's log in the database, a batch a second. Nothing waits for it: if the database is slow or gone,
 * entries wait in memory, up to 2,000 of them.
 */
export function storeLog(
  config: Pick<ConnectedConfig, 'DATABASE_URL'>,
  source: 'api' | 'worker' | 'sender' | 'smpp-server',
): { stop(): Promise<void> } {
  const pool = createPool(config, source === 'smpp-server' ? 'worker' : source, { max: 1 });
  const waiting: Entry[] = [];
  let left_out = 0;
  alsoLogTo((line) => {
    const entry = entryOf(line, source);
    if (!entry) return;
    if (waiting.length < MOST_WAITING) waiting.push(entry);
    else left_out++;
  });
  const flush = async () => {
    if (left_out > 0 && waiting.length < MOST_WAITING) {
      const logged_at = new Date().toISOString();
      const message = 'entries of this log were left out';
      waiting.push({ logged_at, level: 'warn', source, request_id: null, message, details: { left_out } });
      left_out = 0;
    }
    while (waiting.length > 0) {
      const some = waiting.slice(0, AT_ONCE);
      await pool.query('SELECT write_application_log($1::jsonb)', [JSON.stringify(some).replaceAll('\\u0000', '')]);
      waiting.splice(0, some.length);
    }
  };
  // A failed flush is tried again a second later; logging it would only add to the waiting entries.
  const flushing = repeat(FLUSH_MS, flush, () => undefined);
  return {
    async stop() {
      alsoLogTo(undefined);
      await flushing.stop();
      await flush().catch(() => undefined);
      await pool.end();
    },
  };
}
