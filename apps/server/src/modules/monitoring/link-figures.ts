import { counter, type Figure, figure, gauge } from './figure.ts';

const laneMessages = gauge(
  'lane_messages',
  'Messages that wait: their campaign runs (waiting) or not (paused), or they are held for a morning or a canary (held).',
  ['link', 'class', 'state'],
);
const laneOldest = gauge('lane_oldest_waiting_seconds', 'How long the first of those that may leave has waited.', [
  'link',
  'class',
]);
const laneHeld = gauge('lane_held', 'Whether a sender holds the lane (1) or nobody does (0).', ['link', 'class']);
const laneRetries = gauge('lane_retries', 'Segments that are tried again after a refusal that passes.', [
  'link',
  'class',
]);

/** Messages of one class that wait for one link. */
export interface LaneRow {
  link_id: number;
  link: string;
  class: string;
  held: boolean | null;
  waiting: number;
  paused: number;
  kept: number;
  /** Seconds for which the first of the waiting ones could have left; null if none waits. */
  oldest: number | null;
  retries: number;
}

// Reads only short parts of the index of open chunks; a chunk holds up to 1,000 messages.
/** Statement that reads the lanes as `LaneRow`. */
export const LANES = `
  WITH live AS MATERIALIZED (
    SELECT id, state, (SELECT max(created_at) FROM campaign_transition t WHERE t.campaign_id = c.id AND t.to_state = 'running') AS since
    -- The order lets the index of live campaigns be chosen: under row level security their share is not known.
    FROM (SELECT id, state FROM campaign WHERE state IN ('preparing', 'pending', 'scheduled', 'running', 'paused') ORDER BY id LIMIT 100000) c
  ), open AS (
    SELECT k.link_id, k.class, sum(k.size - k.cursor) FILTER (WHERE k.campaign_id IS NULL OR c.state = 'running') AS waiting,
      sum(k.size - k.cursor) FILTER (WHERE k.campaign_id IS NOT NULL AND c.state IS DISTINCT FROM 'running') AS paused, 0 AS kept,
      min(greatest(k.created_at, c.since, k.not_before)) FILTER (WHERE k.campaign_id IS NULL OR c.state = 'running') AS since
    FROM chunk k LEFT JOIN live c ON c.id = k.campaign_id WHERE k.state = 'open' GROUP BY 1, 2
    UNION ALL
    SELECT k.link_id, k.class, 0, 0, sum(k.size - k.cursor), NULL
    FROM live c JOIN chunk k ON k.campaign_id = c.id AND k.state = 'held' GROUP BY 1, 2
  ), retrying AS (
    SELECT link_id, class, count(*) AS retries FROM retry GROUP BY 1, 2
  )
  SELECT l.id AS link_id, l.name AS link, a.class, bool_or(a.expires_at > now()) AS held,
    coalesce(sum(o.waiting), 0)::float8 AS waiting, coalesce(sum(o.paused), 0)::float8 AS paused, coalesce(sum(o.kept), 0)::float8 AS kept,
    extract(epoch FROM now() - min(o.since))::float8 AS oldest, coalesce(max(r.retries), 0)::float8 AS retries
  FROM link l JOIN lane a ON a.link_id = l.id
  LEFT JOIN open o ON o.link_id = a.link_id AND o.class = a.class
  LEFT JOIN retrying r ON r.link_id = a.link_id AND r.class = a.class
  WHERE l.enabled OR o.link_id IS NOT NULL GROUP BY l.id, l.name, a.class`;

const lanes = figure<LaneRow>('lanes', LANES, [laneMessages, laneOldest, laneHeld, laneRetries], (rows) => {
  for (const row of rows) {
    const { held, waiting, paused, kept, oldest, retries } = row;
    const of = { link: row.link, class: row.class };
    laneMessages.set({ ...of, state: 'waiting' }, waiting);
    laneMessages.set({ ...of, state: 'paused' }, paused);
    laneMessages.set({ ...of, state: 'held' }, kept);
    laneOldest.set(of, Math.max(0, oldest ?? 0));
    laneHeld.set(of, held ? 1 : 0);
    laneRetries.set(of, retries);
  }
});

const LINK_STATES = ['up', 'binding', 'down', 'throttled', 'draining', 'disabled'] as const;
const linkState = gauge('link_state', 'The state of a link: 1 for the one it has.', ['link', 'state']);
const sessions = gauge('link_sessions', 'SMPP sessions that are bound, of those that are wanted.', ['link', 'kind']);
const window = gauge('link_window_segments', 'Segments that wait for an answer (used), and how many may (size).', [
  'link',
  'kind',
]);
const rateLimit = gauge('link_rate_limit', 'Segments a second that are agreed; missing where there is no limit.', [
  'link',
]);
const segments = counter('link_segments_total', 'Segments by what became of them at the carrier.', ['link', 'result']);
const receipts = counter('link_receipts_total', 'Receipts that came from the carrier.', ['link']);
const RESULTS = ['submitted', 'accepted', 'throttled', 'failed', 'unanswered'] as const;

const links = figure<{
  link: string;
  state: string;
  binds: number;
  window_size: number;
  rate: number | null;
  live: {
    sessions: { bound: number; wanted: number };
    in_flight: number;
    total: Record<(typeof RESULTS)[number] | 'receipts', number>;
  } | null;
}>(
  'links',
  'SELECT name AS link, binds, window_size, rate, live, state FROM link_now',
  [linkState, sessions, window, rateLimit, segments, receipts],
  (rows) => {
    for (const { link, state, binds, window_size, rate, live } of rows) {
      for (const each of LINK_STATES) linkState.set({ link, state: each }, each === state ? 1 : 0);
      const holds = live !== null && state !== 'down' && state !== 'disabled';
      sessions.set({ link, kind: 'bound' }, holds ? live.sessions.bound : 0);
      sessions.set({ link, kind: 'wanted' }, state === 'disabled' ? 0 : binds);
      window.set({ link, kind: 'used' }, holds ? live.in_flight : 0);
      window.set({ link, kind: 'size' }, window_size * binds);
      if (rate !== null) rateLimit.set({ link }, Number(rate));
      if (live === null) continue;
      for (const result of RESULTS) segments.inc({ link, result }, Math.max(0, live.total[result]));
      receipts.inc({ link }, live.total.receipts);
    }
  },
);

const unmatched = gauge(
  'receipts_unmatched',
  'Receipts whose message is not known (yet), that came within this time but not in the last minute.',
  ['within'],
);
const unmatchedOldest = gauge('receipts_unmatched_oldest_seconds', 'Age of the oldest of them, of three days at most.');

const parked = figure<{ hour: number; days: number; oldest: number | null }>(
  'receipts',
  `SELECT count(*) FILTER (WHERE received_at > now() - interval '1 hour')::float8 AS hour, count(*)::float8 AS days,
     extract(epoch FROM now() - min(received_at))::float8 AS oldest
   FROM receipt WHERE message_id IS NULL AND received_at > now() - interval '72 hours' AND received_at < now() - interval '1 minute'`,
  [unmatched, unmatchedOldest],
  ([row]) => {
    if (!row) return;
    unmatched.set({ within: '1h' }, row.hour);
    unmatched.set({ within: '72h' }, row.days);
    unmatchedOldest.set(row.oldest ?? 0);
  },
  30_000,
);

const setAside = gauge('set_aside_records', 'Outcomes that could not be recorded and wait for a person.');
const campaigns = gauge('campaigns', 'Campaigns that are not over, by state.', ['state']);
const CAMPAIGN_STATES = ['preparing', 'pending', 'scheduled', 'running', 'paused'];
const nodes = gauge('nodes', 'Processes that live, by kind.', ['kind']);

const others = figure<{ what: string; name: string; count: number }>(
  'campaigns',
  `SELECT 'campaign' AS what, state::text AS name, count(*)::float8 AS count FROM campaign
     WHERE state IN ('preparing', 'pending', 'scheduled', 'running', 'paused') GROUP BY state
   UNION ALL SELECT 'node', kind, count(*) FROM node WHERE node_is_live(seen_at) GROUP BY kind
   UNION ALL SELECT 'set_aside', '', count(*) FROM set_aside`,
  [campaigns, nodes, setAside],
  (rows) => {
    for (const state of CAMPAIGN_STATES) campaigns.set({ state }, 0);
    for (const kind of ['api', 'worker', 'sender', 'smpp_server']) nodes.set({ kind }, 0);
    for (const { what, name, count } of rows) {
      if (what === 'campaign') campaigns.set({ state: name }, count);
      else if (what === 'node') nodes.set({ kind: name }, count);
      else setAside.set(count);
    }
  },
);

/** Figures of waiting messages, of links, and of receipts without a message. */
export const linkFigures: readonly Figure[] = [lanes, links, parked, others];
