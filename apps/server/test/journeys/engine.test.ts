import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { reconcile } from '#modules/billing';
import { journeyStage } from './stage.ts';

const stage = await journeyStage({ after });
const { owner, clock, sender, rows } = stage;
const trigger = { on: 'event' };
const send = (id: number, text: string) => ({ id, do: 'message', sender_id: sender, text, nameless: 'friend' });
const texts = async (numbers: readonly string[]) =>
  (
    await rows<{ msisdn: string; text: string }>(
      `SELECT m.msisdn, coalesce(m.text, k.common_text) AS text FROM message m JOIN chunk k ON k.id = m.id >> 10
       WHERE m.msisdn = ANY ($1) ORDER BY m.id`,
      [numbers],
    )
  ).map(({ msisdn, text }) => [msisdn, text]);
const tagsOf = async (number: string) =>
  (await rows<{ tags: string[] }>('SELECT tags FROM contact WHERE number = $1', [number]))[0]!.tags;

test('people wait, are asked, get messages, and come to the end', async () => {
  const [vip] = await stage.contacts(1, ['vip'], 'Ana');
  const [other] = await stage.contacts(1);
  const id = await stage.journey({
    trigger,
    steps: [
      send(1, 'Welcome {name}'),
      { id: 2, do: 'wait', count: 2, unit: 'days' },
      {
        id: 3,
        do: 'condition',
        segment_id: await stage.segment('vip'),
        yes: [send(4, 'For VIPs')],
        no: [{ id: 5, do: 'tag', tag: 'asked', add: true }],
      },
      { id: 6, do: 'tag', tag: 'done', add: true },
    ],
  });
  await stage.enter(id, [vip!, other!]);
  assert.equal(await stage.look(), 2);
  assert.deepEqual(await texts([vip!, other!]), [
    [vip, 'Welcome Ana'],
    [other, 'Welcome friend'],
  ]);
  assert.deepEqual(
    (await stage.people(id)).map(({ step, due_at }) => [step, due_at]),
    [
      [-2, '2026-06-03T04:00:00Z'],
      [-2, '2026-06-03T04:00:00Z'],
    ],
  );
  clock.at = '2026-06-03T03:59:00Z';
  assert.equal(await stage.look(), 0);
  clock.at = '2026-06-03T04:00:00Z';
  await stage.look();
  assert.deepEqual((await texts([vip!, other!])).slice(2), [[vip, 'For VIPs']]);
  assert.deepEqual(
    [await tagsOf(vip!), await tagsOf(other!)],
    [
      ['vip', 'done'],
      ['asked', 'done'],
    ],
  );
  const ended = await stage.people(id);
  assert.deepEqual(
    ended.map(({ due_at, trail }) => [due_at, trail.filter((_, at) => at % 2 === 0)]),
    [
      [null, [1, 2, 3, 4, 6]],
      [null, [1, 2, 3, 5, 6]],
    ],
  );
  const [figures] = await rows<{ spent: number; entered: number }>('SELECT spent, entered FROM journey WHERE id = $1', [
    id,
  ]);
  assert.deepEqual(figures, { spent: 3 * 900, entered: 2 });
  assert.deepEqual(await reconcile(owner), []);
});
