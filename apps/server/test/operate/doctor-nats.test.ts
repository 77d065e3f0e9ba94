import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { examine } from '#modules/operate';
import { startNats, withoutNats } from '../platform/nats-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'heliograph-doctor-nats-'));
chmodSync(folder, 0o755);
after(() => rmSync(folder, { recursive: true, force: true }));

const USERS = `authorization { users = [
  { user: heliograph, password: right, permissions: { publish: "heliograph.>", subscribe: "heliograph.>" } }
  { user: other, password: right, permissions: { publish: "other.>", subscribe: "other.>" } }
] }
`;

/** Returns the doctor's findings about NATS: state, words and advice, one per line. */
async function told(NATS_URL: string, change: Record<string, string> = {}): Promise<string[]> {
  const ports = {
    PORT: '0',
    SIMULATOR_SMPP_PORT: '0',
    SIMULATOR_HTTP_PORT: '0',
    PAYMENT_SIMULATOR_PORT: '0',
    SMPP_SERVER_PORT: '0',
  };
  const findings = await examine({
    ...ports,
    DATA_DIR: folder,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    NATS_URL,
    ...change,
  });
  return findings
    .filter(({ name }) => name === 'nats')
    .map(({ state, detail, action = '' }) => `${state}: ${detail} ${action}`);
}

test('each NATS server is checked, and a fault names the setting to correct', {
  skip: withoutNats,
}, async (t) => {
  const config = join(folder, 'nats.conf');
  writeFileSync(config, USERS);
  const [closed, apart] = await Promise.all([startNats(t, { arguments: ['-c', config] }), startNats(t)]);
  const as = (login: string) => closed.url.replace('//', `//${login}@`);

  const [well, ...more] = await told(as('heliograph:right'));
  assert.match(well!, /^ok: NATS at 127\.0\.0\.1:\d+ answers in \d+(\.\d+)? ms\. $/);
  assert.deepEqual(more, []);
  assert.match(
    (await told(as('heliograph:wrong')))[0]!,
    /^warn: .* cannot be reached: .*\. Correct the user and password in NATS_URL/,
  );
  assert.match(
    (await told(as('other:right')))[0]!,
    /^warn: .* does not carry .*\. Its user needs the rights to publish and subscribe/,
  );
  const missing = await told(closed.url, { NATS_CREDENTIALS: join(folder, 'none') });
  assert.match(missing[0]!, /^bad: A file of NATS_CREDENTIALS or NATS_TLS_CA cannot be read: ENOENT/);

  // Two servers that are not connected: a message at one is not heard at the other.
  const [first, second] = await told(`${as('heliograph:right')},${apart.url}`);
  assert.match(first!, /^ok: /);
  assert.match(second!, /^warn: .* does not carry .* must be one cluster/);

  await apart.kill();
  const [there, gone] = await told(`${as('heliograph:right')},${apart.url}`);
  assert.match(there!, /^ok: /);
  assert.match(gone!, /^warn: .* cannot be reached: .*\. Start it, correct NATS_URL, or unset it\./);
});
