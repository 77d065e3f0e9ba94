import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@heliograph/fault-kit';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { readerOf } from '../src/platform/read-again.ts';

const client = new QueryClient();
const readAgain = readerOf(client);
after(() => client.clear());

/** Time of one read, in milliseconds. */
const READ_MS = 40;

test('events that come faster than a read do not keep it from ending', async () => {
  let begun = 0;
  let version = 0;
  const observer = new QueryObserver(client, {
    queryKey: ['campaigns', 'running'],
    queryFn: async ({ signal }) => {
      begun++;
      const seen = version;
      await pause(READ_MS, undefined, { signal });
      return seen;
    },
  });
  let shown = -1;
  const leave = observer.subscribe(({ data }) => (shown = data ?? shown));
  while (version < 60) {
    version++;
    void readAgain(['campaigns']);
    await pause(5);
  }
  assert.ok(shown > 0, 'nothing was shown while events came');
  await until('the last change is shown', () => shown === 60);
  assert.ok(begun < 30, `${begun} reads for 60 events`);
  leave();
});
