import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@heliograph/fault-kit';
import { listenOn, listens, ownPort } from '../own-port.ts';
import type { Scope } from '../template-database.ts';

// Kannel from Debian, a gateway by other authors, as separate processes: bearerbox speaks SMPP, smsbox takes messages
// by HTTP.

const START_MS = 60_000;
const STOP_MS = 5_000;

/** A group of Kannel's configuration: its name and its settings. */
export type KannelGroup = readonly [name: string, settings: Readonly<Record<string, string | number | boolean>>];

/** Finds the path of a Kannel program, or answers undefined if it is not installed. */
export function kannelProgram(name: 'bearerbox' | 'smsbox', folders: readonly string[] = []): string | undefined {
  return [...folders, ...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** A running program of Kannel. */
export interface KannelProcess {
  pid: number;
  /** Rejects when it ends by itself. */
  failed: Promise<never>;
  stop(): Promise<void>;
}

function configuration(groups: readonly KannelGroup[]): string {
  return groups
    .map(([name, settings]) => {
      const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}`);
      return `group = ${name}\n${lines.join('\n')}\n`;
    })
    .join('\n');
}

/** Writes the configuration into `folder`, starts a program and waits until it listens on `port`. */
export async function startKannel(options: {
  program: string;
  folder: string;
  groups: readonly KannelGroup[];
  port: number;
  environment?: Readonly<Record<string, string>>;
}): Promise<KannelProcess> {
  const { program, folder, groups, port, environment } = options;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${port}.conf`);
  writeFileSync(file, configuration(groups), { mode: 0o600 });
  const child: ChildProcess = spawn(program, ['-v', '4', file], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl-C must reach only the test, which then stops Kannel.
    detached: true,
  });
  let said = '';
  child.stderr?.on('data', (text: Buffer) => {
    said = `${said}${text}`.slice(-2_000);
  });
  let gone = false;
  const exited = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      said += error.message;
      resolve();
    });
    child.once('exit', () => resolve());
  }).then(() => {
    gone = true;
  });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  let stopping = false;
  const failed = exited.then(() => {
    process.off('exit', end);
    if (stopping) return new Promise<never>(() => undefined);
    throw new Error(`${program} ended: ${said.trim() || 'it said nothing'}`);
  });
  failed.catch(() => undefined);
  const stop = async () => {
    stopping = true;
    if (gone) return;
    child.kill('SIGTERM');
    await Promise.race([exited, sleep(STOP_MS, undefined, { ref: false })]);
    child.kill('SIGKILL');
    await exited;
  };
  await until(`${program} listens`, () => Promise.race([listens(port), failed]), START_MS).catch(async (error) => {
    await stop();
    throw new Error(`${error.message}: ${said.trim()}`);
  });
  return { pid: child.pid!, failed, stop };
}

const bearerbox = kannelProgram('bearerbox');
const smsbox = kannelProgram('smsbox');

/** Reason to skip tests with Kannel; false if it is installed. */
export const withoutKannel =
  bearerbox && smsbox
    ? false
    : 'NOT RUN: Kannel is not installed (apt-get install kannel), so nothing of it was tested';

/** Calls that Kannel's smsbox made to us: receipts and messages from phones. */
interface Calls {
  receipts: { id: string; type: number }[];
  inbound: { from: string; text: string }[];
}

interface Gateway {
  /** Address of its `sendsms`, for the user `peer`. */
  address: string;
  calls: Calls;
  send(message: { to: string; text: string; coding: 0 | 2; id: string }): Promise<void>;
}

/** Decodes a text from Kannel, which passes on UTF-8 for GSM (coding 0) and UTF-16BE for UCS-2 (coding 2). */
function inboundText(url: string, coding: string): string {
  const escaped = /[?&]text=([^&]*)/.exec(url)?.[1] ?? '';
  const octets = Buffer.from(
    escaped
      .replaceAll('+', ' ')
      .replace(/%([0-9a-f]{2})/gi, (_, octet: string) => String.fromCharCode(Number.parseInt(octet, 16))),
    'latin1',
  );
  return coding === '2' ? octets.swap16().toString('utf16le') : octets.toString();
}

/** Starts both boxes, which bind to an SMPP server on `port` as `kannel`. */
export async function startGateway(t: Scope, port: number, password: string): Promise<Gateway> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-kannel-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const calls: Calls = { receipts: [], inbound: [] };
  const listener = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const value = (name: string) => searchParams.get(name) ?? '';
    if (pathname === '/receipt') calls.receipts.push({ id: value('id'), type: Number(value('type')) });
    else calls.inbound.push({ from: value('from'), text: inboundText(request.url ?? '', value('coding')) });
    response.end();
  });
  const own = `http://127.0.0.1:${await listenOn(listener, t)}`;
  const [admin, box, http] = [await ownPort(), await ownPort(), await ownPort()];
  const core = { 'admin-port': admin, 'admin-password': password, 'smsbox-port': box };
  const boxes = await startKannel({
    program: bearerbox!,
    folder,
    port: box,
    groups: [
      [
        'core',
        {
          ...core,
          'store-type': 'file',
          'store-location': join(folder, 'store'),
          'sms-combine-concatenated-mo': true,
        },
      ],
      [
        'smsc',
        {
          smsc: 'smpp',
          'smsc-id': 'peer',
          host: '127.0.0.1',
          port,
          'smsc-username': 'kannel',
          'smsc-password': password,
          'system-type': '""',
          'transceiver-mode': true,
          'reconnect-delay': 1,
          'max-pending-submits': 50,
        },
      ],
      ['smsbox', { 'bearerbox-host': '127.0.0.1' }],
    ],
  });
  t.after(() => boxes.stop());
  const front = await startKannel({
    program: smsbox!,
    folder,
    port: http,
    groups: [
      ['core', core],
      ['smsbox', { 'bearerbox-host': '127.0.0.1', 'bearerbox-port': box, 'sendsms-port': http }],
      ['sendsms-user', { username: 'peer', password, 'max-messages': 10, concatenation: true }],
      [
        'sms-service',
        {
          keyword: 'default',
          'get-url': `"${own}/inbound?from=%p&coding=%c&text=%b"`,
          'max-messages': 0,
          'catch-all': true,
        },
      ],
    ],
  });
  t.after(() => front.stop());
  const address = `http://127.0.0.1:${http}/cgi-bin/sendsms`;
  return {
    address,
    calls,
    async send({ to, text, coding, id }) {
      const query = new URLSearchParams({
        username: 'peer',
        password,
        from: 'Acme',
        to,
        text,
        coding: String(coding),
        charset: 'UTF-8',
        'dlr-mask': '3',
        'dlr-url': `${own}/receipt?id=${id}&type=%d`,
      });
      const reply = await fetch(`${address}?${query}`);
      assert.equal(reply.status, 202, await reply.text());
    },
  };
}
