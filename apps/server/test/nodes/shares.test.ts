import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptNode } from '#modules/nodes';
import { readConnectedConfig } from '#platform/config/config';
import { createLogger } from '#platform/log';
import { shareAllowances } from '../../src/modules/delivery/sending/share-allowances.ts';
import { until } from '../delivery/stage.ts';
import { testDatabase } from '../template-database.ts';
import { TEST_KEY } from '../test-key.ts';

test('senders share one allowance, and a sender that stops leaves its part to others', async (t) => {
  const database = await testDatabase(t);
  const config = readConnectedConfig({ DATABASE_URL: database.url, SECRET_KEY: TEST_KEY, LOG_LEVEL: 'silent' });
  const log = createLogger(config, 'test');
  const pool = database.pool('sender');
  const nodes = [1, 2, 3].map(() => new KeptNode(config, { kind: 'sender', role: 'sender', log }));
  for (const node of nodes) await node.start();
  t.after(() => Promise.all(nodes.map((node) => node.stop())));
  const share = async (name: string, ...keys: string[]) => (await shareAllowances(pool, name, keys))('console:1');
  assert.equal(await share('a', 'console:1'), 3, 'before anything is known, each takes a part of all there are');
  await until('one that sends alone has all of it', async () => (await share('a', 'console:1', 'api:1')) === 1);
  await share('b', 'console:1');
  assert.equal(await share('a', 'console:1'), 2);
  assert.equal(await share('b', 'console:1'), 3, 'who has just come takes no more than an even part');
  await until('both have half', async () => (await share('b', 'console:1')) === 2);
  await share('b');
  assert.equal(await share('a', 'console:1'), 1);
});
