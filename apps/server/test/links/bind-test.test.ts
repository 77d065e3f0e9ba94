import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { startSimulator } from '@heliograph/carrier-simulator';
import { tryBind } from '#modules/delivery';
import { dataOf, errorsOf } from '../answers.ts';
import { listenOn } from '../own-port.ts';
import { startTestApi } from '../test-api.ts';
import { CARRIER, STRANGER } from './certificates.ts';
import { LINKS, newLink } from './link-calls.ts';

const api = await startTestApi({ after });
const admin = await api.as('admin');

test('a bind test shows each step and explains what went wrong', async (t) => {
  const accounts = { north: 'right' };
  const [plain, secure] = await Promise.all([
    startSimulator({ smppPort: 0, httpPort: null, settings: { accounts } }),
    startSimulator({ smppPort: 0, httpPort: null, settings: { accounts }, tls: CARRIER }),
  ]);
  t.after(() => Promise.all([plain.stop(), secure.stop()]));
  const tried = async (more: object) => {
    const { status, body } = await admin('POST', `${LINKS}/test-bind`, {
      host: '127.0.0.1',
      port: plain.smppPort,
      tls: false,
      system_id: 'north',
      password: 'right',
      bind_mode: 'transceiver',
      ...more,
    });
    assert.equal(status, 200, JSON.stringify(body));
    const { steps } = (body as { data: { steps: { step: string; outcome: string; code: string | null }[] } }).data;
    assert.deepEqual(
      steps.map(({ step }) => step),
      ['resolve', 'connect', 'tls', 'bind'],
    );
    const last = steps.findLast(({ outcome }) => outcome !== 'skipped')!;
    return `${last.step} ${last.outcome} ${last.code ?? ''}`.trim();
  };
  const overTls = { port: secure.smppPort, tls: true, host: 'localhost', tls_ca: CARRIER.cert };
  assert.equal(await tried({}), 'bind done');
  assert.equal(await tried({ bind_mode: 'transmitter_receiver' }), 'bind done');
  assert.equal(await tried(overTls), 'bind done');
  assert.equal(await tried({ password: 'wrong' }), 'bind failed ESME_RINVPASWD');
  assert.equal(await tried({ system_id: 'south' }), 'bind failed ESME_RINVSYSID');
  assert.equal(await tried({ port: 1 }), 'connect failed ECONNREFUSED');
  assert.match(await tried({ host: 'no-such-host.invalid' }), /^resolve failed (ENOTFOUND|EAI_AGAIN)$/);
  assert.equal(await tried({ ...overTls, tls_ca: STRANGER }), 'tls failed DEPTH_ZERO_SELF_SIGNED_CERT');
  assert.equal(await tried({ ...overTls, tls_ca: null }), 'tls failed DEPTH_ZERO_SELF_SIGNED_CERT');
  assert.equal(await tried({ ...overTls, host: '127.0.0.1' }), 'tls failed ERR_TLS_CERT_ALTNAME_INVALID');
  assert.equal(await tried({ ...overTls, host: '127.0.0.1', tls_verify_name: false }), 'bind done');
  assert.equal(await tried({ tls: true }), 'tls failed ERR_SSL_WRONG_VERSION_NUMBER');
  const port = await listenOn(
    createServer(() => undefined),
    t,
  );
  const waited = await tryBind(
    {
      host: '127.0.0.1',
      port,
      tls: false,
      tls_ca: null,
      tls_verify_name: true,
      system_id: 'north',
      system_type: '',
      bind_mode: 'transceiver',
      password: '',
    },
    { within: 200 },
  );
  assert.deepEqual([waited.bound, waited.steps.at(-1)?.code], [false, 'timeout']);
  const absent = await admin('POST', `${LINKS}/test-bind`, {
    link_id: 999_999,
    host: 'localhost',
    port: 1,
    tls: false,
    system_id: 'x',
    bind_mode: 'transceiver',
  });
  assert.equal(absent.status, 404);
  assert.deepEqual(errorsOf(absent), {});
});

test('a stored password is not sent to a new host, port or account', async () => {
  const admin = await api.as('superadmin');
  const made = await admin('POST', LINKS, newLink({ name: 'Kept', password: 'Kept#123' }));
  const { id } = dataOf(made);
  for (const elsewhere of [{ host: 'elsewhere.test' }, { port: 2_999 }, { system_id: 'other' }]) {
    const moved = await admin('PATCH', `${LINKS}/${id}`, elsewhere);
    assert.equal(moved.status, 422, JSON.stringify(moved.body));
    assert.deepEqual(Object.keys(errorsOf(moved)), ['password']);
    const attempt = { host: '127.0.0.1', port: 2775, system_id: 'north', tls: false, bind_mode: 'transceiver' };
    const tried = await admin('POST', `${LINKS}/test-bind`, { ...attempt, link_id: id, ...elsewhere });
    assert.equal(tried.status, 422, JSON.stringify(tried.body));
  }
  assert.equal((await admin('PATCH', `${LINKS}/${id}`, { port: 2_999, password: 'Kept#124' })).status, 200);
  assert.equal((await admin('PATCH', `${LINKS}/${id}`, { port: 2_999, name: 'Kept well' })).status, 200);
});
