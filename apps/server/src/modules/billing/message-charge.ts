import { percentText } from '@heliograph/contract/billing/margin-rule';
import type { chargeOfMessage } from '@heliograph/contract/billing/rate-detail';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { dateIn } from '#platform/records/period';
import { marginBehind } from './margin-behind.ts';
import { discountOf, termsOnWire } from './month-discount.ts';
import type { Pricing } from './price.ts';
import { promoted, promotionsOf } from './promoted-prices.ts';
import { rowsOf } from './sql.ts';

interface Message {
  id: number;
  chunk_id: number;
  campaign_id: number | null;
  number: string;
  billing_account_id: number;
  billing_account_name: string;
  currency: string;
  timezone: string;
  charge_on_delivery: boolean;
  parts: number;
  unit_price: number;
  accepted: number;
  refused: number;
  outcome: string | null;
  /** True if the message has not left and never will. */
  given_up: boolean;
}

const FIND = `
SELECT m.id, k.id AS chunk_id, m.campaign_id, m.msisdn AS number, k.billing_account_id, b.name AS billing_account_name,
  c.currency, c.timezone, k.charge_on_delivery, m.parts, m.unit_price, end_of(flags_of(s.states, m.id & 1023)) AS outcome,
  (m.id & 1023) >= k.cursor AND k.state IN ('cancelled', 'expired') AS given_up,
  CASE WHEN is_packed(flags_of(s.states, m.id & 1023)) THEN 1
    ELSE (SELECT count(*) FROM submission x WHERE x.message_id = m.id AND x.command_status = 0) END AS accepted,
  (SELECT count(*) FROM submission x WHERE x.message_id = m.id AND x.command_status <> 0) AS refused
FROM message m JOIN chunk k ON k.id = m.id >> 10
JOIN billing_account b ON b.id = k.billing_account_id JOIN corporation c ON c.id = b.corporation_id
LEFT JOIN chunk_state s ON s.chunk_id = k.id
WHERE m.id = $1`;

const RESERVATION = `
SELECT id, kind, amount, created_at, pricing FROM ledger_transfer
WHERE kind = 'reservation' AND billing_account_id = $1
  AND (campaign_id = $2 OR key IN ('message:' || $3::text || ':reserve', 'chunk:' || $4::text || ':reserve'))
ORDER BY id LIMIT 1`;

// Packs of a closed day keep the transactions of the packs that were joined in them: one for each place, or one for all.
const RECORDED = `CASE WHEN recorded_by IS NULL THEN xmin::text WHEN position(',' IN recorded_by) = 0 THEN recorded_by
  ELSE (string_to_array(recorded_by, ','))[array_position(string_to_array(places, ','), ($3 & 1023)::text)] END`;

// The transaction that recorded a part's answer or the message's end also settled it. So their rows have the same
// transaction id.
const SETTLED = `
WITH recorded AS (
  SELECT xmin::text AS transaction FROM submission WHERE message_id = $3
  UNION SELECT xmin::text FROM outcome WHERE message_id = $3
  UNION SELECT ${RECORDED} FROM answer_pack WHERE chunk_id = $4 AND ($3 & 1023)::text = ANY (string_to_array(places, ','))
  UNION SELECT ${RECORDED} FROM receipt_pack WHERE chunk_id = $4 AND ($3 & 1023)::text = ANY (string_to_array(places, ','))
  UNION SELECT xmin::text FROM chunk WHERE id = $4 AND $5
)
SELECT id, kind, amount, created_at FROM ledger_transfer t
WHERE billing_account_id = $1 AND campaign_id IS NOT DISTINCT FROM $2
  AND (kind = 'refund' AND campaign_id IS NOT NULL OR key = 'correction:' || $3
    OR kind IN ('charge', 'release') AND t.xmin::text IN (SELECT transaction FROM recorded))
ORDER BY id LIMIT 100`;

const RATE = `
SELECT p.name AS price_plan_name, p.default_charge, r.rate_id, r.prefix, r.charge
FROM card_plan($1, $2) p LEFT JOIN card_rate($1, $2, $3, $4, $5) r ON true`;

interface Transfer {
  id: number;
  kind: 'reservation' | 'charge' | 'release' | 'refund' | 'correction';
  amount: number;
  created_at: string;
}

/** Explains the cost of a message: the rate behind its price, the settled parts, and the ledger's transfers. */
export const explainCharge: Handler<typeof chargeOfMessage> = async (ctx, { params }) => {
  const { db } = ctx;
  const [message] = await rowsOf<Message>(db, FIND, [params.id]);
  if (!message) throw new BusinessError('not_found');
  const { id, chunk_id, campaign_id, billing_account_id, parts, unit_price } = message;
  const [reservation] = await rowsOf<Transfer & { pricing: Pricing | null }>(db, RESERVATION, [
    billing_account_id,
    campaign_id,
    id,
    chunk_id,
  ]);
  const settled = await rowsOf<Transfer>(db, SETTLED, [
    billing_account_id,
    campaign_id,
    id,
    chunk_id,
    message.given_up,
  ]);
  const parts_charged = message.charge_on_delivery ? (message.outcome === 'delivered' ? parts : 0) : message.accepted;
  const parts_released = releasedOf(message);
  return {
    message_id: id,
    number: message.number,
    billing_account_id,
    billing_account_name: message.billing_account_name,
    currency: message.currency,
    charge_on_delivery: message.charge_on_delivery,
    parts,
    parts_charged,
    parts_released,
    parts_open: parts - parts_charged - parts_released,
    unit_price: fromThousandths(unit_price),
    charge: fromThousandths(parts_charged * unit_price),
    pricing: reservation?.pricing ? await rateBehind(ctx, reservation.pricing, message.number) : null,
    volume_discount: await discountBehind(ctx, message, settled),
    transfers: [...(reservation ? [reservation] : []), ...settled].map(({ id, kind, amount, created_at }) => ({
      id,
      kind,
      amount: fromThousandths(amount),
      created_at,
    })),
  };
};

/** Returns the volume discount of the month in which a message was charged, and what it came to. */
async function discountBehind(ctx: Context, message: Message, settled: readonly Transfer[]) {
  const charge = settled.find(({ kind }) => kind === 'charge');
  if (!charge) return null;
  const month = `${dateIn(message.timezone, new Date(charge.created_at)).slice(0, 7)}-01`;
  const found = await discountOf(ctx.db, message.billing_account_id, month);
  // A month that is over without a discount reached no tier.
  const over = month.slice(0, 7) < dateIn(message.timezone, ctx.clock.now()).slice(0, 7);
  if (!found || (over && found.amount === null)) return null;
  return {
    ...termsOnWire(found),
    month: month.slice(0, 7),
    given:
      found.amount === null
        ? null
        : {
            parts: found.parts!,
            charged: fromThousandths(found.charged!),
            amount: fromThousandths(found.amount),
          },
  };
}

function releasedOf({ given_up, charge_on_delivery, outcome, refused, parts }: Message): number {
  if (given_up) return parts;
  if (!charge_on_delivery) return refused;
  return outcome !== null && outcome !== 'delivered' ? parts : 0;
}

/** Returns the promotion that gave a price; null if none did. */
async function promotionBehind(db: Context['db'], { promotion_ids }: Pricing, number: string, charge: number) {
  const found = promoted(await promotionsOf(db, promotion_ids), number, charge);
  if (!found) return null;
  const { name, percent, price } = found.promotion;
  return {
    name,
    percent: percent === null ? null : percentText(percent),
    price: price === null ? null : fromThousandths(price),
    charge: fromThousandths(found.charge),
  };
}

async function rateBehind(ctx: Context, pricing: Pricing, number: string) {
  const { db } = ctx;
  const { price_plan_id, version, rate_zone_id, on } = pricing;
  const [rate] = await rowsOf<{
    price_plan_name: string;
    default_charge: number;
    rate_id: number | null;
    prefix: string | null;
    charge: number | null;
  }>(db, RATE, [price_plan_id, version, rate_zone_id, on, number]);
  if (!rate) return null;
  return {
    price_plan_id,
    price_plan_name: rate.price_plan_name,
    rate_zone_name: pricing.rate_zone_name,
    rate_id: rate.rate_id,
    prefix: rate.prefix,
    charge: fromThousandths(rate.charge ?? rate.default_charge),
    priced_on: on,
    card_version: version,
    promotion: await promotionBehind(db, pricing, number, rate.charge ?? rate.default_charge),
    margin: await marginBehind(ctx, pricing, number),
  };
}
