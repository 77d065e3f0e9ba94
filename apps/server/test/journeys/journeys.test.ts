import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { codeOf, dataOf } from '../answers.ts';
import { startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const [corporate, user, stranger, platform] = [
  await api.as('corporate'),
  await api.as('user'),
  await api.as('corporate@harbor.test'),
  await api.as('admin'),
];
const one = async (text: string, values: unknown[] = []) => (await owner.query(text, values)).rows[0].id as number;
const acme = await one("SELECT id FROM corporation WHERE name = 'Acme Retail'");
const sender_id = await one('SELECT id FROM sender_id WHERE corporation_id = $1 AND usable ORDER BY id LIMIT 1', [
  acme,
]);
const segment_id = await one(
  `INSERT INTO segment (corporation_id, name, rule) VALUES ($1, 'Everybody', $2) RETURNING id`,
  [acme, { version: 1, match: 'none', rules: [{ on: 'tag', tag: 'nobody has this', not: false }] }],
);
const contact_ids = (
  await owner.query('SELECT id FROM contact WHERE corporation_id = $1 ORDER BY id LIMIT 2', [acme])
).rows.map(({ id }) => id as number);

type Journey = { id: number; state: string; version: number | null; changed: boolean; names: Record<string, object> };
const message = { id: 1, do: 'message', sender_id, text: 'Hello {name}', nameless: 'friend' };
const definition = {
  trigger: { on: 'segment', segment_id },
  steps: [
    message,
    { id: 2, do: 'wait', count: 2, unit: 'days' },
    { id: 3, do: 'condition', segment_id, yes: [{ id: 4, do: 'end' }], no: [] },
  ],
};
const make = (name: string, body: object = {}, by = corporate) =>
  by('POST', '/api/v1/journeys', { corporation_id: acme, name, definition, ...body });

test('a journey is made, started, changed, published, paused, resumed and stopped', async () => {
  const made = dataOf<Journey>(await make('Welcome'));
  assert.deepEqual([made.state, made.version, made.changed], ['draft', null, true]);
  assert.deepEqual(made.names['segments'], { [segment_id]: 'Everybody' });
  const path = `/api/v1/journeys/${made.id}`;
  const act = async (action: string, by = corporate) => by('POST', `${path}/${action}`);
  assert.equal((await act('start', user)).status, 403);
  assert.equal((await act('start', stranger)).status, 404);
  assert.equal(codeOf(await act('start', platform)), 'journey_own_people');
  const started = dataOf<Journey>(await act('start'));
  assert.deepEqual([started.state, started.version, started.changed], ['running', 1, false]);
  assert.equal(codeOf(await act('start')), 'invalid_transition');
  assert.equal(codeOf(await corporate('DELETE', path)), 'journey_runs');
  const steps = [...definition.steps, { id: 5, do: 'tag', tag: 'welcomed', add: true }];
  const changed = dataOf<Journey>(await corporate('PATCH', path, { definition: { ...definition, steps } }));
  assert.deepEqual([changed.version, changed.changed], [1, true]);
  assert.equal(dataOf<Journey>(await act('publish')).version, 2);
  assert.equal(dataOf<Journey>(await act('pause')).state, 'paused');
  assert.equal(dataOf<Journey>(await act('resume')).state, 'running');
  assert.equal(dataOf<Journey>(await act('stop')).state, 'stopped');
  const { rows } = await owner.query(
    "SELECT description FROM activity_log WHERE subject_type = 'journeys' AND subject_id = $1 ORDER BY id",
    [made.id],
  );
  assert.deepEqual(
    rows.map(({ description }) => description),
    ['created', 'begun', 'updated', 'published', 'paused', 'resumed', 'stopped'],
  );
  assert.equal(codeOf(await make('WELCOME')), 'journey_already_exists');
  assert.equal((await corporate('DELETE', path)).status, 200);
});

test('a definition that cannot be followed is refused at its fault', async () => {
  const refusal = async (steps: object[], trigger: object = definition.trigger) => {
    const { body } = await make('Refused', { definition: { trigger, steps } });
    return Object.entries((body as { errors: Record<string, string[]> }).errors);
  };
  const wait = (id: number) => ({ id, do: 'wait', count: 1, unit: 'days' });
  const fieldOf = async (...steps: object[]) => (await refusal(steps))[0]![0];
  assert.equal(await fieldOf(wait(1), wait(1)), 'definition.steps');
  assert.equal(await fieldOf({ id: 1, do: 'end' }, wait(2)), 'definition.steps');
  assert.equal(await fieldOf({ ...wait(1), count: 367 }), 'definition.steps.0.count');
  assert.equal(await fieldOf(...Array.from({ length: 51 }, (_, at) => wait(at + 1))), 'definition.steps');
  const branches = [
    { share: 50, steps: [] },
    { share: 49, steps: [] },
  ];
  assert.equal(await fieldOf({ id: 1, do: 'split', branches }), 'definition.steps.0.branches');
  assert.equal(await fieldOf({ ...message, text: 'Dear {title}' }), 'definition.steps.0.text');
  assert.equal(await fieldOf({ ...message, text: 'Dear {param1}' }), 'definition.steps.0.text');
  const within = { id: 9, do: 'condition', segment_id, yes: [{ ...message, text: 'Dear {title}' }], no: [] };
  assert.equal(await fieldOf(within), 'definition.steps.0.yes.0.text');
  assert.equal(await fieldOf({ ...message, sender_id: 999_999 }), 'definition');
  assert.equal((await refusal([wait(1)], { on: 'segment', segment_id: 999_999 }))[0]![0], 'definition');
});

test('a text keeps the ids of its contact fields, and the dry run fills it', async () => {
  const field = await one(
    `INSERT INTO contact_field (corporation_id, name, key, type, slot) VALUES ($1, 'Village', 'village', 'text', 'text_19') RETURNING id`,
    [acme],
  );
  await owner.query("UPDATE contact SET text_19 = 'Sagada' WHERE id = $1", [contact_ids[0]]);
  const steps = (text: string) => [{ ...message, text, defaults: { village: 'home' } }];
  const made = dataOf<Journey & { definition: { contact_fields: object[] } }>(
    await make('Villages', { definition: { ...definition, steps: steps('Hello {village}') } }),
  );
  assert.deepEqual(made.definition.contact_fields, [{ id: field, key: 'village' }]);
  assert.equal((made.names['fields'] as Record<number, string>)[field], 'Village');
  const path = `/api/v1/journeys/${made.id}`;
  const tried = async () =>
    dataOf<{ steps: { text: string }[] }[]>(await corporate('POST', `${path}/dry-run`, { contact_ids })).map(
      (person) => person.steps[0]!.text,
    );
  assert.deepEqual(await tried(), ['Hello Sagada', 'Hello home']);
  await owner.query("UPDATE contact_field SET key = 'barangay' WHERE id = $1", [field]);
  const kept = await corporate('PATCH', path, { definition: { ...definition, steps: steps('Welcome {village}') } });
  assert.deepEqual(dataOf<typeof made>(kept).definition.contact_fields, [{ id: field, key: 'village' }]);
  assert.deepEqual(await tried(), ['Welcome Sagada', 'Welcome home']);
  await owner.query('UPDATE contact_field SET removed_at = now() WHERE id = $1', [field]);
  assert.equal(codeOf(await corporate('POST', `${path}/start`)), 'journey_incomplete');
  assert.equal((await corporate('DELETE', path)).status, 200);
});

test('a dry run shows steps with times, texts and prices, and changes nothing', async () => {
  const { id } = dataOf<Journey>(await make('Tried'));
  const { rows: before } = await owner.query('SELECT count(*) FROM message');
  const shown = dataOf<
    { contact_id: number; steps: { step: number; at: string; branch: number; text: string; cost: string }[] }[]
  >(await corporate('POST', `/api/v1/journeys/${id}/dry-run`, { contact_ids }));
  assert.equal(shown.length, 2);
  const [{ steps }] = shown as [(typeof shown)[0]];
  assert.deepEqual(
    steps.map(({ step, branch }) => [step, branch]),
    [
      [1, null],
      [2, null],
      [3, 0],
      [4, null],
    ],
  );
  assert.match(steps[0]!.text, /^Hello /);
  assert.ok(Number(steps[0]!.cost) > 0);
  const days = (Date.parse(steps[2]!.at) - Date.parse(steps[1]!.at)) / 86_400_000;
  assert.equal(days, 2);
  assert.deepEqual((await owner.query('SELECT count(*) FROM message')).rows, before);
  assert.equal((await stranger('POST', `/api/v1/journeys/${id}/dry-run`, { contact_ids })).status, 404);
  const figures = dataOf<{ steps: { step: number; estimate: string | null }[] }>(
    await corporate('GET', `/api/v1/journeys/${id}/figures`),
  );
  assert.ok(Number(figures.steps.find(({ step }) => step === 1)!.estimate) > 0);
});
