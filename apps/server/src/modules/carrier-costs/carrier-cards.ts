import { type applyCarrierCard, carrierCard } from '@heliograph/contract/carrier-costs/carrier-card';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler, ResourceHandlers } from '#platform/http/http';
import { readSettings } from '#platform/operator/settings';
import { tableStore } from '#platform/records/table-store';
import { CARD_NOTICE_MS } from './read-costs.ts';

const stored = tableStore(carrierCard, {
  table: 'carrier_card',
  from: 'carrier_card_row',
  searched: ['name', 'link_name'],
  may: ({ state }) => ({ edit: state === 'draft', delete: state === 'draft' }),
});
type Row = Awaited<ReturnType<typeof stored.get>>['data'];

/** Refuses dates that end before they start. */
function checkDates({ starts_on, ends_on }: Pick<Row, 'starts_on' | 'ends_on'>): void {
  if (ends_on !== null && ends_on < starts_on) throw fieldError('ends_on', 'date_order');
}

const one = (id: number) => ({ params: { id }, query: {}, body: {} });

/** Returns a card that can still be changed, behind a lock. Throws `not_found` and `carrier_card_applied`. */
async function draftOf(ctx: Context, id: number): Promise<Row> {
  await sql`SELECT FROM carrier_card WHERE id = ${id} FOR UPDATE`.execute(ctx.db);
  const { data } = await stored.get(ctx, one(id));
  if (data.state !== 'draft') throw new BusinessError('carrier_card_applied');
  return data;
}

/** Copies the rates of the newest applied card of the same link into a draft, without those that are over. */
const copyRates = (ctx: Context, { id, link_id, starts_on }: Row) =>
  sql`
  INSERT INTO carrier_rate (carrier_card_id, prefix, mcc, mnc, class, sender_kind, amount, starts_on, ends_on)
  SELECT ${id}, r.prefix, r.mcc, r.mnc, r.class, r.sender_kind, r.amount, r.starts_on, r.ends_on FROM carrier_rate r
  WHERE r.carrier_card_id = (SELECT id FROM carrier_card WHERE link_id = ${link_id} AND version IS NOT NULL
      ORDER BY version DESC LIMIT 1)
    AND (r.ends_on IS NULL OR r.ends_on >= ${starts_on}::date)
  ORDER BY r.id`.execute(ctx.db);

/** Cards of the prices that carriers take. Only drafts are changed and deleted. */
export const carrierCards: ResourceHandlers<typeof carrierCard> = {
  ...stored,
  async create(ctx, call) {
    const { copy, ...body } = call.body;
    await requireVisible(ctx, 'link', body.link_id, 'link_id');
    checkDates(body);
    const { data, message } = await stored.create(ctx, { ...call, body: body as typeof call.body });
    if (!copy) return { data, ...(message && { message }) };
    await copyRates(ctx, data);
    return { ...(await stored.get(ctx, one(data.id))), ...(message && { message }) };
  },
  async update(ctx, call) {
    const { starts_on, ends_on } = await draftOf(ctx, call.params.id);
    checkDates({
      starts_on: call.body.starts_on ?? starts_on,
      ends_on: call.body.ends_on === undefined ? ends_on : call.body.ends_on,
    });
    return stored.update(ctx, call);
  },
  async remove(ctx, call) {
    await draftOf(ctx, call.params.id);
    return stored.remove(ctx, call);
  },
};

const midnight = (day: string, timezone: string) => Temporal.PlainDate.from(day).toZonedDateTime(timezone).toInstant();
const dayAfter = (day: string) => Temporal.PlainDate.from(day).add({ days: 1 }).toString();

/**
 * Applies a draft. It counts from the first moment of its first day, and never sooner than every process can have read
 * it. So no past moment changes its card, and a cost that was recorded is found again.
 */
export const applyCard: Handler<typeof applyCarrierCard> = async (ctx, { params: { id } }) => {
  const card = await draftOf(ctx, id);
  if (card.rates === 0) throw new BusinessError('carrier_card_empty');
  // Applying takes turns for a link: its versions follow each other.
  await sql`SELECT FROM link WHERE id = ${card.link_id} FOR NO KEY UPDATE`.execute(ctx.db);
  const timezone = (await readSettings(ctx.db, ['timezone'])).get('timezone') ?? 'UTC';
  const {
    rows: [clock],
  } = await sql<{ now: string }>`SELECT clock_timestamp() AS now`.execute(ctx.db);
  const now = Temporal.Instant.from(new Date(clock!.now).toISOString());
  const today = now.toZonedDateTimeISO(timezone).toPlainDate().toString();
  if (card.starts_on < today) throw fieldError('starts_on', 'card_starts_earlier');
  const soonest = now.add({ milliseconds: CARD_NOTICE_MS });
  const starts = midnight(card.starts_on, timezone);
  const from_at = Temporal.Instant.compare(starts, soonest) < 0 ? soonest : starts;
  const until_at = card.ends_on === null ? null : midnight(dayAfter(card.ends_on), timezone);
  await sql`
    UPDATE carrier_card c SET applied_at = ${now.toString()}, applied_by = ${ctx.caller.user_id}, timezone = ${timezone},
      from_at = ${from_at.toString()}, until_at = ${until_at?.toString() ?? null},
      version = 1 + (SELECT coalesce(max(o.version), 0) FROM carrier_card o WHERE o.link_id = c.link_id),
      turns = ARRAY(SELECT DISTINCT turn FROM carrier_rate r CROSS JOIN LATERAL (VALUES (r.starts_on), (r.ends_on + 1)) AS t (turn)
        WHERE r.carrier_card_id = c.id AND turn IS NOT NULL ORDER BY turn)
    WHERE c.id = ${id}`.execute(ctx.db);
  const { data } = await stored.get(ctx, one(id));
  await audit(ctx, {
    name: carrierCard.name,
    description: 'card applied',
    subject_type: carrierCard.name,
    subject_id: id,
    after: {
      name: data.name,
      link_name: data.link_name,
      version: data.version,
      rates: data.rates,
      from_at: data.from_at,
    },
  });
  return { data };
};
