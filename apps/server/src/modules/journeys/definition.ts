import type { SegmentRule } from '@heliograph/contract/audience/segment-rule';
import {
  type JourneyDefinition,
  type JourneyNames,
  journeyDefinition,
  referencesOf,
} from '@heliograph/contract/journeys/journey-definition';
import { type JourneyPlan, planOf } from '@heliograph/contract/journeys/journey-plan';
import { readRule } from '#modules/audience';
import { type Queryable, rowsOf } from '#platform/database/queryable';

/** Version of a journey: its definition, where each step leads, and the rules of its segments by their ids. */
export interface Version {
  id: number;
  definition: JourneyDefinition;
  plan: JourneyPlan;
  /** Places of the steps in the order in which they are read; a step leads only to later ones. */
  places: ReadonlyMap<number, number>;
  rules: ReadonlyMap<number, SegmentRule>;
}

/** Reads a stored definition, with the defaults of later releases. */
export const readDefinition = (stored: unknown): JourneyDefinition => journeyDefinition.parse(stored);

/** Returns the version of a stored definition and its rules. */
export function versionOf(id: number, stored: unknown, rules: Readonly<Record<string, unknown>>): Version {
  const definition = readDefinition(stored);
  const plan = planOf(definition.steps);
  // The plan has its steps in the order of the definition: branches come before the step that follows them.
  const places = new Map([...plan.steps.keys()].map((step, at) => [step, at]));
  return {
    id,
    definition,
    plan,
    places,
    rules: new Map(Object.entries(rules).map(([segment, rule]) => [Number(segment), readRule(rule)])),
  };
}

type Named = { id: number; name: string };
const namesOf = (rows: readonly Named[]): Record<string, string> =>
  Object.fromEntries(rows.map(({ id, name }) => [String(id), name]));

const SEGMENTS = 'SELECT id, name FROM segment WHERE corporation_id = $1 AND id = ANY ($2::bigint[])';
const FIELDS = 'SELECT id, name FROM contact_field_row WHERE corporation_id = $1 AND id = ANY ($2::bigint[])';
const CAMPAIGNS = 'SELECT id, name FROM campaign WHERE corporation_id = $1 AND id = ANY ($2::bigint[])';
const SENDERS = 'SELECT id, sender_id AS name FROM sender_id WHERE corporation_id = $1 AND id = ANY ($2::bigint[])';

/** Returns the names of the records that definitions of a corporation refer to, as far as the reader of `db` sees them. */
export async function knowNames(
  db: Queryable,
  corporationId: number,
  definitions: readonly JourneyDefinition[],
): Promise<JourneyNames> {
  const all = definitions.map(referencesOf);
  const idsOf = (of: keyof JourneyNames) => [...new Set(all.flatMap((each) => each[of]))];
  const read = (text: string, of: keyof JourneyNames) => rowsOf<Named>(db, text, [corporationId, idsOf(of)]);
  return {
    segments: namesOf(await read(SEGMENTS, 'segments')),
    fields: namesOf(await read(FIELDS, 'fields')),
    senders: namesOf(await read(SENDERS, 'senders')),
    campaigns: namesOf(await read(CAMPAIGNS, 'campaigns')),
  };
}

/** Tells which kinds of records a definition refers to without their being among the names. */
export function missing(definition: JourneyDefinition, names: JourneyNames): Record<keyof JourneyNames, boolean> {
  const refers = referencesOf(definition);
  const lacks = (kind: keyof JourneyNames) => refers[kind].some((id) => names[kind][id] === undefined);
  return {
    segments: lacks('segments'),
    fields: lacks('fields'),
    senders: lacks('senders'),
    campaigns: lacks('campaigns'),
  };
}
