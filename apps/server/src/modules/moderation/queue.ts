import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import type { moderationQueue } from '@heliograph/contract/moderation/moderation';
import { type Context, requirePlatform } from '#platform/context';
import { containing } from '#platform/database/like';
import { BusinessError } from '#platform/errors';
import { placedText } from '#platform/text/sealed-text';

/** Answers what waits for a decision, oldest first, or what was decided, newest first. */
export async function queuePage(
  ctx: Context,
  query: QueryOf<typeof moderationQueue>,
): Promise<ReplyOf<typeof moderationQueue>> {
  requirePlatform(ctx.caller);
  const { limit, cursor, search, corporation_id, state = 'waiting' } = query;
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw new BusinessError('malformed_request');
  const waits = state === 'waiting';
  let rows = ctx.db
    .selectFrom('moderation_item_row')
    .selectAll()
    .where('state', waits ? '=' : '<>', 'waiting');
  if (cursor !== undefined) rows = rows.where('id', waits ? '>' : '<', Number(cursor));
  if (corporation_id !== undefined) rows = rows.where('corporation_id', '=', corporation_id);
  if (search) {
    const pattern = containing(search);
    rows = rows.where((eb) =>
      eb.or(
        (['sender_id', 'corporation_name', 'campaign_name', 'rule_name'] as const).map((c) => eb(c, 'ilike', pattern)),
      ),
    );
  }
  const found = await rows
    .orderBy('id', waits ? 'asc' : 'desc')
    .limit(limit + 1)
    .execute();
  const shown = found
    .slice(0, limit)
    .map((row) => ({ ...row, samples: ctx.caller.content_visible ? samplesOf(row) : [] }));
  const data = shown as ReplyOf<typeof moderationQueue>['data'];
  const has_more = found.length > limit;
  return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
}

/** Returns the samples of an item with the place of their texts, which an answer opens. */
const samplesOf = ({ samples, corporation_id }: { samples: string[] | null; corporation_id: number | null }) =>
  samples?.map((text) => placedText(text, corporation_id ?? 0, 'moderation'));
