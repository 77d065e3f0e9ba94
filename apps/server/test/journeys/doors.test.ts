import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { codeOf, dataOf } from '../answers.ts';
import { inboxStage, SHORT } from '../inbox/bring.ts';

const stage = await inboxStage({ after });
const { api, acme, all, one, bring } = stage;
const [corporate, stranger] = [await api.as('corporate'), await api.as('corporate@harbor.test')];
const end = [{ id: 1, do: 'wait', count: 30, unit: 'days' }];
let names = 0;
const make = (trigger: object, more: object = {}, by = corporate) =>
  by('POST', '/api/v1/journeys', {
    corporation_id: acme,
    name: `Doors ${++names}`,
    definition: { trigger, steps: end, ...more },
  });
/** Makes a journey that runs, and returns its id. */
async function running(trigger: object, more: object = {}): Promise<number> {
  const { id } = dataOf<{ id: number }>(await make(trigger, more));
  assert.equal((await corporate('POST', `/api/v1/journeys/${id}/start`)).status, 200);
  return id;
}
const peopleOf = async (id: number) =>
  (await all<{ number: string }>('SELECT number FROM journey_person WHERE journey_id = $1 ORDER BY number', [id])).map(
    ({ number }) => number,
  );
let phones = 0;
const newPhone = () => `63919${String(++phones).padStart(7, '0')}`;
const refusedAt = async (trigger: object) => {
  const { status, body } = await make(trigger);
  assert.equal(status, 422);
  return Object.keys((body as { errors: object }).errors)[0];
};

test('a first word lets its writer enter as routings match words', async () => {
  await corporate('POST', '/api/v1/aliases', { corporation_id: acme, word: 'JOIN', aliases: ['sali'] });
  const id = await running({ on: 'keyword', keywords: ['join', '加入'], number: null });
  const texts = ['Join', ' “JOIN!” now', '加入', 'joining', 'please join', ''];
  const from = texts.map(newPhone);
  await bring(...texts.map((text, at) => ({ from: from[at]!, text })));
  assert.deepEqual(await peopleOf(id), from.slice(0, 3));
  const contacts = await all<{ source: string }>('SELECT source FROM contact WHERE number = ANY ($1)', [from]);
  assert.deepEqual(contacts, Array(3).fill({ source: 'journey' }));
});

test('a person who writes again enters only when they may', async () => {
  const [once, again] = [
    await running({ on: 'keyword', keywords: ['once'] }),
    await running({ on: 'keyword', keywords: ['once'] }, { again_days: 7 }),
  ];
  const phone = newPhone();
  const write = () => bring({ from: phone, text: 'once' }, { from: phone, text: 'once more' });
  const versions = async (id: number) =>
    await all<{ step: number; ended: boolean }>(
      'SELECT step, due_at IS NULL AS ended FROM journey_person WHERE journey_id = $1',
      [id],
    );
  await write();
  await all(
    "UPDATE journey_person SET due_at = NULL, step = 9, ended_at = now() - interval '6 days' WHERE number = $1",
    [phone],
  );
  await write();
  assert.deepEqual([await versions(once), await versions(again)], Array(2).fill([{ step: 9, ended: true }]));
  await all("UPDATE journey_person SET ended_at = now() - interval '8 days' WHERE number = $1", [phone]);
  await write();
  assert.deepEqual(await versions(once), [{ step: 9, ended: true }]);
  const [person] = await versions(again);
  assert.equal(person!.ended, false);
});

test('opt-out words, other numbers and paused journeys let nobody enter', async () => {
  const elsewhere = await one<{ sender_id: string }>(
    'SELECT sender_id FROM sender_id WHERE corporation_id = $1 AND sender_id <> $2 AND usable ORDER BY id LIMIT 1',
    [acme, SHORT],
  );
  const [here, there, paused] = [
    await running({ on: 'keyword', keywords: ['go'], number: SHORT }),
    await running({ on: 'keyword', keywords: ['go'], number: elsewhere.sender_id.toLowerCase() }),
    await running({ on: 'keyword', keywords: ['go'] }),
  ];
  await corporate('POST', `/api/v1/journeys/${paused}/pause`);
  // The word opts out of one sender ID only since the journey runs.
  const own = await running({ on: 'keyword', keywords: ['leave'] });
  await all("UPDATE sender_id SET optout_keyword = 'LEAVE' WHERE id = $1", [stage.shortId]);
  const phone = newPhone();
  await bring({ from: phone, text: 'GO' }, { from: phone, text: 'leave' }, { from: 'NAMED', text: 'go' });
  assert.deepEqual(
    [await peopleOf(here), await peopleOf(there), await peopleOf(paused), await peopleOf(own)],
    [[phone], [], [], []],
  );
  assert.equal(await refusedAt({ on: 'keyword', keywords: ['go', 'STOP'] }), 'definition.trigger.keywords.1');
  assert.equal(await refusedAt({ on: 'keyword', keywords: ['two words'] }), 'definition.trigger.keywords.0');
  assert.equal(await refusedAt({ on: 'keyword', keywords: ['go!'] }), 'definition.trigger.keywords.0');
  assert.equal(await refusedAt({ on: 'keyword', keywords: [] }), 'definition.trigger.keywords');
  assert.equal(await refusedAt({ on: 'keyword', keywords: ['go'], number: '999999' }), 'definition.trigger.number');
});

const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1';
const visit = (code: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  fetch(`${api.url}/s/${code}`, { method, headers: { 'user-agent': PHONE, ...headers }, redirect: 'manual' });

test('the first click lets a person enter; programs and nameless clicks do not', async () => {
  const [first, second] = await all<{ id: number }>(
    'SELECT id FROM campaign WHERE corporation_id = $1 ORDER BY id LIMIT 2',
    [acme],
  );
  let codes = 0;
  /** Adds a short link of a campaign to a phone, and returns its code. */
  async function link(campaignId: number, phone: string, place = 1): Promise<string> {
    const code = `Doors${String(++codes).padStart(5, '0')}`;
    await all(
      `WITH t AS (INSERT INTO short_link_target (corporation_id, campaign_id, url, place)
         VALUES ($1, $2, 'https://shop.test/', $4) RETURNING id)
       INSERT INTO short_link (code, corporation_id, campaign_id, msisdn, target_id) SELECT $5, $1, $2, $3, id FROM t`,
      [acme, campaignId, phone, place, code],
    );
    return code;
  }
  const [any, ofFirst, ofPlace] = [
    await running({ on: 'click' }),
    await running({ on: 'click', campaign_id: first!.id }),
    await running({ on: 'click', campaign_id: first!.id, link: 2 }),
  ];
  const [ana, ben, cat, dan, eve] = Array.from({ length: 5 }, newPhone) as [string, string, string, string, string];
  await visit(await link(first!.id, ana));
  await visit(await link(first!.id, ben, 2));
  await visit(await link(second!.id, cat));
  const program = await link(first!.id, dan);
  await visit(program, {}, 'HEAD');
  await visit(program, { 'user-agent': 'WhatsApp/2.23' });
  await visit(program, { purpose: 'prefetch' });
  assert.deepEqual(
    [await peopleOf(any), await peopleOf(ofFirst), await peopleOf(ofPlace)],
    [[ana, ben, cat], [ana, ben], [ben]],
  );
  await all('UPDATE corporation SET names_clicks = false WHERE id = $1', [acme]);
  await visit(await link(first!.id, eve));
  await all('UPDATE corporation SET names_clicks = true WHERE id = $1', [acme]);
  await visit(await link(first!.id, ana));
  assert.deepEqual(await peopleOf(any), [ana, ben, cat]);
  const { id: foreign } = await one<{ id: number }>('SELECT id FROM corporation WHERE id <> $1 ORDER BY id LIMIT 1', [
    acme,
  ]);
  const others = await one<{ people: number }>(
    'SELECT count(*) AS people FROM journey_person WHERE corporation_id = $1',
    [foreign],
  );
  assert.equal(others.people, 0);
  assert.equal(await refusedAt({ on: 'click', link: 1 }), 'definition.trigger.campaign_id');
  assert.equal(await refusedAt({ on: 'click', campaign_id: 999_999_999 }), 'definition.trigger.campaign_id');
  assert.equal((await make({ on: 'click' }, {}, stranger)).status, 422);
  const closed = await corporate('POST', `/api/v1/journeys/${any}/start`);
  assert.equal(codeOf(closed), 'invalid_transition');
});
