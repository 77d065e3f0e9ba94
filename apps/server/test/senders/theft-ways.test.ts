import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { STATUS } from '@heliograph/smpp';
import { hashPassword } from '#modules/identity';
import { Intake } from '#modules/intake';
import { SmppServer } from '#modules/smpp-server';
import { systemClock } from '#platform/clock';
import { makeOccurrences } from '../../src/modules/campaigns/schedule/series.ts';
import { startWorker } from '../../src/processes/worker.ts';
import { inboxStage, SHORT } from '../inbox/bring.ts';
import { bind, type Esme, PASSWORD, until } from '../smpp-server/stage.ts';
import type { Answer, Client } from '../test-api.ts';
import { uploadFile } from '../uploads.ts';

// Each thing that is not the thief's own is tried in each way in which a message gets a sender, or a name an owner. The
// thief is the admin of another corporation, with a key, an SMPP bind and a worker that runs what he scheduled.

const stage = await inboxStage({ after }, { SMPP_SERVER_PORT: '0' });
const { api, one, all, bring, acme, shortId, routing } = stage;
const worker = await startWorker({ config: api.config, log: api.log });
after(() => worker.stop());
const intake = new Intake(api.database.pool('intake'), { clock: systemClock, log: api.log });
const server = new SmppServer({ config: api.config, pool: api.database.pool('worker'), intake, log: api.log });
await server.start();
const [superadmin, thief] = (await Promise.all(
  ['superadmin', 'corporate@harbor.test'].map((login) => api.as(login)),
)) as [Client, Client];
const bank = (await one<{ id: number }>("SELECT id FROM corporation WHERE name = 'Blue Harbor Bank'")).id;
const own = (await one<{ id: number }>("SELECT id FROM sender_id WHERE sender_id = 'BlueHarbor'")).id;
const person = await one<{ id: number }>("SELECT id FROM user_account WHERE email = 'corporate@harbor.test'");
/** Id of a record that does not exist. */
const NOBODYS = 999_999_999;
const phone = (index: number) => `639175${String(index).padStart(6, '0')}`;

/** Something in whose name the thief wants to speak. `id` is its record, wherever it is. */
interface Prey {
  what: string;
  name: string;
  id: number | null;
}
const stolen = async (what: string, name: string): Promise<Prey> => ({
  what,
  name,
  id: (await one<{ id: number } | undefined>('SELECT id FROM sender_id WHERE sender_id = $1', [name]))?.id ?? null,
});
/** Makes a sender ID of the thief that is no longer, or not yet, his to use. */
async function unusable(what: string, name: string, set: string): Promise<Prey> {
  const { id } = await one<{ id: number }>(
    'INSERT INTO sender_id (corporation_id, sender_id) VALUES ($1, $2) RETURNING id',
    [bank, name],
  );
  await all(set === 'deleted' ? 'DELETE FROM sender_id WHERE id = $1' : `UPDATE sender_id SET ${set} WHERE id = $1`, [
    id,
  ]);
  return { what, name, id };
}

let key: Client;
let esme: Esme;
let conversation: number;
let series: number;
let used = 0;
let preys: Prey[] = [];
let uploaded: Promise<unknown> | undefined;
const fileOf = (of: readonly Prey[]) =>
  ['sender_id,enabled,state', ...of.map(({ name }) => `${name},true,approved`)].join('\n');

/** Refusals because of the sender, or because the record does not exist for the thief. */
const REFUSED =
  /^4\d\d (sender_not_allowed|not_found|sender_ids_already_exist|((validation_failed|nothing_accepted|number_already_given) )?(recipients\.0\.from|sender_id|sender_id_ids\S*|from|sender|number|keyword|id))\b/;
const outcomeOf = ({ status, body }: Answer): string => {
  const { code, errors } = (body ?? {}) as { code?: string; errors?: object };
  return status < 300 ? 'passed' : `${status} ${[code, ...Object.keys(errors ?? {})].join(' ')}`;
};
const content = (sender_id: number) => ({ sender_id, content: 'Hello', custom_numbers: phone(++used) });

/** Ways to send, all of which work for the thief's own sender ID. */
const SENDING: Record<string, (prey: Prey) => Promise<string>> = {
  'console, quote': async ({ id }) =>
    outcomeOf(await thief('POST', '/api/v1/campaigns/quotes', content(id ?? NOBODYS))),
  'console, test send': async ({ id }) =>
    outcomeOf(
      await thief('POST', '/api/v1/campaigns/tests', {
        ...{ sender_id: id ?? NOBODYS, content: 'Hello', number: phone(++used), sms_validity: 1 },
      }),
    ),
  'console, merge fields': async ({ id, name }) =>
    outcomeOf(
      await thief('POST', '/api/v1/campaigns/tests', {
        ...{ sender_id: id ?? NOBODYS, content: '{name}', number: phone(++used), sms_validity: 1 },
        values: { name, sender_id: name, from: name },
      }),
    ),
  'API from': async ({ name }) =>
    outcomeOf(await key('POST', '/v1/messages', { from: name, to: phone(++used), text: 'Hi' })),
  'API from, one-time code': async ({ name }) =>
    outcomeOf(await key('POST', '/v1/messages', { from: name, to: phone(++used), text: 'Hi', class: 'otp' })),
  'API batch': async ({ name }) =>
    outcomeOf(await key('POST', '/v1/batches', { from: name, text: 'Hi', recipients: [{ to: phone(++used) }] })),
  ...Object.fromEntries(
    [0, 1, 3, 5].map((ton) => [
      `SMPP source address, TON ${ton}`,
      async ({ name }: Prey) =>
        smppOutcome(await esme.submit({ ...sourceOf(name, ton), destination_addr: phone(++used) })),
    ]),
  ),
};
const sourceOf = (name: string, ton: number) => ({ source_addr: name, source_addr_ton: ton });
const smppOutcome = ({ status }: { status: number }) =>
  status === STATUS.ROK ? 'passed' : status === STATUS.RINVSRCADR ? '422 from' : `status ${status}`;
/** Ways to become the owner of a name or number, or to send by something that was allowed before. */
const TAKING: Record<string, (prey: Prey) => Promise<string>> = {
  'a new sender ID': async ({ name }) => {
    const answer = await thief('POST', '/api/v1/sender-ids', { corporation_id: bank, sender_id: name });
    return usableNow(name, answer);
  },
  'rename of an own sender ID': async ({ name }) =>
    outcomeOf(await thief('PATCH', `/api/v1/sender-ids/${own}`, { sender_id: name })),
  'change of the record': async ({ id, name }) =>
    usableNow(name, await thief('PATCH', `/api/v1/sender-ids/${id ?? NOBODYS}`, { enabled: true, purpose: 'News' })),
  'a file of sender IDs': async ({ name }) => {
    uploaded ??= uploadFile(thief, `sender-ids/bulk?corporation_id=${bank}`, fileOf(preys));
    await uploaded;
    return usableNow(name);
  },
  'assignment to a department': async ({ id, name }) => {
    const { id: department_id } = await one<{ id: number }>('SELECT id FROM department WHERE corporation_id = $1', [
      bank,
    ]);
    const body = { corporation_id: bank, department_id, sender_id_ids: [id ?? NOBODYS] };
    return usableNow(name, await thief('POST', '/api/v1/assign-sender-ids', body));
  },
  'approval by himself': async ({ id, name }) => {
    await thief('POST', '/api/v1/sender-ids/decisions', { ids: [id ?? NOBODYS], decision: 'approve' });
    return usableNow(name);
  },
  'reply in the inbox': async ({ name }) =>
    outcomeOf(await thief('POST', `/api/v1/conversations/${conversation}/replies`, { message: 'Hi', sender: name })),
  'a routing': async ({ name }) =>
    outcomeOf(
      await thief('POST', '/api/v1/routings', {
        corporation_id: bank,
        number: name,
        action: 'inbox',
        keyword: `k${++used}`,
      }),
    ),
  'SMPP replacement': async ({ name }) => {
    const sent = await esme.submit({
      source_addr: 'BlueHarbor',
      destination_addr: phone(++used),
      schedule_delivery_time: '000000010000000R',
    });
    assert.equal(sent.status, STATUS.ROK);
    const text = {
      short_message: Buffer.from('Hi'),
      registered_delivery: 0,
      schedule_delivery_time: '',
      validity_period: '',
    };
    return smppOutcome(
      await esme.request({
        command: 'replace_sm',
        message_id: sent.message_id!,
        ...sourceOf(name, 5),
        source_addr_npi: 0,
        sm_default_msg_id: 0,
        ...text,
      }),
    );
  },
  'a series that was running': async ({ id }) => {
    if (id === null) return '404 not_found';
    await all(
      `UPDATE campaign_series SET state = 'active', next_quote_id = NULL, next_at = now() + interval '5 minutes',
      content = jsonb_set(content, '{sender_id}', to_jsonb($2::bigint)) WHERE id = $1`,
      [series, id],
    );
    const before = await made();
    await until('the occurrence is made', async () => {
      await makeOccurrences({ database: api.database.db('worker'), clock: systemClock });
      return (await made()).length > before.length;
    });
    const [latest] = await made();
    return latest!.state === 'failed' ? `409 ${latest!.error_code}` : 'passed';
  },
};
const made = () =>
  all<{ state: string; error_code: string | null }>(
    'SELECT state, error_code FROM campaign WHERE series_id = $1 ORDER BY id DESC',
    [series],
  );
/** Tells if the thief may now send under a name; a request for it that waits for the platform is none. */
async function usableNow(name: string, answer?: Answer): Promise<string> {
  const rows = await all(
    `SELECT FROM sender_id WHERE corporation_id = $1 AND sender_id IN ($2, '00' || $2, ltrim($2, '+0')) AND usable AND id <> $3`,
    [bank, name, own],
  );
  if (rows.length > 0) return 'passed';
  return answer && answer.status >= 300 ? outcomeOf(answer) : '409 sender_not_allowed';
}

before(async () => {
  await routing({ keyword: null });
  await routing({ keyword: 'PAY' });
  const answer = await thief('POST', '/api/v1/api-keys', { name: 'Thief', user_id: person.id });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  key = api.anonymous((answer.body as { data: { key: string } }).data.key);
  const helper = await one<{ id: number }>(
    `UPDATE user_account SET connection_type_id = (SELECT id FROM connection_type WHERE name = 'SMPP'),
       billing_account_id = (SELECT id FROM billing_account WHERE corporation_id = $1 LIMIT 1)
     WHERE email = 'user@harbor.test' RETURNING id`,
    [bank],
  );
  await all(
    `INSERT INTO smpp_system_id (system_id, corporation_id, user_id, password_hash) VALUES ('thief', $1, $2, $3)`,
    [bank, helper.id, await hashPassword(PASSWORD)],
  );
  esme = await bind(server.listening, 'thief');
  // The platform gave the thief one keyword of Acme's short code, and a number of his own, to which a phone wrote.
  const given = { corporation_id: bank, action: 'inbox' };
  for (const fields of [{ number: SHORT, keyword: 'loan' }, { number: '7171' }])
    assert.equal((await superadmin('POST', '/api/v1/routings', { ...given, ...fields })).status, 201);
  await bring({ text: 'hello', to: '7171', from: phone(999_999) });
  const { body } = await thief('GET', `/api/v1/conversations?oa=${phone(999_999)}`);
  conversation = (body as { data: [{ id: number }] }).data[0].id;
  series = await seriesOfThief();
});

/** Begins a series from the thief's own sender ID. */
async function seriesOfThief(): Promise<number> {
  const quote = await thief('POST', '/api/v1/campaigns/quotes', content(own));
  const { id: quote_id } = (quote.body as { data: { id: number } }).data;
  await until('the quote is counted', async () => {
    const { body } = await thief('GET', `/api/v1/campaigns/quotes/${quote_id}`);
    return (body as { data: { state: string } }).data.state === 'ready';
  });
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const schedule = { start: `${day(2)}T12:00`, repeat: { every: 'daily', until: day(200) } };
  const campaign = await thief('POST', '/api/v1/campaigns', { quote_id, name: 'Series', schedule });
  assert.equal(campaign.status, 201, JSON.stringify(campaign.body));
  const { id } = (campaign.body as { data: { id: number } }).data;
  return (await one<{ series_id: number }>('SELECT series_id FROM campaign WHERE id = $1', [id])).series_id;
}

test('no name, number or record of others is taken in any way, and own ones work', { timeout: 300_000 }, async (t) => {
  t.after(async () => {
    await server.stop();
    await intake.close();
  });
  await superadmin('POST', '/api/v1/protected-names', { name: 'Metro Grand Bank', action: 'refuse' });
  const mine: Prey = { what: 'his own sender ID', name: 'BlueHarbor', id: own };
  const answer = await thief('POST', `/api/v1/conversations/${conversation}/replies`, {
    message: 'Hi',
    sender: '7171',
  });
  assert.equal(answer.status, 201, 'control: reply in the inbox');
  for (const [way, attempt] of Object.entries(SENDING)) assert.equal(await attempt(mine), 'passed', `control: ${way}`);
  await all(`UPDATE global_configuration SET value = 'true' WHERE key = 'senders_need_approval'`);
  preys = [
    await stolen('a name of Acme', 'ACME'),
    await stolen('its look-alike with a digit', 'ACM3'),
    await stolen('its look-alike with blanks', 'A C M E'),
    await stolen('a name of the platform', 'Heliograph'),
    await stolen('a look-alike of the platform', 'He1iograph'),
    await stolen('a protected name', 'MetroGrand'),
    await stolen('a look-alike of a protected name', 'M3tro Grand'),
    await stolen('a short code of Acme', SHORT),
    await stolen('the short code, written with 00', `00${SHORT}`),
    await stolen('the short code, written with +', `+${SHORT}`),
    { what: 'the short code of which he has a keyword', name: SHORT, id: shortId },
    await stolen('a number of nobody', '5151'),
    await unusable('his sender ID, not decided', 'Harbor Wait', "state = 'submitted'"),
    await unusable('his sender ID, draft', 'Harbr Draft', "state = 'draft'"),
    await unusable('his sender ID, rejected', 'Harbor No', "state = 'rejected'"),
    await unusable('his sender ID, suspended', 'Harbor Susp', "state = 'suspended'"),
    await unusable('his sender ID, expired', 'Harbor Old', "state = 'expired'"),
    await unusable('his number, withheld', '6262', 'withheld = true'),
    await unusable('his sender ID, deleted', 'Harbor Gone', 'deleted'),
  ];
  const ways = { ...SENDING, ...TAKING };
  const passed: string[] = [];
  const odd: string[] = [];
  for (const prey of preys)
    for (const [way, attempt] of Object.entries(ways)) {
      const outcome = await attempt(prey);
      if (outcome === 'passed') passed.push(`${prey.what} (${prey.name}): ${way}`);
      else if (!REFUSED.test(outcome)) odd.push(`${prey.what} (${prey.name}): ${way}: ${outcome}`);
    }
  t.diagnostic(`${preys.length * Object.keys(ways).length} tries, ${passed.length} passed`);
  assert.deepEqual({ passed, odd }, { passed: [], odd: [] });

  // No try left a message under another name, and phones still reach their owners.
  assert.deepEqual(await all('SELECT DISTINCT sender_id FROM chunk WHERE corporation_id = $1 ORDER BY 1', [bank]), [
    { sender_id: '7171' },
    { sender_id: 'BlueHarbor' },
  ]);
  const rows = await bring({ text: 'pay 5' }, { text: 'hello' }, { text: 'k7' });
  assert.deepEqual(new Set(rows.map(({ corporation_id }) => corporation_id)), new Set([acme]));
});
