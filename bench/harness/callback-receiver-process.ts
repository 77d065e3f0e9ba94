import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerQuestions } from './child.ts';

// Takes callbacks and answers immediately; at /slow it never answers.
let came = 0;
const server = createServer((request, response) => {
  request.resume();
  if (request.url === '/slow') return;
  came++;
  response.end();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
answerQuestions(
  () => ({ came, port: (server.address() as AddressInfo).port }),
  async () => {
    server.closeAllConnections();
    server.close();
  },
);
process.send?.({});
