import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, test } from 'node:test';
import { startSimulator } from '@heliograph/carrier-simulator';
import { LOCALES } from '@heliograph/contract/kernel/scope';
import { LINK_FAULTS, type LINK_STATES } from '@heliograph/contract/links/link';
import { Sender } from '#modules/delivery';
import { createLogger } from '#platform/log';
import { dataOf } from '../answers.ts';
import { until } from '../delivery/stage.ts';
import { sentencesOf } from '../sentences.ts';
import { type Client, startTestApi } from '../test-api.ts';
import { LINKS, newLink } from './link-calls.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const admin = await api.as('admin');
/** Secrets that no person and no program may read anywhere. */
const CANARIES = ['canary-7f3a', 'canary-9c1e'] as const;

interface Row {
  id: number;
  state: (typeof LINK_STATES)[number];
  credentials_set_at: string | null;
  [field: string]: unknown;
}

const heard: string[] = [];
/** Calls as an administrator and keeps every answer. */
const listened: Client = async (...call) => {
  const answer = await admin(...call);
  heard.push(JSON.stringify(answer.body));
  return answer;
};

test('a password is never seen again: not in answers, logs or text of the database', async (t) => {
  const simulator = await startSimulator({
    smppPort: 0,
    httpPort: null,
    settings: { accounts: { north: CANARIES[1] } },
  });
  t.after(() => simulator.stop());
  const made = await listened('POST', LINKS, newLink({ port: simulator.smppPort, password: CANARIES[0] }));
  assert.equal(made.status, 201);
  const { id, credentials_set_at } = dataOf<Row>(made);
  assert.notEqual(credentials_set_at, null);
  await listened('PATCH', `${LINKS}/${id}`, { password: CANARIES[1], window_size: 7 });
  const kept = await listened('PATCH', `${LINKS}/${id}`, { password: null, rate: 50 });
  assert.equal(dataOf<Row>(kept).rate, 50);
  await listened('PATCH', `${LINKS}/${id}`, { password: '', rate: 51 });
  await listened('GET', `${LINKS}/${id}`);
  await listened('GET', LINKS);
  await listened('PATCH', `${LINKS}/${id}`, { password: `${CANARIES[0]}\u0000`, port: 0 });
  await listened('POST', LINKS, newLink({ password: { secret: CANARIES[0] } }));

  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const log = createLogger({ LOG_LEVEL: 'trace' }, 'sender', stream);
  const sender = new Sender(api.config, log);
  await sender.start();
  t.after(() => sender.stop());
  await until(
    'the second password binds',
    async () => dataOf<Row>(await listened('GET', `${LINKS}/${id}`)).state === 'up',
  );
  const attempt = { link_id: id, host: '127.0.0.1', port: simulator.smppPort, tls: false, system_id: 'north' };
  const tried = await listened('POST', `${LINKS}/test-bind`, { ...attempt, bind_mode: 'transceiver' });
  assert.equal((tried.body as { data: { bound: boolean } }).data.bound, true, 'the saved password is tried');

  const { rows: texts } = await owner.query<{ name: string; column: string }>(
    `SELECT c.relname AS name, a.attname AS column FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v') AND a.attnum > 0 AND NOT a.attisdropped AND n.nspname NOT IN ('pg_catalog', 'information_schema')
       AND n.nspname = 'public' AND a.atttypid::regtype::text IN ('text', 'jsonb', 'json', 'text[]', 'bytea', 'character varying')`,
  );
  assert.ok(texts.length > 100);
  await owner.query('BEGIN');
  const found: string[] = [];
  for (const { name, column } of texts)
    for (const canary of CANARIES) {
      const { rows } = await owner.query(
        `SELECT FROM "${name}" WHERE "${column}"::text LIKE $1 OR "${column}"::text LIKE $2 LIMIT 1`,
        [`%${canary}%`, `%${Buffer.from(canary).toString('hex')}%`],
      );
      if (rows.length > 0) found.push(`${name}.${column}`);
    }
  await owner.query('COMMIT');
  assert.deepEqual(found, []);
  for (const canary of CANARIES) {
    assert.ok(!heard.some((text) => text.includes(canary)), 'no answer holds it');
    assert.ok(!lines.some((line) => line.includes(canary)), 'no line of the log holds it');
  }
  assert.ok(lines.length > 0 && heard.length > 8);
  const { rows } = await owner.query(
    `SELECT properties FROM activity_log WHERE name = 'links' AND subject_id = $1 AND description = 'updated' ORDER BY id`,
    [id],
  );
  assert.deepEqual(Object.keys(rows[0].properties.after).sort(), ['credentials_set_at', 'window_size']);
  assert.deepEqual(rows[1].properties, { before: { rate: null }, after: { rate: 50 } });
});

test('invalid input is refused by its field, with the way to correct it', async () => {
  const bad = {
    host: 'http://smsc.example',
    port: 70_000,
    system_id: 'more than fifteen characters',
    tls_ca: 'not a certificate',
    alphanumeric_ton_npi: '9/9',
    receipt_words: ['OK=fine'],
    window_size: 0,
    name: ' ',
  };
  const { status, body } = await listened('POST', LINKS, newLink(bad));
  assert.equal(status, 422);
  const errors = (body as { errors: Record<string, string[]> }).errors;
  assert.deepEqual(
    Object.keys(errors)
      .map((field) => field.replace(/\.\d+$/, ''))
      .sort(),
    Object.keys(bad).sort(),
  );
  assert.match(errors.host![0]!, /without http/);
  assert.match(errors.tls_ca![0]!, /BEGIN CERTIFICATE/);
  const taken = await listened('POST', LINKS, newLink({ name: 'Carrier simulator' }));
  assert.equal(taken.status, 409);
});

test('a link is enabled, drained and disabled only from states that allow it', async () => {
  const { id } = dataOf<Row>(await listened('POST', LINKS, newLink({ name: 'Switched', enabled: false })));
  const act = async (name: string) => {
    const answer = await listened('POST', `${LINKS}/${id}/${name}`);
    return answer.status === 200 ? dataOf<Row>(answer).state : answer.status;
  };
  assert.equal(await act('drain'), 409);
  assert.equal(await act('disable'), 409);
  assert.equal(await act('enable'), 'down');
  assert.equal(await act('enable'), 409);
  assert.equal(await act('drain'), 'draining');
  assert.equal(await act('disable'), 'disabled');
  const { rows } = await owner.query(
    `SELECT description FROM activity_log WHERE name = 'links' AND subject_id = $1 ORDER BY id`,
    [id],
  );
  assert.deepEqual(
    rows.map(({ description }) => description),
    ['created', 'enable', 'drain', 'disable'],
  );
  assert.equal((await listened('DELETE', `${LINKS}/${id}`)).status, 200);
});

test('a link with traffic cannot be deleted', async () => {
  const { rows } = await owner.query<{ id: number }>(`SELECT id FROM link WHERE name = 'Carrier simulator'`);
  const refused = await listened('DELETE', `${LINKS}/${rows[0]!.id}`);
  assert.deepEqual(
    [refused.status, (refused.body as { message: string }).message],
    [409, 'Can not delete this because there are dependencies'],
  );
  // No message was queued for this link, but messages of another link left by it.
  const { id } = dataOf<Row>(await listened('POST', LINKS, newLink({ name: 'Stand-in', enabled: false })));
  await owner.query(`INSERT INTO link_state (link_id, state, carried, live) VALUES ($1, 'down', true, '{}')`, [id]);
  assert.equal((await admin('DELETE', `${LINKS}/${id}`)).status, 409);
});

test('learned facts about a carrier are dropped when the link leads elsewhere', async () => {
  const { id } = dataOf<Row>(await listened('POST', LINKS, newLink({ name: 'Learned', enabled: false })));
  const learn = () =>
    owner.query(
      `UPDATE link SET learned_id_rule = 'hex_to_decimal', learned_receipts = 5, learned_at = now() WHERE id = $1`,
      [id],
    );
  await learn();
  const same = dataOf<Row>(await listened('PATCH', `${LINKS}/${id}`, { rate: 10, host: '127.0.0.1' }));
  assert.equal(same.learned_id_rule, 'hex_to_decimal');
  const moved = dataOf<Row>(await listened('PATCH', `${LINKS}/${id}`, { host: 'smsc.example' }));
  assert.equal(moved.learned_id_rule, null);
});

test('tenants cannot see or change links, and read only their names in the database', async () => {
  for (const login of ['reseller', 'corporate', 'department', 'user', 'readonly']) {
    const client = await api.as(login);
    assert.equal((await client('GET', LINKS)).status, 403, login);
    assert.equal((await client('POST', `${LINKS}/test-bind`, {})).status, 403, login);
  }
  const pool = api.database.pool('api');
  const as = async (level: string, text: string) => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(`SELECT set_config('app.level', $1, true)`, [level]);
      return (await client.query(text)).rows;
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  };
  assert.ok((await as('2', 'SELECT id, name FROM link')).length > 0, 'a campaign names its link');
  assert.deepEqual(await as('2', 'SELECT * FROM link_row'), []);
  assert.ok((await as('1', 'SELECT * FROM link_row')).length > 0);
  await assert.rejects(as('0', 'SELECT password_sealed FROM link'), /permission denied/);
  await assert.rejects(as('2', 'SELECT host FROM link'), /permission denied/);
  assert.deepEqual(await as('2', 'SELECT link_password_sealed(min(id)) AS sealed FROM link'), [{ sealed: null }]);
  assert.deepEqual(await as('2', `UPDATE link SET enabled = false RETURNING id`), []);
  await assert.rejects(
    as('2', `INSERT INTO link (name, host, port, system_id) VALUES ('x', 'x', 1, 'x')`),
    /row-level/,
  );
});

test('every fault that a link may report has a text in four languages', () => {
  for (const locale of LOCALES) {
    const said = [...sentencesOf(locale).keys()]
      .filter((key) => key.startsWith('link_fault.'))
      .map((key) => key.slice(11));
    assert.deepEqual(said.sort(), [...LINK_FAULTS, 'other'].sort(), locale);
  }
});
