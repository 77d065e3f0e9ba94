import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startVictim, until } from '@heliograph/fault-kit';
import { FAILPOINT_VARIABLE } from '#platform/failpoints';
import { ROLE_PASSWORD } from '../template-database.ts';
import { SANDBOX_PLACES } from './sandbox-places.ts';
import { numberTo, sandboxStage } from './stage.ts';

const stage = await sandboxStage({ after });
const { send, reaches, events, one, api } = stage;

/** Starts a sender in a process of its own, which dies at the first visit of a place. */
const victim = (place: string) =>
  startVictim(join(import.meta.dirname, '../../src/processes/sender.ts'), {
    environment: {
      NODE_ENV: 'test',
      DATABASE_URL: api.database.url,
      DATABASE_ROLE_PASSWORD: ROLE_PASSWORD,
      DATA_DIR: api.config.DATA_DIR!,
      OPERATIONS_PORT: '0',
      LOG_LEVEL: 'silent',
      [FAILPOINT_VARIABLE]: `${place}:1`,
    },
  });

for (const place of SANDBOX_PLACES)
  test(`a sender that dies at ${place} leaves each message exactly one outcome`, async () => {
    const killed = await victim(place);
    const ids = [];
    for (let nth = 1; nth <= 5; nth++) ids.push(await send(numberTo('0001', nth), { class: 'bulk' }));
    assert.equal(await killed.gone, 'SIGKILL');
    const next = await stage.sender();
    for (const id of ids) await reaches(id, 'delivered', 60_000);
    const told = (await events('message.delivered')).map(({ data }) => data['id']);
    for (const id of ids) assert.equal(told.filter((each) => each === id).length, 1, id);
    const { parts } = await one<{ parts: number }>(
      'SELECT count(*)::int AS parts FROM sandbox_part WHERE message_id = ANY ($1)',
      [ids],
    );
    assert.equal(parts, ids.length);
    await next.stop();
  });

test('two senders share the work, and one goes on when the other stops', async () => {
  const first = await stage.sender();
  const second = await stage.sender();
  await until('one of them holds the link', () => first.linkCount + second.linkCount === 1, 20_000);
  await reaches(await send(numberTo('0001', 1)), 'delivered', 30_000);
  await (first.linkCount === 1 ? first : second).stop();
  await reaches(await send(numberTo('0001', 2)), 'delivered', 30_000);
});
