import { startServer } from '../src/index.ts';

// An SMSC as a process of its own, which a test may freeze.

const server = await startServer<unknown>(
  { port: 0, maxPerAddress: 1_000 },
  { onBind: (_bind, session) => session.acceptBind('smsc') },
);
process.send?.({ port: server.port });
process.on('disconnect', () => process.exit(0));
