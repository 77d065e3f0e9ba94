import type pg from 'pg';
import { numberArray, plainArray } from '#platform/database/array-literal';
import type { MessageClass } from '#platform/database/schema';
import type { Slice } from './chunk-source.ts';

// The intent: messages behind the moved cursor are handed over, and none leaves before this is committed. A chunk moves
// only while it is open, at the expected place and on our link. Its lane must still be ours, and its campaign must
// still run. So stop, pause and a lost lease take effect with the next slice. The chunks are locked first and in one
// order, as in cancellation.
const COMMIT_INTENTS = {
  name: 'commit-intents',
  text: `
    WITH wanted AS (
      SELECT * FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::bigint[]) AS w(id, expected, messages, fence)
    ), locked AS (
      SELECT id FROM chunk WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE
    ), moved AS (
      UPDATE chunk k SET cursor = k.cursor + w.messages,
        state = CASE WHEN k.cursor + w.messages = k.size THEN 'done' ELSE k.state END
      FROM locked JOIN wanted w USING (id)
      WHERE k.id = w.id AND k.state = 'open' AND k.cursor = w.expected AND k.link_id = $6
        AND EXISTS (SELECT FROM lane l WHERE l.link_id = k.link_id AND l.class = k.class AND l.holder = $5
          AND l.fence = w.fence AND l.expires_at > now())
        AND (k.campaign_id IS NULL OR EXISTS (SELECT FROM campaign c WHERE c.id = k.campaign_id AND c.state = 'running'))
      RETURNING k.id, k.campaign_id, w.messages
    ), sums AS (
      SELECT campaign_id, sum(messages) AS messages FROM moved WHERE campaign_id IS NOT NULL GROUP BY campaign_id
    ), counter AS (
      SELECT campaign_id FROM campaign_counter WHERE campaign_id IN (SELECT campaign_id FROM sums)
      ORDER BY campaign_id FOR NO KEY UPDATE
    ), counted AS (
      UPDATE campaign_counter n SET processed = n.processed + s.messages
      FROM counter JOIN sums s USING (campaign_id) WHERE n.campaign_id = s.campaign_id
      RETURNING n.campaign_id
    )
    SELECT (SELECT coalesce(array_agg(id), '{}') FROM moved) AS moved,
      (SELECT coalesce(array_agg(campaign_id), '{}') FROM counted) AS campaigns`,
};

export interface Intents {
  committed: Slice[];
  refused: Slice[];
  /** Ids of campaigns with changed counters. */
  campaigns: number[];
}

/**
 * Commits the intent to hand over the slices; those that may not leave any more are returned as refused. Slices of one
 * chunk are committed or refused together. Throws if the database fails; then it is unknown whether they moved.
 */
export async function commitIntents(
  client: pg.Client,
  linkId: number,
  slices: readonly Slice[],
  holder: string,
  fences: ReadonlyMap<MessageClass, number>,
): Promise<Intents> {
  const byChunk = [...Map.groupBy(slices, ({ chunk }) => chunk.id).entries()];
  const { rows } = await client.query<{ moved: number[]; campaigns: number[] }>({
    ...COMMIT_INTENTS,
    values: [
      plainArray(byChunk.map(([id]) => String(id))),
      numberArray(byChunk.map(([, [first]]) => first!.from)),
      numberArray(byChunk.map(([, each]) => each.reduce((sum, { messages }) => sum + messages.length, 0))),
      numberArray(byChunk.map(([, [first]]) => fences.get(first!.chunk.class) ?? -1)),
      holder,
      linkId,
    ],
  });
  const moved = new Set(rows[0]!.moved);
  const { committed = [], refused = [] } = Object.groupBy(slices, ({ chunk }) =>
    moved.has(chunk.id) ? 'committed' : 'refused',
  );
  return { committed, refused, campaigns: rows[0]!.campaigns };
}
