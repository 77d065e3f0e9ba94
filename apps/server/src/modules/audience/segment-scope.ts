import { CONTACT_FIELD_TYPES } from '@heliograph/contract/audience/contact-field';
import {
  conditionsOf,
  type SegmentCondition,
  type SegmentLack,
  type SegmentNames,
  type SegmentRule,
} from '@heliograph/contract/audience/segment-rule';
import { type RawBuilder, sql } from 'kysely';
import { mayTryNumbers } from '#platform/access/hidden-numbers';
import type { Caller } from '#platform/context';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { dateIn } from '#platform/records/period';
import { compileRule, type SegmentScope } from './segment-sql.ts';

/** Rule with the records that it refers to, as far as they exist for the reader. */
export interface KnownRule {
  names: SegmentNames;
  lacks: SegmentLack[];
  /** Condition for rows `n` of contact, of its corporation only; it is false if anything is missing. */
  where: RawBuilder<boolean>;
}

const TYPED: ReadonlySet<string> = new Set(CONTACT_FIELD_TYPES);

/** Returns the field that a condition compares; undefined for none, and for the name of a contact. */
const fieldOf = (condition: SegmentCondition): number | undefined =>
  'field_id' in condition ? (condition.field_id ?? undefined) : undefined;
const textsOf = (condition: SegmentCondition): string[] =>
  condition.on === 'text'
    ? [condition.value ?? '']
    : condition.on === 'tag'
      ? [condition.tag]
      : condition.on === 'choice'
        ? condition.values
        : condition.on === 'number'
          ? [String(condition.value ?? ''), String(condition.to ?? '')]
          : [];

type Named = { id: number; name: string };
const namesOf = (rows: readonly Named[]) => Object.fromEntries(rows.map(({ id, name }) => [String(id), name]));

/**
 * Reads what rules of a corporation refer to, with the rights of the reader of `db`: a list or a campaign that they do
 * not see is missing, as one that is gone. A `caller` without the right to see numbers cannot compare texts with digits.
 */
export async function knowRules(
  db: Queryable,
  corporationId: number,
  rules: readonly SegmentRule[],
  now: Date,
  caller?: Pick<Caller, 'numbers_visible'>,
): Promise<KnownRule[]> {
  const all = rules.map((rule) => conditionsOf(rule));
  const idsOf = (find: (condition: SegmentCondition) => number | null | undefined) =>
    [...new Set(all.flat().map(find))].filter((id) => id !== undefined && id !== null);
  const [fieldIds, listIds, campaignIds] = [
    idsOf(fieldOf),
    idsOf((each) => (each.on === 'list' ? each.list_id : undefined)),
    idsOf((each) => (each.on === 'event' ? each.campaign_id : undefined)),
  ];
  const fields = await rowsOf<Named & { type: string; slot: string }>(
    db,
    'SELECT id, name, type, slot FROM contact_field_row WHERE corporation_id = $1 AND id = ANY ($2::bigint[])',
    [corporationId, fieldIds],
  );
  const lists = await rowsOf<Named>(
    db,
    'SELECT id, name FROM number_list WHERE corporation_id = $1 AND id = ANY ($2::bigint[])',
    [corporationId, listIds],
  );
  const campaigns = await rowsOf<Named>(
    db,
    'SELECT id, name FROM campaign WHERE corporation_id = $1 AND id = ANY ($2::bigint[])',
    [corporationId, campaignIds],
  );
  const [place] = await rowsOf<{ timezone: string }>(db, 'SELECT timezone FROM corporation WHERE id = $1', [
    corporationId,
  ]);
  const timezone = place?.timezone ?? 'UTC';
  const scope: SegmentScope = {
    corporation_id: corporationId,
    slots: new Map(fields.map(({ id, slot }) => [id, slot])),
    timezone,
    today: dateIn(timezone, now),
  };
  const types = new Map(fields.map(({ id, type }) => [id, type]));
  const has = { list: new Set(lists.map(({ id }) => id)), campaign: new Set(campaigns.map(({ id }) => id)) };
  const lackOf = (condition: SegmentCondition): SegmentLack | undefined => {
    const field = fieldOf(condition);
    if (field !== undefined && TYPED.has(condition.on) && types.get(field) !== condition.on)
      return { kind: 'field', id: field };
    if (condition.on === 'list' && !has.list.has(condition.list_id)) return { kind: 'list', id: condition.list_id };
    if (condition.on === 'event' && condition.campaign_id !== null && !has.campaign.has(condition.campaign_id))
      return { kind: 'campaign', id: condition.campaign_id };
    const tried = caller && textsOf(condition).some((text) => !mayTryNumbers(caller, text));
    return tried ? { kind: 'number', id: 0 } : undefined;
  };
  const names = { fields: namesOf(fields), lists: namesOf(lists), campaigns: namesOf(campaigns) };
  return rules.map((rule, place) => {
    const lacks = all[place]!.flatMap((condition) => lackOf(condition) ?? []);
    const once = lacks.filter(
      ({ kind, id }, at) => lacks.findIndex((each) => each.kind === kind && each.id === id) === at,
    );
    const own = {
      fields: only(names.fields, all[place]!, (each) => fieldOf(each) ?? null),
      lists: only(names.lists, all[place]!, (each) => (each.on === 'list' ? each.list_id : null)),
      campaigns: only(names.campaigns, all[place]!, (each) => (each.on === 'event' ? each.campaign_id : null)),
    };
    const where = once.length > 0 ? sql<boolean>`false` : compileRule(rule, scope);
    return { names: own, lacks: once, where: sql`(n.corporation_id = ${corporationId}::bigint AND ${where})` };
  });
}

/** Returns the names that conditions refer to. */
function only(
  names: Record<string, string>,
  conditions: readonly SegmentCondition[],
  find: (condition: SegmentCondition) => number | null,
): Record<string, string> {
  const ids = new Set(conditions.map(find));
  return Object.fromEntries(Object.entries(names).filter(([id]) => ids.has(Number(id))));
}
