import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { apiStage, codeOf } from './stage.ts';

const stage = await apiStage({ after });
const PHONE = '639170000088';
type Event = { id: string; kind: string; source: string; wording: string | null; proof: string | null; at: string };

test('a program records consents and reads the history of one person', async () => {
  const { key } = await stage.makeKey({ name: 'consents', as: 'corporate' });
  const call = stage.by(key);
  const history = async () =>
    ((await call('GET', `/v1/consents?number=%2B${PHONE}`)).body as { data: Event[] }).data.map(({ kind, source }) => [
      kind,
      source,
    ]);
  assert.deepEqual(await history(), []);
  const opted = { number: `+${PHONE}`, kind: 'opt_in', wording: 'Offers by SMS', proof: 'https://example.com/club' };
  const { status, body } = await call('POST', '/v1/consents', opted);
  const made = body as Event;
  assert.deepEqual(
    [status, made.kind, made.source, made.wording, made.proof],
    [200, 'opt_in', 'api', opted.wording, opted.proof],
  );
  assert.equal((await call('POST', '/v1/consents', { number: PHONE, kind: 'opt_out' })).status, 200);
  assert.deepEqual(await history(), [
    ['opt_out', 'import'],
    ['opt_in', 'api'],
  ]);
  // The opt-out stands, whatever a program says later.
  await call('POST', '/v1/consents', opted);
  const { status: refused } = await call('POST', '/v1/messages', { from: 'ACME', to: PHONE, text: 'Hello' });
  assert.equal(refused, 422);
  assert.equal(codeOf(await call('POST', '/v1/consents', { ...opted, from: 'NOBODY' })), '422 validation_failed from');
  assert.equal(
    codeOf(await call('POST', '/v1/consents', { ...opted, at: '2099-01-01T00:00:00Z' })),
    '422 validation_failed at',
  );
});

test('the file of one person has all their events, also the retracted ones', async () => {
  const [corporate, stranger] = [await stage.api.as('corporate'), await stage.api.as('corporate@harbor.test')];
  const number = '639170000089';
  const add = async (kind: string, wording: string) => {
    const body = { corporation_id: stage.acme.corporation_id, number, kind, wording };
    const { body: made } = await corporate('POST', '/api/v1/consents', body);
    return (made as { data: { id: number } }).data.id;
  };
  const mistake = await add('opt_in', 'Offers');
  assert.equal((await corporate('DELETE', `/api/v1/consents/${mistake}`)).status, 200);
  const asked = await add('asked', '=News');
  const file = await corporate('GET', `/api/v1/consents/${asked}/history`);
  const [heading, ...lines] = parse(String(file.body), { bom: true }) as string[][];
  assert.deepEqual([heading![0], heading!.at(-1)], ['Time', 'Retracted']);
  assert.deepEqual(
    lines.map((line) => [line[1], line[3], line[6], line.at(-1) !== '']),
    [
      ['Opted in', number, 'Offers', true],
      ['Asked', number, "'=News", false],
    ],
  );
  assert.equal((await stranger('GET', `/api/v1/consents/${asked}/history`)).status, 404);
});

test('a key without the scope records nothing, and a test key sees nothing', async () => {
  const narrow = await stage.makeKey({ name: 'no consents', as: 'corporate', scopes: ['inbound:read'] });
  const event = { number: PHONE, kind: 'opt_in' };
  assert.equal(codeOf(await stage.by(narrow.key)('POST', '/v1/consents', event)), '403 scope_missing');
  const tests = await stage.makeKey({ name: 'tested', as: 'corporate', mode: 'test' });
  assert.deepEqual((await stage.by(tests.key)('GET', `/v1/consents?number=${PHONE}`)).body, { data: [] });
  assert.equal(codeOf(await stage.by(tests.key)('POST', '/v1/consents', event)), '404 not_found');
});
