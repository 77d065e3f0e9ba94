import { createHash } from 'node:crypto';
import type pg from 'pg';
import { Counter } from 'prom-client';
import { postTransfers } from '#modules/billing';
import { addEvents } from '#modules/events';
import { numberArray, textArray } from '#platform/database/array-literal';
import { failpoint } from '#platform/failpoints';
import { registry } from '#platform/operate/metrics';
import { together } from '../postgres-session.ts';
import { type CampaignDelta, type ClassSums, type Deltas, QUARTER_FIELDS, type QuarterDelta } from './deltas.ts';

const messages = new Counter({
  name: 'heliograph_messages_total',
  help: 'Messages that were submitted, and how they ended, as this process recorded it.',
  labelNames: ['class', 'state'],
  registers: [registry],
});

const parts = new Counter({
  name: 'heliograph_parts_accepted_total',
  help: 'Parts that carriers accepted, as this process recorded it.',
  labelNames: ['class'],
  registers: [registry],
});

/** Counts the messages of a batch in the metrics, once it is committed. */
function countMessages(sums: readonly ClassSums[]): void {
  for (const { class: of, parts: accepted, ...states } of sums) {
    parts.inc({ class: of }, accepted);
    for (const [state, count] of Object.entries(states)) messages.inc({ class: of, state }, count);
  }
}

const ADD_QUARTERS = {
  name: 'add-quarters',
  text: `
    INSERT INTO traffic_quarter AS q (quarter, corporation_id, department_id, user_id, campaign_id, sender_id,
      ${QUARTER_FIELDS.join()})
    SELECT to_timestamp(d.quarter / 1000), d.corporation_id, d.department_id, d.user_id, d.campaign_id, d.sender_id,
      ${QUARTER_FIELDS.map((field) => `d.${field}`).join()}
    FROM unnest($1::float8[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[],
      ${QUARTER_FIELDS.map((_, i) => `$${i + 7}::bigint[]`).join()})
      AS d(quarter, corporation_id, department_id, user_id, campaign_id, sender_id, ${QUARTER_FIELDS.join()})
    ON CONFLICT (quarter, corporation_id, department_id, user_id, campaign_id, sender_id) DO UPDATE SET
      ${QUARTER_FIELDS.map((field) => `${field} = q.${field} + EXCLUDED.${field}`).join()}`,
};

const ADD_COUNTERS = {
  name: 'add-counters',
  text: `
    WITH locked AS (
      SELECT campaign_id FROM campaign_counter WHERE campaign_id = ANY ($1::bigint[]) ORDER BY campaign_id FOR NO KEY UPDATE
    )
    UPDATE campaign_counter n SET submitted = n.submitted + d.submitted, delivered = n.delivered + d.delivered,
      failed = n.failed + d.failed, expired = n.expired + d.expired, cancelled = n.cancelled + d.cancelled,
      charged = n.charged + d.charged, released = n.released + d.released, processed = n.processed + d.processed
    FROM locked JOIN unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
      $7::bigint[], $8::bigint[], $9::bigint[])
      AS d(campaign_id, submitted, delivered, failed, expired, cancelled, charged, released, processed) USING (campaign_id)
    WHERE n.campaign_id = d.campaign_id`,
};

const addQuarters = (client: pg.Client, quarters: readonly QuarterDelta[]) =>
  client.query({
    ...ADD_QUARTERS,
    values: [
      ...(['quarter', 'corporation_id', 'department_id', 'user_id', 'campaign_id'] as const).map((field) =>
        numberArray(quarters.map((q) => q[field])),
      ),
      textArray(quarters.map((q) => q.sender_id)),
      ...QUARTER_FIELDS.map((field) => numberArray(quarters.map((q) => q[field]))),
    ],
  });

const COUNTERS = [
  'campaign_id',
  'submitted',
  'delivered',
  'failed',
  'expired',
  'cancelled',
  'charged',
  'released',
] as const;

/**
 * Wraps a client so that statements are parsed and planned once in a session: those of the ledger are the same in every
 * batch.
 */
const prepared = (client: pg.Client) => ({
  query: (text: string, values: unknown[]) => client.query({ name: nameOf(text), text, values }),
});

const names = new Map<string, string>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = createHash('sha256').update(text).digest('base64url');
    names.set(text, name);
  }
  return name;
}

/**
 * Ends a transaction that recorded outcomes: events, statistics, money, counters, COMMIT. Hot rows are locked in this
 * order everywhere. The counters, which the intents wait for, come last and are locked only while the commit is on its
 * way. `processed` adds to that counter of every campaign in the batch. Answers the ids of the campaigns. Throws, and
 * leaves the transaction open, if a part fails.
 */
export async function applyDeltas(
  client: pg.Client,
  deltas: Deltas,
  cause: string,
  processed: ReadonlyMap<number, number> = new Map(),
): Promise<number[]> {
  const quarters = deltas.quarters();
  const campaigns: CampaignDelta[] = deltas.campaigns();
  const settlements = deltas.settlements(cause);
  await together([
    deltas.events.length > 0 && addEvents(prepared(client), deltas.events),
    quarters.length > 0 && addQuarters(client, quarters),
    postTransfers(prepared(client), settlements),
  ]);
  const counting =
    campaigns.length > 0
      ? client.query({
          ...ADD_COUNTERS,
          values: [
            ...COUNTERS.map((field) => numberArray(campaigns.map((c) => c[field]))),
            numberArray(campaigns.map((c) => processed.get(c.campaign_id) ?? 0)),
          ],
        })
      : undefined;
  failpoint('outcomes.before-commit');
  await together([counting, client.query('COMMIT')]);
  countMessages(deltas.classes());
  return campaigns.map(({ campaign_id }) => campaign_id);
}
