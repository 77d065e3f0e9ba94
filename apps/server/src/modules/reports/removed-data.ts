import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { getMessage } from '@heliograph/contract/reports/transaction';
import { sql } from 'kysely';
import type { Context } from '#platform/context';

type Removed = ReplyOf<typeof getMessage>['data']['removed'];

interface Found {
  text_gone: boolean;
  number_gone: boolean;
  text_days: number | null;
  text_at: string | null;
  number_days: number | null;
  number_at: string | null;
  redacted_at: string | null;
}

/** Tells whether the text and the number of a message were removed, when, and by whose rule. */
export async function removedOf(
  ctx: Pick<Context, 'db'>,
  id: number,
  of: { class: string; corporation_id: number },
): Promise<Removed> {
  const { rows } = await sql<Found>`
    SELECT coalesce(m.text, k.common_text) IS NOT DISTINCT FROM '[removed]' AS text_gone, m.number_cut IS TRUE AS number_gone,
      t.days AS text_days, t.done_at AS text_at, n.days AS number_days, n.done_at AS number_at,
      (SELECT r.redacted_at FROM redacted_day r WHERE r.day = d.day) AS redacted_at
    FROM message m JOIN chunk k ON k.id = m.id >> 10
    CROSS JOIN LATERAL (SELECT date '1970-01-01' + (m.id >> 38)::integer AS day) d
    LEFT JOIN retention_run t ON t.day = d.day AND t.corporation_id = ${of.corporation_id} AND t.kind = ${of.class}
    LEFT JOIN retention_run n ON n.day = d.day AND n.corporation_id = ${of.corporation_id} AND n.kind = 'number'
    WHERE m.id = ${id}`.execute(ctx.db);
  const found = rows[0];
  if (!found) return { text: null, number: null };
  const by = (days: number | null, at: string | null, other: 'platform' | 'person', other_at: string | null) =>
    at === null ? ({ by: other, days: null, at: other_at } as const) : ({ by: 'corporation', days, at } as const);
  // A text of one recipient goes with the number.
  const [text_days, text_at] =
    found.text_at === null && found.redacted_at === null
      ? [found.number_days, found.number_at]
      : [found.text_days, found.text_at];
  return {
    text: found.text_gone
      ? by(text_days, text_at, found.redacted_at === null ? 'person' : 'platform', found.redacted_at)
      : null,
    number: found.number_gone ? by(found.number_days, found.number_at, 'person', null) : null,
  };
}
