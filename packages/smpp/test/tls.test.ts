import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { generateKeyPairSync } from 'node:crypto';
import { connect } from 'node:net';
import { test } from 'node:test';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { type Closing, encodePdu, type Outcome, openSession, STATUS, startServer } from '../src/index.ts';

/** Certificate for "localhost", signed by its own key; it protects nothing but this test. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg3cDnoxhca1XRSzP/
TRF2xR+1pUpWzahOle8OGzXHUYWhRANCAARVNqYJldV48Ao4IVeWconto3VCinZu
3HObfA3eGd10jSB2SKP/XpEYZLlyqOgdnhTUFgX0J8duxfDoFQdnocB4
-----END PRIVATE KEY-----
`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBljCCATugAwIBAgIUN/MThtUH6DXSz36ybrIX+NVuhfcwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE1MzMyMVoYDzIxMjYxMDI4
MTUzMzIxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARVNqYJldV48Ao4IVeWconto3VCinZu3HObfA3eGd10jSB2SKP/XpEY
ZLlyqOgdnhTUFgX0J8duxfDoFQdnocB4o2kwZzAdBgNVHQ4EFgQUKHXF4MlCMiZL
suWCfB7c8TAQQOkwHwYDVR0jBBgwFoAUKHXF4MlCMiZLsuWCfB7c8TAQQOkwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SQAwRgIhAO1FqyWLZPhYEf/gSwrvFeQ+0WKEPQRj5ijPSVwQV901AiEA/PfVYWkQ
o/0nDp5NdbMh7DoFHuLUQpAa0Y4b2mpsZh8=
-----END CERTIFICATE-----
`;

test('TLS: only a client that trusts the signer and the name can bind', async (t) => {
  const server = await startServer<unknown>(
    { port: 0, tls: { key, cert } },
    {
      onBind: (_bind, session) => session.acceptBind('tls'),
      onRequests: (requests, session) => {
        for (const request of requests) session.respond(request, STATUS.ROK, 'over-tls');
      },
    },
  );
  t.after(() => server.stop());
  const open = (tls: ConnectionOptions): Promise<Closing | Outcome<string>> =>
    new Promise((resolve) => {
      const session = openSession<string>(
        { host: '127.0.0.1', port: server.port, bind: { mode: 'transceiver', system_id: 'x', password: '' }, tls },
        {
          onBound: () => session.submit({ destination_addr: '1', short_message: Buffer.from('x') }, 'm'),
          onResponses: ([outcome]) => {
            resolve(outcome!);
            session.destroy();
          },
          onClose: resolve,
        },
      );
    });
  const good = await open({ ca: cert, servername: 'localhost' });
  assert.ok('message_id' in good && good.message_id === 'over-tls');
  for (const [tls, code] of [
    [{ ca: cert, servername: 'smsc.example' }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    [{ servername: 'localhost' }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    [{ ca: cert, servername: 'localhost', maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1' }, undefined],
  ] as [ConnectionOptions, string | undefined][]) {
    const bad = await open(tls);
    assert.ok('reason' in bad && bad.reason === 'connect_failed', String(code));
    if (code !== undefined) assert.equal((bad.error as NodeJS.ErrnoException).code, code);
  }
  // A certificate with another one's key is refused, and the previous one stays in use.
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  assert.throws(() => server.renewTls({ cert, key: privateKey }), /key values mismatch/i);
  const still = await open({ ca: cert, servername: 'localhost' });
  assert.ok('message_id' in still && still.message_id === 'over-tls');
  const plain = connect(server.port, '127.0.0.1');
  plain.on('error', () => {});
  plain.write('plain text');
  await new Promise((resolve) => plain.once('close', resolve));
});

test('TLS: a program that ends its side first still gets the answers it is owed', async (t) => {
  const server = await startServer<unknown>(
    { port: 0, tls: { key, cert } },
    {
      onBind: (_bind, session) => session.acceptBind('tls'),
      onRequests: (requests, session) =>
        setTimeout(() => requests.map((request) => session.respond(request, STATUS.ROK, 'late')), 50),
    },
  );
  t.after(() => server.stop());
  const both = { port: server.port, host: '127.0.0.1', allowHalfOpen: true };
  const socket = connectTls({ ...both, ca: cert, servername: 'localhost' });
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    if (received === '') socket.end(encodePdu({ command: 'submit_sm', sequence: 2, destination_addr: '1' }));
    received += chunk.toString('latin1');
  });
  socket.write(encodePdu({ command: 'bind_transceiver', sequence: 1, system_id: 'x', password: '' }));
  await new Promise((resolve) => socket.once('end', resolve));
  assert.match(received, /late/);
});
