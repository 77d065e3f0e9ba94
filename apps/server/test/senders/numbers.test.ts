import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { codeOf, dataOf } from '../answers.ts';
import { inboxStage, SHORT } from '../inbox/bring.ts';
import type { Client } from '../test-api.ts';

// Acme has a short code; the platform moves it to Blue Harbor and back.

const stage = await inboxStage({ after });
const { api, bring, all, one, acme, shortId } = stage;
const [superadmin, corporate, harbor] = (await Promise.all(
  ['superadmin', 'corporate', 'corporate@harbor.test'].map((login) => api.as(login)),
)) as [Client, Client, Client];
const { id: bank } = await one<{ id: number }>("SELECT id FROM corporation WHERE name = 'Blue Harbor Bank'");

interface Assignment {
  id: number;
  number: string;
  corporation_id: number;
  shared: boolean;
  given_by_name: string | null;
  reason: string | null;
  until_at: string | null;
  taken_reason: string | null;
}
const listed = async (client: Client, number: string) =>
  dataOf<Assignment[]>(await client('GET', `/api/v1/number-assignments?number=${number}`));
const presentOf = async (number: string) =>
  (await listed(superadmin, number)).find(({ until_at, shared }) => until_at === null && !shared)!;
const post = (client: Client, path: string, body: object) => client('POST', `/api/v1/number-assignments${path}`, body);
const addRouting = (client: Client, corporation_id: number, number: string, keyword: string | null) =>
  client('POST', '/api/v1/routings', { corporation_id, number, keyword, action: 'inbox' });

test('a number that moves leaves its history, and the new holder reads nothing older', async () => {
  await stage.routing({ keyword: null });
  const [old] = await bring({ text: 'old words', from: '639180000011' });
  assert.equal(old!.corporation_id, acme);
  const { id } = await presentOf(SHORT);
  const moved = await post(superadmin, `/${id}/move`, { corporation_id: bank, reason: 'Contract ended' });
  assert.equal(moved.status, 200, JSON.stringify(moved.body));
  assert.equal((await addRouting(harbor, bank, SHORT, null)).status, 201);
  const [now] = await bring({ text: 'new words', from: '639180000011' });
  assert.equal(now!.corporation_id, bank);
  const inbox = async (client: Client) => JSON.stringify((await client('GET', '/api/v1/inbox')).body);
  assert.deepEqual([/old words/.test(await inbox(corporate)), /new words/.test(await inbox(corporate))], [true, false]);
  assert.deepEqual([/old words/.test(await inbox(harbor)), /new words/.test(await inbox(harbor))], [false, true]);
  // The former holder cannot send, route or answer under it.
  const test_send = { sender_id: shortId, content: 'Hello', number: '639170009004', sms_validity: 1 };
  assert.equal(codeOf(await corporate('POST', '/api/v1/campaigns/tests', test_send)), 'sender_not_allowed');
  assert.equal((await addRouting(corporate, acme, SHORT, 'more')).status, 422);
  // Each corporation sees its own period, the platform all.
  assert.deepEqual(
    (await listed(corporate, SHORT)).map(({ corporation_id, taken_reason }) => [corporation_id, taken_reason]),
    [[acme, 'Contract ended']],
  );
  const [given] = await listed(harbor, SHORT);
  assert.deepEqual([given!.corporation_id, given!.reason, given!.until_at], [bank, 'Contract ended', null]);
  const [newest, before] = (await listed(superadmin, SHORT)) as [Assignment, Assignment];
  assert.deepEqual([newest.corporation_id, before.corporation_id], [bank, acme]);
  assert.ok(newest.given_by_name);
  const back = await post(superadmin, `/${newest.id}/move`, { corporation_id: acme, reason: 'Mistake' });
  assert.equal(back.status, 200, JSON.stringify(back.body));
  assert.equal((await listed(superadmin, SHORT)).length, 3);
  const history = dataOf<{ to_state: string }[]>(await corporate('GET', `/api/v1/sender-ids/${shortId}/history`));
  assert.deepEqual(
    history.slice(0, 2).map(({ to_state }) => to_state),
    ['assigned', 'taken_back'],
  );
});

test('only the platform assigns, takes back and moves numbers, with a reason', async () => {
  const { id } = await presentOf(SHORT);
  for (const answer of [
    await post(corporate, '', { number: '5151', corporation_id: acme }),
    await post(corporate, `/${id}/take-back`, { reason: 'Mine' }),
    await post(corporate, `/${id}/move`, { corporation_id: acme, reason: 'Mine' }),
    await post(harbor, `/${id}/take-back`, { reason: 'Mine' }),
  ])
    assert.ok(['forbidden', 'not_found'].includes(codeOf(answer)!), JSON.stringify(answer.body));
  assert.equal(codeOf(await post(superadmin, `/${id}/take-back`, { reason: ' ' })), 'validation_failed');
  assert.equal(
    codeOf(await post(superadmin, `/${id}/move`, { corporation_id: acme, reason: 'No change' })),
    'validation_failed',
  );
  assert.equal(codeOf(await post(superadmin, '', { number: SHORT, corporation_id: bank })), 'number_already_given');
  assert.equal(codeOf(await post(superadmin, '', { number: SHORT, corporation_id: acme })), 'sender_ids_already_exist');
  for (const number of ['12', 'ACME', '003939', '+639170000000'])
    assert.equal(codeOf(await post(superadmin, '', { number, corporation_id: bank })), 'validation_failed', number);
  assert.equal((await post(superadmin, '', { number: '5151', corporation_id: bank, reason: 'Order 7' })).status, 201);
  const given = await presentOf('5151');
  assert.equal((await post(superadmin, `/${given.id}/take-back`, { reason: 'Unpaid' })).status, 200);
  assert.equal(codeOf(await post(superadmin, `/${given.id}/take-back`, { reason: 'Unpaid' })), 'number_not_held');
  const logged = await all(
    "SELECT description FROM activity_log WHERE name = 'number-assignments' AND corporation_id = $1 ORDER BY id DESC LIMIT 2",
    [bank],
  );
  assert.deepEqual(logged, [{ description: 'taken back' }, { description: 'assigned' }]);
});

test('a guest of a shared number does not inherit the whole when its holder loses it', async () => {
  const number = '6363';
  assert.equal((await post(superadmin, '', { number, corporation_id: acme })).status, 201);
  assert.equal((await addRouting(superadmin, bank, number, 'loan')).status, 201);
  const { id } = await presentOf(number);
  assert.equal((await post(superadmin, `/${id}/take-back`, { reason: 'Unpaid' })).status, 200);
  assert.equal((await addRouting(harbor, bank, number, null)).status, 422);
  assert.equal((await addRouting(harbor, bank, number, 'more')).status, 422);
  const rows = await bring({ to: number, text: 'loan 5' }, { to: number, text: 'hello' });
  assert.deepEqual(
    rows.map(({ corporation_id }) => corporation_id),
    [bank, null],
  );
  assert.equal((await post(superadmin, '', { number, corporation_id: bank })).status, 201);
  assert.equal((await addRouting(harbor, bank, number, null)).status, 201);
  assert.deepEqual(
    (await listed(harbor, number)).map(({ shared, until_at }) => [shared, until_at === null]),
    [
      [false, true],
      [true, false],
    ],
  );
});

test('the history says at each moment who has a number, whatever changed it', async (t) => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  t.diagnostic(`SEED=${seed}`);
  let state = seed;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const [corporations, numbers] = [
    [acme, bank],
    ['7373', '8383'],
  ];
  for (let step = 0; step < 150; step++) {
    const corporation = corporations[random(2)]!;
    const number = numbers[random(2)]!;
    const written = random(3) === 0 ? `00${number}` : number;
    const withheld = random(3) === 0;
    const work = [
      () =>
        all('INSERT INTO sender_id (corporation_id, sender_id, withheld) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
          corporation,
          written,
          withheld,
        ]),
      () => all('DELETE FROM sender_id WHERE corporation_id = $1 AND sender_id = $2', [corporation, written]),
      () =>
        all('UPDATE sender_id SET withheld = $3 WHERE corporation_id = $1 AND sender_id = $2', [
          corporation,
          written,
          withheld,
        ]),
      () =>
        all(
          `INSERT INTO routing (corporation_id, number, keyword, action, withheld)
           VALUES ($1, $2, $3, 'inbox', $4) ON CONFLICT DO NOTHING`,
          [corporation, number, `word${random(3)}`, withheld],
        ),
      () => all('DELETE FROM routing WHERE corporation_id = $1 AND number = $2', [corporation, number]),
      () =>
        all('UPDATE routing SET number = $2 WHERE corporation_id = $1 AND number = ANY ($3) AND withheld', [
          corporation,
          number,
          numbers,
        ]),
    ][random(6)]!;
    await work();
    const wrong = await all(
      `SELECT n, ARRAY(SELECT h.corporation_id || ' ' || h.shared FROM number_holders(n) h ORDER BY 1) AS have,
         ARRAY(SELECT a.corporation_id || ' ' || a.shared FROM number_assignment a WHERE a.number = n AND a.until_at IS NULL ORDER BY 1) AS said
       FROM unnest($1::text[]) AS n`,
      [numbers],
    );
    for (const { n, have, said } of wrong as { n: string; have: string[]; said: string[] }[])
      assert.deepEqual(said, have, `step ${step} of ${n}`);
  }
  const overlaps = await all(
    `SELECT a.number FROM number_assignment a JOIN number_assignment b ON b.number = a.number AND b.id > a.id
       AND (b.corporation_id = a.corporation_id OR NOT (a.shared OR b.shared))
     WHERE a.until_at IS NULL OR a.until_at > b.given_at`,
  );
  assert.deepEqual(overlaps, []);
});
