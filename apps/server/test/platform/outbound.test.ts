import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedAddress, isPublicAddress } from '../../src/platform/outbound/outbound.ts';

test('a target must be public or allowed by the operator', async () => {
  for (const address of [
    '127.0.0.1',
    '10.0.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    '2001::1',
    'not an address',
  ])
    assert.equal(isPublicAddress(address), false, address);
  for (const address of ['8.8.8.8', '172.32.0.1', '9.9.9.9', '2606:4700::1111', '2a00:1450::1'])
    assert.equal(isPublicAddress(address), true, address);
  const ask = (PRIVATE_TARGETS: string[], port: number, ...addresses: string[]) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    return allowedAddress({ PRIVATE_TARGETS }, { host: 'mail.test', port, ports: [25] }, async () => found).catch(
      ({ code }) => code,
    );
  };
  assert.equal(await ask([], 25, '8.8.8.8', '2a00:1450::1'), '8.8.8.8');
  assert.equal(await ask([], 25, '8.8.8.8', '10.0.0.1'), 'address_not_allowed', 'one private address spoils them all');
  assert.equal(await ask(['10.0.0.0/8'], 2500, '10.0.0.1'), '10.0.0.1');
  assert.equal(await ask(['10.0.0.0/8'], 25, '8.8.8.8', '10.0.0.1'), '8.8.8.8');
  assert.equal(await ask(['10.0.0.0/8'], 2500, '8.8.8.8', '10.0.0.1'), 'port_not_allowed');
  assert.equal(await ask([], 25), 'unknown_host');
});
