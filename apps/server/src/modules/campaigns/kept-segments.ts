import { keptSegments } from '@heliograph/contract/campaigns/kept-segment';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import { knowRules, readRule } from '#modules/audience';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError, fieldError } from '#platform/errors';
import type { Quote } from './quotes.ts';

export type KeptSegment = z.output<typeof keptSegments>['segments'][number];

/** Returns the segments that a stored content keeps, with their rules. */
export const segmentsOf = (content: unknown): KeptSegment[] => keptSegments.parse(content).segments;

/**
 * Returns segments as a quote keeps them. Throws a 422 if the caller does not see one, and `segment_incomplete` if a rule
 * needs a record that they do not have.
 */
export async function keepSegments(ctx: Context, ids: readonly number[], corporationId: number) {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return [];
  const rows = ctx.caller.permissions.has('segments-index')
    ? await ctx.db
        .selectFrom('segment')
        .select(['id', 'name', 'rule'])
        .where('id', 'in', wanted)
        .where('corporation_id', '=', corporationId)
        .orderBy('name')
        .execute()
    : [];
  if (rows.length < wanted.length) throw fieldError('segment_ids', 'not_visible');
  const rules = rows.map(({ rule }) => readRule(rule));
  const known = await knowRules(ctx.db, corporationId, rules, ctx.clock.now(), ctx.caller);
  return rows.map(({ id, name }, place) => {
    const { names, lacks, where } = known[place]!;
    if (lacks.length > 0) throw new BusinessError('segment_incomplete', { params: { name } });
    return { id, name, rule: rules[place]!, names, where };
  });
}

/** Returns the part of a stored content that keeps segments; nothing without any. */
export async function keptContent(ctx: Context, ids: readonly number[], corporationId: number) {
  const kept = await keepSegments(ctx, ids, corporationId);
  return kept.length === 0 ? {} : { segments: kept.map(({ where: _, ...segment }) => segment) };
}

/**
 * Notes the contacts that the segments of a quote find now. They stay the recipients of its campaign. A retry of the quote
 * finds them again. Throws `audience_changed` if a rule needs a record that is gone.
 */
export async function freezeSegments(
  database: Kysely<Database>,
  { id, corporation_id, content }: Pick<Quote, 'id' | 'corporation_id' | 'content'>,
  now: Date,
): Promise<void> {
  const segments = segmentsOf(content);
  if (segments.length === 0) return;
  const rules = segments.map(({ rule }) => readRule(rule));
  const known = await knowRules(database, corporation_id, rules, now);
  await database.transaction().execute(async (db) => {
    await db.deleteFrom('quote_recipient').where('quote_id', '=', id).execute();
    for (const [place, segment] of segments.entries()) {
      const { lacks, where } = known[place]!;
      if (lacks.length > 0) throw new BusinessError('audience_changed');
      await sql`INSERT INTO quote_recipient (quote_id, segment_id, page, corporation_id, numbers, names)
        SELECT ${id}::bigint, ${segment.id}::bigint, page, ${corporation_id}::bigint, array_agg(number ORDER BY number), array_agg(name ORDER BY number)
        FROM (SELECT number, name, (row_number() OVER (ORDER BY number) - 1) / ${PAGE}::integer AS page
          FROM (SELECT n.number, n.name FROM contact n WHERE ${where}) found ORDER BY number) placed
        GROUP BY page ORDER BY page`.execute(db);
    }
  });
}

/** Removes the recipients of quotes whose campaign is written or has ended, and of those that nobody used for days. */
export async function forgetRecipients(db: Kysely<Database>, now: Date): Promise<void> {
  const old = new Date(now.getTime() - UNUSED_MS).toISOString();
  await sql`WITH RECURSIVE kept AS (
      (SELECT quote_id FROM quote_recipient ORDER BY quote_id LIMIT 1)
      UNION ALL
      SELECT (SELECT r.quote_id FROM quote_recipient r WHERE r.quote_id > kept.quote_id ORDER BY r.quote_id LIMIT 1)
      FROM kept WHERE kept.quote_id IS NOT NULL
    ) DELETE FROM quote_recipient r USING quote q WHERE r.quote_id = q.id AND q.state <> 'counting'
      AND q.id IN (SELECT quote_id FROM kept)
      AND NOT EXISTS (SELECT FROM campaign c WHERE c.quote_id = q.id AND c.state IN ('pending', 'preparing', 'scheduled'))
      AND (q.created_at < ${old}::timestamptz OR EXISTS (SELECT FROM campaign c WHERE c.quote_id = q.id))
      AND NOT EXISTS (SELECT FROM campaign_series s WHERE s.next_quote_id = q.id)`.execute(db);
}

/** Contacts of a page. */
const PAGE = 5_000;
/** Time for which the recipients of a quote without a campaign are kept. */
const UNUSED_MS = 3 * 86_400_000;
