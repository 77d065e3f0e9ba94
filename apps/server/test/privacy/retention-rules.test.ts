import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { verifyActivity } from '../../src/modules/audit/index.ts';
import { followRules } from '../../src/modules/privacy/follow-rules.ts';
import { closeDay } from '../../src/modules/reports/close-days.ts';
import { removeOldData } from '../../src/modules/reports/remove-old-data.ts';
import { startTestApi } from '../test-api.ts';
import { workerOf } from './person-stage.ts';
import { CLASSES, keepRecords, type Made, trafficOf } from './retention-stage.ts';
import { filesOf, placesOf } from './search-places.ts';

const DAY = 86_400_000;
/** Ten in the morning, so that ages in days and UTC days differ. */
const NOW = new Date(new Date().setUTCHours(10, 0, 0, 0));
const clock = { now: () => NOW };
const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const worker = workerOf(api, clock);
const never = new AbortController().signal;
const CORPORATIONS = ['Acme Retail', 'Blue Harbor Bank'] as const;

/** Rules of the two corporations; what is left out is kept. */
const RULES: Readonly<Record<string, Partial<Record<string, number>>>> = {
  'Acme Retail': { otp_days: 7, bulk_days: 40, number_days: 50, reply_days: 20, file_days: 10, log_days: 45 },
  'Blue Harbor Bank': { transactional_days: 12, number_days: 31 },
};
const ids = new Map<string, number>();
for (const name of CORPORATIONS) ids.set(name, await api.database.idOf('corporation', name));

const { made, make } = trafficOf(owner, ids);

/** Tells whether data of a time is from before the first UTC day that a rule keeps. */
const isOver = (at: Date, days: number | undefined) =>
  days !== undefined && at.toISOString().slice(0, 10) < new Date(NOW.getTime() - days * DAY).toISOString().slice(0, 10);

/** Sums that no retention may change. */
async function sums() {
  const { rows } = await owner.query(`SELECT
    (SELECT jsonb_agg(e ORDER BY e::text) FROM ledger_entry e) AS ledger,
    (SELECT jsonb_agg(b.credit_balance ORDER BY b.id) FROM billing_account b) AS balances,
    (SELECT jsonb_agg(s ORDER BY s::text) FROM statement s) AS statements,
    (SELECT jsonb_agg(i ORDER BY i.id) FROM invoice i) AS invoices,
    (SELECT jsonb_agg(t ORDER BY t::text) FROM traffic_quarter t) AS traffic,
    (SELECT jsonb_agg(t ORDER BY t::text) FROM traffic_network t) AS networks,
    (SELECT jsonb_agg(t ORDER BY t::text) FROM traffic_destination t) AS destinations,
    (SELECT jsonb_agg(jsonb_build_array(m.id, m.state, m.charge, m.parts, left(m.number, 8)) ORDER BY m.id) FROM message_row m) AS messages,
    (SELECT count(DISTINCT (corporation_id, oa)) FROM inbox_message) AS phones,
    (SELECT jsonb_agg(x) FROM (SELECT campaign_id, count(DISTINCT msisdn) AS n, sum(clicks) FROM short_link_click GROUP BY 1 ORDER BY 1) x) AS clicks`);
  return rows[0];
}
const recounted = async () => {
  await owner.query("SELECT rebuild_traffic('-infinity', 'infinity')");
  return sums();
};

const ages = [6, 7, 8, 12, 13, 30, 31, 32, 40, 41, 50, 51, 60];
for (const corporation of CORPORATIONS)
  for (const [i, age] of ages.entries()) {
    await make(corporation, CLASSES[i % 3]!, new Date(NOW.getTime() - age * DAY));
    await make(corporation, CLASSES[(i + 1) % 3]!, new Date(NOW.getTime() - age * DAY));
  }
// The last moment of a day, and the first of the next one.
const midnight = new Date(NOW.getTime() - 7 * DAY).setUTCHours(0, 0, 0, 0);
const [last] = await make('Acme Retail', 'otp', new Date(midnight - 1));
const [first] = await make('Acme Retail', 'otp', new Date(midnight));
const open = await make('Acme Retail', 'otp', new Date(NOW.getTime() - 20 * DAY), 1, false);
const closed = new Date(NOW.getTime() - 41 * DAY).toISOString().slice(0, 10);

const acme = ids.get('Acme Retail')!;
const old = (days: number) => new Date(NOW.getTime() - days * DAY).toISOString();

const makeRecords = (age: number, mark: string) => keepRecords(api, acme, old(age), mark);
const oldFile = await makeRecords(60, '6000');
const youngFile = await makeRecords(5, '5');
await owner.query(
  `UPDATE campaign SET content = content || '{"content": "quokka-campaign", "custom_numbers": "639180006001"}', created_at = $2,
     finished_at = $2 WHERE id = (SELECT min(id) FROM campaign WHERE corporation_id = $1 AND state = 'completed')`,
  [acme, old(60)],
);

for (const [name, rule] of Object.entries(RULES))
  await owner.query(
    `INSERT INTO retention_rule (corporation_id, set_by, ${Object.keys(rule).join()})
     VALUES ($1, 'platform', ${Object.values(rule).join()})`,
    [ids.get(name)],
  );
// A longer rule of another side: the shorter one holds.
await owner.query(
  "INSERT INTO retention_rule (corporation_id, set_by, otp_days, number_days) VALUES ($1, 'corporation', 90, 60)",
  [acme],
);

test('nothing older than its rule is left in any column, and every sum stays', async () => {
  await recounted();
  assert.ok(await closeDay(api.database.db('worker'), closed, never), 'a day is closed');
  // A copy of an open day that a closing has made is thrown away.
  const copied = new Date(NOW.getTime() - 51 * DAY).toISOString().slice(0, 10);
  await owner.query("SELECT close_day_copy($1::date, 'receipt_pack', 100)", [copied]);
  const before = await sums();
  const dying = fc.sample(fc.nat(60), { numRuns: 25, seed: 7 });
  for (const steps of dying) {
    let left = steps;
    const signal = { throwIfAborted: () => assert.ok(left-- > 0, 'killed') } as AbortSignal;
    await followRules(worker, signal).catch((error: Error) => assert.equal(error.message, 'killed'));
  }
  await followRules(worker, never);
  assert.deepEqual(await sums(), before);
  assert.equal(await closeDay(api.database.db('worker'), copied, never), false);
  const gone: string[] = [];
  for (const message of made) {
    const rule = RULES[message.corporation]!;
    const { id, msisdn, text, at } = message;
    const whole = { number: !isOver(at, rule['number_days']), text: true };
    whole.text = whole.number && !isOver(at, rule[`${message.kind}_days`]);
    if (id === open[0]) Object.assign(whole, { number: true, text: true });
    const { rows } = await owner.query('SELECT number, text FROM message_row WHERE id = $1', [id]);
    const say = `${message.corporation} ${message.kind} ${at.toISOString()}`;
    assert.equal(rows[0].number, whole.number ? msisdn : msisdn.slice(0, -4), say);
    assert.equal(rows[0].text, whole.text ? text : '[removed]', say);
    if (!whole.text) gone.push(text);
    if (!whole.number) gone.push(msisdn);
  }
  assert.ok(gone.length > 60, `${gone.length} texts and numbers are gone`);
  gone.push('quokka-(reply|answer|note)-6000', 'quokka-campaign', '639180006000', '639180006001');
  assert.deepEqual(await placesOf(owner, gone.join('|')), []);
  assert.deepEqual(filesOf(api, /639180006000/), []);
  assert.equal(existsSync(join(api.config.DATA_DIR, 'files', oldFile)), false);
});

test('what is younger than its rule stays, and opt-outs always', async () => {
  assert.ok(existsSync(join(api.config.DATA_DIR, 'files', youngFile)));
  const places = await placesOf(owner, '639180000005');
  for (const table of [
    'inbox_message.oa',
    'conversation.oa',
    'short_link.msisdn',
    'upload.preview',
    'activity_log.properties',
  ])
    assert.ok(places.includes(`public.${table}`), table);
  const { rows } = await owner.query("SELECT count(*)::int AS n FROM opt_out WHERE number LIKE '63919000%'");
  assert.equal(rows[0].n, 2);
});

test('a rule counts whole days in UTC', async () => {
  const { rows } = await owner.query('SELECT id, text FROM message_row WHERE id = ANY ($1) ORDER BY id', [
    [last, first],
  ]);
  assert.deepEqual([rows[0].text, rows[1].text.startsWith('quokka')], ['[removed]', true]);
});

test('a second run changes nothing, and counting again gives the same sums', async () => {
  const rows = async () =>
    (
      await owner.query(`SELECT (SELECT jsonb_agg(r ORDER BY r::text) FROM retention_run r) AS runs,
      (SELECT jsonb_agg(jsonb_build_array(m.id, m.msisdn, m.xmin) ORDER BY m.id) FROM message m) AS messages,
      (SELECT jsonb_agg(i.xmin ORDER BY i.id) FROM inbox_message i) AS inbox,
      (SELECT jsonb_agg(i.xmin ORDER BY i.id) FROM campaign i) AS campaigns,
      (SELECT jsonb_agg(i.xmin ORDER BY i.code) FROM short_link i) AS links,
      (SELECT max(position) FROM activity_log) AS log`)
    ).rows[0];
  const [before, figures] = [await rows(), await sums()];
  await followRules(worker, never);
  assert.deepEqual(await rows(), before);
  assert.deepEqual(await recounted(), figures);
});

test('messages that have not ended are removed once they have', async () => {
  const runs = "SELECT count(*)::int AS n FROM retention_run WHERE kind = 'otp' AND day = $1";
  const day = old(20).slice(0, 10);
  assert.equal((await owner.query(runs, [day])).rows[0].n, 0);
  await owner.query('UPDATE chunk SET settled = true WHERE id = $1', [Math.floor(open[0]! / 1024)]);
  await followRules(worker, never);
  const { rows } = await owner.query('SELECT text FROM message_row WHERE id = $1', [open[0]]);
  assert.equal(rows[0].text, '[removed]');
  assert.equal((await owner.query(runs, [day])).rows[0].n, 1);
});

test('the log is whole without its old details, also by the setting of the platform', async () => {
  assert.equal((await verifyActivity(owner)).fault, undefined);
  await owner.query(
    `INSERT INTO activity_log (name, description, subject_type, subject_id, properties, created_at)
     VALUES ('users', 'created', 'users', 1, '{"after": {"phone": "639181112244"}}', $1)`,
    [old(100)],
  );
  await owner.query("UPDATE global_configuration SET value = '60' WHERE key = 'log_kept_days'");
  await followRules(worker, never);
  assert.deepEqual(await placesOf(owner, '639181112244'), []);
  assert.equal((await verifyActivity(owner)).fault, undefined);
  const { rows } = await owner.query(
    `SELECT position FROM activity_log WHERE properties = '{"removed": true}' LIMIT 1`,
  );
  await owner.query('ALTER TABLE activity_log DISABLE TRIGGER activity_log_append_only');
  await owner.query("UPDATE activity_log SET description = 'deleted' WHERE position = $1", [rows[0].position]);
  await owner.query('ALTER TABLE activity_log ENABLE TRIGGER activity_log_append_only');
  assert.equal((await verifyActivity(owner)).fault?.position, rows[0].position);
});

test('the page of a message says when and why its text and number were removed', async () => {
  const call = await api.as('corporate');
  const removedOf = async (find: (each: Made) => boolean) => {
    const { id } = made.find(find)!;
    const { body } = await call('GET', `/api/v1/messages/${id}`);
    return (body as { data: { removed: object } }).data.removed;
  };
  const at = NOW.toISOString().replace('.000', '');
  const own = (each: Made) => each.corporation === 'Acme Retail';
  assert.deepEqual(await removedOf((m) => own(m) && m.kind === 'otp' && m.at.getTime() === NOW.getTime() - 12 * DAY), {
    text: { by: 'corporation', days: 7, at },
    number: null,
  });
  assert.deepEqual(
    await removedOf((m) => own(m) && m.at.getTime() === NOW.getTime() - 60 * DAY && m.kind === 'transactional'),
    {
      text: { by: 'corporation', days: 50, at },
      number: { by: 'corporation', days: 50, at },
    },
  );
  assert.deepEqual(await removedOf((m) => own(m) && m.at.getTime() === NOW.getTime() - 6 * DAY), {
    text: null,
    number: null,
  });
});

test('the inbox says when and why a reply, an answer and a note were removed', async () => {
  const call = await api.as('corporate');
  const { rows } = await owner.query(
    "SELECT id, oa FROM conversation WHERE corporation_id = $1 AND oa ~ '^removed-|^639180000005$' ORDER BY oa DESC",
    [acme],
  );
  const [old, young] = rows as { id: number; oa: string }[];
  const entriesOf = async (id: number) => {
    const { body } = await call('GET', `/api/v1/conversations/${id}/messages`);
    return (body as { data: { kind: string; text: string; removed: object | null }[] }).data;
  };
  const removed = {
    by: 'corporation',
    days: RULES['Acme Retail']!['reply_days'],
    at: NOW.toISOString().replace('.000', ''),
  };
  assert.deepEqual(
    (await entriesOf(old!.id)).map((each) => [each.kind, each.removed]),
    [
      ['in', removed],
      ['note', removed],
    ],
  );
  assert.deepEqual(
    (await entriesOf(young!.id)).map((each) => each.removed),
    [null, null],
  );
  const { body } = await call('GET', `/api/v1/inbox?oa=${old!.oa}`);
  assert.deepEqual((body as { data: { removed: object }[] }).data[0]!.removed, removed);
});

test('lists mark numbers that have lost their last digits, and only these', async () => {
  const { rows } = await owner.query('SELECT min(created_at)::date AS first FROM chunk WHERE corporation_id = $1', [
    acme,
  ]);
  const to = new Date(NOW.getTime() - 40 * DAY).toISOString().slice(0, 10);
  const from = new Date(NOW.getTime() - 65 * DAY).toISOString().slice(0, 10);
  assert.ok(rows[0].first);
  const { body } = await (await api.as('corporate'))('GET', `/api/v1/transactions?from=${from}&to=${to}&limit=200`);
  const { data } = body as { data: { number: string; number_cut: boolean }[] };
  assert.ok(data.some(({ number_cut }) => number_cut) && data.some(({ number_cut }) => !number_cut));
  for (const { number, number_cut } of data) assert.equal(number.length, number_cut ? 8 : 12, number);
});

test('whole days of the platform go as before, with the record of what was removed', async () => {
  await owner.query("UPDATE global_configuration SET value = '45' WHERE key = 'messages_kept_days'");
  await removeOldData(worker, never);
  await followRules(worker, never);
  const { rows } = await owner.query(
    'SELECT min(day)::text AS day, (SELECT min(d)::text FROM partitioned_days() AS d) AS kept FROM retention_run',
  );
  assert.ok(rows[0].day >= rows[0].kept, `${rows[0].day} ${rows[0].kept}`);
});
