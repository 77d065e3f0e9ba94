import { until as waitUntil } from '@heliograph/fault-kit';
import pg from 'pg';
import { connectionSettings } from '../../src/platform/database/db.ts';
import { FanOut } from '../../src/platform/fan-out/fan-out.ts';
import { listenNotify } from '../../src/platform/fan-out/listen-notify.ts';
import { natsTransport } from '../../src/platform/fan-out/nats.ts';
import type { Teller, Transport } from '../../src/platform/fan-out/transport.ts';
import { createLogger } from '../../src/platform/log.ts';
import { type Scope, type TestDatabase, testDatabase } from '../template-database.ts';
import { startNats } from './nats-server.ts';

// One installation with its own processes, over either transport.

export const quiet = createLogger({ LOG_LEVEL: 'silent' }, 'test');
const PATIENCE_MS = 60_000;

/** Waits until a condition holds. */
export const until = (holds: () => boolean | Promise<boolean>): Promise<true> =>
  waitUntil(String(holds), holds, PATIENCE_MS, 5);

/** A process that hears and sends messages. */
export interface Process {
  fanOut: FanOut;
  tell(from: Teller, subject: string, payload?: string): Promise<void>;
}

/** Messages and number of reported gaps of one listener. */
export interface Heard {
  messages: string[];
  gaps: number;
  stop(): Promise<void>;
}

export interface House {
  database: TestDatabase;
  /** Starts a process of this installation, which stops with the test. */
  start(): Promise<Process>;
  /** Starts a process of another installation, on the same servers. */
  startForeign(): Promise<Process>;
  /** Breaks the listening connections of all processes; new ones are accepted immediately. */
  cut(): Promise<void>;
  /** Breaks the connections and accepts no new ones until `back`. */
  away(): Promise<void>;
  back(): Promise<void>;
}

/** Listens to a subject on a process. */
export async function hear({ fanOut }: Process, subject: string): Promise<Heard> {
  const messages: string[] = [];
  const heard = { messages, gaps: 0, stop: async () => {} };
  const hearing = await fanOut.subscribe(
    subject,
    (payload) => messages.push(payload),
    () => heard.gaps++,
  );
  heard.stop = () => hearing.stop();
  return heard;
}

/** Subject of messages, unless a case has others. */
export const SUBJECT = 'events';
export const END = 'the last one';

/** Sends a last message and waits until it is heard. Earlier messages have then been heard too. */
export async function ended({ tell }: Process, { database }: House, ...heard: Heard[]): Promise<void> {
  await tell(database.pool('owner'), SUBJECT, END);
  await until(() => heard.every(({ messages }) => messages.at(-1) === END));
}

export const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i));

/** Guarantees, each with the check that it holds. */
export type Cases = Readonly<Record<string, (house: House) => Promise<void>>>;

/** Returns a function that starts processes over a transport. Each stops with the test. */
export function starter(t: Scope, checkMs?: number): (transport: Transport) => Promise<Process> {
  return async (transport) => {
    const fanOut = new FanOut(transport, quiet, checkMs);
    t.after(() => fanOut.stop());
    await fanOut.start();
    return { fanOut, tell: (from, subject, payload = '') => transport.tell(from, subject, payload) };
  };
}

async function overPostgres(t: Scope): Promise<House> {
  const database = await testDatabase(t);
  const start = starter(t);
  const settings = (url: string) => listenNotify(connectionSettings({ DATABASE_URL: url }, 'worker'));
  const owner = database.pool('owner');
  const name = new URL(database.url).pathname.slice(1);
  const cut = async () => {
    await owner.query(`SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'heliograph worker listen'`);
  };
  // A session cannot close its own database.
  const outside = new URL(database.url);
  outside.pathname = '/postgres';
  const open = async (allowed: boolean) => {
    const client = new pg.Client({ connectionString: outside.href });
    await client.connect();
    await client.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS ${allowed}`);
    await client.end();
  };
  return {
    database,
    start: () => start(settings(database.url)),
    startForeign: async () => start(settings((await testDatabase(t)).url)),
    cut,
    away: async () => {
      // A session for processes that send in the meantime.
      await owner.query('SELECT 1');
      await open(false);
      await cut();
    },
    back: async () => {
      await open(true);
    },
  };
}

let shared: Promise<TestDatabase> | undefined;

async function overNats(t: Scope, file: Scope): Promise<House> {
  // It carries no messages: the test needs only its transactions.
  shared ??= testDatabase(file);
  const database = await shared;
  const server = await startNats(t);
  const start = starter(t);
  const transport = (prefix: string) => natsTransport({ servers: server.url, prefix }, quiet);
  return {
    database,
    start: () => start(transport('heliograph.one')),
    startForeign: () => start(transport('heliograph.two')),
    cut: async () => {
      await server.kill();
      await server.start();
    },
    away: () => server.kill(),
    back: () => server.start(),
  };
}

/** Functions that open an installation over a transport, for one test of a file. */
export const houses: Record<Transport['name'], (t: Scope, file: Scope) => Promise<House>> = {
  postgresql: overPostgres,
  nats: overNats,
};
