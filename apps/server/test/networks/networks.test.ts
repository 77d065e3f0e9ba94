import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startWorker } from '../../src/processes/worker.ts';
import { codeOf, dataOf, errorsOf, rowsOf } from '../answers.ts';
import { startTestApi } from '../test-api.ts';
import { uploadFile } from '../uploads.ts';

const api = await startTestApi({ after });
const worker = await startWorker({ config: api.config, log: api.log });
after(() => worker.stop());
const [admin, reseller] = await Promise.all([api.as('admin'), api.as('reseller')]);

const networkOf = async (number: string) => {
  const answer = await admin('GET', `/api/v1/networks/explain?number=${number}`);
  return dataOf<{ by_prefix: { label: string; prefix: string } | null }>(answer).by_prefix;
};
const named = async (name: string) =>
  rowsOf(await admin('GET', `/api/v1/networks?search=${encodeURIComponent(`${name} (PH`)}`))[0]!;
const versions = async () => rowsOf(await admin('GET', '/api/v1/network-versions?limit=5'));

test('a network is kept with its prefixes, and a prefix that another has is refused', async () => {
  const body = { name: 'Isla Mobile', country: 'ph', mcc: '515', mnc: '77', prefixes: ['639990', '639991'] };
  const made = await admin('POST', '/api/v1/networks', body);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id } = dataOf(made);
  assert.equal((await networkOf('639990123456'))?.label, 'Isla Mobile (PH 515-77)');
  const taken = await admin('PATCH', `/api/v1/networks/${id}`, { prefixes: ['639990', '63917'] });
  assert.equal(taken.status, 422);
  assert.ok(errorsOf(taken)['prefixes']);
  assert.equal(
    codeOf(await admin('POST', '/api/v1/networks', { ...body, mnc: '78', name: 'ISLA mobile' })),
    'network_already_exists',
  );
  assert.equal(
    codeOf(await admin('POST', '/api/v1/networks', { ...body, prefixes: [], name: 'Other' })),
    'network_code_taken',
  );
  assert.ok(errorsOf(await admin('PATCH', `/api/v1/networks/${id}`, { mnc: null }))['mnc']);
  assert.equal(codeOf(await admin('DELETE', `/api/v1/networks/${(await named('Globe')).id}`)), 'has_dependencies');
});

test('a file moves prefixes as one version, and the version before can be restored', async () => {
  const [last] = await versions();
  const { upload, refused } = await uploadFile(
    admin,
    'networks/bulk',
    [
      'country,mcc,mnc,name,prefix',
      ',515,3,,63917 +63926',
      'PH,,,Palma Tel,639992',
      ',515,99,,639993',
      'Phil,,,X,639994',
      'PH,,,Palma Tel,0917',
    ].join('\n'),
  );
  assert.equal(upload.state, 'done');
  assert.equal(upload.rows_added, 2);
  assert.deepEqual(
    refused.map(([line, field]) => [line, field]),
    [
      ['4', 'name'],
      ['5', 'country'],
      ['6', 'prefix'],
    ],
  );
  assert.equal((await networkOf('639171234567'))?.label, 'Smart (PH 515-03)');
  assert.equal((await networkOf('639261234567'))?.label, 'Smart (PH 515-03)');
  assert.equal((await networkOf('639992234567'))?.label, 'Palma Tel (PH)');
  const [now] = await versions();
  assert.equal(now!.id, last!.id + 1);
  assert.deepEqual([now!['source'], now!['added'], now!['removed']], ['upload', 3, 2]);
  const restored = await admin('POST', `/api/v1/network-versions/${last!.id}/restore`);
  assert.equal(restored.status, 200, JSON.stringify(restored.body));
  assert.equal((await networkOf('639171234567'))?.label, 'Globe (PH 515-02)');
  assert.equal((await networkOf('639992234567'))?.label, 'Smart (PH 515-03)');
  assert.equal((await versions())[0]!.id, last!.id + 2);
});

test('a route that names a network takes the numbers of that network', async () => {
  const { id } = await named('Smart');
  const { rows } = await api.database
    .pool('owner')
    .query<{ id: number }>(
      `INSERT INTO link (name, host, port, system_id) VALUES ('Smart only', '127.0.0.1', 9, 'x') RETURNING id`,
    );
  const route = { name: 'To Smart', network_id: id, links: [{ link_id: rows[0]!.id, position: 1, weight: 1 }] };
  const made = await admin('POST', '/api/v1/carrier-routes', route);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.equal(dataOf(made)['network_name'], 'Smart (PH 515-03)');
  const routeOf = async (number: string) =>
    dataOf<{ route: { name: string } | null; rules: { name: string; verdict: string }[] }>(
      await admin('GET', `/api/v1/carrier-routes/explain?number=${number}`),
    );
  assert.equal((await routeOf('639181234567')).route?.name, 'To Smart');
  const other = await routeOf('639171234567');
  assert.notEqual(other.route?.name, 'To Smart');
  assert.equal(other.rules.find(({ name }) => name === 'To Smart')?.verdict, 'network');
  await admin('PATCH', `/api/v1/networks/${id}`, { prefixes: ['63918', '639171'] }).then(({ status, body }) =>
    assert.equal(status, 200, JSON.stringify(body)),
  );
  assert.equal((await routeOf('639171234567')).route?.name, 'To Smart', 'a changed prefix counts for the next message');
});

test('only the platform changes networks', async () => {
  assert.equal((await reseller('GET', '/api/v1/networks')).status, 403);
  assert.equal((await reseller('POST', '/api/v1/network-versions/1/restore')).status, 403);
});
