import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownPort } from '../own-port.ts';
import type { Scope } from '../template-database.ts';

const SSHD = '/usr/sbin/sshd';

/** Returns the reason why an SSH server cannot be started, for the `skip` of a test, or false if it can. */
export const noSshServer = (): string | false => {
  if (existsSync(SSHD)) return false;
  if (process.env['CI']) throw new Error(`The tests of files need ${SSHD}: .ci/run installs it.`);
  return `${SSHD} is not installed`;
};

/** OpenSSH on loopback, with a folder for files. */
export interface SshServer {
  port: number;
  username: string;
  /** Private key that may sign in. */
  private_key: string;
  /** Fingerprint of the host key, as `ssh-keygen -l` prints it. */
  host_key: string;
  /** Folder in which files arrive. */
  folder: string;
  /** Makes a new host key and starts again with it. */
  renewKey(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts OpenSSH; it ends with the scope. */
export async function startSshServer(scope: Scope): Promise<SshServer> {
  const home = mkdtempSync(join(tmpdir(), 'heliograph-ssh-'));
  const port = await ownPort();
  const at = (name: string) => join(home, name);
  const keygen = (name: string) => execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(name)]);
  const fingerprint = () => execFileSync('ssh-keygen', ['-lf', at('host.pub')], { encoding: 'utf8' }).split(' ')[1]!;
  keygen('host');
  keygen('client');
  mkdirSync(at('files'));
  // OpenSSH separates its privileges in this folder if root starts it.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  writeFileSync(
    at('config'),
    `ListenAddress 127.0.0.1
Port ${port}
HostKey ${at('host')}
PidFile none
AuthorizedKeysFile ${at('client.pub')}
StrictModes no
PermitRootLogin yes
UsePAM no
MaxStartups 100
Subsystem sftp internal-sftp
`,
  );
  let child: ChildProcess | undefined;
  const stop = async () => {
    const present = child;
    child = undefined;
    if (!present || present.exitCode !== null) return;
    const gone = once(present, 'exit');
    present.kill('SIGTERM');
    await gone;
  };
  const start = async () => {
    child = spawn(SSHD, ['-D', '-e', '-f', at('config')], { stdio: 'ignore' });
    for (const deadline = Date.now() + 20_000; ; await sleep(50)) {
      const socket = connect(port, '127.0.0.1');
      const answered = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error')]).catch(
        () => false,
      );
      socket.destroy();
      if (answered === true) return;
      if (Date.now() > deadline) throw new Error('the SSH server did not start');
    }
  };
  scope.after(async () => {
    await stop();
    rmSync(home, { recursive: true, force: true });
  });
  await start();
  const server = {
    port,
    username: userInfo().username,
    private_key: readFileSync(at('client'), 'utf8'),
    host_key: fingerprint(),
    folder: at('files'),
    stop,
    start,
    async renewKey() {
      await stop();
      rmSync(at('host'));
      rmSync(at('host.pub'));
      keygen('host');
      server.host_key = fingerprint();
      await start();
    },
  };
  return server;
}
