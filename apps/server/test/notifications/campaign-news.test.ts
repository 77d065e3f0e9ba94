import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { profile } from '@heliograph/contract/identity/session';
import { until } from '@heliograph/fault-kit';
import {
  mailCampaignNews,
  mailCampaignNewsJob,
  tellCampaignNews,
} from '../../src/modules/notifications/campaign-news.ts';
import { startFanOut } from '../../src/platform/fan-out/tell.ts';
import { startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const { config, log } = api;
const owner = api.database.pool('owner');
const worker = { database: api.database.db('worker'), config, log };
const { personOf } = api.database;
const [user, department] = [await personOf('user'), await personOf('department')];
const campaign = (await owner.query<{ id: number }>('SELECT max(id) AS id FROM campaign WHERE created_by = $1', [user]))
  .rows[0]!.id;

const heard: string[] = [];
const fanOut = await startFanOut(config, 'owner', log);
await fanOut.subscribe('events', (text) => {
  const { channel, data } = JSON.parse(text) as { channel: string; data: { type?: string } };
  heard.push(`${channel} ${data.type}`);
});
after(() => fanOut.stop());

/** Adds a line to the campaign's timeline; returns its id. */
async function step(from: string | null, to: string, by: number | null): Promise<number> {
  const { rows } = await owner.query<{ id: number }>(
    `INSERT INTO campaign_transition (campaign_id, corporation_id, from_state, to_state, user_id)
     SELECT id, corporation_id, $2, $3, $4 FROM campaign WHERE id = $1 RETURNING id`,
    [campaign, from, to, by],
  );
  return rows[0]!.id;
}
type Queued = { campaign_transition_id: number; user_id: number };
/** Returns the queued emails about a line. */
const queued = async (transition: number) =>
  (
    await owner.query<{ data: Queued }>(
      `SELECT data FROM jobs.job WHERE name = $1 AND (data->>'campaign_transition_id')::bigint = $2`,
      [mailCampaignNewsJob.name, transition],
    )
  ).rows.map(({ data }) => data);
const mails = () => {
  try {
    return readdirSync(join(config.DATA_DIR, 'mail')).sort();
  } catch {
    return [];
  }
};
const sent = async (work: () => Promise<void>): Promise<string[]> => {
  const before = new Set(mails());
  await work();
  return mails()
    .filter((file) => !before.has(file))
    .map((file) => readFileSync(join(config.DATA_DIR, 'mail', file), 'utf8'));
};

test('each person concerned by a campaign’s news is notified once', async () => {
  const pending = await step('preparing', 'pending', user);
  const approved = await step('pending', 'preparing', department);
  const running = await step('preparing', 'running', null);
  const completed = await step('running', 'completed', null);
  const stopped = await step('running', 'stopped', user);
  await Promise.all([tellCampaignNews(worker), tellCampaignNews(worker)]);
  await tellCampaignNews(worker);
  assert.deepEqual(
    (await queued(pending)).map(({ user_id }) => user_id),
    [department],
  );
  for (const [line, people] of [
    [approved, [user]],
    [running, []],
    [completed, [user]],
    [stopped, []],
  ] as const)
    assert.deepEqual(
      (await queued(line)).map(({ user_id }) => user_id),
      people,
    );
  const mine = `private-App.Models.User.${user}`;
  await until('both are told', () => heard.length >= 2);
  assert.deepEqual(
    heard.filter((each) => each.startsWith(mine)),
    [`${mine} campaign.approved`, `${mine} campaign.completed`],
  );
});

test('emails go to people who chose them, in their language, if still relevant', async () => {
  const pending = await step('preparing', 'pending', user);
  const completed = await step('running', 'completed', null);
  await owner.query("UPDATE campaign SET state = 'pending' WHERE id = $1", [campaign]);
  await owner.query("UPDATE user_account SET preferred_language = 'zh' WHERE id = $1", [user]);
  const asked = { campaign_transition_id: pending, user_id: department };
  const done = { campaign_transition_id: completed, user_id: user };
  const [question] = await sent(() => mailCampaignNews(worker, asked));
  assert.match(question!, /^To: department@heliograph\.test/m);
  assert.match(question!.replaceAll('=\r\n', ''), /\/pending-campaigns/);
  assert.deepEqual(await sent(() => mailCampaignNews(worker, done)), [], 'nobody is written to of that unasked');

  const mail = (login: string, mail_kinds: string[]) =>
    api.as(login).then((client) => client('PATCH', '/api/v1/profiles', { preferences: { mail_kinds } }));
  assert.equal((await mail('user', ['finished'])).status, 200);
  const [finished] = await sent(() => mailCampaignNews(worker, done));
  assert.match(finished!, /^To: user@heliograph\.test/m);
  assert.match(finished!.replaceAll('=\r\n', ''), new RegExp(`/campaign-history/${campaign}`));
  const body = Buffer.from(/\r\n\r\n([\s\S]+)$/.exec(finished!)![1]!, 'base64').toString('utf8');
  assert.match(body + finished!, /已完成|=E5=B7=B2=E5=AE=8C=E6=88=90/);

  assert.equal((await mail('department', ['balance'])).status, 200);
  assert.deepEqual(await sent(() => mailCampaignNews(worker, asked)), []);
  assert.equal((await mail('department', ['approval'])).status, 200);
  await owner.query("UPDATE campaign SET state = 'discarded' WHERE id = $1", [campaign]);
  assert.deepEqual(await sent(() => mailCampaignNews(worker, asked)), [], 'it waits for nobody any more');
});

test('preferences are personal, change one by one, and take only valid values', async () => {
  const client = await api.as('corporate');
  const read = async () => profile.reply.parse((await client('GET', '/api/v1/profiles')).body).profile.preferences;
  const usual = {
    page_size: 25,
    timezone: null,
    date_format: 'language',
    mail_kinds: ['approval', 'balance'],
    tour_seen: false,
  };
  assert.deepEqual(await read(), usual);
  const change = (preferences: object) => client('PATCH', '/api/v1/profiles', { preferences });
  assert.equal((await change({ page_size: 100 })).status, 200);
  assert.equal((await change({ timezone: 'Europe/Lisbon', date_format: 'day_first' })).status, 200);
  assert.deepEqual(await read(), { ...usual, page_size: 100, timezone: 'Europe/Lisbon', date_format: 'day_first' });
  for (const wrong of [
    { page_size: 33 },
    { timezone: 'Mars/Olympus' },
    { date_format: 'any' },
    { mail_kinds: ['all'] },
  ])
    assert.equal((await change(wrong)).status, 422, JSON.stringify(wrong));
  const other = await api.as('department');
  const { preferences } = profile.reply.parse((await other('GET', '/api/v1/profiles')).body).profile;
  assert.equal(preferences.page_size, 25);
});
