import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { startProcess } from '../operate/running.ts';
import { type Client, startTestApi } from '../test-api.ts';

// A worker is killed (kill -9) in the middle of an import, the check of a rate card and an export. Another worker
// continues all three as soon as PostgreSQL has noticed it, and nothing is there twice.

const NUMBERS = 30_000;
const RATES = 4_000;

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const settings = { LOG_LEVEL: 'warn', DATA_DIR: api.config.DATA_DIR };
const [corporate, admin] = await Promise.all([api.as('corporate'), api.as('superadmin')]);

type Row = { id: number } & Record<string, unknown>;
async function asked(client: Client, path: string, body: object): Promise<Row> {
  const answer = await client('POST', `/api/v1/${path}`, body);
  assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return (answer.body as { data: Row }).data;
}
const one = async <T>(text: string, values: unknown[] = []) => (await owner.query(text, values)).rows[0] as T;
const fileOf = (name: string, lines: readonly string[]): FormData => {
  const form = new FormData();
  form.append('file', new Blob([lines.join('\n')]), name);
  return form;
};
const numberAt = (place: number) => `63917${String(place).padStart(7, '0')}`;
const places = Array.from({ length: NUMBERS }, (_, place) => place);

test('another worker continues an import, a card and an export of a killed one', async (t) => {
  const acme = await one<{ corporation_id: number; department_id: number }>(
    `SELECT d.corporation_id, d.id AS department_id FROM department d JOIN corporation c ON c.id = d.corporation_id
     WHERE c.name = 'Acme Retail' ORDER BY d.id LIMIT 1`,
  );
  const [filled, empty] = [
    await asked(corporate, 'number-lists', { ...acme, name: 'Filled' }),
    await asked(corporate, 'number-lists', { ...acme, name: 'Empty' }),
  ];
  await owner.query('INSERT INTO number_list_number (number_list_id, number) SELECT $1, unnest($2::text[])', [
    filled.id,
    places.map(numberAt),
  ]);
  const plan = await one<{ id: number }>('SELECT id FROM price_plan ORDER BY id LIMIT 1');
  const zone = await one<{ name: string }>('SELECT name FROM rate_zone ORDER BY id LIMIT 1');
  const first = await startProcess({ after }, 'worker', api.database.url, settings);

  // A lock holds all three in the middle of their work.
  const holder = await owner.connect();
  await holder.query('BEGIN; LOCK TABLE number_list_number, card_upload_row IN ACCESS EXCLUSIVE MODE');
  const numbers = await asked(
    corporate,
    `number-lists/${empty.id}/imports`,
    fileOf('numbers.csv', ['number', ...places.map(numberAt)]),
  );
  const card = await asked(
    admin,
    `price-plans/${plan.id}/card-uploads`,
    fileOf('card.csv', [
      'zone,prefix,charge,starts_on',
      ...places.slice(0, RATES).map((place) => `${zone.name},${100_000 + place},0.25,2030-01-01`),
    ]),
  );
  const file = await asked(corporate, `number-lists/${filled.id}/exports`, {});
  const running = async (retry: number) =>
    Number(
      (
        await one<{ n: string }>(
          `SELECT count(*) AS n FROM jobs.job WHERE state = 'active' AND retry_count = $1 AND output ? 'held_by'
             AND name IN ('import-numbers', 'check-card', 'export-numbers')`,
          [retry],
        )
      ).n,
    );
  const waiting = async () =>
    Number(
      (
        await one<{ n: string }>(
          `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND application_name = 'heliograph worker'`,
        )
      ).n,
    );
  await until('the worker is at all three', async () => (await running(0)) === 3 && (await waiting()) === 3);
  const second = await startProcess({ after }, 'worker', api.database.url, settings);
  first.child.kill('SIGKILL');
  const killed = performance.now();
  await until('the other worker is at all three', async () => (await running(1)) === 3);
  t.diagnostic(`the other worker was at all three ${Math.round(performance.now() - killed)} ms after the kill`);
  await holder.query('COMMIT');
  holder.release();

  await until('the import has ended', async () => {
    const row = await one<{ finished_at: string | null }>('SELECT finished_at FROM import WHERE id = $1', [numbers.id]);
    return row.finished_at !== null;
  });
  await until('the card has been checked', async () => {
    const { state } = await one<{ state: string }>('SELECT state FROM card_upload WHERE id = $1', [card.id]);
    return state !== 'checking';
  });
  await until('the export has ended', async () => {
    const { state } = await one<{ state: string }>('SELECT state FROM download WHERE id = $1', [file.id]);
    return state === 'done';
  });
  assert.deepEqual(
    await one(
      `SELECT i.state, i.rows_added, i.rows_duplicate, l.numbers_count,
         (SELECT count(*)::integer FROM number_list_number n WHERE n.number_list_id = l.id) AS numbers
       FROM import i JOIN number_list l ON l.id = i.number_list_id WHERE i.id = $1`,
      [numbers.id],
    ),
    { state: 'done', rows_added: NUMBERS, rows_duplicate: 0, numbers_count: NUMBERS, numbers: NUMBERS },
  );
  assert.deepEqual(
    await one(
      `SELECT state, rows_read, rows_new, rows_rejected,
         (SELECT count(*)::integer FROM card_upload_row r WHERE r.card_upload_id = u.id) AS staged
       FROM card_upload u WHERE id = $1`,
      [card.id],
    ),
    { state: 'ready', rows_read: RATES, rows_new: RATES, rows_rejected: 0, staged: RATES },
  );
  const opened = await corporate('GET', `/api/v1/queue-download-unread-file/${file.id}`);
  const downloaded = await corporate('GET', (opened.body as { data: { path: string } }).data.path);
  const lines = String(downloaded.body).trim().split(/\r?\n/).slice(1);
  assert.deepEqual([lines.length, new Set(lines).size], [NUMBERS, NUMBERS]);
  assert.equal(second.output().match(/job taken over from a dead worker/g)?.length, 3);
});
