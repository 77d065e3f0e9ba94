import type pg from 'pg';
import { reconcile } from '#modules/billing';
import type { Config } from '#platform/config/config';
import { holdOf } from '../hold.ts';
import { bad, type Found, type Look, ok, warn } from './finding.ts';
import { secretKeyOf } from './secret-key.ts';

/** Reads the kinds of live processes on all machines, with the number of each. */
export async function runningKinds(pool: pg.Pool): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ kind: string; count: number }>(
    'SELECT kind, count(*)::int AS count FROM node WHERE node_is_live(seen_at) GROUP BY kind ORDER BY kind',
  );
  return new Map(rows.map(({ kind, count }) => [kind, count]));
}

function processes(running: ReadonlyMap<string, number>, commitsEnd: boolean): Found {
  if (!commitsEnd)
    return warn(
      'Processes cannot send heartbeats while no commit finishes.',
      'Repair what the line "standby" shows. Until then start and stop nothing.',
    );
  const detail = [...running].map(([kind, count]) => `${count} ${kind.replace('_', '-')}`).join(', ');
  const missing = ['api', 'worker', 'sender'].filter((kind) => !running.has(kind));
  if (missing.length === 0) return ok(`Running: ${detail}.`);
  return warn(
    `Running: ${detail || 'nothing'}; missing: ${missing.join(', ')}.`,
    'Start the missing processes: `npm start`, or see docs/operations.md.',
  );
}

async function hold(pool: pg.Pool): Promise<Found | undefined> {
  const held = await holdOf(pool);
  if (!held) return undefined;
  return warn(
    `Sending is on hold because the database was restored to ${held.until}; ${held.messages} messages outside campaigns wait.`,
    'Check the paused campaigns, then run `npm run restore -- release` (docs/operate/backup.md).',
  );
}

const LINKS = 'SELECT name, enabled, carried, state FROM link_now WHERE NOT for_tests ORDER BY name';

interface LinkRow {
  name: string;
  enabled: boolean;
  carried: boolean;
  state: string;
}

async function links(pool: pg.Pool, senders: boolean): Promise<Found[]> {
  const { rows } = await pool.query<LinkRow>(LINKS);
  if (!rows.some(({ enabled }) => enabled)) {
    return [
      warn('No link is enabled: no message can be sent.', 'Add or enable a link under Engineering → Carrier links.'),
    ];
  }
  const found: Found[] = [];
  for (const { name, enabled, carried, state } of rows) {
    if (!enabled) found.push(ok(`${name} is disabled.`));
    else if (!senders || (state !== 'down' && state !== 'binding'))
      found.push(ok(`${name} is ${senders ? state : 'without a sender'}.`));
    else {
      const never = carried ? '' : ' and has never sent a message';
      found.push(
        warn(
          `${name} is ${state}${never}.`,
          'Its page under Engineering → Carrier links shows the reason; "Test bind" tests it.',
        ),
      );
    }
  }
  return found;
}

const TOLD_FINDINGS = 3;

async function ledger(pool: pg.Pool): Promise<Found> {
  const findings = await reconcile(pool);
  if (findings.length === 0) return ok('The ledger reconciles.');
  // Workers record them every ten minutes; the doctor shows them even before that.
  const first = findings
    .slice(0, TOLD_FINDINGS)
    .map(
      ({ rule, billing_account_id, detail }) =>
        `${rule}${billing_account_id === null ? '' : ` of account ${billing_account_id}`} ${JSON.stringify(detail)}`,
    );
  return bad(
    `The ledger has ${findings.length} contradictions: ${first.join('; ')}${findings.length > TOLD_FINDINGS ? ' …' : ''}.`,
    'Workers record all of them in billing_finding; see docs/operate/at-night.md, "Reconcile mismatch".',
  );
}

async function receipts(pool: pg.Pool): Promise<Found> {
  const { rows } = await pool.query<{ day: number }>(
    `SELECT count(*)::int AS day FROM receipt WHERE message_id IS NULL
     AND received_at > now() - interval '1 day' AND received_at < now() - interval '10 minutes'`,
  );
  const { day } = rows[0]!;
  const detail = `${day} receipts of the last day match no message.`;
  return day > 100
    ? warn(detail, 'Check the message ID rule of their links (docs/operations.md, "Quirks").')
    : ok(detail);
}

/**
 * Days of tolerance: the nightly job removes expired days, but a day with unfinished messages may stay some days
 * longer.
 */
const SLACK_DAYS = 3;

const KEPT = `
  SELECT s.key, s.value::int AS days, (
    SELECT count(*)::int FROM partitioned_days() AS d
    WHERE d < (now() AT TIME ZONE 'UTC')::date - greatest(s.value::int, s.least) - ${SLACK_DAYS}
      AND (s.key = 'messages_kept_days' OR NOT EXISTS (SELECT FROM redacted_day r WHERE r.day = d))) AS late
  FROM (SELECT key, value, CASE key WHEN 'texts_kept_days' THEN 7 ELSE 31 END AS least FROM global_configuration
    WHERE key IN ('texts_kept_days', 'messages_kept_days') AND enabled AND value ~ '^[1-9]\\d{0,5}$') s ORDER BY s.key`;

async function retention(pool: pg.Pool): Promise<Found[]> {
  const { rows } = await pool.query<{ key: string; days: number; late: number }>(KEPT);
  if (rows.length === 0) return [ok('Messages and their texts are kept forever.')];
  return rows.map(({ key, days, late }) =>
    late === 0
      ? ok(`${key} is ${days}, and older data is removed.`)
      : warn(
          `${key} is ${days}, but ${late} older days still exist.`,
          'Find out why the nightly job remove-old-data of the workers does not finish.',
        ),
  );
}

/** Lists the checks of messages, money and links. */
export function trafficLooks(
  pool: pg.Pool,
  config: Config,
  { running, commitsEnd }: { running: ReadonlyMap<string, number>; commitsEnd: boolean },
): Look[] {
  return [
    { name: 'processes', look: () => processes(running, commitsEnd) },
    { name: 'hold', look: () => hold(pool) },
    { name: 'secret_key', look: () => secretKeyOf(pool, config) },
    // Their states are written each second; without commits the stored states are old.
    ...(commitsEnd ? [{ name: 'links', look: () => links(pool, running.has('sender')) }] : []),
    { name: 'receipts', look: () => receipts(pool) },
    { name: 'retention', look: () => retention(pool) },
    { name: 'ledger', look: () => ledger(pool) },
  ];
}
