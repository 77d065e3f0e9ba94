import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { verifyActivity } from '../../src/modules/audit/index.ts';
import { suppressed, suppressedAmong } from '../../src/modules/campaigns/suppression.ts';
import { optedOut, optIn } from '../../src/modules/contacts/index.ts';
import { erasePerson } from '../../src/modules/privacy/erase-person.ts';
import { startTestApi } from '../test-api.ts';
import { keepPerson, OTHER, PERSON, searched, workerOf } from './person-stage.ts';
import { filesOf, placesOf } from './search-places.ts';

const api = await startTestApi({ after });
const { ids, corporation } = await keepPerson(api);
const owner = api.database.pool('owner');
const never = new AbortController().signal;
const worker = workerOf(api);
const placesWith = (pattern: string) => placesOf(owner, pattern);
const filesWith = (pattern: RegExp) => filesOf(api, pattern);

const NUMBER = '639171112233|0917[ -]?111[ -]?2233|917 111-2233';
const TEXTS = '[Zz]ebra-5512|Zebra Person|Hello zebra|Hi zebra|STOP zebra|zebra form|zebra is nice';

/** Sums that no erasure may change. */
async function sums() {
  const { rows } = await owner.query(`SELECT
    (SELECT jsonb_agg(e ORDER BY e::text) FROM ledger_entry e) AS ledger,
    (SELECT jsonb_agg(b.credit_balance ORDER BY b.id) FROM billing_account b) AS balances,
    (SELECT jsonb_agg(s ORDER BY s::text) FROM statement s) AS statements,
    (SELECT jsonb_agg(t ORDER BY t::text) FROM traffic_quarter t) AS traffic,
    (SELECT jsonb_agg(jsonb_build_array(m.id, m.state, m.charge, m.parts) ORDER BY m.id) FROM message_row m) AS messages,
    (SELECT jsonb_agg(jsonb_build_array(d.n, d.parts)) FROM (SELECT left(msisdn, 5) AS n, sum(parts) AS parts FROM message GROUP BY 1 ORDER BY 1) d) AS networks,
    (SELECT count(DISTINCT oa) FROM inbox_message) AS phones`);
  return rows[0];
}

/** Asks for an erasure as one person. */
async function askedToErase(login: string, call?: object) {
  const found = await searched(api, login, PERSON, call);
  const asked = (await found.call('POST', `/api/v1/privacy/${found.id}/erase`, {
    reason: 'Asked by email: 0917 111 2233',
  })) as {
    status: number;
    body: { data: { state: string } };
  };
  return { ...found, asked };
}

test('an erasure is refused while a message to the person is on its way', async () => {
  await owner.query('UPDATE chunk SET settled = false WHERE id = $1', [Math.floor(ids[0]! / 1024)]);
  const { rows } = await owner.query('DELETE FROM outcome WHERE message_id = $1 RETURNING *', [ids[0]]);
  await owner.query('SELECT write_chunk_states(ARRAY[$1::bigint])', [Math.floor(ids[0]! / 1024)]);
  const { asked } = await askedToErase('corporate');
  assert.equal(asked.status, 422);
  const kept = rows[0];
  await owner.query(
    `INSERT INTO outcome (message_id, corporation_id, state, done_at, link_id, carrier_id, receipt_state, receipt)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      kept.message_id,
      kept.corporation_id,
      kept.state,
      kept.done_at,
      kept.link_id,
      kept.carrier_id,
      kept.receipt_state,
      kept.receipt,
    ],
  );
  await owner.query('SELECT write_chunk_states(ARRAY[$1::bigint])', [Math.floor(ids[0]! / 1024)]);
  await owner.query('UPDATE chunk SET settled = true WHERE id = $1', [Math.floor(ids[0]! / 1024)]);
});

test('an erasure leaves no number or text in any table or file, and every sum', async () => {
  const before = await sums();
  assert.ok((await placesWith(NUMBER)).length > 20, 'the search finds what is there');
  assert.ok((await placesWith(TEXTS)).length > 8);
  assert.equal(filesWith(/639171112233|0917-111-2233/).length, 2);
  const { id, asked, call } = await askedToErase('admin');
  assert.equal(asked.status, 200, JSON.stringify(asked.body));
  assert.equal(asked.body.data.state, 'asked');
  const other = await api.as('superadmin');
  assert.equal((await other('POST', `/api/v1/privacy/${id}/confirm-erasure`)).status, 200);
  // A worker that dies after each step: the next one continues, and nothing is counted twice.
  for (let steps = 1; steps < 60; steps++) {
    let left = steps;
    const dying = { throwIfAborted: () => assert.ok(left-- > 0, 'killed') } as AbortSignal;
    await erasePerson(worker, id, dying).catch((error: Error) => assert.equal(error.message, 'killed'));
  }
  await erasePerson(worker, id, never);
  assert.deepEqual(await placesWith(NUMBER), []);
  assert.deepEqual(await placesWith(TEXTS), []);
  assert.deepEqual(filesWith(/639171112233|0917-111-2233|Zebra|zebra/), []);
  assert.deepEqual(await sums(), before);
  const shown = (await call('GET', `/api/v1/privacy/${id}`)).body as {
    data: { state: string; number: null; erased: { kind: string; count: number }[] };
  };
  assert.equal(shown.data.state, 'erased');
  assert.equal(shown.data.number, null);
  const counts = Object.fromEntries(shown.data.erased.map(({ kind, count }) => [kind, count]));
  assert.equal(counts['messages'], 2);
  assert.equal(counts['files'], 2);
  assert.equal(counts['log'], 2);
});

test('the inbox says that a reply was erased at the request of the person', async () => {
  const { body } = await (await api.as('corporate'))('GET', '/api/v1/inbox?limit=100');
  const { data } = body as { data: { oa: string; removed: { by: string; days: null; at: string } | null }[] };
  const { removed } = data.find(({ oa }) => oa.startsWith('erased-'))!;
  assert.deepEqual([removed?.by, removed?.days], ['person', null]);
  assert.ok(Math.abs(Date.parse(removed!.at) - Date.now()) < 600_000);
});

test('records of others stay as they were', async () => {
  const { rows } = await owner.query(
    `SELECT (SELECT text FROM message WHERE msisdn = $1 AND id = $2) AS text,
      (SELECT numbers_count FROM number_list WHERE name = 'Friends') AS numbers,
      (SELECT convert_from(raw, 'UTF8') FROM receipt_pack WHERE chunk_id = $3) AS raw,
      (SELECT sizes FROM receipt_pack WHERE chunk_id = $3) AS sizes,
      (SELECT content FROM campaign_draft WHERE name = 'Draft') AS draft`,
    [OTHER, ids[1], Math.floor(ids[0]! / 1024)],
  );
  assert.deepEqual(rows[0], {
    text: 'Another text',
    numbers: 1,
    raw: 'other',
    sizes: '0,5',
    draft: { numbers: ['[removed]', OTHER] },
  });
  const { rows: files } = await owner.query(
    "SELECT file_path FROM task WHERE download_file = 'transactions.csv' ORDER BY id",
  );
  assert.equal(files[0].file_path, null);
  assert.ok(existsSync(join(api.config.DATA_DIR, 'files', files[1].file_path)));
});

test('an erased person stays opted out for campaigns, programs and replies', async () => {
  const asked = { corporation_id: corporation, sender_id_id: 1, channel: 'api' as const };
  const found = await suppressed(api.database.db('worker'), asked, [PERSON, OTHER]);
  assert.deepEqual([...found], [[PERSON, 'opted_out']]);
  assert.deepEqual(
    await suppressedAmong(api.database.db('worker'), [
      { ...asked, number: OTHER },
      { ...asked, number: PERSON },
    ]),
    [undefined, 'opted_out'],
  );
  assert.deepEqual([...(await optedOut(api.database.db('worker'), corporation, [PERSON, OTHER]))], [PERSON]);
});

test('the log is whole after an erasure, and a forged entry is still found', async () => {
  assert.equal((await verifyActivity(owner)).fault, undefined);
  const { rows } = await owner.query(
    "SELECT position, properties FROM activity_log WHERE properties::text LIKE '%[removed]%' LIMIT 1",
  );
  await owner.query('ALTER TABLE activity_log DISABLE TRIGGER activity_log_append_only');
  await owner.query("UPDATE activity_log SET properties = '{}' WHERE position = $1", [rows[0].position]);
  assert.deepEqual((await verifyActivity(owner)).fault, { position: rows[0].position, what: 'altered' });
  await owner.query('UPDATE activity_log SET properties = $2 WHERE position = $1', [
    rows[0].position,
    rows[0].properties,
  ]);
  await owner.query('ALTER TABLE activity_log ENABLE TRIGGER activity_log_append_only');
});

test('the certificate is a PDF, and an erasure that is repeated changes nothing', async () => {
  const { rows } = await owner.query("SELECT id FROM person_request WHERE state = 'erased'");
  const call = await api.as('admin');
  const pdf = await call('GET', `/api/v1/privacy/${rows[0].id}/certificate`);
  assert.equal(pdf.status, 200);
  assert.match(String(pdf.body), /^%PDF/);
  const before = await owner.query('SELECT erased FROM person_request WHERE id = $1', [rows[0].id]);
  await erasePerson(worker, rows[0].id, never);
  assert.deepEqual(
    (await owner.query('SELECT erased FROM person_request WHERE id = $1', [rows[0].id])).rows,
    before.rows,
  );
  const again = await searched(api, 'admin', PERSON);
  assert.deepEqual(again.found, {});
});

test('the own message of the person ends the opt-out', async () => {
  const db = api.database.db('worker');
  assert.equal(await optIn(db, { corporation_id: corporation, number: PERSON, at: new Date() }), true);
  assert.deepEqual([...(await optedOut(db, corporation, [PERSON]))], []);
});
