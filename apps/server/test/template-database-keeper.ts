import { mkdirSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { lockHolder, lockPath } from '@heliograph/installation/data-folder';
import { sharedClusterFolder, startTestCluster } from './test-cluster.ts';

// Keeps the cluster that test files share when they run alone. It holds the folder's socket and tells each client where
// the cluster is. It removes everything when nobody has been connected for 15 minutes.

const IDLE_MS = 15 * 60_000;

const folder = sharedClusterFolder();
mkdirSync(folder, { recursive: true });
const path = lockPath(folder);

const users = new Set<Socket>();
let answer: string | undefined;
let idle: NodeJS.Timeout | undefined;

function watchIdleness(): void {
  clearTimeout(idle);
  if (users.size === 0) idle = setTimeout(() => void leave(), IDLE_MS);
}

const server = createServer((socket) => {
  users.add(socket);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    users.delete(socket);
    watchIdleness();
  });
  socket.resume();
  if (answer) socket.write(answer);
  watchIdleness();
});

server.on('error', async (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') throw error;
  if ((await lockHolder(path)) !== undefined) process.exit(0);
  rmSync(path, { force: true });
  server.listen(path);
});

let leave = async (): Promise<void> => process.exit(0);

server.once('listening', async () => {
  const cluster = await startTestCluster(folder);
  answer = `${JSON.stringify({ adminUrl: cluster.adminUrl, ownerUrl: cluster.ownerUrl })}\n`;
  leave = async () => {
    server.close();
    for (const socket of users) socket.destroy();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  };
  for (const socket of users) socket.write(answer);
  watchIdleness();
});

process.on('SIGTERM', () => void leave());
process.on('SIGINT', () => void leave());
server.listen(path);
