import { waitingSince } from '#modules/events';
import { counter, type Figure, figure, gauge, USUAL_MS } from './figure.ts';

/** Maximum count of a backlog; a larger one is reported as this number, so that counting stays cheap. */
const MOST = 100_000;

const jobs = gauge('jobs', 'Jobs by queue and state; counted by pg-boss every 10 s.', ['queue', 'state']);
const jobLag = gauge('job_lag_seconds', 'How long the job that is due the longest has waited.', ['queue']);

const queues = figure<{ queue: string; waiting: number; active: number; failed: number; lag: number | null }>(
  'jobs',
  `SELECT q.name AS queue, q.queued_count::float8 AS waiting, q.active_count::float8 AS active, q.failed_count::float8 AS failed,
     extract(epoch FROM now() - j.start_after)::float8 AS lag
   FROM jobs.queue q LEFT JOIN LATERAL (
     SELECT start_after FROM jobs.job WHERE name = q.name AND state < 'active' AND NOT blocked ORDER BY start_after LIMIT 1
   ) j ON true WHERE q.name NOT LIKE '\\_\\_%'`,
  [jobs, jobLag],
  (rows) => {
    for (const { queue, lag, ...counts } of rows) {
      for (const state of ['waiting', 'active', 'failed'] as const) jobs.set({ queue, state }, counts[state]);
      jobLag.set({ queue }, Math.max(0, lag ?? 0));
    }
  },
);

const callbacks = gauge('callbacks_waiting', `Callbacks that wait for their turn or their next try; ${MOST} at most.`);
const callbackLag = gauge(
  'callback_lag_seconds',
  'How long the callback that is due the longest has waited, of endpoints that are not paused.',
);
const paused = gauge('callback_endpoints_paused', 'Endpoints that are paused since nothing arrived there.');

const calling = figure<{ waiting: number; lag: number | null; paused: number }>(
  'callbacks',
  `SELECT (SELECT count(*) FROM (SELECT FROM http_delivery WHERE kind = 'callback' AND state = 'waiting' LIMIT ${MOST}) w)::float8 AS waiting,
     extract(epoch FROM now() - min(w.next_at))::float8 AS lag, count(*) FILTER (WHERE e.paused_at IS NOT NULL)::float8 AS paused
   FROM callback_endpoint e LEFT JOIN LATERAL (
     SELECT next_at FROM http_delivery
     WHERE kind = 'callback' AND callback_endpoint_id = e.id AND state = 'waiting' AND e.paused_at IS NULL ORDER BY next_at LIMIT 1
   ) w ON true WHERE e.enabled`,
  [callbacks, callbackLag, paused],
  ([row]) => {
    callbacks.set(row?.waiting ?? 0);
    callbackLag.set(Math.max(0, row?.lag ?? 0));
    paused.set(row?.paused ?? 0);
  },
);

const outboxLag = gauge('event_outbox_lag_seconds', 'Age of the oldest event that this reader has not read.', [
  'reader',
]);

const outbox: Figure<{ reader: string; lag: number }> = {
  name: 'events',
  everyMs: USUAL_MS,
  metrics: [outboxLag],
  async ask(client) {
    const { rows } = await client.query<{ reader: string; cursor: string | null }>(
      `SELECT 'callbacks' AS reader, cursor FROM callback_progress UNION ALL SELECT 'smpp', cursor FROM smpp_feed`,
    );
    const lags: { reader: string; lag: number }[] = [];
    for (const { reader, cursor } of rows) lags.push({ reader, lag: await waitingSince(client, cursor) });
    return lags;
  },
  tell: (rows) => {
    for (const { reader, lag } of rows) outboxLag.set({ reader }, lag);
  },
};

const inbound = gauge('inbound_waiting', `Messages from phones that are not routed yet; ${MOST} at most.`);
const inboundOldest = gauge('inbound_oldest_waiting_seconds', 'How long the first of them has waited.');
const deliveries = gauge(
  'smpp_server_deliveries_waiting',
  `Receipts and replies that wait for customers' binds; ${MOST} at most.`,
);
const binds = gauge('smpp_server_binds', 'Binds of customers that live, by mode.', ['mode']);
const bindsWithTls = gauge('smpp_server_binds_with_tls', 'Binds of customers that live and use TLS.');
const MODES = ['transmitter', 'receiver', 'transceiver'];

const programs = figure<{
  inbound: number;
  oldest: number | null;
  deliveries: number;
  binds: Record<string, number> | null;
  encrypted: number;
}>(
  'programs',
  `SELECT i.count::float8 AS inbound, extract(epoch FROM now() - i.first)::float8 AS oldest,
     (SELECT count(*) FROM (SELECT FROM smpp_delivery LIMIT ${MOST}) d)::float8 AS deliveries,
     (SELECT json_object_agg(mode, count) FROM (
       SELECT mode, count(*) FROM smpp_session WHERE smpp_session_is_live(process, seen_at) GROUP BY mode) b) AS binds,
     (SELECT count(*) FROM smpp_session WHERE tls AND smpp_session_is_live(process, seen_at))::float8 AS encrypted
   FROM (SELECT count(*), min(received_at) AS first FROM (SELECT received_at FROM inbound_message ORDER BY id LIMIT ${MOST}) m) i`,
  [inbound, inboundOldest, deliveries, binds, bindsWithTls],
  ([row]) => {
    if (!row) return;
    inbound.set(row.inbound);
    inboundOldest.set(Math.max(0, row.oldest ?? 0));
    deliveries.set(row.deliveries);
    bindsWithTls.set(row.encrypted);
    for (const mode of MODES) binds.set({ mode }, row.binds?.[mode] ?? 0);
  },
);

const held = gauge('moderation_waiting', `Campaigns and chunks that wait for a moderator; ${MOST} at most.`);
const heldOldest = gauge('moderation_oldest_waiting_seconds', 'How long the first of them has waited.');

const moderation = figure<{ waiting: number; oldest: number | null }>(
  'moderation',
  `SELECT count(*)::float8 AS waiting, extract(epoch FROM now() - min(created_at))::float8 AS oldest
   FROM (SELECT created_at FROM moderation_item_row WHERE state = 'waiting' ORDER BY id LIMIT ${MOST}) w`,
  [held, heldOldest],
  ([row]) => {
    held.set(row?.waiting ?? 0);
    heldOldest.set(Math.max(0, row?.oldest ?? 0));
  },
);

const reconciled = gauge('ledger_reconciled_timestamp_seconds', 'When the books were last gone through; 0 for never.');
const findings = counter('ledger_findings_total', 'Contradictions that were found in the books, by rule.', ['rule']);
const RULES = ['transfer_balances', 'account_entries', 'account_transfers', 'open_reservations', 'campaign_counters'];

const ledger = figure<{ at: number | null; rule: string | null; count: number }>(
  'ledger',
  `SELECT extract(epoch FROM j.at)::float8 AS at, f.rule, coalesce(f.count, 0)::float8 AS count
   FROM (SELECT max(completed_on) AS at FROM jobs.job WHERE name = 'reconcile' AND state = 'completed') j
   LEFT JOIN (SELECT rule, count(*) FROM billing_finding GROUP BY rule) f ON true`,
  [reconciled, findings],
  (rows) => {
    reconciled.set(rows[0]?.at ?? 0);
    for (const rule of RULES) findings.inc({ rule }, 0);
    for (const { rule, count } of rows) if (rule) findings.inc({ rule }, count);
  },
  30_000,
);

/** Figures of waiting work: jobs of workers, events for customers' programs, and the ledger. */
export const workFigures: readonly Figure[] = [
  queues,
  calling,
  outbox as unknown as Figure,
  programs,
  moderation,
  ledger,
];
