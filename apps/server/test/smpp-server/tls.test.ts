import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { type Closing, STATUS, statusName } from '@heliograph/smpp';
import smpp, { type PeerPdu } from 'smpp';
import { authority, type Certificate } from './certificates.ts';
import { bind, bindPdu, PASSWORD, rawSocket, receiptsOf, smppStage, until } from './stage.ts';

const stage = await smppStage({ after });
await stage.carrier();
const house = authority({ after }, 'House');
const customers = authority({ after }, 'Customers');
const strangers = authority({ after }, 'Strangers');
const own = house.sign('smpp.example.com');
const CERTIFICATE = { SMPP_SERVER_TLS_CERT: own.cert, SMPP_SERVER_TLS_KEY: own.key };

/** Returns the TLS options of a customer: the authority it trusts, and the certificate it shows, if any. */
const trust = (shown?: Certificate): Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'servername'> => ({
  ca: readFileSync(house.cert),
  servername: 'smpp.example.com',
  ...(shown && { cert: readFileSync(shown.cert), key: readFileSync(shown.key) }),
});
/** Replaces one file by a copy of another in a single step, as programs that renew certificates do. */
function renameOver(file: string, place: string): void {
  copyFileSync(file, `${place}.new`);
  renameSync(`${place}.new`, place);
}

/** Returns the reason why a bind failed, or "bound". */
const failure = (...args: Parameters<typeof bind>): Promise<string> =>
  bind(...args).then(
    ({ session }) => {
      session.destroy();
      return 'bound';
    },
    ({ reason }: Closing) => reason,
  );

test('over TLS a program binds, submits and gets receipts; plain text and old TLS fail', async (t) => {
  await stage.customer('sealed');
  const server = await stage.server(CERTIFICATE);
  const esme = await bind(server, 'sealed', { tls: trust() });
  const sent = await esme.submit({ registered_delivery: 1 });
  assert.equal(statusName(sent.status), 'ESME_ROK');
  await until('its receipt has come', () => receiptsOf(esme).length === 1);
  const { tls } = await stage.one<{ tls: boolean }>('SELECT tls FROM smpp_session');
  assert.equal(tls, true, 'the list of sessions says so');
  await esme.session.unbind();

  const peer = smpp.connect({ host: '127.0.0.1', port: server.port, tls: true, ...trust() });
  t.after(() => peer.destroy());
  const receipts: PeerPdu[] = [];
  peer.on('error', () => undefined);
  peer.on('deliver_sm', (pdu: PeerPdu) => {
    receipts.push(pdu);
    peer.send(pdu.response());
  });
  await once(peer, 'connect');
  const call = (name: 'bind_transceiver' | 'submit_sm', fields: Record<string, unknown>) =>
    new Promise<PeerPdu>((answer) => peer[name](fields, answer));
  assert.equal(
    (await call('bind_transceiver', { system_id: 'sealed', password: PASSWORD })).command_status,
    STATUS.ROK,
  );
  const submitted = await call('submit_sm', {
    source_addr: 'Acme',
    source_addr_ton: 5,
    destination_addr: '639170000088',
    short_message: 'sealed',
    registered_delivery: 1,
  });
  assert.equal(submitted.command_status, STATUS.ROK);
  await until('its receipt has come, too', () => receipts[0]?.receipted_message_id === submitted.message_id);

  const plain = await rawSocket(server);
  const heard: Buffer[] = [];
  plain.on('data', (chunk: Buffer) => heard.push(chunk)).write(bindPdu('sealed'));
  await once(plain, 'close');
  assert.ok(!Buffer.concat(heard).includes('Heliograph'), 'no answer to a bind in plain text');
  assert.equal(
    await failure(server, 'sealed', { tls: { ...trust(), servername: 'other.example.com' } }),
    'connect_failed',
  );
  assert.equal(await failure(server, 'sealed', { tls: { servername: 'smpp.example.com' } }), 'connect_failed');
  const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  assert.equal(await failure(server, 'sealed', { tls: { ...trust(), ...old } }), 'connect_failed');
});

test('a plain port and a port of TLS work side by side and share their limits', async () => {
  await stage.customer('both');
  const { port, tlsPort, ...server } = await stage.server({ ...CERTIFICATE, SMPP_SERVER_TLS_PORT: '0' });
  assert.ok(tlsPort);
  const plain = await bind({ port }, 'both');
  const sealed = await bind({ port: tlsPort }, 'both', { tls: trust() });
  for (const esme of [plain, sealed])
    assert.equal(statusName((await esme.submit({ registered_delivery: 1 })).status), 'ESME_ROK');
  await until('both receipts have come', () => receiptsOf(plain).length + receiptsOf(sealed).length === 2);
  const { rows } = await stage.owner.query<{ tls: boolean }>(
    `SELECT s.tls FROM smpp_session s JOIN smpp_system_id i ON i.id = s.smpp_system_id_id
     WHERE i.system_id = 'both' ORDER BY s.tls`,
  );
  assert.deepEqual(
    rows.map(({ tls }) => tls),
    [false, true],
  );
  assert.equal(await failure({ port }, 'both', { tls: trust() }), 'connect_failed', 'no TLS at the plain port');
  const dumb = await rawSocket({ port: tlsPort });
  const heard: Buffer[] = [];
  dumb.on('data', (chunk: Buffer) => heard.push(chunk)).write(bindPdu('both'));
  await once(dumb, 'close');
  assert.ok(!Buffer.concat(heard).includes('Heliograph'), 'no answer in plain text at the port of TLS');

  const many = Array.from({ length: 210 }, (_, i) =>
    connect({ port: i % 2 ? port : tlsPort, host: '127.0.0.1', localAddress: '127.0.0.8' }).on(
      'error',
      () => undefined,
    ),
  );
  const open = () => many.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open').length;
  await until('200 of an address stay, on both ports', () => many.every((s) => !s.connecting) && open() === 200);
  for (const socket of many) socket.destroy();
  await Promise.all([plain, sealed].map(({ session }) => session.unbind()));
  await server.stop();
});

test('if a client certificate is required, only a valid one of the authority binds', async () => {
  await stage.customer('known');
  const server = await stage.server({ ...CERTIFICATE, SMPP_SERVER_TLS_CLIENT_CA: customers.cert });
  const good = await bind(server, 'known', { tls: trust(customers.sign('known')) });
  assert.equal(statusName((await good.submit()).status), 'ESME_ROK');
  const shown = {
    none: undefined,
    expired: customers.sign('known', -1),
    foreign: strangers.sign('known'),
    self_made: { cert: strangers.cert, key: strangers.key },
    of_the_server: own,
  };
  // In TLS 1.3, a client learns of its refusal only from the first octets after its own handshake.
  for (const [name, certificate] of Object.entries(shown))
    assert.notEqual(await failure(server, 'known', { tls: trust(certificate) }), 'bound', name);
  const { sessions } = await stage.one<{ sessions: number }>(
    `SELECT count(*) AS sessions FROM smpp_session s JOIN smpp_system_id i ON i.id = s.smpp_system_id_id WHERE i.system_id = 'known'`,
  );
  assert.equal(sessions, 1, 'none of them came as far as a bind');
  assert.equal(statusName((await good.submit()).status), 'ESME_ROK', 'the good one does not notice');
  await good.session.unbind();
});

test('a renewed certificate is used for new binds, and open binds stay', async (t) => {
  await stage.customer('lasting');
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-renewed-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const exchange = (part: 'cert' | 'key', by: Certificate) => renameOver(by[part], part === 'cert' ? cert : key);
  for (const part of ['cert', 'key'] as const) exchange(part, own);
  const server = await stage.server({ SMPP_SERVER_TLS_CERT: cert, SMPP_SERVER_TLS_KEY: key });
  const shown = async () => {
    const socket = connectTls({ port: server.port, host: '127.0.0.1', ...trust() });
    await once(socket, 'secureConnect');
    const { serialNumber } = socket.getPeerCertificate();
    socket.destroy();
    return serialNumber;
  };
  assert.equal(await shown(), new X509Certificate(readFileSync(own.cert)).serialNumber);
  const lasting = await bind(server, 'lasting', { tls: trust() });

  const renewed = house.sign('smpp.example.com');
  exchange('cert', renewed);
  exchange('key', renewed);
  const { serialNumber } = new X509Certificate(readFileSync(renewed.cert));
  await until('the new one is shown', async () => (await shown()) === serialNumber);
  assert.equal(statusName((await lasting.submit()).status), 'ESME_ROK', 'whoever was bound does not notice');
  const next = await bind(server, 'lasting', { tls: trust() });
  await Promise.all([lasting.session.unbind(), next.session.unbind()]);
});

test('sockets that never finish their TLS handshake are limited and hold up no others', async () => {
  await stage.customer('patient');
  const server = await stage.server(CERTIFICATE);
  const address = '127.0.0.7';
  const silent = Array.from({ length: 230 }, () => {
    const socket = connect({ port: server.port, host: '127.0.0.1', localAddress: address });
    socket.on('error', () => undefined).on('connect', () => socket.write(Buffer.from([0x16, 0x03, 0x01])));
    return socket;
  });
  const open = () => silent.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open').length;
  await until('those beyond 200 of an address are closed', () => silent.every((s) => !s.connecting) && open() === 200);
  const over = connectTls({
    socket: connect({ port: server.port, host: '127.0.0.1', localAddress: address }),
    ...trust(),
  });
  await once(over, 'error');
  const esme = await bind(server, 'patient', { tls: trust() });
  assert.equal(statusName((await esme.submit()).status), 'ESME_ROK');
  await esme.session.unbind();
  await sleep(50);
  await server.stop();
  await until('all are closed', () => open() === 0);
});
