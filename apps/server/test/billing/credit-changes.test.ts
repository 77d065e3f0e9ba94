import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { pay, postTransfers, reserve } from '#modules/billing';
import { moneyAccount } from './money-account.ts';

const { stage, owner, clock, of, running } = await moneyAccount({ after });

beforeEach(() => clock.set(null));

test('the settlements of a campaign are one row per quarter of an hour', async () => {
  const campaign_id = await running('639170000003,639170000004,639170000005,639170000006');
  const at = (time: string, key: string, kind: 'charge' | 'release', amount: number) => ({
    ...of,
    key,
    kind,
    amount,
    campaign_id,
    created_at: `2026-05-01T${time}Z`,
  });
  for (const batch of [
    [at('10:00:00', 'b1', 'charge', 350), at('10:00:00', 'b1r', 'release', 50)],
    [at('10:59:59', 'b2', 'charge', 350)],
    [at('11:00:00', 'b3', 'charge', 350), at('11:00:01', 'b4', 'charge', 300)],
  ])
    await owner.transaction().execute((db) => postTransfers(db, batch));
  type Page = {
    data: {
      id: number;
      kind: string;
      amount: string;
      transfers: number;
      user_name: string | null;
      campaign_name: string;
      balance_after: string;
    }[];
  };
  const { body } = await stage.call<Page>('boss', 'GET', `/api/v1/credit-changes?campaign_id=${campaign_id}`);
  assert.deepEqual(
    body.data.map(({ kind, amount, transfers, user_name, campaign_name }) => [
      kind,
      amount,
      transfers,
      user_name,
      campaign_name,
    ]),
    [
      ['charge', '-0.650', 2, null, 'Sale'],
      ['charge', '-0.350', 1, null, 'Sale'],
      ['release', '0.050', 1, null, 'Sale'],
      ['charge', '-0.350', 1, null, 'Sale'],
      ['reservation', '-1.400', 1, 'Test person', 'Sale'],
    ],
  );
  assert.equal(body.data[0]!.balance_after, body.data[1]!.balance_after);
  // Each row opens to exactly the transfers that it sums, page by page.
  for (const row of body.data) {
    const amounts: number[] = [];
    for (let more = ''; more !== 'none'; ) {
      const of = `/api/v1/credit-changes/${row.id}/transfers?limit=1${more}`;
      const { body: page } = await stage.call<Page & { next_cursor: string | null }>('boss', 'GET', of);
      amounts.push(...page.data.map(({ amount }) => Number(amount)));
      more = page.next_cursor === null ? 'none' : `&cursor=${page.next_cursor}`;
    }
    assert.equal(amounts.length, row.transfers);
    assert.equal(amounts.reduce((sum, amount) => sum + amount, 0).toFixed(3), row.amount);
  }
  clock.set('2026-05-20T00:00:00Z');
  const day = await stage.call<Page>('boss', 'GET', '/api/v1/credit-changes?from=2026-05-01&to=2026-05-01&kind=charge');
  assert.equal(day.body.data.length, 3);
  for (const query of ['from=2026-05-01', 'from=2026-03-01&to=2026-05-01', 'from=2024-05-01&to=2024-05-02'])
    assert.equal((await stage.call('boss', 'GET', `/api/v1/credit-changes?${query}`)).status, 422, query);
});

test('each line of both lists follows from the one before, in every time zone', async () => {
  const [first, second] = [await running('639170000011'), await running('639170000012')];
  const random = fc.sample(
    fc.record({
      kind: fc.constantFrom('payment', 'reservation', 'charge', 'release', 'correction'),
      minute: fc.integer({ min: 0, max: 3 * 24 * 60 }),
      amount: fc.integer({ min: 1, max: 5_000 }),
      campaign_id: fc.constantFrom(first, second, null),
    }),
    { numRuns: 150, seed: 7 },
  );
  // The clocks of Lord Howe go forward by half an hour in the night to 4 October.
  const start = Date.parse('2026-10-03T00:00:00Z');
  for (const [i, { kind, minute, amount, campaign_id }] of random.entries()) {
    // Reservations and settlements come in the order of time, at most a little late.
    const created_at = new Date(start + Math.max(0, (i * 4_320) / 150 - (minute % 20)) * 60_000).toISOString();
    const transfer = { ...of, key: `chain ${i}`, amount, campaign_id, created_at };
    await owner.transaction().execute(async (db) => {
      if (kind === 'payment') await pay(db, transfer);
      else if (kind === 'reservation') await reserve(db, transfer);
      else await postTransfers(db, [{ ...transfer, kind, amount: 1 + (amount % 50) }]);
    });
  }
  clock.set('2026-10-20T00:00:00Z');
  const lines = async (query: string) => {
    const found: Line[] = [];
    for (let cursor = ''; cursor !== 'none'; ) {
      const path = `/api/v1/credit-changes?billing_account_id=${of.billing_account_id}&limit=7${query}${cursor}`;
      const { body } = await stage.call<{ data: Line[]; next_cursor: string | null }>('boss', 'GET', path);
      found.push(...body.data);
      cursor = body.next_cursor === null ? 'none' : `&cursor=${body.next_cursor}`;
    }
    return found;
  };
  const all = await lines('');
  const account = await owner
    .selectFrom('billing_account')
    .select(['credit_balance', 'reserved'])
    .where('id', '=', of.billing_account_id)
    .executeTakeFirstOrThrow();
  assert.equal(thousandths(all[0]!.balance_after), account.credit_balance);
  assert.equal(thousandths(all[0]!.reserved_after), account.reserved);
  for (const [i, line] of all.entries()) {
    const before = all[i + 1];
    const follows = (what: 'balance' | 'reserved') =>
      thousandths(line[`${what}_after`]) - thousandths(line[`${what}_change`]);
    if (!before) continue;
    assert.equal(follows('balance'), thousandths(before.balance_after), `line ${line.id}`);
    assert.equal(follows('reserved'), thousandths(before.reserved_after), `line ${line.id}`);
  }
  const statement = await statementOf();
  assert.equal(thousandths(statement[0]!.balance_after), account.credit_balance, 'the newest balance is the account’s');
  for (const [i, line] of statement.entries()) {
    const before = thousandths(line.balance_after) - thousandths(line.amount);
    assert.equal(
      before,
      thousandths(statement[i + 1]?.balance_after ?? '0'),
      `line ${line.id} follows from the one before`,
    );
  }
  for (const id of [first, second]) {
    const lines = statement.filter((line) => line.kind === 'campaign' && line.campaign_id === id);
    assert.equal(lines.length, 1, 'a campaign is one line');
    const sums = all.filter((line) => line.campaign_id === id && /reservation|charge|release/.test(line.kind));
    const net = sums.reduce((sum, line) => sum + thousandths(line.balance_change), 0);
    assert.equal(thousandths(lines[0]!.amount), net);
  }
  let parts = 0;
  for (const zone of ['Asia/Kathmandu', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/New_York']) {
    await sql`INSERT INTO user_preference (user_id, timezone, page_size, date_format, mail_kinds)
      SELECT id, ${zone}, 25, 'language', '{}' FROM user_account
      ON CONFLICT (user_id) DO UPDATE SET timezone = EXCLUDED.timezone`.execute(owner);
    const whole = await statementOf();
    for (const date of ['2026-10-03', '2026-10-04', '2026-10-05']) {
      const { rows } = await sql<{
        sum: number;
        n: number;
      }>`SELECT coalesce(sum(amount), 0)::bigint AS sum, count(*) AS n
        FROM ledger_transfer WHERE billing_account_id = ${of.billing_account_id}
          AND (created_at AT TIME ZONE ${zone})::date = ${date}`.execute(owner);
      const shown = await lines(`&from=${date}&to=${date}`);
      const sums = [
        shown.reduce((sum, { amount }) => sum + thousandths(amount), 0),
        shown.reduce((sum, { transfers }) => sum + transfers, 0),
      ];
      assert.deepEqual(sums, [rows[0]!.sum, rows[0]!.n], `${zone} ${date}`);
      const period = `from=${date}&to=${date}`;
      const part = await statementOf(`&${period}`);
      const first = whole.findIndex(({ id }) => id === part[0]?.id);
      assert.deepEqual(part, first < 0 ? [] : whole.slice(first, first + part.length), `${zone} ${date}`);
      const folded = part.filter(({ kind }) => kind === 'messages').map(({ amount }) => thousandths(amount));
      assert.deepEqual(folded, [await messagesOf(date, zone)], `the messages of ${date} in ${zone} are one line`);
      const path = `/api/v1/billing-accounts/${of.billing_account_id}/statement/totals?${period}`;
      const { body } = await stage.call<{ data: Record<'opening' | 'added' | 'spent' | 'closing', string> }>(
        'boss',
        'GET',
        path,
      );
      const { opening, added, spent, closing } = body.data;
      assert.equal(thousandths(opening) + thousandths(added) - thousandths(spent), thousandths(closing));
      if (part.length === 0) continue;
      parts++;
      const oldest = part.at(-1)!;
      assert.equal(closing, part[0]!.balance_after);
      assert.equal(thousandths(opening), thousandths(oldest.balance_after) - thousandths(oldest.amount));
    }
  }
  assert.ok(parts > 3, `the periods have lines: ${parts}`);
  await owner.deleteFrom('user_preference').execute();
});

/** Sums the changes of credit by messages outside campaigns on a day, from the ledger. */
async function messagesOf(date: string, zone: string): Promise<number> {
  const { rows } = await sql<{ sum: number }>`SELECT coalesce(sum(amount), 0)::bigint AS sum FROM ledger_transfer
    WHERE billing_account_id = ${of.billing_account_id} AND campaign_id IS NULL AND kind IN ('reservation', 'release')
      AND (created_at AT TIME ZONE ${zone})::date = ${date}`.execute(owner);
  return rows[0]!.sum;
}

/** Reads the statement of the account, seven lines a page. */
async function statementOf(period = ''): Promise<StatementLine[]> {
  const found: StatementLine[] = [];
  for (let cursor = ''; cursor !== 'none'; ) {
    const path = `/api/v1/billing-accounts/${of.billing_account_id}/statement?limit=7${period}${cursor}`;
    const { body } = await stage.call<{ data: StatementLine[]; next_cursor: string | null }>('boss', 'GET', path);
    found.push(...body.data);
    cursor = body.next_cursor === null ? 'none' : `&cursor=${body.next_cursor}`;
  }
  return found;
}

interface StatementLine {
  id: number;
  kind: string;
  campaign_id: number | null;
  amount: string;
  balance_after: string;
}

interface Line {
  id: number;
  kind: string;
  campaign_id: number | null;
  transfers: number;
  amount: string;
  balance_after: string;
  balance_change: string;
  reserved_after: string;
  reserved_change: string;
}
const thousandths = (amount: string) => Math.round(Number(amount) * 1_000);
