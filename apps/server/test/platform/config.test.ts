import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { OPERATIONS_PAGE, withSettingsTable } from '../../../../scripts/generate-operations-table.ts';
import { readConfig, readConnectedConfig } from '../../src/platform/config/config.ts';

const refuses = (environment: Record<string, string>, message: RegExp) =>
  assert.throws(() => readConfig(environment), { name: 'StartError', exitCode: 2, message });

test('defaults apply without settings, and an empty value counts as unset', () => {
  for (const environment of [{}, { PORT: '', HOST: ' ' }]) {
    const config = readConfig(environment);
    assert.equal(config.PORT, 8080);
    assert.equal(config.HOST, '127.0.0.1');
    assert.equal(config.DATA_DIR, resolve('data'));
    assert.equal(config.DATABASE_URL, undefined);
    assert.deepEqual([config.SIMULATOR_SMPP_PORT, config.SIMULATOR_HTTP_PORT], [2775, 2780]);
    assert.equal(config.SEED_DEMO, undefined);
    assert.equal(config.TRUST_PROXY, false);
  }
});

test('a bad value is refused in one line with the setting, the value and the rule', () => {
  refuses({ PORT: 'abc' }, /^The setting PORT is "abc": it must be a whole number from 0 to 65535[^\n]*\.$/);
  const bad: Record<string, string[]> = {
    PORT: ['65536', '-1', '80.5', '1e3', '0x50'],
    HOST: ['not a host', '-a', 'a/b'],
    DATABASE_URL: [
      'mysql://a/b',
      'nonsense',
      'postgres://a,,b/c',
      'postgres://a,b:x/c',
      'postgres://a,b/c?target_session_attrs=standby',
    ],
    POOLER_URL: ['http://a/b', 'a:6432'],
    REPORTS_DATABASE_URL: ['postgres://a,b/c', 'postgres://a/b?target_session_attrs=read-write'],
    DATABASE_PORT: ['70000'],
    NATS_URL: ['http://a'],
    LOG_LEVEL: ['loud'],
    SEED_DEMO: ['perhaps'],
    TRUST_PROXY: ['10', '10.0.0.0/33', '10.0.0.1,nonsense', '::1/129'],
    PUBLIC_URL: ['example.org', 'ftp://example.org'],
    PRIVATE_TARGETS: ['mail.example.org', '10.0.0.0/33', 'true'],
    SECRET_KEY: ['short', `${'A'.repeat(44)}`],
  };
  for (const [name, values] of Object.entries(bad)) {
    for (const value of values)
      refuses({ [name]: value }, new RegExp(`^The setting ${name} [^\\n]+: it must be [^\\n]+\\.$`));
  }
});

test('a bad secret is refused without being shown', () => {
  for (const [name, value] of [
    ['DATABASE_URL', 'mysql://root:hunter2@db/x'],
    ['DATABASE_URL', 'postgres://root:hunter2@a,b:x/c'],
    ['POOLER_URL', 'http://root:hunter2@a/c'],
    ['SECRET_KEY', 'hunter2'],
  ] as const) {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error: Error) => error.message.startsWith(`The setting ${name}`) && !error.message.includes('hunter2'),
    );
  }
});

test('good values are accepted', () => {
  const config = readConfig({
    PORT: '0',
    HOST: '::',
    SEED_DEMO: 'false',
    PUBLIC_URL: 'https://sms.example.org/',
    TRUST_PROXY: '10.0.0.0/8, ::1',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    DATABASE_URL: 'postgresql://a:b@c:5433/d',
  });
  assert.equal(config.SEED_DEMO, false);
  assert.equal(config.PUBLIC_URL, 'https://sms.example.org');
  assert.equal(config.TRUST_PROXY, '10.0.0.0/8, ::1');
  const twoHops = readConfig({ TRUST_PROXY: '2' }).TRUST_PROXY;
  assert.ok(typeof twoHops === 'function');
  assert.deepEqual(
    [0, 1, 2].map((hop) => twoHops('10.0.0.1', hop)),
    [true, true, false],
  );
});

test('one port for two purposes is refused', () => {
  refuses({ PORT: '2775' }, /^The settings PORT and SIMULATOR_SMPP_PORT are both 2775/);
  assert.doesNotThrow(() =>
    readConfig({ PORT: '0', SIMULATOR_HTTP_PORT: '0', PAYMENT_SIMULATOR_PORT: '0', SIMULATOR_SMPP_PORT: '0' }),
  );
  const tls = { SMPP_SERVER_TLS_CERT: '/c.pem', SMPP_SERVER_TLS_KEY: '/k.pem' };
  refuses({ ...tls, SMPP_SERVER_TLS_PORT: '2776' }, /^The settings SMPP_SERVER_PORT and SMPP_SERVER_TLS_PORT are both/);
  refuses({ SMPP_SERVER_TLS_PORT: '2777' }, /^The setting SMPP_SERVER_TLS_PORT needs SMPP_SERVER_TLS_CERT/);
});

test('a process started on its own needs a database', () => {
  assert.throws(() => readConnectedConfig({}), { name: 'StartError', exitCode: 2, message: /DATABASE_URL is unset/ });
});

test('the table of settings in docs/operations.md is current (else: npm run docs)', () => {
  const page = readFileSync(OPERATIONS_PAGE, 'utf8');
  assert.equal(page, withSettingsTable(page));
});
