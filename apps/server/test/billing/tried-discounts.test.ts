import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import type { showTrial } from '@heliograph/contract/billing/price-trial';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { closeMonths, postTransfers, reserve } from '#modules/billing';
import { filePath } from '#platform/files/files';
import { createLogger } from '#platform/log';
import { runTrial } from '../../src/modules/billing/price-trials.ts';
import { trial } from '../../src/modules/billing/try-prices.ts';
import { randomFrom } from '../margins/made-month.ts';
import { makeSellerStage, one } from './seller-stage.ts';
import type { Body } from './stage.ts';

const stage = await makeSellerStage({ after });
const { owner, tenant, callers, clock, home, beacon, wholesale, retail } = stage;
const pool = home.pool('owner');
const worker = { database: home.db('worker'), clock };
/** Moment at which the last 30 days are the whole of September in Manila. */
const OCTOBER = '2026-10-01T02:00:00Z';

interface Account {
  id: number;
  corporation_id: number;
  zone: string;
}
interface Sent {
  account: number;
  at: string;
  price: number;
}
const sent: Sent[] = [];

async function makeAccount(name: string, zone: string): Promise<Account> {
  const corporation = { name, timezone: zone, reseller_id: beacon.id };
  const { id: corporation_id } = await one(owner.insertInto('corporation').values(corporation).returning('id'));
  const account = { corporation_id, name: `${name} account`, key: name, price_plan_id: retail.id };
  const { id } = await one(
    owner
      .insertInto('billing_account')
      .values({ ...account, credit_limit: 100_000_000, created_at: '2026-01-01T00:00:00Z' })
      .returning('id'),
  );
  return { id, corporation_id, zone };
}

/** Stores messages of one part that a carrier accepted, and charges them. */
async function send({ id, corporation_id }: Account, at: string, count: number, price: number): Promise<void> {
  const day = Math.floor(Date.parse(at) / 86_400_000);
  await pool.query('SELECT ensure_partitions($1::date, $1::date)', [at.slice(0, 10)]);
  const chunk = await pool.query<{ id: number }>(
    `INSERT INTO chunk (id, corporation_id, billing_account_id, reseller_account_id, reseller_corporation_id, reseller_unit_price, reseller_charge_on_delivery, link_id,
       class, sender_id, common_text, size, cursor, state, settled, created_at)
     SELECT ($1::bigint << 28) | nextval('chunk_sequence'), $2, $3, b.id, b.corporation_id, 100, false, (SELECT min(id) FROM link), 'bulk', 'Lamp',
       'Text', $4, $4, 'done', true, $5 FROM billing_account b WHERE b.corporation_id = $6 RETURNING id`,
    [day, corporation_id, id, count, at, beacon.id],
  );
  await pool.query(
    `WITH made AS (INSERT INTO message (id, corporation_id, unit_price, parts, unicode, msisdn)
       SELECT ($1::bigint << 10) + n, $2, $3, 1, false, 639170000000 + n FROM generate_series(0, $4 - 1) AS n RETURNING id)
     INSERT INTO submission (message_id, part, corporation_id, link_id, command_status, carrier_id, answered_at)
     SELECT id, 1, $2, (SELECT min(id) FROM link), 0, 'x', $5 FROM made`,
    [chunk.rows[0]!.id, corporation_id, price, count, at],
  );
  const entry = { billing_account_id: id, corporation_id, amount: count * price, created_at: at };
  if (price > 0)
    await owner.transaction().execute(async (db) => {
      await reserve(db, { ...entry, key: `r${chunk.rows[0]!.id}` });
      await postTransfers(db, [{ ...entry, key: `c${chunk.rows[0]!.id}`, kind: 'charge' }]);
    });
  sent.push(...Array.from({ length: count }, () => ({ account: id, at, price })));
}

const discount = (more: object) =>
  owner
    .insertInto('volume_discount')
    .values({
      ...{ corporation_id: beacon.id, name: 'Plan', measure: 'parts', applies: 'step', first_month: '2026-08-01' },
      ...{ tiers: '[[50,1000],[120,2250]]', price_plan_id: retail.id },
      ...more,
    })
    .execute();

/** Recomputes a discount of steps, part by part, in ten-thousandths of a thousandth of a part. */
function bySteps(parts: number, charged: number, tiers: readonly (readonly [number, number])[]): number {
  let percents = 0n;
  for (let part = 0; part < parts; part++) percents += BigInt(tiers.filter(([from]) => part >= from).at(-1)?.[1] ?? 0);
  const [exact, whole] = [percents * BigInt(charged), BigInt(parts) * 10_000n];
  return parts === 0 ? 0 : Number((exact + whole / 2n) / whole);
}

const monthOf = ({ at }: Sent, zone: string) =>
  new Intl.DateTimeFormat('sv-SE', { year: 'numeric', month: '2-digit', timeZone: zone }).format(new Date(at));

await owner.updateTable('corporation').set({ timezone: 'Asia/Manila' }).where('id', '=', beacon.id).execute();
const manila = await makeAccount('Manila', 'Asia/Manila');
const york = await makeAccount('York', 'America/New_York');
const own = await makeAccount('Own', 'Asia/Manila');
await discount({});
await discount({
  ...{ name: 'For Own', price_plan_id: null, billing_account_id: own.id },
  ...{ measure: 'amount', applies: 'all', tiers: '[[1,700]]' },
});
const random = randomFrom(85);
for (const account of [manila, york, own])
  for (let day = 1; day <= 30; day += 3) {
    const at = `2026-09-${String(day).padStart(2, '0')}T0${random(8)}:30:00Z`;
    await send(account, at, 5 + random(20), random(4) ? 300 + random(700) : 0);
  }
// The clock of New York is still in August.
await send(york, '2026-09-01T03:30:00Z', 60, 777);
// Just before the period, and just after it.
await send(manila, '2026-08-31T15:59:00Z', 7, 999);
await send(manila, '2026-09-30T16:01:00Z', 7, 999);

const tried = (now: string) =>
  trial(
    worker.database,
    { price_plan_id: retail.id, card_upload_id: null, rule: null },
    new Date(now),
    async () => undefined,
  );

test('a trial’s discounts are exact, and for whole months those of the ledger', async () => {
  const { discounts, lines, from, to } = await tried(OCTOBER);
  assert.deepEqual([from, to], ['2026-09-01', '2026-09-30']);
  const found = new Map(discounts.map((row) => [`${row.corporation_name} ${row.month.slice(0, 7)}`, row]));
  assert.deepEqual([...found.keys()].sort(), ['Manila 2026-09', 'Own 2026-09', 'York 2026-08', 'York 2026-09']);
  const inPeriod = sent.filter(({ at }) => at >= '2026-08-31T16:00' && at < '2026-09-30T16:00');
  for (const [name, { id, zone }] of Object.entries({ Manila: manila, York: york, Own: own }))
    for (const month of ['2026-08', '2026-09']) {
      const row = found.get(`${name} ${month}`);
      const messages = inPeriod.filter((each) => each.account === id && monthOf(each, zone) === month);
      if (!row) {
        assert.equal(messages.length, 0, `${name} ${month}`);
        continue;
      }
      const parts = messages.filter(({ price }) => price > 0).length;
      const charged = messages.reduce((sum, { price }) => sum + price, 0);
      assert.deepEqual([row.parts, row.charged, row.parts_tried], [parts, charged, messages.length]);
      // All numbers have the plan's default charge.
      assert.equal(row.tried, messages.length * 900);
      assert.equal(row.whole, name !== 'York', name);
      const steps = [
        [50, 1_000],
        [120, 2_250],
      ] as const;
      const expected = (of: number, sum: number) =>
        name === 'Own' ? Number((BigInt(sum) * 700n + 5_000n) / 10_000n) : bySteps(of, sum, steps);
      assert.deepEqual(
        [row.discount, row.discount_tried, row.terms],
        [expected(parts, charged), expected(messages.length, row.tried), name === 'Own' ? 'For Own' : 'Plan'],
        `${name} ${month}`,
      );
    }
  assert.ok(found.get('Manila 2026-09')!.discount > 0 && found.get('York 2026-08')!.discount > 0);
  assert.equal(
    lines.reduce((sum, { charged }) => sum + charged, 0),
    discounts.reduce((sum, { charged }) => sum + charged, 0),
    'every charge of the traffic is in one month of one account',
  );
  clock.set('2026-10-02T06:00:00Z');
  await closeMonths(worker);
  for (const name of ['Manila', 'Own']) {
    const { discount, billing_account_id } = found.get(`${name} 2026-09`)!;
    const { amount } = await one(
      owner
        .selectFrom('ledger_transfer')
        .select('amount')
        .where('key', '=', `discount:${billing_account_id}:2026-09-01`),
    );
    assert.equal(amount, discount, `${name}: as the ledger posted it`);
  }
});

test('tried prices have the terms that begin last, charges those of their month', async () => {
  await discount({ name: 'Next', first_month: '2026-12-01', applies: 'all', tiers: '[[1,5000]]', measure: 'amount' });
  const { discounts } = await tried(OCTOBER);
  const terms = Object.fromEntries(
    discounts.map((row) => [`${row.corporation_name} ${row.month.slice(0, 7)}`, [row.terms, row.terms_tried]]),
  );
  assert.deepEqual(terms, {
    'Manila 2026-09': ['Plan', 'Next'],
    'York 2026-08': ['Plan', 'Next'],
    'York 2026-09': ['Plan', 'Next'],
    'Own 2026-09': ['For Own', 'For Own'],
  });
  const row = discounts.find(({ corporation_name }) => corporation_name === 'Manila')!;
  assert.equal(row.discount_tried, Math.round(row.tried / 2));
});

test('screen and file have the same discounts, and only the seller sees them', async () => {
  clock.set(OCTOBER);
  const path = `/api/v1/price-plans/${retail.id}/trial`;
  const { status, body } = await stage.call<Body>('beacon', 'POST', path, {});
  assert.equal(status, 202);
  const { config } = stage;
  const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  const seller = { ...callers.get('beacon')!, user_id: tenant.user_id };
  await runTrial({ ...worker, config, log }, async () => seller, body.data.id, new AbortController().signal);
  const shown = await stage.call<ReplyOf<typeof showTrial>>('beacon', 'GET', path);
  const { discounts, margin, margin_tried } = shown.body.data!;
  const sum = (field: 'discount' | 'discount_tried' | 'discount_change') =>
    discounts!.lines.reduce((all, line) => all + Math.round(Number(line[field]) * 1_000), 0);
  const thousandths = (amount: string) => Math.round(Number(amount) * 1_000);
  for (const field of ['discount', 'discount_tried', 'discount_change'] as const)
    assert.equal(thousandths(discounts![field]), sum(field), field);
  assert.equal(thousandths(discounts!.net), thousandths(margin) - sum('discount'));
  assert.equal(thousandths(discounts!.net_tried), thousandths(margin_tried) - sum('discount_tried'));
  const { file_path } = await one(owner.selectFrom('task').select('file_path').where('id', '=', body.data.id));
  const [head, ...rows] = readFileSync(filePath(config, file_path!), 'utf8').trim().split(/\r?\n/);
  const heads = head!.replace(/^\uFEFF/, '').split(',');
  const column = (name: string) =>
    rows.reduce((all, row) => all + Math.round(Number(row.split(',')[heads.indexOf(name)] ?? NaN) * 1_000), 0);
  assert.equal(column('Volume discount'), sum('discount'));
  assert.equal(column('Difference of the discounts'), sum('discount_change'));
  assert.equal(column('Charged'), thousandths(shown.body.data!.charged), 'no sum counts twice');
  assert.equal((await stage.call('boss', 'GET', path)).status, 404);
  // A worker of the release before replaces the trial, and does not know its discounts.
  await owner.updateTable('price_trial').set({ made_at: '2026-10-01T03:00:00Z' }).execute();
  const stale = await stage.call<ReplyOf<typeof showTrial>>('beacon', 'GET', path);
  assert.equal(stale.body.data!.discounts, null);
  assert.equal((await stage.call('beacon', 'GET', `/api/v1/price-plans/${wholesale.id}/trial`)).status, 403);
});
