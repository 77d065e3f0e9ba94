import { createHash } from 'node:crypto';
import { CONVERSION_DAYS } from '@heliograph/contract/api/conversion';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { sql } from 'kysely';
import { FLAGS, stateOfMessage } from '#modules/delivery';
import type { Context } from '#platform/context';
import { fieldError } from '#platform/errors';

const STATE = sql.raw(stateOfMessage(FLAGS));
const DAY_MS = 86_400_000;
/** Ids that messages of one UTC day can have. */
const MESSAGES_A_DAY = 2 ** 38;

/** Report of a program. Either `number` or `code` says whose it is. */
export interface NewConversion {
  corporation_id: number;
  reference: string;
  name: string;
  number: string | undefined;
  code: string | undefined;
  /** Thousandths. */
  value: number | null;
  currency: string | null;
  at: Date;
}

interface Stored {
  id: number;
  name: string;
  value: number | null;
  currency: string | null;
  happened_at: string;
  created_at: string;
}

interface Counted {
  counted_by: 'code' | 'click' | 'message';
  campaign_id: number | null;
  place: number | null;
}

/** Records a conversion for the campaign that it is counted for. A repeated reference is answered with the first record. */
export async function recordConversion(ctx: Pick<Context, 'db'>, conversion: NewConversion): Promise<Stored> {
  const { corporation_id, name, value, currency, at } = conversion;
  const hash = createHash('sha256').update(conversion.reference).digest('base64url');
  const found = async () => {
    const { rows } = await sql<Stored>`SELECT id, name, value, currency, happened_at, created_at FROM conversion
      WHERE corporation_id = ${corporation_id} AND reference_hash = ${hash}`.execute(ctx.db);
    return rows[0];
  };
  const before = await found();
  if (before) return before;
  const counted = await campaignOf(ctx, conversion);
  const { rows } = await sql<Stored>`
    INSERT INTO conversion (corporation_id, reference_hash, name, value, currency, happened_at, counted_by, campaign_id, place, contact_id)
    VALUES (${corporation_id}, ${hash}, ${name}, ${value}, ${currency}, ${at.toISOString()}, ${counted?.counted_by ?? null},
      ${counted?.campaign_id ?? null}, ${counted?.place ?? null}, ${await contactOf(ctx, conversion)})
    ON CONFLICT (corporation_id, reference_hash) DO NOTHING
    RETURNING id, name, value, currency, happened_at, created_at`.execute(ctx.db);
  return rows[0] ?? (await found())!;
}

/** Returns the contact who converted; null for none, and for a corporation that does not keep who clicked. */
async function contactOf(
  { db }: Pick<Context, 'db'>,
  { corporation_id, number, code }: NewConversion,
): Promise<number | null> {
  const who =
    number === undefined
      ? sql`SELECT l.msisdn FROM short_link l WHERE l.code = ${code!} AND l.corporation_id = ${corporation_id}`
      : sql`SELECT ${number}::text`;
  // A contact that is being deleted is no longer found, and one that is found stays until the conversion is stored.
  const { rows } = await sql<{ id: number }>`
    SELECT n.id FROM contact n JOIN corporation c ON c.id = n.corporation_id
    WHERE n.corporation_id = ${corporation_id} AND n.number = (${who}) AND c.names_clicks FOR KEY SHARE OF n`.execute(
    db,
  );
  return rows[0]?.id ?? null;
}

async function campaignOf(ctx: Pick<Context, 'db'>, conversion: NewConversion): Promise<Counted | undefined> {
  const { corporation_id, number, code, at } = conversion;
  if (code !== undefined) {
    const { rows } = await sql<Counted>`
      SELECT 'code' AS counted_by, l.campaign_id, t.place FROM short_link l LEFT JOIN short_link_target t ON t.id = l.target_id
      WHERE l.code = ${code} AND l.corporation_id = ${corporation_id}`.execute(ctx.db);
    if (!rows[0]) throw fieldError('code', 'not_visible');
    return rows[0];
  }
  const since = new Date(at.getTime() - CONVERSION_DAYS * DAY_MS);
  const { rows } = await sql<Counted>`
    SELECT 'click' AS counted_by, campaign_id, place FROM short_link_click
    WHERE corporation_id = ${corporation_id} AND msisdn = ${number!} AND campaign_id IS NOT NULL
      AND first_at <= ${at.toISOString()} AND last_at >= ${since.toISOString()}
    ORDER BY least(last_at, ${at.toISOString()}::timestamptz) DESC, first_at DESC LIMIT 1`.execute(ctx.db);
  if (rows[0]) return rows[0];
  const first = Math.floor(since.getTime() / DAY_MS) * MESSAGES_A_DAY;
  const reached = await sql<Counted>`
    SELECT 'message' AS counted_by, m.campaign_id, NULL AS place
    FROM message m JOIN chunk k ON k.id = m.id >> 10 LEFT JOIN chunk_state s ON s.chunk_id = k.id
    WHERE m.msisdn = ${number!} AND m.id >= ${first} AND m.corporation_id = ${corporation_id} AND m.campaign_id IS NOT NULL
      AND k.created_at BETWEEN ${since.toISOString()} AND ${at.toISOString()} AND ${STATE} = 'delivered'
    ORDER BY m.id DESC LIMIT 1`.execute(ctx.db);
  return reached.rows[0];
}

/** Counts the conversions of a campaign by name, link and currency, the most frequent first. */
export async function conversionsOf({ db }: Pick<Context, 'db'>, campaignId: number) {
  const { rows } = await sql<{
    name: string;
    link: number | null;
    count: number;
    value: number | null;
    currency: string | null;
  }>`
    SELECT name, place AS link, count(*) AS count, sum(value)::bigint AS value, currency FROM conversion
    WHERE campaign_id = ${campaignId} GROUP BY name, place, currency ORDER BY 3 DESC, 1, 2, 5 LIMIT 100`.execute(db);
  return rows.map(({ value, ...row }) => ({ ...row, value: value === null ? null : fromThousandths(value) }));
}
