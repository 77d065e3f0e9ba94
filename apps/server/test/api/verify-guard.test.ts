import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { codeOf } from './stage.ts';
import { verifyStage } from './verify-stage.ts';

const s = await verifyStage({ after });
const corporate = await s.api.as('corporate');
let block = 0;
/** Returns a number in 10,000 numbers of its own. */
const apart = () => `63918${String(++block).padStart(3, '0')}1234`;
const attempt = (service: string, to: string, more: object = {}) =>
  s.call('POST', '/v1/verifications', { service, to, ...more });
const decisions = async (service: string) => {
  const { rows } = await s.owner.query(`SELECT decision, signals FROM verification WHERE service_id = $1 ORDER BY id`, [
    service,
  ]);
  return rows as { decision: string; signals: { signal: string; figure: number; limit: number; reason: string }[] }[];
};

/** Starts to which one signal must say no, by the signal; the last one is refused. */
const ATTACKS = {
  number: (service: string) => {
    const number = apart();
    return [1, 2, 3].map(() => () => attempt(service, number));
  },
  address: (service: string) => [1, 2, 3].map(() => () => attempt(service, apart(), { client_ip: '203.0.113.7' })),
  device: (service: string) => [1, 2, 3].map(() => () => attempt(service, apart(), { device: 'phone-1' })),
  block: (service: string) => {
    const number = apart().slice(0, -2);
    return ['01', '02', '03'].map((end) => () => attempt(service, number + end));
  },
} as const;

for (const [signal, starts] of Object.entries(ATTACKS))
  test(`too many starts are refused by ${signal}, and tell figure and limit`, async () => {
    const service = await s.service({ guard: 'enforce', [`${signal}_limit`]: 2 });
    const answers = [];
    for (const start of starts(service)) answers.push(codeOf(await start()));
    assert.deepEqual(answers, ['202', '202', '403 verification_refused']);
    assert.deepEqual((await decisions(service)).at(-1), {
      decision: 'refused',
      signals: [{ signal, figure: 3, limit: 2, reason: null }],
    });
  });

test('a refused start costs nothing, and shadow mode sends what it would refuse', async () => {
  const service = await s.service({ guard: 'shadow', device_limit: 1 });
  const balance = async () =>
    (
      await s.one<{ credit_balance: number }>(
        'SELECT sum(credit_balance)::bigint AS credit_balance FROM billing_account WHERE corporation_id = $1',
        [s.acme.corporation_id],
      )
    ).credit_balance;
  const device = 'phone-2';
  const first = await s.start(service, apart(), { device });
  const second = await s.start(service, apart(), { device });
  assert.deepEqual(
    (await decisions(service)).map(({ decision }) => decision),
    ['allowed', 'would_refuse'],
  );
  await s.check(second.id, await s.codeOn(second.to));
  const read = async () => {
    const { body } = await corporate('GET', `/api/v1/verify-services/${service}/guard`);
    return (body as { data: Record<string, unknown> }).data;
  };
  const report = await read();
  assert.deepEqual([report['starts'], report['approved']], [2, 1]);
  assert.deepEqual(report['would_refuse'], { starts: 1, approved: 1, saved: second.price });
  assert.deepEqual(report['signals'], [{ signal: 'device', starts: 1, approved: 1, saved: second.price }]);
  assert.equal((await corporate('PATCH', `/api/v1/verify-services/${service}`, { guard: 'enforce' })).status, 200);
  await s.until(async () => codeOf(await attempt(service, apart(), { device: 'other' })) === '202');
  await new Promise((resolve) => setTimeout(resolve, 900));
  const before = await balance();
  assert.equal(codeOf(await attempt(service, apart(), { device })), '403 verification_refused');
  assert.equal(await balance(), before);
  assert.deepEqual((await read())['refused'], { starts: 1, approved: 0, saved: first.price });
});

test('people who enter their codes never fill the window of their address', async () => {
  const service = await s.service({ guard: 'enforce', address_limit: 1 });
  for (let person = 0; person < 3; person++) {
    const { id, to } = await s.start(service, apart(), { client_ip: '2001:db8::1' });
    await s.check(id, await s.codeOn(to));
  }
  assert.equal(codeOf(await attempt(service, apart(), { client_ip: '2001:db8::2' })), '202');
  // One home has all addresses of its /64.
  assert.equal(codeOf(await attempt(service, apart(), { client_ip: '2001:0db8:0::ffff' })), '403 verification_refused');
});

test('starts at the same time count each other', async () => {
  const service = await s.service({ guard: 'enforce', device_limit: 4 });
  const answers = await Promise.all(Array.from({ length: 60 }, () => attempt(service, apart(), { device: 'burst' })));
  const sent = answers.filter(({ status }) => status === 202).length;
  // Transactions that run at the same moment do not see each other, and each holds many starts.
  assert.ok(sent >= 4 && sent <= 20, `${sent} were sent`);
});

test('a prefix whose codes nobody enters is refused by the history of the service', async () => {
  const service = await s.service({ guard: 'enforce', block_limit: 100 });
  await s.owner.query(
    `INSERT INTO verify_prefix VALUES ($1, $2, '', 0, 0, 0, 0, 0, 1000, 800, now()), ($1, $2, '63919555', 0, 0, 0, 8.5, 0, 8.5, 0, now())`,
    [service, s.acme.corporation_id],
  );
  assert.equal(codeOf(await attempt(service, '639195550102')), '403 verification_refused');
  assert.equal(codeOf(await attempt(service, '639285550102')), '202');
  const [signal] = (await decisions(service))[0]!.signals;
  assert.deepEqual([signal!.signal, signal!.limit], ['conversion', 80]);
});

test('a prefix far above its own history is refused, one with a history is not', async () => {
  const service = await s.service({ guard: 'enforce', block_limit: 100 });
  await s.owner.query(
    `INSERT INTO verify_prefix VALUES ($1, $2, '63919666', 0, 20, 0, 20, 0, 20, 0, now()),
       ($1, $2, '63919667', 0, 20, 0, 20, 0, 20000, 15000, now())`,
    [service, s.acme.corporation_id],
  );
  assert.equal(codeOf(await attempt(service, '639196660001')), '403 verification_refused');
  assert.equal((await decisions(service)).at(-1)!.signals[0]!.signal, 'prefix');
  assert.equal(codeOf(await attempt(service, '639196670001')), '202');
});

test('a reputation list refuses numbers and networks with its reason', async () => {
  const service = await s.service({ guard: 'enforce' });
  const path = `/api/v1/verify-services/${service}/reputation`;
  const lines = '+6391977,Sold in bulk\n198.51.100.0/24, Proxy\n2001:db8:1::/48,Data center\n';
  assert.equal((await corporate('PUT', path, { lines })).status, 200);
  assert.deepEqual((await corporate('GET', path)).body, {
    data: { lines: '198.51.100.0/24,Proxy\n2001:db8:1::/48,Data center\n6391977,Sold in bulk\n' },
  });
  await new Promise((resolve) => setTimeout(resolve, 900));
  for (const [to, more] of [
    ['639197712345', {}],
    [apart(), { client_ip: '198.51.100.9' }],
    [apart(), { client_ip: '2001:db8:1:5::9' }],
  ] as const)
    assert.equal(codeOf(await attempt(service, to, more)), '403 verification_refused');
  const reasons = (await decisions(service)).map(({ signals }) => signals[0]!.reason);
  assert.deepEqual(reasons, ['Sold in bulk', 'Proxy', 'Data center']);
  for (const [bad, line] of [
    ['12,Short', 1],
    ['63917,Good\n63918', 2],
    ['10.0.0.0/8,Wide', 1],
  ] as const) {
    const { status, body } = await corporate('PUT', path, { lines: bad });
    assert.deepEqual([status, JSON.stringify(body).includes(`Line ${line}`)], [422, true]);
  }
});

test('counters hold digests, and no number, address or device', async () => {
  const service = await s.service();
  await s.start(service, apart(), { client_ip: '203.0.113.99', device: 'telltale' });
  const { rows } = await s.owner.query('SELECT c::text AS row FROM verify_counter c WHERE service_id = $1', [service]);
  assert.equal(rows.length, 4);
  assert.ok(rows.every(({ row }) => !/203\.0|telltale/.test(row)));
});

test('what the guard has counted goes with its service, and that of others stays', async () => {
  const [gone, stays] = [await s.service(), await s.service()];
  for (const service of [gone, stays]) await s.start(service, apart());
  await s.owner.query('DELETE FROM verification WHERE service_id = $1', [gone]);
  await s.owner.query('DELETE FROM verify_service WHERE id = $1', [gone]);
  const { rows } = await s.owner.query(
    `SELECT service_id::text AS service, count(*)::integer AS n FROM (SELECT service_id FROM verify_counter
       UNION ALL SELECT service_id FROM verify_prefix) c WHERE service_id = ANY ($1) GROUP BY 1`,
    [[gone, stays]],
  );
  assert.deepEqual(rows, [{ service: stays, n: 6 }]);
});
