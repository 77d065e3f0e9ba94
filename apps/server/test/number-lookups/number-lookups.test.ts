import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startEnumServer, startSimulator } from '@heliograph/carrier-simulator';
import { testSend } from '@heliograph/contract/campaigns/quote';
import { codeIn, enumName } from '../../src/modules/number-lookups/drivers/enum.ts';
import { lookUpNumbers } from '../../src/modules/number-lookups/look-up.ts';
import { FAILPOINT_VARIABLE } from '../../src/platform/failpoints.ts';
import { startWorker } from '../../src/processes/worker.ts';
import { dataOf, errorsOf, type Row } from '../answers.ts';
import { startTestApi } from '../test-api.ts';
import { uploadFile } from '../uploads.ts';
import { LOOKUP_PLACE } from './lookup-place.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const database = api.database.db('worker');
const [admin, user, reseller] = await Promise.all([api.as('admin'), api.as('user'), api.as('reseller')]);
const simulator = await startSimulator({ smppPort: 0, httpPort: 0 });
after(() => simulator.stop());

/** Starts an HTTP service that answers with `reply`; its calls are kept. */
async function service(reply: (url: string) => unknown) {
  const calls: { url: string; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    calls.push({ url: request.url!, authorization: request.headers.authorization });
    const body = reply(request.url!);
    if (body !== undefined) response.end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { calls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const PRIVATE = ['127.0.0.1/32'];
const asking = (PRIVATE_TARGETS: string[] = PRIVATE) => ({
  database,
  log: api.log,
  config: { ...api.config, PRIVATE_TARGETS, SIMULATOR_HTTP_PORT: simulator.httpPort },
});
const lookUp = (targets?: string[]) => lookUpNumbers(asking(targets), new AbortController().signal);

/** Adds a source in place of all others, and notes numbers. */
async function only(body: object): Promise<Row> {
  await owner.query('DELETE FROM number_source');
  await owner.query('DELETE FROM number_wanted');
  const made = await admin('POST', '/api/v1/number-sources', { name: 'Lookups', ...body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return dataOf(made);
}
const want = (numbers: readonly string[]) => owner.query('SELECT want_lookups($1)', [numbers]);
const kept = async () =>
  (
    await owner.query<{ said: string }>(
      `SELECT l.msisdn || ' ' || coalesce(n.mnc, CASE WHEN l.dead THEN 'dead' ELSE '?' END) AS said
       FROM number_lookup l LEFT JOIN network n ON n.id = l.network_id ORDER BY 1`,
    )
  ).rows.map(({ said }) => said);
const useOf = async ({ id }: Row) => dataOf(await admin('GET', `/api/v1/number-sources/${id}`));

test('the simulator’s answers are kept, shown and not asked again', async () => {
  const source = await only({ driver: 'simulator', unit_cost: '0.0015' });
  const numbers = ['639171234577', '639171234500', '639171234511'];
  await want(numbers);
  await lookUp();
  assert.deepEqual(await kept(), ['639171234500 dead', '639171234511 ?', '639171234577 66']);
  await want(numbers);
  await lookUp();
  const use = await useOf(source);
  assert.deepEqual([use['lookups_today'], use['answered_today'], use['spend_today']], [3, 3, '0.0045']);
  const said = dataOf<{ by_lookup: { label: string } }>(
    await admin('GET', '/api/v1/networks/explain?number=639171234577'),
  );
  assert.equal(said.by_lookup.label, 'Dito (PH 515-66)');
  await owner.query(`UPDATE number_lookup SET looked_up_at = now() - interval '31 days'`);
  await want(numbers);
  await lookUp();
  assert.equal((await useOf(source))['lookups_today'], 6, 'answers that are too old are asked again');
});

test('a service by HTTP is read by the paths of its fields, in batches', async () => {
  const { url, calls } = await service((path) => ({
    result: {
      list: new URL(path, 'http://x').searchParams
        .get('msisdn')!
        .split(',')
        .map((number) => ({ id: `+${number}`, net: number.endsWith('1') ? '51503' : 51566, status: 7 })),
    },
  }));
  const fields = { batch_size: 2, items_path: 'result.list', number_path: 'id', mcc_path: 'net', state_path: 'status' };
  const address = `${url}/look?msisdn={numbers}`;
  const source = await only({ driver: 'http', url: address, authorization: 'Bearer sesame-seeds', ...fields });
  assert.equal(JSON.stringify(source).includes('sesame'), false);
  await want(['639170000001', '639170000002', '639170000003']);
  await lookUp();
  assert.deepEqual(await kept(), ['639170000001 03', '639170000002 66', '639170000003 66']);
  assert.equal(calls.length, 2);
  assert.equal(calls[0]!.authorization, 'Bearer sesame-seeds');
  const moved = await admin('PATCH', `/api/v1/number-sources/${source.id}`, {
    url: 'https://evil.example.com/{numbers}',
  });
  assert.ok(errorsOf(moved)['authorization'], 'a stored secret goes to no other host');
});

test('an address of a private network is not asked unless the installation allows it', async () => {
  const { url, calls } = await service(() => ({ code: '51503' }));
  await only({ driver: 'http', url: `${url}/{number}`, mcc_path: 'code' });
  await want(['639170000001']);
  await lookUp([]);
  assert.deepEqual([calls.length, await kept()], [0, []]);
  const dns = await startEnumServer();
  after(() => dns.stop());
  await only({ driver: 'enum', server: `127.0.0.1:${dns.port}`, zone: 'e164.example' });
  await want(['639170000077']);
  await lookUp([]);
  assert.deepEqual([dns.queries(), await kept()], [0, []]);
});

test('ENUM is asked by DNS, and a number that is not there is unknown', async () => {
  const dns = await startEnumServer();
  after(() => dns.stop());
  await only({ driver: 'enum', server: `127.0.0.1:${dns.port}`, zone: 'e164.example' });
  await want(['639170000077', '639170000088', '639170000011']);
  await lookUp();
  assert.deepEqual(await kept(), ['639170000011 ?', '639170000077 66', '639170000088 03']);
  assert.equal(enumName('63917', 'e164.arpa'), '7.1.9.3.6.e164.arpa');
  assert.deepEqual(codeIn('!^.*$!sip:+1@mcc310.mnc410.example!'), ['310', '410']);
  assert.equal(codeIn('!^.*$!tel:+1!'), null);
});

test('a file that is loaded tells networks and dead numbers, and names its bad rows', async () => {
  const worker = await startWorker({ config: api.config, log: api.log });
  after(() => worker.stop());
  const { id } = await only({ driver: 'dump' });
  const { upload, refused } = await uploadFile(
    admin,
    `number-sources/bulk?number_source_id=${id}`,
    ['number,mcc,mnc,state', '0917 123 4577,515,66,', '639171234500,,,dead', '639171234511,515,97,', 'x,515,03,'].join(
      '\n',
    ),
  );
  assert.equal(upload.rows_added, 2, JSON.stringify(upload));
  assert.deepEqual(
    refused.map(([line, field]) => [line, field]),
    [
      ['4', 'mcc'],
      ['5', 'number'],
    ],
  );
  assert.deepEqual(await kept(), ['639171234500 dead', '639171234577 66']);
});

test('two at once never exceed a budget of lookups or of money', async () => {
  for (const [budget, most] of [
    [{ daily_lookups: 150 }, 150],
    [{ daily_spend: '0.1', unit_cost: '0.0015' }, 66],
  ] as const) {
    const { url, calls } = await service(() => ({ code: '51503' }));
    const source = await only({ driver: 'http', url: `${url}/{number}`, mcc_path: 'code', ...budget });
    await want(Array.from({ length: 400 }, (_, i) => String(639_170_000_000 + i)));
    await owner.query(`UPDATE number_wanted SET wanted_at = now() - random() * interval '1 h'`);
    await Promise.all([lookUp(), lookUp(), lookUp()]);
    assert.equal(calls.length, most);
    assert.equal((await useOf(source))['lookups_today'], most);
  }
});

test('a kill after a budget was taken leads to no more calls than it allows', async () => {
  const { url, calls } = await service(() => ({ code: '51503' }));
  const source = await only({ driver: 'http', url: `${url}/{number}`, mcc_path: 'code', daily_lookups: 10 });
  const numbers = Array.from({ length: 20 }, (_, i) => String(639_170_000_000 + i));
  await want(numbers);
  const child = spawn(process.execPath, [join(import.meta.dirname, 'look-up-child.ts')], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      DATABASE_URL: api.database.url,
      DATA_DIR: api.config.DATA_DIR,
      PRIVATE_TARGETS: PRIVATE.join(),
      [FAILPOINT_VARIABLE]: `${LOOKUP_PLACE}:2`,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [, signal] = await once(child, 'exit');
  assert.equal(signal, 'SIGKILL');
  await want(numbers);
  await lookUp();
  assert.ok(calls.length < 10 && calls.length > 0, String(calls.length));
  assert.equal((await useOf(source))['lookups_today'], 10);
});

test('a message takes the network that is known, and waits for no lookup', async () => {
  const { url } = await service(() => undefined);
  await only({ driver: 'http', url: `${url}/{number}`, mcc_path: 'code' });
  const { rows } = await owner.query<{ id: number }>(
    `SELECT s.id FROM sender_id s JOIN corporation c ON c.id = s.corporation_id WHERE c.name = 'Acme Retail' ORDER BY s.id LIMIT 1`,
  );
  const send = async (number: string) => {
    const body = { sender_id: rows[0]!.id, content: 'Hello', defaults: {}, flash: false, sms_validity: 1, number };
    const answer = await user('POST', testSend.path, body);
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    const { message_id } = dataOf<{ message_id: number }>(answer);
    const message = dataOf(await user('GET', `/api/v1/messages/${message_id}`));
    const chunk = await owner.query<{ ported: number[] | null }>(
      'SELECT ported FROM chunk WHERE id = $1::bigint >> 10',
      [message_id],
    );
    return [message['network'], chunk.rows[0]!.ported];
  };
  const globe = { label: 'Globe (PH 515-02)', ported: false };
  assert.deepEqual(await send('639171234577'), [globe, null], 'the service never answers');
  const dito = await api.database.one(`SELECT id FROM network WHERE mcc = '515' AND mnc = '66'`);
  const at = await api.database.one(`SELECT id FROM network WHERE mcc = '515' AND mnc = '02'`);
  await owner.query(
    `INSERT INTO number_lookup (msisdn, number_source_id, network_id) SELECT m.msisdn, s.id, m.network
     FROM number_source s, (VALUES ('639171234577', $1::bigint), ('639171234588', $2::bigint)) m(msisdn, network)`,
    [dito, at],
  );
  assert.deepEqual(await send('639171234577'), [{ label: 'Dito (PH 515-66)', ported: true }, [0, dito]]);
  assert.deepEqual(await send('639171234588'), [globe, null], 'a lookup that agrees with the prefix costs nothing');
});

test('only the platform sees the services and their costs', async () => {
  assert.equal((await reseller('GET', '/api/v1/number-sources')).status, 403);
  assert.equal((await user('POST', '/api/v1/number-sources/ask', { number: '639171234577' })).status, 403);
});
