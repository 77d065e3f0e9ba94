import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { reconcile } from '#modules/billing';
import { tellings } from '#modules/callbacks';
import type { Event } from '#modules/events';
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

const fieldOf = async (name: string, key: string, type: string, slot: string) =>
  (
    await rows<{ id: number }>(
      'INSERT INTO contact_field (corporation_id, name, key, type, slot) VALUES ($1, $2, $3, $4, $5) RETURNING id',
      [stage.program.corporation_id, name, key, type, slot],
    )
  )[0]!.id;

test('contact fields fill texts by their ids, and a deleted one pauses the journey', async () => {
  const [city, since] = [
    await fieldOf('City', 'city', 'text', 'text_1'),
    await fieldOf('Since', 'since', 'date', 'date_2'),
  ];
  const [known, bare, late] = await stage.contacts(3, [], 'Ana');
  await owner.query("UPDATE contact SET text_1 = 'Cebu', date_2 = '2024-02-29' WHERE number = $1", [known]);
  const definition = {
    trigger,
    contact_fields: [
      { id: city, key: 'city' },
      { id: since, key: 'since' },
    ],
    steps: [{ ...send(1, '{name} of {city} since {since}'), defaults: { city: 'your city' } }],
  };
  const id = await stage.journey(definition);
  await owner.query("UPDATE contact_field SET key = 'town' WHERE id = $1", [city]);
  await stage.enter(id, [known!, bare!]);
  await stage.look();
  assert.deepEqual(await texts([known!, bare!]), [
    [known, 'Ana of Cebu since 29 Feb 2024'],
    [bare, 'Ana of your city since '],
  ]);
  await owner.query('UPDATE contact_field SET removed_at = now() WHERE id = $1', [since]);
  await stage.enter(id, [late!]);
  await stage.look();
  const state = async () => (await rows('SELECT state, pause_reason FROM journey WHERE id = $1', [id]))[0];
  assert.deepEqual(await state(), { state: 'paused', pause_reason: 'field' });
  assert.deepEqual(await texts([late!]), []);
  // A person publishes another text: those who began the earlier version go on without the message.
  await owner.query(
    `WITH v AS (INSERT INTO journey_version (journey_id, corporation_id, number, definition, rules)
       SELECT id, corporation_id, 2, $2, '{}' FROM journey WHERE id = $1 RETURNING id)
     UPDATE journey SET version_id = (SELECT id FROM v), state = 'running' WHERE id = $1`,
    [id, { ...definition, contact_fields: [], steps: [send(1, 'Other words')] }],
  );
  await stage.look();
  await stage.look();
  assert.deepEqual(await state(), { state: 'running', pause_reason: 'field' });
  const [person] = (await stage.people(id)).filter(({ number }) => number === late);
  assert.deepEqual([person!.due_at, person!.trail[0], await texts([late!])], [null, 1, []]);
});

test('a callback tells the programs once, with the contact as it is when it is told', async () => {
  const [known, gone] = await stage.contacts(2, [], 'Ana');
  const id = await stage.journey({
    trigger,
    steps: [
      { id: 3, do: 'callback', name: 'welcomed' },
      { id: 4, do: 'wait', count: 1, unit: 'days' },
    ],
  });
  await stage.enter(id, [known!, gone!]);
  await stage.look();
  await stage.look();
  await owner.query("UPDATE contact SET text_1 = 'Davao' WHERE number = $1", [known]);
  await owner.query('DELETE FROM contact WHERE number = $1', [gone]);
  const events = await rows<Event>("SELECT * FROM event WHERE type = 'journey.step' ORDER BY data ->> 'contact_id'");
  assert.equal(events.length, 2);
  assert.equal(JSON.stringify(events).includes(known!), false);
  const told = await tellings(stage.database.pool('worker'), events);
  const [contact] = await rows<{ id: number }>('SELECT id FROM contact WHERE number = $1', [known]);
  const step = {
    journey_id: String(id),
    journey: (await rows<{ name: string }>('SELECT name FROM journey WHERE id = $1', [id]))[0]!.name,
  };
  const common = { ...step, step: 3, name: 'welcomed' };
  assert.deepEqual(
    events.map((event) => told.get(event.id)!.data),
    [
      { ...common, to: known, contact: { id: String(contact!.id), name: 'Ana', fields: { town: 'Davao' } } },
      { ...common, to: null, contact: null },
    ],
  );
});

test('people finish the version that they began, and others enter the new one', async () => {
  const [first, second] = await stage.contacts(2);
  const steps = (text: string) => [{ id: 1, do: 'wait', count: 1, unit: 'hours' }, send(2, text)];
  const id = await stage.journey({ trigger, steps: steps('Old words') });
  await stage.enter(id, [first!]);
  await stage.look();
  await owner.query(
    `WITH v AS (INSERT INTO journey_version (journey_id, corporation_id, number, definition, rules)
       SELECT id, corporation_id, 2, $2, '{}' FROM journey WHERE id = $1 RETURNING id)
     UPDATE journey SET version_id = (SELECT id FROM v) WHERE id = $1`,
    [id, { trigger, steps: steps('New words') }],
  );
  await stage.enter(id, [second!]);
  await stage.look();
  clock.at = new Date(Date.parse(clock.at) + 3_600_000).toISOString();
  await stage.look();
  assert.deepEqual(await texts([first!, second!]), [
    [first, 'Old words'],
    [second, 'New words'],
  ]);
});

test('a journey spends its budget to the last message, then pauses and says so', async () => {
  const numbers = await stage.contacts(10);
  const id = await stage.journey({ trigger, steps: [send(1, 'Paid')] }, 900 * 4 + 899);
  await stage.enter(id, numbers);
  await stage.look();
  const [row] = await rows('SELECT state, pause_reason, spent FROM journey WHERE id = $1', [id]);
  assert.deepEqual(row, { state: 'paused', pause_reason: 'budget', spent: 3_600 });
  assert.equal((await texts(numbers)).length, 4);
  assert.equal((await stage.people(id)).filter(({ due_at }) => due_at !== null).length, 6);
  const mails = await rows(
    "SELECT FROM jobs.job WHERE name = 'mail-journey-pause' AND (data ->> 'journey_id')::int = $1",
    [id],
  );
  assert.equal(mails.length, 1);
  await owner.query("UPDATE journey SET state = 'running', budget = NULL WHERE id = $1", [id]);
  await stage.look();
  assert.equal((await texts(numbers)).length, 10);
});

test('people whom a rule refuses go on without the message', async () => {
  const [stopped, free] = await stage.contacts(2);
  await owner.query(
    "INSERT INTO opt_out (corporation_id, number, source, opted_out_at) VALUES ($1, $2, 'person', now())",
    [stage.program.corporation_id, stopped],
  );
  const id = await stage.journey({ trigger, steps: [send(1, 'Sale'), { id: 2, do: 'tag', tag: 'told', add: true }] });
  await stage.enter(id, [stopped!, free!]);
  await stage.look();
  await stage.look();
  assert.deepEqual(await texts([stopped!, free!]), [[free, 'Sale']]);
  assert.deepEqual([await tagsOf(stopped!), await tagsOf(free!)], [['told'], ['told']]);
  assert.deepEqual(
    await rows(
      `SELECT s.sent, s.refused, s.passed FROM journey_step s JOIN journey_version v ON v.id = s.version_id
       WHERE v.journey_id = $1 AND s.step = 1`,
      [id],
    ),
    [{ sent: 1, refused: 1, passed: 2 }],
  );
});

test('messages wait until the sending hours begin', async () => {
  await owner.query(
    "INSERT INTO sending_hours (name, calling_code, start_time, end_time, covers, outside) VALUES ('Day', '63', '08:00', '20:00', 'commercial', 'refuse')",
  );
  const [number] = await stage.contacts(1);
  const id = await stage.journey({ trigger, steps: [send(1, 'In the morning')] });
  clock.at = '2026-07-01T14:00:00Z'; // 22:00 in Manila
  await stage.enter(id, [number!]);
  await stage.look();
  assert.equal((await stage.people(id))[0]!.due_at, '2026-07-02T00:00:00Z');
  assert.deepEqual(await texts([number!]), []);
  clock.at = '2026-07-02T00:00:00Z';
  await stage.look();
  assert.equal((await texts([number!])).length, 1);
  await owner.query('DELETE FROM sending_hours');
});

test('people enter by a segment once, and by a birthday once a year', async () => {
  const field = (
    await rows<{ id: number }>(
      `INSERT INTO contact_field (corporation_id, name, key, type, slot) VALUES ($1, 'Born', 'born', 'date', 'date_1') RETURNING id`,
      [stage.program.corporation_id],
    )
  )[0]!.id;
  const [number] = await stage.contacts(1, ['club']);
  await owner.query("UPDATE contact SET date_1 = '1990-07-10' WHERE number = $1", [number]);
  const byTag = await stage.journey({
    trigger: { on: 'segment', segment_id: await stage.segment('club') },
    steps: [send(1, 'Joined')],
  });
  const birthday = { on: 'date', field_id: field, yearly: true, days: -2, at: '09:00' };
  const byDate = await stage.journey({ trigger: birthday, again_days: 300, steps: [send(1, 'Soon')] });
  clock.at = '2026-07-08T00:30:00Z'; // 08:30 in Manila, two days before
  await owner.query('UPDATE journey SET looked_at = $2 WHERE id = $1', [byDate, clock.at]);
  await stage.look();
  assert.deepEqual(await texts([number!]), [[number, 'Joined']]);
  clock.at = '2026-07-08T01:01:00Z';
  await stage.look();
  await stage.look();
  assert.deepEqual(await texts([number!]), [
    [number, 'Joined'],
    [number, 'Soon'],
  ]);
  assert.equal((await stage.people(byTag)).length, 1);
  clock.at = '2027-07-08T02:00:00Z';
  await owner.query("UPDATE journey SET looked_at = '2027-07-08T00:00:00Z' WHERE id = $1", [byDate]);
  await stage.look();
  assert.equal((await texts([number!])).length, 3);
});

test('a rule of moderation holds messages of journeys, and a limit lets people wait', async () => {
  await owner.query("INSERT INTO moderation_rule (name, words) VALUES ('Prizes', '{claim}')");
  await owner.query(
    `INSERT INTO sending_limit (corporation_id, name, kind, class, period, messages)
     VALUES ($1, 'Few', 'recipient', 'bulk', 'day', 1)`,
    [stage.program.corporation_id],
  );
  const [number] = await stage.contacts(1);
  const id = await stage.journey({ trigger, steps: [send(1, 'Claim your prize'), send(2, 'Another one')] });
  await stage.enter(id, [number!]);
  await stage.look();
  const held = await rows('SELECT k.state FROM message m JOIN chunk k ON k.id = m.id >> 10 WHERE m.msisdn = $1', [
    number,
  ]);
  assert.deepEqual(held, [{ state: 'held' }]);
  const [person] = await stage.people(id);
  const hour = new Date(Date.parse(clock.at) + 3_600_000).toISOString().replace('.000', '');
  assert.deepEqual([person!.step, person!.due_at], [2, hour]);
  await owner.query('DELETE FROM moderation_item');
  await owner.query('DELETE FROM moderation_rule');
  await owner.query('DELETE FROM sending_limit');
});
