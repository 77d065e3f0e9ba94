import type { dryRunJourney as dryRunOperation } from '@heliograph/contract/journeys/journey';
import {
  type JourneyDefinition,
  type JourneyStep,
  referencesOf,
} from '@heliograph/contract/journeys/journey-definition';
import { planOf } from '@heliograph/contract/journeys/journey-plan';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { countParts } from '@heliograph/contract/kernel/segments';
import { sql } from 'kysely';
import type { z } from 'zod';
import { knowRule, readRule } from '#modules/audience';
import { suppressedAmong } from '#modules/campaigns';
import { closedIn, heldUntil, readHours, zonesOf } from '#modules/policy';
import { type Context, requirePermission } from '#platform/context';
import { fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { readDefinition } from './definition.ts';
import { priceFor } from './figures.ts';
import { stored } from './journeys.ts';
import { textFieldsOf, textMaker, valuesFor } from './texts.ts';
import { endOfWait } from './wait.ts';
import { branchOf } from './walk.ts';

type Shown = z.output<(typeof dryRunOperation)['reply']>['data'][number];
type Step = Shown['steps'][number];
interface Person {
  contact_id: number;
  number: string;
  name: string | null;
}

/**
 * Follows the definition for contacts as if they entered now. Conditions are asked once, as things are now; set fields
 * and tags change nothing that a later condition asks. Nothing is written.
 */
export const dryRun: Handler<typeof dryRunOperation> = async (ctx, { params, body }) => {
  requirePermission(ctx.caller, 'contacts-index');
  const { data } = await stored.get(ctx, { params, query: {}, body: {} });
  const { corporation_id, id } = data;
  const definition = readDefinition(data.definition);
  const { rows: people } = await sql<Person>`SELECT id AS contact_id, number, name FROM contact
    WHERE corporation_id = ${corporation_id} AND id = ANY (${body.contact_ids}::bigint[]) ORDER BY id`.execute(ctx.db);
  if (people.length < new Set(body.contact_ids).size) throw fieldError('contact_ids', 'not_visible');
  const facts = await factsOf(ctx, corporation_id, definition, people);
  return {
    data: people.map((person) => ({ ...person, steps: stepsOf(definition, person, facts, ctx.clock.now(), id) })),
  };
};

/** Everything that the steps of people are followed with. */
interface Facts {
  zone: string;
  /** Numbers that a segment finds. */
  found: ReadonlyMap<number, ReadonlySet<string>>;
  heldUntil(number: string, at: Date): Date;
  priceOf: ((number: string) => number) | null;
  fateOf(senderId: number, number: string): Step['fate'];
  textOf(step: Extract<JourneyStep, { do: 'message' }>, number: string): string;
}

async function factsOf(
  ctx: Context,
  corporationId: number,
  definition: JourneyDefinition,
  people: readonly Person[],
): Promise<Facts> {
  const { db } = ctx;
  const numbers = people.map(({ number }) => number);
  const refers = referencesOf(definition);
  const segments = await sql<{ id: number; rule: unknown }>`SELECT id, rule FROM segment
    WHERE corporation_id = ${corporationId} AND id = ANY (${refers.segments}::bigint[])`.execute(db);
  const found = new Map<number, ReadonlySet<string>>();
  for (const { id, rule } of segments.rows) {
    const { where } = await knowRule(ctx, corporationId, readRule(rule));
    const { rows } = await sql<{ number: string }>`SELECT n.number FROM contact n
      WHERE n.number = ANY (${numbers}::text[]) AND ${where}`.execute(db);
    found.set(id, new Set(rows.map(({ number }) => number)));
  }
  const place = await sql<{ timezone: string; start_time: string | null; end_time: string | null }>`
    SELECT c.timezone, b.start_time, b.end_time FROM corporation c
    LEFT JOIN blackout_time b ON b.corporation_id = c.id AND b.enabled WHERE c.id = ${corporationId}`.execute(db);
  const zone = place.rows[0]?.timezone ?? 'UTC';
  const blackouts = place.rows.flatMap(({ start_time, end_time }) =>
    start_time && end_time ? [{ window: { from: start_time, to: end_time }, zone, outside: 'wait' as const }] : [],
  );
  const hours = await readHours(db);
  const asked = refers.senders.flatMap((sender_id_id) =>
    numbers.map((number) => ({ corporation_id: corporationId, sender_id_id, number, channel: 'web' as const })),
  );
  const suppressed = await suppressedAmong(db, asked);
  const fates = new Map(asked.map((each, at) => [`${each.sender_id_id} ${each.number}`, suppressed[at]]));
  const fields = await textFieldsOf(db, corporationId, definition);
  const values = await valuesFor(db, corporationId, fields, numbers);
  return {
    zone,
    found,
    heldUntil: (number, at) =>
      heldUntil([...closedIn(hours, zonesOf(number) ?? zone, true), ...blackouts], at)?.until ?? at,
    priceOf: await priceFor(ctx, corporationId),
    fateOf: (senderId, number) => fates.get(`${senderId} ${number}`) ?? 'sent',
    textOf: (step, number) => textMaker(step, fields)(values.get(number)),
  };
}

function stepsOf(definition: JourneyDefinition, person: Person, facts: Facts, from: Date, journeyId: number): Step[] {
  const { first, steps } = planOf(definition.steps);
  const shown: Step[] = [];
  let at = from;
  for (let id = first; id !== null; ) {
    const planned = steps.get(id)!;
    const { step, branches } = planned;
    let branch: number | null = null;
    let message: Pick<Step, 'text' | 'parts' | 'cost' | 'fate'> = { text: null, parts: null, cost: null, fate: null };
    if (step.do === 'condition') branch = facts.found.get(step.segment_id)?.has(person.number) ? 0 : 1;
    if (step.do === 'split') branch = branchOf(step, person, journeyId);
    if (step.do === 'message') {
      at = facts.heldUntil(person.number, at);
      const text = facts.textOf(step, person.number);
      const { parts } = countParts(text);
      const fate = facts.fateOf(step.sender_id, person.number);
      const cost = facts.priceOf && fate === 'sent' ? fromThousandths(parts * facts.priceOf(person.number)) : null;
      message = { text, parts, cost, fate };
    }
    shown.push({ step: step.id, at: at.toISOString(), branch, ...message });
    if (step.do === 'wait' || step.do === 'until') at = endOfWait(step, at, facts.zone);
    id = branch === null ? planned.next : branches[branch]!;
  }
  return shown;
}
