import { randomInt } from 'node:crypto';
import { join, resolve } from 'node:path';
import { lockDataFolder } from '@heliograph/installation/data-folder';
import { freePort, listenFaultLine, probePort } from '@heliograph/installation/ports';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@heliograph/installation/postgres';
import { StartError } from '@heliograph/installation/start-error';
import { buildConsole } from '../../../../scripts/build-console.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { createLogger, type Logger } from '../platform/log.ts';
import { SENDER_NODE_OPTIONS } from '../platform/process/node-options.ts';
import { releaseMemory } from '../platform/process/release-memory.ts';
import { failStart, onStopSignal, publicUrl, SUPERVISOR_STOP_MS, stopInOrder } from '../platform/process/shutdown.ts';
import { runOnce, type Supervised, supervise } from '../platform/process/supervisor.ts';
import { DEMO_LOGINS, DEMO_PASSWORD } from '../seed/demo-logins.ts';
import type { Prepared } from './prepare.ts';
import { mostSenders, SenderCrew, type StartSender } from './sender-crew.ts';
import { loadOf } from './sender-load.ts';
import { startDemoCarrier, startDemoPayments } from './simulator.ts';

// Runs everything on one machine: the program behind `npm start`. It loads little: it stays in memory with the others.

const DATABASE_STOP_MS = 30_000;
const SIMULATOR_STOP_MS = 2_000;

/**
 * Running parts, in the order of starting. They are stopped in the reverse order, so that no part loses the one it
 * writes to.
 */
class House {
  readonly children: Pick<Supervised, 'name' | 'stop' | 'kill'>[] = [];
  /** Carrier simulator, which runs in this process. */
  simulator: { stop(): Promise<void> } | undefined;
  /** Simulated payment providers, which run in this process. */
  payments: { stop(): Promise<void> } | undefined;
  /** Preparation of the database, while it runs. */
  preparing: { kill(): void } | undefined;
  database: EmbeddedPostgres | undefined;
  closing = false;
}

const PORT_SETTINGS = [
  'PORT',
  'SIMULATOR_SMPP_PORT',
  'SIMULATOR_HTTP_PORT',
  'PAYMENT_SIMULATOR_PORT',
  'SMPP_SERVER_PORT',
  'SMPP_SERVER_TLS_PORT',
] as const;
type PortSetting = (typeof PORT_SETTINGS)[number];

/**
 * Range below the ports that a system assigns by itself, for example to connections. No program takes one of these by
 * chance before its process listens, or while the process is restarted.
 */
const QUIET_PORTS = [10_000, 32_000] as const;

/** Finds a free port of our choice; undefined if there is none, such as on a host of another machine. */
async function anyPort(host: string, taken: readonly number[]): Promise<number | undefined> {
  for (let tries = 0; tries < 100; tries++) {
    const port = await freePort(randomInt(...QUIET_PORTS), host);
    if (port !== undefined && !taken.includes(port)) return port;
  }
  return undefined;
}

/** Finds the ports to listen on, each free; a port given as 0 is chosen here and stays for all restarts. */
async function choosePorts(config: Config): Promise<Partial<Record<PortSetting, number>>> {
  const chosen: Partial<Record<PortSetting, number>> = {};
  for (const name of PORT_SETTINGS) {
    if (config[name] === undefined) continue;
    const host = name.includes('SIMULATOR') ? '127.0.0.1' : config.HOST;
    const wanted = config[name] || ((await anyPort(host, Object.values(chosen))) ?? 0);
    const { port, code } = await probePort(wanted, host);
    if (port === undefined) throw new StartError(listenFaultLine(code, { host, port: wanted, portSetting: name }));
    chosen[name] = port;
  }
  return chosen;
}

/**
 * Answers the address of the database, and the password of the roles' logins; none if the operator's own PostgreSQL has
 * none.
 */
async function startDatabase(
  config: Config,
  log: Logger,
  house: House,
): Promise<{ url: string; rolePassword: string | undefined }> {
  if (config.DATABASE_URL) return { url: config.DATABASE_URL, rolePassword: config.DATABASE_ROLE_PASSWORD };
  const start = () =>
    startEmbeddedPostgres({
      dataDir: config.DATA_DIR,
      port: config.DATABASE_PORT,
      backupDir: config.BACKUP_DIR,
      log,
    });
  const watch = async (server: EmbeddedPostgres) => {
    house.database = server;
    await server.exited;
    if (house.closing) return;
    log.error('database died; restarting');
    await watch(await start());
  };
  const server = await start();
  void watch(server).catch((error) => failStart(error, log));
  return { url: server.url, rolePassword: server.rolePassword };
}

/**
 * Brings the database to this release, and fills an empty one with the demo if the settings ask for it. Answers whether
 * the demo is in.
 */
async function prepare(house: House, settings: Readonly<Record<string, string>>): Promise<boolean> {
  if (house.closing) throw new StartError('Stopped before the start was complete.');
  const preparing = runOnce<Prepared>('preparation of the database', join(import.meta.dirname, 'prepare.ts'), settings);
  house.preparing = preparing;
  const prepared = await preparing.answer;
  house.preparing = undefined;
  if ('fault' in prepared) throw new StartError(prepared.fault, prepared.exitCode);
  return prepared.demo;
}

function welcome(address: string, simulator: string, demo: boolean): string {
  const width = Math.max(...DEMO_LOGINS.map(({ email }) => email.length));
  const logins = DEMO_LOGINS.map(({ email, about }) => `    ${email.padEnd(width)}  ${about}`);
  return [
    '',
    `  Heliograph is ready:  ${address}`,
    ...(demo ? ['', `  Demo logins, password ${DEMO_PASSWORD} for all:`, ...logins] : []),
    '',
    `  Virtual handsets:     ${simulator}`,
    '  Press Ctrl-C to stop. Your data is kept.',
    '',
    '',
  ].join('\n');
}

async function run(given: Config, log: Logger, house: House): Promise<void> {
  const ports = await choosePorts(given);
  const config = { ...given, ...ports };
  await lockDataFolder(config.DATA_DIR, `process ${process.pid}, ${publicUrl(config)}`);
  const { url, rolePassword } = await startDatabase(config, log, house);
  const settings = {
    ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])),
    DATABASE_URL: url,
    ...(rolePassword !== undefined && { DATABASE_ROLE_PASSWORD: rolePassword }),
    DATA_DIR: config.DATA_DIR,
    // No other machine could continue meanwhile.
    STOP_NOTICE_SECONDS: '0',
    // Compiled modules, with their types removed: without them each process holds the compiler of TypeScript in memory.
    NODE_COMPILE_CACHE: resolve(config.DATA_DIR, 'compiled'),
  };
  const demo = await prepare(house, {
    ...settings,
    SEED_DEMO: String(config.SEED_DEMO ?? config.DATABASE_URL === undefined),
  });
  await buildConsole(log, join(config.DATA_DIR, 'console-build.log')).catch((error: Error) => {
    throw new StartError(error.message);
  });

  const start = async (name: string, file: string) => {
    if (house.closing) throw new StartError('Stopped before the start was complete.');
    const child = supervise(name, join(import.meta.dirname, file), settings, log);
    house.children.push(child);
    return child.ready;
  };
  const startSender: StartSender = (place, onLoad) => {
    // Further senders answer /metrics at the ports after those of all kinds of processes.
    const port = config.OPERATIONS_PORT && config.OPERATIONS_PORT + (place === 0 ? 0 : place + 1);
    return supervise(
      place === 0 ? 'sender' : `sender ${place + 1}`,
      join(import.meta.dirname, 'sender.ts'),
      { ...settings, OPERATIONS_PORT: String(port) },
      log,
      {
        nodeOptions: SENDER_NODE_OPTIONS,
        onMessage: (message) => {
          const load = loadOf(message);
          if (load) onLoad(load);
        },
      },
    );
  };
  const crew = new SenderCrew(mostSenders(config.SENDERS), startSender, log);
  const simulator = await startDemoCarrier(config);
  house.simulator = simulator;
  house.payments = await startDemoPayments(config);
  house.children.push({ name: 'senders', stop: () => crew.stop(), kill: () => crew.kill() });
  if (house.closing) throw new StartError('Stopped before the start was complete.');
  await crew.begin();
  await start('worker', 'worker.ts');
  await start('smpp server', 'smpp-server.ts');
  const api = await start('api', 'api.ts');
  process.stdout.write(welcome(config.PUBLIC_URL ?? api ?? publicUrl(config), simulator.url, demo));
  releaseMemory();
}

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLogger(config, 'heliograph');
  const house = new House();
  const close = async (exitCode: number) => {
    if (house.closing) return;
    house.closing = true;
    house.preparing?.kill();
    const children = house.children.toReversed().map((child) => ({
      name: child.name,
      within: SUPERVISOR_STOP_MS + 2_000,
      stop: () => child.stop(),
    }));
    const database = { name: 'database', within: DATABASE_STOP_MS, stop: async () => house.database?.stop() };
    const simulator = {
      name: 'carrier simulator',
      within: SIMULATOR_STOP_MS,
      stop: async () => house.simulator?.stop(),
    };
    const payments = { name: 'payment simulator', within: SIMULATOR_STOP_MS, stop: async () => house.payments?.stop() };
    await stopInOrder([...children, simulator, payments, database], log);
    process.exit(exitCode);
  };
  onStopSignal(
    () => {
      if (process.stdout.isTTY) process.stdout.write('\n  Stopping. Press Ctrl-C again to stop immediately.\n');
      void close(0);
    },
    () => {
      house.preparing?.kill();
      for (const child of house.children) child.kill();
      house.database?.kill();
      process.exit(130);
    },
  );
  try {
    await run(config, log, house);
  } catch (error) {
    if (house.closing) return;
    if (error instanceof StartError) process.stderr.write(`${error.message}\n`);
    else log.fatal({ err: error }, 'start failed');
    await close(error instanceof StartError ? error.exitCode : 1);
  }
}

await main().catch((error) => failStart(error));
