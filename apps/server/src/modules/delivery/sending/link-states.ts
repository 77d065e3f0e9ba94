import { LINK_CHANNEL, LINK_EVENT } from '@heliograph/contract/links/link';
import type pg from 'pg';
import { booleanArray, numberArray, plainArray } from '#platform/database/array-literal';
import { emit } from '#platform/realtime/realtime';
import type { IdRule } from './link.ts';
import type { LinkLive, LiveState } from './link-report.ts';

/** State of one link, as its holder stores it. */
export interface LinkStanding {
  id: number;
  state: LiveState;
  live: LinkLive;
  carried: boolean;
}

// A state from a former holder of the lanes is ignored.
const TELL = `
  INSERT INTO link_state (link_id, holder, state, carried, live)
  SELECT u.id, $1, u.state, u.carried, u.live
  FROM unnest($2::bigint[], $3::text[], $4::boolean[], $5::jsonb[]) AS u(id, state, carried, live) JOIN link USING (id)
  WHERE EXISTS (SELECT FROM lane l WHERE l.link_id = u.id AND l.holder = $6)
  ON CONFLICT (link_id) DO UPDATE SET holder = excluded.holder, state = excluded.state, live = excluded.live,
    carried = link_state.carried OR excluded.carried, updated_at = now(),
    since = CASE WHEN link_state.state = excluded.state AND link_state.holder IS NOT DISTINCT FROM excluded.holder
      THEN link_state.since ELSE now() END`;

/** Stores the states of this holder's links, and tells the screens of those in which there is `news`. */
export async function publishLinks(
  pool: pg.Pool,
  holder: string,
  links: readonly LinkStanding[],
  { givenBack = false, news = links }: { givenBack?: boolean; news?: readonly LinkStanding[] } = {},
): Promise<void> {
  if (links.length === 0) return;
  await pool.query(TELL, [
    givenBack ? null : holder,
    numberArray(links.map(({ id }) => id)),
    plainArray(links.map(({ state }) => state)),
    booleanArray(links.map(({ carried }) => carried)),
    links.map(({ live }) => JSON.stringify(live)),
    holder,
  ]);
  if (news.length > 0) await sayNews(pool, news);
}

const sayNews = (pool: pg.Pool, links: readonly { id: number }[]) =>
  emit(pool, `private-${LINK_CHANNEL}`, LINK_EVENT, { ids: links.map(({ id }) => id) });

/** Ends the drain of a link: it is disabled now. */
export async function endDrain(pool: pg.Pool, id: number): Promise<void> {
  await pool.query('UPDATE link SET draining = false WHERE id = $1 AND draining', [id]);
  await sayNews(pool, [{ id }]);
}

/** Stores the id rule that receipts have shown, unless a person has set one meanwhile. */
export async function keepIdRule(pool: pg.Pool, id: number, rule: IdRule, receipts: number): Promise<void> {
  await pool.query(
    `UPDATE link SET learned_id_rule = $2, learned_receipts = $3, learned_at = now()
     WHERE id = $1 AND id_rule = 'learn' AND learned_id_rule IS NULL`,
    [id, rule, receipts],
  );
  await sayNews(pool, [{ id }]);
}
