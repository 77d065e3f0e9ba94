import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodePdu } from '@heliograph/smpp';
import { lookForPerson } from '../../src/modules/privacy/find-person.ts';
import { makeTraffic } from '../reports/made-traffic.ts';
import type { TestApi } from '../test-api.ts';

/** Number of the person, and the text that only they got. */
export const PERSON = '639171112233';
export const OTHER = '639181112244';
export const SECRET = 'Your code is zebra-5512';

/** Writes a stored file and answers its path. */
export function storeText(api: TestApi, folder: 'uploads' | 'exports', text: string, extension = 'csv'): string {
  const path = `${folder}/${randomUUID()}.${extension}`;
  mkdirSync(join(api.config.DATA_DIR, 'files', folder), { recursive: true });
  writeFileSync(join(api.config.DATA_DIR, 'files', path), text);
  return path;
}

/** Puts the person into every kind of place of Acme Retail, and another person beside them. */
export async function keepPerson(api: TestApi): Promise<{ ids: number[]; corporation: number }> {
  const owner = api.database.pool('owner');
  const corporation = await api.database.idOf('corporation', 'Acme Retail');
  const ids = await makeTraffic(owner, {
    corporation: 'Acme Retail',
    at: new Date(Date.now() - 3 * 86_400_000),
    messages: [
      { msisdn: PERSON, name: 'Zebra Person', text: SECRET, answers: [0], outcome: 'failed_other' },
      { msisdn: OTHER, text: 'Another text', answers: [0], outcome: 'failed_other' },
      { msisdn: PERSON, text: `${SECRET} again`, answers: [0], outcome: 'failed_other' },
    ],
  });
  const raw = encodePdu({
    command: 'deliver_sm',
    sequence: 1,
    status: 0,
    source: PERSON,
    destination: 'MADE',
    shortMessage: Buffer.from(`id:1 stat:UNDELIV text:${SECRET}`),
  } as never);
  const run = (text: string, values: unknown[]) => owner.query(text, values);
  await run(
    "UPDATE outcome SET link_id = 1, carrier_id = '1', receipt_state = 'failed', receipt = $2 WHERE message_id = $1",
    [ids[0], raw],
  );
  await run(
    `INSERT INTO receipt_pack (chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, sizes, raw)
     VALUES ($1, $2, 1, now() - interval '3 days', '0,1', '1,2', E'a\\x1fb', $3, $4)`,
    [Math.floor(ids[0]! / 1024), corporation, `${raw.length},5`, Buffer.concat([raw, Buffer.from('other')])],
  );
  await run('UPDATE chunk SET settled = true WHERE id = $1', [Math.floor(ids[0]! / 1024)]);
  const list = (
    await run(
      `INSERT INTO number_list (corporation_id, department_id, name, numbers_count, created_by)
       SELECT $1, min(d.id), 'Friends', 2, (SELECT min(id) FROM user_account WHERE corporation_id = $1)
       FROM department d WHERE d.corporation_id = $1 RETURNING id`,
      [corporation],
    )
  ).rows[0].id;
  await run(
    "INSERT INTO number_list_number (number_list_id, number, name) VALUES ($1, $2, 'Zebra Person'), ($1, $3, 'Other')",
    [list, PERSON, OTHER],
  );
  await run(
    "INSERT INTO opt_out (corporation_id, number, source, message, opted_out_at) VALUES ($1, $2, 'message', 'STOP zebra', now())",
    [corporation, PERSON],
  );
  await run(
    "INSERT INTO contact (corporation_id, number, name, tags, text_1) VALUES ($1, $2, 'Zebra Person', '{zebra form}', 'Hello zebra')",
    [corporation, PERSON],
  );
  await run(
    `INSERT INTO segment (corporation_id, name, rule) VALUES ($1, 'One person',
       jsonb_build_object('match', 'all', 'rules', jsonb_build_array(jsonb_build_object('on', 'tag', 'tag', $2::text))))`,
    [corporation, PERSON],
  );
  await run(
    `WITH quoted AS (
       INSERT INTO quote (corporation_id, user_id, billing_account_id, content, state)
       SELECT $1, (SELECT min(id) FROM user_account WHERE corporation_id = $1), min(id), '{}', 'ready'
       FROM billing_account WHERE corporation_id = $1 RETURNING id
     ) INSERT INTO quote_recipient (quote_id, segment_id, page, corporation_id, numbers, names)
     SELECT id, 1, 0, $1, ARRAY['639170000001', $2, '639170000003'], '{Ana,Zebra Person,Cai}' FROM quoted`,
    [corporation, PERSON],
  );
  await run('INSERT INTO blacklist_number (corporation_id, number) VALUES ($1, $2)', [corporation, PERSON]);
  await run(
    "INSERT INTO consent_event (corporation_id, number, source, proof, wording) VALUES ($1, $2, 'form', 'zebra form', 'Yes')",
    [corporation, PERSON],
  );
  const inbound = (
    await run(
      `INSERT INTO inbound_message (link_id, sender, recipient, text, parts, total, received_at)
       VALUES (1, $1, '2112', 'Hello zebra', 1, 1, now()) RETURNING id`,
      [PERSON],
    )
  ).rows[0].id;
  await run(
    `INSERT INTO inbox_message (corporation_id, link_id, inbound_id, oa, number, message, parts, total, handled, received_at, reply_message)
     VALUES ($1, 1, $2, $3, '2112', 'Hello zebra', 1, 1, 'inbox', now(), 'Hi zebra')`,
    [corporation, inbound, PERSON],
  );
  await run(
    "INSERT INTO conversation_entry (conversation_id, kind, text) SELECT id, 'note', 'zebra is nice' FROM conversation WHERE oa = $1",
    [PERSON],
  );
  await run(`INSERT INTO short_link_target (corporation_id, url) VALUES ($1, 'https://shop.test/?p=' || $2)`, [
    corporation,
    PERSON,
  ]);
  await run(
    `INSERT INTO short_link (code, corporation_id, msisdn, target_id) SELECT 'zebra1', $1, $2, max(id) FROM short_link_target`,
    [corporation, PERSON],
  );
  await run("INSERT INTO short_link_click (code, corporation_id, msisdn) VALUES ('zebra1', $1, $2)", [
    corporation,
    PERSON,
  ]);
  await run(
    "INSERT INTO event (corporation_id, type, data) VALUES ($1, 'message.received', jsonb_build_object('from', $2::text, 'text', 'Hello zebra'))",
    [corporation, PERSON],
  );
  await run(
    `WITH place AS (INSERT INTO callback_endpoint (corporation_id, url) VALUES ($1, 'https://x.test/') RETURNING id)
     INSERT INTO http_delivery (corporation_id, callback_endpoint_id, event_id, type, body, state, done_at, kind, url, attempts)
     SELECT $1, id, 1, 'message.received', $2, 'done', now(), 'callback', 'https://x.test/?n=' || $3, '[{"answer": "thanks"}]' FROM place`,
    [corporation, JSON.stringify({ from: PERSON, text: 'Hello zebra' }), PERSON],
  );
  await run(
    `INSERT INTO campaign_draft (corporation_id, user_id, name, content)
     SELECT $1, min(id), 'Draft', jsonb_build_object('numbers', ARRAY['+63 917 111-2233', $2]) FROM user_account`,
    [corporation, OTHER],
  );
  await run(
    `INSERT INTO saved_view (user_id, list, name, query) SELECT min(id), 'transactions', 'Zebra', jsonb_build_object('number', $1::text)
     FROM user_account WHERE corporation_id = $2`,
    [PERSON, corporation],
  );
  await run(
    `INSERT INTO activity_log (corporation_id, name, description, subject_type, subject_id, properties)
     VALUES ($1, 'blacklist-numbers', 'created', 'blacklist-numbers', 1, jsonb_build_object('after', jsonb_build_object('number', $2::text)))`,
    [corporation, PERSON],
  );
  await run(
    "INSERT INTO application_log (logged_at, level, source, message) VALUES (now(), 'warn', 'api', 'bad number ' || $1)",
    [PERSON],
  );
  await run(
    `WITH source AS (INSERT INTO number_source (name, driver) VALUES ('Dump of tests', 'dump') RETURNING id)
     INSERT INTO number_lookup (msisdn, number_source_id) SELECT $1, id FROM source`,
    [PERSON],
  );
  const export_path = storeText(api, 'exports', `number,text\n${PERSON},${SECRET}\n${OTHER},x\n`);
  const clean = storeText(api, 'exports', `number,text\n${OTHER},x\n`);
  const upload_path = storeText(api, 'uploads', `number;name\n0917-111-2233;Zebra Person\n`);
  for (const path of [export_path, clean])
    await run(
      `INSERT INTO task (type, kind, state, user_id, corporation_id, download_file, file_path, parameters, finished_at)
       SELECT 'download', 'transactions', 'done', min(id), $1, 'transactions.csv', $2, '{}', now() FROM user_account WHERE corporation_id = $1`,
      [corporation, path],
    );
  await run(
    `INSERT INTO upload (corporation_id, user_id, file_name, file_path, size, columns, preview)
     SELECT $1, min(id), 'people.csv', $2, 10, '[]', jsonb_build_array(jsonb_build_array('0917-111-2233')) FROM user_account WHERE corporation_id = $1`,
    [corporation, upload_path],
  );
  return { ids, corporation };
}

/** Worker of the test API, as jobs get it. */
export const workerOf = (api: TestApi, clock = { now: () => new Date() }) => ({
  database: api.database.db('worker'),
  config: api.config,
  clock,
  log: api.log,
});

/** Searches for the person as a login, does the job, and answers the request. */
export async function searched(api: TestApi, login: string, number: string, body: object = {}) {
  const call = await api.as(login);
  const made = (await call('POST', '/api/v1/privacy', { number, ...body })) as {
    status: number;
    body: { data: { id: number } };
  };
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const { id } = made.body.data;
  await lookForPerson(workerOf(api), id, new AbortController().signal);
  const shown = await call('GET', `/api/v1/privacy/${id}`);
  const { data } = shown.body as {
    data: { state: string; number: string | null; found: { kind: string; count: number }[] };
  };
  return { call, id, data, found: Object.fromEntries(data.found.map(({ kind, count }) => [kind, count])) };
}
