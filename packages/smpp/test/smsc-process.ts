import { SocketLimits, STATUS, startServer } from '../src/index.ts';

// Runs an SMSC as a separate process, which a test may freeze.

const server = await startServer<unknown>(
  { port: 0, limits: new SocketLimits(1_000, 1_000) },
  {
    onBind: (_bind, session) => session.acceptBind('smsc'),
    onRequests: (requests, session) => {
      for (const request of requests) session.respond(request, STATUS.ROK, String(request.sequence));
    },
  },
);
process.send?.({ port: server.port });
process.on('disconnect', () => process.exit(0));
