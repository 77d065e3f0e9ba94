import { type carrierCardChanges, RATE_CHANGES } from '@heliograph/contract/carrier-costs/carrier-card';
import { fromMillionths } from '@heliograph/contract/kernel/money';
import { sql } from 'kysely';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import type { StoredRate } from './rate-index.ts';

type Change = (typeof RATE_CHANGES)[number];
interface Compared extends Omit<StoredRate, 'amount' | 'starts_on'> {
  change: Change;
  amount: number | null;
  present_amount: number | null;
}

/** Compares a card with the one that would be in force on its first day without it. */
export const showCardChanges: Handler<typeof carrierCardChanges> = async ({ db }, { params, query }) => {
  const card = await db
    .selectFrom('carrier_card')
    .select(['id', 'link_id', 'currency', 'charged_on', 'starts_on', 'version'])
    .where('id', '=', params.id)
    .executeTakeFirst();
  if (!card) throw new BusinessError('not_found');
  const present = await db
    .selectFrom('carrier_card')
    .select(['id', 'name', 'version', 'currency', 'charged_on'])
    .where('link_id', '=', card.link_id)
    .where('version', '<', card.version ?? 2 ** 31 - 1)
    .where('starts_on', '<=', card.starts_on)
    .where((eb) => eb.or([eb('ends_on', 'is', null), eb('ends_on', '>=', card.starts_on)]))
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  const comparable = !present || (present.currency === card.currency && present.charged_on === card.charged_on);
  const compared = sql`
    SELECT coalesce(n.prefix, o.prefix) AS prefix, coalesce(n.mcc, o.mcc) AS mcc, coalesce(n.mnc, o.mnc) AS mnc,
      coalesce(n.class, o.class) AS class, coalesce(n.sender_kind, o.sender_kind) AS sender_kind,
      n.amount, o.amount AS present_amount,
      CASE WHEN o.id IS NULL THEN 'new' WHEN n.id IS NULL THEN 'removed' WHEN NOT ${comparable} THEN 'changed'
        WHEN n.amount > o.amount THEN 'dearer' WHEN n.amount < o.amount THEN 'cheaper' ELSE 'same' END AS change
    FROM (${ratesOn(card.id, card.starts_on, true)}) n FULL JOIN (${ratesOn(present?.id ?? 0, card.starts_on, false)}) o ON n.key = o.key`;
  const { rows: counted } = await sql<{ change: Change; count: number }>`
    SELECT change, count(*) AS count FROM (${compared}) c GROUP BY change`.execute(db);
  const counts = Object.fromEntries(RATE_CHANGES.map((change) => [change, 0])) as Record<Change, number>;
  for (const { change, count } of counted) counts[change] = count;
  const wanted = query.change ? sql`WHERE change = ${query.change}` : sql`WHERE change <> 'same'`;
  const { rows } = await sql<Compared>`
    SELECT * FROM (${compared}) c ${wanted}
    ORDER BY array_position(ARRAY['dearer', 'removed', 'changed', 'new', 'cheaper', 'same'], change),
      mcc NULLS LAST, mnc NULLS FIRST, prefix, class, sender_kind
    LIMIT ${query.limit} OFFSET ${(query.page - 1) * query.limit}`.execute(db);
  const shown = (amount: number | null) => (amount === null ? null : fromMillionths(amount));
  return {
    present: present
      ? { id: present.id, name: present.name, version: present.version!, currency: present.currency }
      : null,
    currency: card.currency,
    counts,
    data: rows.map((row) => ({ ...row, amount: shown(row.amount), present_amount: shown(row.present_amount) })),
  };
};

/** Selects the rates of a card on a day, one for each key; `later` adds those that begin afterwards. */
const ratesOn = (cardId: number, day: string, later: boolean) => sql`
  SELECT DISTINCT ON (key) r.*, concat_ws('/', r.prefix, 'n' || r.mcc, r.mnc, 'c' || r.class, 's' || r.sender_kind) AS key
  FROM carrier_rate r WHERE r.carrier_card_id = ${cardId} AND (r.ends_on IS NULL OR r.ends_on >= ${day}::date)
    AND (${later} OR r.starts_on IS NULL OR r.starts_on <= ${day}::date)
  ORDER BY key, coalesce(r.starts_on, '-infinity') > ${day}::date, r.starts_on DESC NULLS LAST`;
