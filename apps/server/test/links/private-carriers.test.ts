import assert from 'node:assert/strict';
import { createServer as createWeb } from 'node:http';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { startSimulator } from '@heliograph/carrier-simulator';
import { type Closing, openSession } from '@heliograph/smpp';
import { type CarrierConfig, carrierLookup } from '#platform/outbound/outbound';
import { dataOf, errorsOf } from '../answers.ts';
import { listenOn } from '../own-port.ts';
import { startTestApi } from '../test-api.ts';
import { LINKS, newLink } from './link-calls.ts';

const VPN = '127.0.0.1/32,10.8.0.0/16';
const api = await startTestApi({ after }, { settings: { PRIVATE_CARRIERS: VPN } });
const admin = await api.as('superadmin');
const simulator = await startSimulator({ smppPort: 0, httpPort: null });
after(() => simulator.stop());
/** A service in the operator's own network, which nobody may reach through us. */
let hits = 0;
const inner = createServer((socket) => {
  hits++;
  socket.destroy();
});
const innerPort = await listenOn(inner, { after }, '127.0.0.9');

const tried = async (host: string, port = innerPort) => {
  const bind = { host, port, tls: false, system_id: 'north', password: '', bind_mode: 'transceiver' };
  const { status, body } = await admin('POST', `${LINKS}/test-bind`, bind);
  assert.equal(status, 200, JSON.stringify(body));
  const { steps } = dataOf<{ steps: { step: string; outcome: string; code: string | null }[] }>({ body });
  const last = steps.findLast(({ outcome }) => outcome !== 'skipped')!;
  return `${last.step} ${last.code ?? last.outcome}`;
};
/** Addresses of 127.0.0.9 and others in the forms that resolvers and people write. */
const FORBIDDEN = ['127.0.0.9', '::ffff:127.0.0.9', '::ffff:7f00:9', '::1', '0.0.0.0', '169.254.169.254', '10.9.0.1'];

test('a bind test reaches private carriers of the setting, and no other', async () => {
  assert.equal(await tried('127.0.0.1', simulator.smppPort), 'bind done');
  assert.equal(await tried('::ffff:127.0.0.1', simulator.smppPort), 'bind done', 'the same address, mapped');
  for (const host of FORBIDDEN) assert.equal(await tried(host), 'resolve address_not_allowed', host);
  assert.equal(hits, 0);
});

test('a link to a private address is refused with the setting to change', async () => {
  const at = (host: string) => admin('POST', LINKS, newLink({ name: `At ${host}`, host, enabled: false }));
  for (const host of FORBIDDEN) {
    const answer = await at(host);
    assert.equal(answer.status, 422, host);
    assert.match(errorsOf(answer)['host']?.[0] ?? '', /PRIVATE_CARRIERS/, host);
  }
  for (const host of ['10.8.3.4', '::ffff:10.8.3.4', '9.9.9.9', 'smpp.example.com'])
    assert.equal((await at(host)).status, 201, host);
});

test('a link connects to the address of its lookup, whatever the name says later', async () => {
  const config: CarrierConfig = { PRIVATE_CARRIERS: VPN.split(',') };
  const reached = async (answers: string[][], port: number) => {
    let asked = 0;
    const resolve = async () =>
      (answers[asked++] ?? answers.at(-1)!).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const connect = () =>
      new Promise<string>((done) => {
        const session = openSession<undefined>(
          { host: 'smsc.carrier.test', port, ...carrierLookup(config, resolve), bind: credentials },
          {
            onBound: () => {
              done('bound');
              void session.unbind();
            },
            onClose: ({ error, reason }: Closing) => done((error as NodeJS.ErrnoException)?.code ?? reason),
          },
        );
      });
    const results = [await connect(), await connect()];
    assert.equal(asked, 2, 'one lookup for each connection');
    return results;
  };
  const credentials = { mode: 'transceiver', system_id: 'north', password: '' } as const;
  const { smppPort } = simulator;
  assert.deepEqual(await reached([['127.0.0.1'], ['127.0.0.9']], smppPort), ['bound', 'address_not_allowed']);
  assert.deepEqual(await reached([['127.0.0.9']], innerPort), ['address_not_allowed', 'address_not_allowed']);
  assert.deepEqual(await reached([['127.0.0.1', '127.0.0.9'], ['::ffff:127.0.0.9']], innerPort), [
    'address_not_allowed',
    'address_not_allowed',
  ]);
  assert.equal(hits, 0);
});

test('the connectivity test reaches private carriers, and follows no redirect', async () => {
  const web = createWeb((_, response) => response.writeHead(302, { location: `http://127.0.0.9:${innerPort}/` }).end());
  const port = await listenOn(web, { after });
  const run = async (target: string, check: string) => {
    const { body } = await admin('POST', '/api/v1/connectivity-test', { target, check });
    return dataOf<{ accessible: boolean; steps: { code: string | null; detail: string }[] }>({ body });
  };
  const { accessible, steps } = await run(`http://127.0.0.1:${port}/`, 'http');
  assert.deepEqual([accessible, steps.at(-1)?.detail], [true, 'HTTP 302']);
  const inside = await run(`http://[::ffff:127.0.0.9]:${innerPort}/`, 'http');
  assert.equal(inside.steps.at(-1)?.code, 'address_not_allowed');
  assert.equal(hits, 0);
});
