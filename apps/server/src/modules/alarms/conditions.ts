import { hostname } from 'node:os';
import type { AlarmCondition } from '@heliograph/contract/alarms/alarm';
import type { Kysely } from 'kysely';
import { losingTraffic } from '#modules/margin-guard';
import { LANES, type LaneRow } from '#modules/monitoring';
import type { ConnectedConfig } from '#platform/config/config';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { roomOn } from '#platform/operate/disk';

/** Something that is wrong now. */
export interface Finding {
  /** Id or name of what it is about; the same for as long as it is wrong. */
  subject: string;
  name: string;
  link_id: number | null;
  detail: Record<string, number | string>;
  /** RFC 3339. */
  since: string;
}

/** Times after which conditions are alarms, in seconds. */
export interface Limits {
  link: number;
  queue: number;
}

interface Look {
  db: Kysely<Database>;
  config: Pick<ConnectedConfig, 'DATA_DIR'>;
  limits: Limits;
  now: Date;
}

interface Condition {
  name: AlarmCondition;
  /** Seconds for which it must last to be raised, and be away to be over. */
  lasts(limits: Limits): number;
  find(look: Look): Promise<Finding[]>;
}

/** Seconds after which a silent process, a full disk and a late queue are raised. */
const SOON = 10;

const LINKS_DOWN = `
  SELECT id::text AS subject, name, id AS link_id, '{}'::jsonb AS detail, coalesce(since, now()) AS since
  FROM link_now WHERE enabled AND NOT draining AND NOT for_tests AND state IN ('down', 'binding')`;

// A process that ended properly has left the list. One that was replaced by another of its kind is not missed. The list
// forgets dead processes after ten minutes; their alarms last until they are replaced, for a day.
const NODES_GONE = `
  SELECT n.name AS subject, n.host AS name, NULL::bigint AS link_id,
    jsonb_build_object('kind', n.kind) AS detail, n.seen_at AS since
  FROM node n WHERE NOT node_is_live(n.seen_at) AND NOT EXISTS (
    SELECT FROM node o WHERE o.kind = n.kind AND o.started_at > n.started_at AND node_is_live(o.seen_at))
  UNION ALL
  SELECT a.subject, a.name, NULL, a.detail, a.since FROM alarm a
  WHERE a.condition = 'node_gone' AND a.ended_at IS NULL AND a.since > now() - interval '1 day'
    AND NOT EXISTS (SELECT FROM node m WHERE m.name = a.subject) AND NOT EXISTS (
      SELECT FROM node o WHERE o.kind = a.detail->>'kind' AND o.started_at > a.since AND node_is_live(o.seen_at))`;

const MOVING_LINKS = `
  SELECT id FROM link_now WHERE for_tests OR state = 'throttled' OR (live->'minute'->>'submitted')::bigint > 0`;

/**
 * Messages that wait for longer than the limit. Bulk may wait its turn behind other bulk: it is late only if nothing at
 * all has left on its link within the last minute.
 */
async function delayedQueues({ db, limits, now }: Look): Promise<Finding[]> {
  const lanes = await rowsOf<LaneRow>(db, LANES, []);
  const late = lanes.filter(({ oldest, waiting }) => waiting > 0 && (oldest ?? 0) > limits.queue);
  if (late.length === 0) return [];
  const moving = new Set((await rowsOf<{ id: number }>(db, MOVING_LINKS, [])).map(({ id }) => id));
  return late
    .filter((lane) => lane.class !== 'bulk' || !moving.has(lane.link_id))
    .map(({ link_id, link, class: of, waiting, oldest }) => ({
      subject: `${link_id}:${of}`,
      name: link,
      link_id,
      detail: { class: of, waiting },
      since: new Date(now.getTime() - (oldest ?? 0) * 1_000).toISOString(),
    }));
}

async function lowDisk({ config, now }: Look): Promise<Finding[]> {
  const { level, free_bytes } = roomOn(config.DATA_DIR);
  if (level === 'ok') return [];
  const host = hostname();
  return [{ subject: host, name: host, link_id: null, detail: { free_bytes }, since: now.toISOString() }];
}

// A link that gets a trial has not recovered yet.
const QUALITY_DECLINED = `
  SELECT q.link_id || ':' || q.network_id || ':' || q.sender_kind AS subject,
    concat_ws(' · ', k.name, n.name) AS name, q.link_id,
    jsonb_build_object('network_id', q.network_id, 'sender_kind', q.sender_kind, 'cause', q.cause, 'rate', q.rate,
      'usual_rate', q.usual_rate) AS detail,
    coalesce(q.declined_at, q.since) AS since
  FROM carrier_quality_now q JOIN link k ON k.id = q.link_id LEFT JOIN network n ON n.id = q.network_id
  WHERE q.state <> 'good' AND k.enabled AND NOT k.for_tests`;

const RECEIPTS_FALSE = `
  SELECT k.id::text AS subject, k.name, k.id AS link_id, jsonb_build_object('score', u.score) AS detail, u.accused_at AS since
  FROM link_truth u JOIN link k ON k.id = u.link_id
  WHERE u.accused_at IS NOT NULL AND k.enabled AND k.test_rate > 0`;

/** Traffic of the last day that cost more than it brought, with the sum at stake. */
async function negativeMargins({ db, now }: Look): Promise<Finding[]> {
  return (await losingTraffic(db, now)).map(({ link_id, link_name, currency, lost, parts }) => ({
    subject: `${link_id}:${currency}`,
    name: link_name,
    link_id,
    detail: { lost, currency, parts },
    since: now.toISOString(),
  }));
}

// Files and entries of the log that a destination has not taken for an hour.
const DELIVERIES_LATE = `
  SELECT 'scheduled-file:' || f.id AS subject, concat_ws(' · ', c.name, f.name) AS name, NULL::bigint AS link_id,
    '{}'::jsonb AS detail, f.failing_since AS since
  FROM scheduled_file f LEFT JOIN corporation c ON c.id = f.corporation_id
  WHERE f.enabled AND f.failing_since < now() - interval '1 hour'
  UNION ALL
  SELECT 'audit-stream:' || s.id, concat_ws(' · ', c.name, s.name), NULL, '{}', s.failing_since
  FROM audit_stream s LEFT JOIN corporation c ON c.id = s.corporation_id
  WHERE s.enabled AND s.failing_since < now() - interval '1 hour'`;

/** All conditions: banner, bell, mails and posted events know no others. */
export const CONDITIONS: readonly Condition[] = [
  { name: 'link_down', lasts: ({ link }) => link, find: ({ db }) => rowsOf<Finding>(db, LINKS_DOWN, []) },
  { name: 'queue_delayed', lasts: () => SOON, find: delayedQueues },
  { name: 'node_gone', lasts: () => SOON, find: ({ db }) => rowsOf<Finding>(db, NODES_GONE, []) },
  { name: 'disk_low', lasts: () => SOON, find: lowDisk },
  { name: 'quality_declined', lasts: () => SOON, find: ({ db }) => rowsOf<Finding>(db, QUALITY_DECLINED, []) },
  { name: 'receipts_false', lasts: () => SOON, find: ({ db }) => rowsOf<Finding>(db, RECEIPTS_FALSE, []) },
  { name: 'margin_negative', lasts: () => SOON, find: negativeMargins },
  { name: 'delivery_late', lasts: () => SOON, find: ({ db }) => rowsOf<Finding>(db, DELIVERIES_LATE, []) },
];
