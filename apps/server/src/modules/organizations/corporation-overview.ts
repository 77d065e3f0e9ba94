import { user } from '@heliograph/contract/access/user';
import { billingAccount } from '@heliograph/contract/billing/billing-account';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { corporationOverview } from '@heliograph/contract/organizations/customer';
import { senderId } from '@heliograph/contract/senders/sender-id';
import { sql } from 'kysely';
import type { Context } from '#platform/context';
import type { Handler } from '#platform/http/http';
import { dateIn, momentsOf } from '#platform/records/period';
import { corporations } from './corporation.ts';

type Overview = ReplyOf<typeof corporationOverview>['data'];

const DAY_MS = 86_400_000;
const DAYS = 30;
/** Maximum rows of each kind; the lists show all. */
const FIRST = 8;

/** Counts the messages of the last days of a corporation, by day in its time zone. */
async function trafficOf({ db, clock }: Context, id: number, timezone: string) {
  const today = dateIn(timezone, clock.now());
  const noon = Date.parse(`${today}T12:00:00Z`);
  const dates = Array.from({ length: DAYS }, (_, i) =>
    new Date(noon - (DAYS - 1 - i) * DAY_MS).toISOString().slice(0, 10),
  );
  const { start, end } = momentsOf({ from: dates[0]!, to: today }, timezone);
  const { rows } = await sql<{ date: string; messages: number; delivered: number; spend: number }>`
    SELECT (quarter AT TIME ZONE ${timezone})::date::text AS date, sum(messages)::bigint AS messages,
      sum(delivered)::bigint AS delivered, sum(spend)::bigint AS spend
    FROM traffic_quarter WHERE corporation_id = ${id} AND quarter >= ${start} AND quarter < ${end} GROUP BY 1`.execute(
    db,
  );
  const found = new Map(rows.map((row) => [row.date, row]));
  return {
    days: dates.map((date) => ({
      date,
      messages: found.get(date)?.messages ?? 0,
      delivered: found.get(date)?.delivered ?? 0,
    })),
    spend: fromThousandths(rows.reduce((sum, { spend }) => sum + spend, 0)),
  };
}

/** Shows one corporation with its money, people, senders and traffic, each as far as the caller may see it. */
export const showOverview: Handler<typeof corporationOverview> = async (ctx, { params }) => {
  const { data: row } = await corporations.get(ctx, { params, query: {}, body: {} });
  const { db, caller } = ctx;
  const may = (resource: { permissions: { index: string } }) => caller.permissions.has(resource.permissions.index);
  const { rows: counts } = await sql<
    Pick<Overview, 'departments' | 'users' | 'last_message_at' | 'last_sign_in_at'>
  >`SELECT
    (SELECT count(*) FROM department WHERE corporation_id = ${row.id}) AS departments,
    (SELECT count(*) FROM user_account WHERE corporation_id = ${row.id} AND NOT is_service) AS users,
    (SELECT max(quarter) FROM traffic_quarter WHERE corporation_id = ${row.id}) AS last_message_at,
    (SELECT max(s.created_at) FROM session s JOIN user_account u ON u.id = s.user_id
      WHERE u.corporation_id = ${row.id} AND s.verified) AS last_sign_in_at`.execute(db);
  const people = may(user)
    ? await db
        .selectFrom('user_account as u')
        .innerJoin('role as r', 'r.id', 'u.role_id')
        .select(({ eb }) => [
          'u.id',
          'u.name',
          'u.email',
          'r.name as role',
          eb('u.invited_at', 'is not', null).as('invited'),
        ])
        .where('u.corporation_id', '=', row.id)
        .where('u.is_service', '=', false)
        .orderBy('u.scope_level')
        .orderBy('u.id')
        .limit(FIRST)
        .execute()
    : [];
  const accounts = may(billingAccount)
    ? await db
        .selectFrom('billing_account as a')
        .innerJoin('price_plan as p', 'p.id', 'a.price_plan_id')
        .select(['a.id', 'a.name', 'p.name as price_plan_name', 'a.credit_balance', 'a.enabled', 'a.suspended'])
        .where('a.corporation_id', '=', row.id)
        .orderBy('a.id')
        .limit(FIRST)
        .execute()
    : [];
  const senders = may(senderId)
    ? await db
        .selectFrom('sender_id')
        .select(['id', 'sender_id', 'usable'])
        .where('corporation_id', '=', row.id)
        .orderBy('sender_id')
        .limit(FIRST)
        .execute()
    : [];
  return {
    data: {
      ...counts[0]!,
      people: people.map((person) => ({ ...person, invited: Boolean(person.invited) })),
      accounts: accounts.map((each) => ({ ...each, credit_balance: fromThousandths(each.credit_balance) })),
      senders,
      ...(await trafficOf(ctx, row.id, row.timezone)),
    },
  };
};
