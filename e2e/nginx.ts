import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { until } from '@heliograph/fault-kit';
import { listens, ownPort } from '../apps/server/test/own-port.ts';
import { authority } from '../apps/server/test/smpp-server/certificates.ts';
import type { Scope } from '../apps/server/test/template-database.ts';
import type { ProxySettings } from './house.ts';

const START_MS = 60_000;
/** Host name in the guide's example. */
export const NAME = 'sms.example.com';

const installed = (process.env['PATH'] ?? '')
  .split(delimiter)
  .concat('/usr/sbin')
  .map((folder) => join(folder, 'nginx'))
  .find((path) => existsSync(path));

/** Reason why tests behind nginx cannot run here, or false; if CI is set they fail instead. */
export const withoutNginx = !installed && !process.env['CI'] ? 'nginx is not installed' : false;

/** Reads the nginx configuration from the guide. */
function configurationOfGuide(): string {
  const guide = readFileSync(resolve(import.meta.dirname, '../docs/operate/install.md'), 'utf8');
  const block = /^```\n([^`]*^\s*proxy_pass [\s\S]+?)^```$/m.exec(guide)?.[1];
  if (!block) throw new Error('docs/operate/install.md has no configuration of nginx');
  return block;
}

/** Replaces the values that an operator replaces; throws if the guide does not contain one. */
function filledIn(text: string, replacements: readonly [from: string, to: string][]): string {
  let filled = text;
  for (const [from, to] of replacements) {
    if (!filled.includes(from)) throw new Error(`the guide's configuration of nginx does not have "${from}"`);
    filled = filled.replaceAll(from, to);
  }
  return filled;
}

/**
 * Starts nginx with the guide's configuration in front of an API at `apiPort`, with a certificate of this test; returns
 * its port.
 */
export async function startNginx(t: Scope, apiPort: string): Promise<number> {
  if (!installed) throw new Error('nginx is not installed: .ci/run installs nginx-light.');
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-nginx-'));
  const port = await ownPort();
  const { cert, key } = authority(t, 'Test authority').sign(NAME);
  const site = filledIn(configurationOfGuide(), [
    ['listen 80;', `listen 127.0.0.1:${await ownPort()};`],
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['server 127.0.0.1:8080;', `server 127.0.0.1:${apiPort};`],
    [`/etc/letsencrypt/live/${NAME}/fullchain.pem`, cert],
    [`/etc/letsencrypt/live/${NAME}/privkey.pem`, key],
  ]);
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
  const around = [`pid ${folder}/nginx.pid;`, 'error_log stderr warn;', 'events {}'];
  if (process.getuid?.() === 0) around.push('user root;');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${around.join('\n')}\nhttp {\naccess_log off;\n${folders.join('\n')}\n${site}}\n`,
  );
  const child = spawn(installed, ['-e', 'stderr', '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGTERM');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  });
  await listening(child, port);
  return port;
}

/** Waits until a program accepts connections; throws with its output if it ends before. */
async function listening(child: ChildProcess, port: number): Promise<void> {
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const hasEnded = () => {
    if (child.exitCode !== null) throw new Error(`nginx does not start: ${output}`);
  };
  await until('nginx listens', () => listens(port).finally(hasEnded), START_MS);
}

/** Starts a proxy that takes a browser to `port` for the guide's host name at port 443, and nowhere else. */
export async function startNameProxy(t: Scope, port: number): Promise<ProxySettings> {
  const server = createServer((_, response) => void response.writeHead(403).end());
  server.on('connect', ({ url }, client, head) => {
    client.on('error', () => undefined);
    if (url !== `${NAME}:443`) return void client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const target = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      target.write(head);
      target.pipe(client).pipe(target);
    });
    target.on('error', () => client.destroy());
    client.on('close', () => target.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => void server.close());
  return { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
