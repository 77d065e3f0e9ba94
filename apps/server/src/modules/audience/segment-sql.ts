import type { SegmentCondition, SegmentGroup, SegmentNode } from '@heliograph/contract/audience/segment-rule';
import { type RawBuilder, sql } from 'kysely';
import { consentIs } from './contact-rows.ts';
import { birthdaysOn, daysAfter, daysOf } from './segment-days.ts';

type Condition = RawBuilder<boolean>;
type Of<On extends SegmentCondition['on']> = Extract<SegmentCondition, { on: On }>;

/** Data with which a rule is compiled. Columns come only from `slots`, the table of a corporation's fields. */
export interface SegmentScope {
  corporation_id: number;
  /** Columns by the ids of the fields. */
  slots: ReadonlyMap<number, string>;
  /** Time zone of the corporation, and the day of the calendar there. */
  timezone: string;
  today: string;
}

const SLOT = /^(text|number|date|flag)_\d{1,2}$/;
const DAY_MS = 86_400_000;
/** Ids that messages of one UTC day can have. */
const MESSAGES_A_DAY = 2 ** 38;

/**
 * Compiles a rule to a condition for rows `n` of contact. Every value is a bound parameter, and every condition is true
 * or false for each contact, never null.
 */
export function compileRule(rule: Pick<SegmentGroup, 'match' | 'rules'>, scope: SegmentScope): Condition {
  const parts = rule.rules.map((part) => compilePart(part, scope));
  const joined = sql.join(parts, rule.match === 'all' ? sql` AND ` : sql` OR `);
  return rule.match === 'none' ? sql`(NOT (${joined}))` : sql`(${joined})`;
}

function compilePart(part: SegmentNode, scope: SegmentScope): Condition {
  if (part.on === 'group') return compileRule(part, scope);
  const condition = compileCondition(part, scope);
  return part.not ? sql`(NOT ${condition})` : condition;
}

function compileCondition(condition: SegmentCondition, scope: SegmentScope): Condition {
  switch (condition.on) {
    case 'text':
      return textIs(condition.field_id === null ? sql`n.name` : columnOf(scope, condition.field_id), condition);
    case 'choice': {
      const column = columnOf(scope, condition.field_id);
      if (condition.op === 'empty') return sql`(${column} IS NULL)`;
      return sql`((${column} = ANY (${condition.values}::text[])) IS TRUE)`;
    }
    case 'number':
      return numberIs(columnOf(scope, condition.field_id), condition);
    case 'date':
      return dateIs(columnOf(scope, condition.field_id), condition, scope.today);
    case 'yes_no': {
      const column = columnOf(scope, condition.field_id);
      if (condition.op === 'empty') return sql`(${column} IS NULL)`;
      return condition.op === 'yes' ? sql`(${column} IS TRUE)` : sql`(${column} IS FALSE)`;
    }
    case 'tag':
      return sql`(n.tags <> '{}' AND n.tags @> ${[condition.tag]}::text[])`;
    case 'list':
      return sql`EXISTS (SELECT FROM number_list_number m WHERE m.number_list_id = ${condition.list_id}::bigint
        AND m.number = n.number)`;
    case 'consent':
      return sql`(${sql.join(condition.consents.map(consentIs), sql` OR `)})`;
    case 'time':
      return timeIs(condition, scope);
    case 'event':
      return happened(condition, scope);
  }
}

/** Returns the column of a field. A field without one is a fault of the caller, who checks for it first. */
function columnOf({ slots }: SegmentScope, fieldId: number): RawBuilder<unknown> {
  const slot = slots.get(fieldId);
  if (slot === undefined || !SLOT.test(slot)) throw new Error('a segment names an unknown field');
  return sql`n.${sql.ref(slot)}`;
}

function textIs(column: RawBuilder<unknown>, { op, value }: Of<'text'>): Condition {
  switch (op) {
    case 'is':
      return sql`((lower(${column}) = lower(${value}::text)) IS TRUE)`;
    case 'contains':
      return sql`((strpos(lower(${column}), lower(${value}::text)) > 0) IS TRUE)`;
    case 'begins':
      return sql`(starts_with(lower(${column}), lower(${value}::text)) IS TRUE)`;
    case 'empty':
      return sql`(coalesce(${column}, '') = '')`;
  }
}

function numberIs(column: RawBuilder<unknown>, { op, value, to }: Of<'number'>): Condition {
  const given = sql`${value}::double precision`;
  switch (op) {
    case 'is':
      return sql`((${column} = ${given}) IS TRUE)`;
    case 'below':
      return sql`((${column} < ${given}) IS TRUE)`;
    case 'above':
      return sql`((${column} > ${given}) IS TRUE)`;
    case 'between':
      return sql`((${column} BETWEEN ${given} AND ${to}::double precision) IS TRUE)`;
    case 'empty':
      return sql`(${column} IS NULL)`;
  }
}

function dateIs(column: RawBuilder<unknown>, condition: Of<'date'>, today: string): Condition {
  if (condition.op === 'empty') return sql`(${column} IS NULL)`;
  if (condition.op === 'birthday') {
    const born = birthdaysOn(daysAfter(today, condition.days ?? 0));
    return sql`((${column} = ANY (${born}::date[])) IS TRUE)`;
  }
  const [first, last] = daysOf(condition, today);
  if (first === null) return sql`((${column} <= ${last}::date) IS TRUE)`;
  if (last === null) return sql`((${column} >= ${first}::date) IS TRUE)`;
  return sql`((${column} BETWEEN ${first}::date AND ${last}::date) IS TRUE)`;
}

function timeIs({ time, op, day, days }: Of<'time'>, { timezone, today }: SegmentScope): Condition {
  const column = time === 'created' ? sql`n.created_at` : sql`n.updated_at`;
  const startOf = (at: string) => sql`(${at}::date::timestamp AT TIME ZONE ${timezone}::text)`;
  if (op === 'before') return sql`(${column} < ${startOf(day!)})`;
  return sql`(${column} >= ${startOf(op === 'after' ? daysAfter(day!, 1) : daysAfter(today, -(days ?? 0)))})`;
}

/** Condition that an event of the traffic happened to the number of a contact. */
function happened(
  { event, campaign_id, link, conversion, days }: Of<'event'>,
  { corporation_id, today }: SegmentScope,
): Condition {
  const owner = sql`${corporation_id}::bigint`;
  const first = days === null ? null : daysAfter(today, -days);
  const of = (column: RawBuilder<unknown>) =>
    campaign_id === null ? sql`` : sql` AND ${column} = ${campaign_id}::bigint`;
  const since = (column: RawBuilder<unknown>) =>
    first === null ? sql`` : sql` AND ${column} >= ${first}::date::timestamp AT TIME ZONE 'UTC'`;
  switch (event) {
    case 'replied':
      return sql`EXISTS (SELECT FROM inbox_message e WHERE e.corporation_id = ${owner} AND e.oa = n.number${of(sql`e.campaign_id`)}${since(sql`e.received_at`)})`;
    case 'clicked': {
      const place = link === null ? sql`` : sql` AND e.place = ${link}::smallint`;
      return sql`EXISTS (SELECT FROM short_link_click e WHERE e.corporation_id = ${owner} AND e.msisdn = n.number${of(sql`e.campaign_id`)}${since(sql`e.last_at`)}${place})`;
    }
    case 'converted': {
      // Rules of before have no name.
      const named = conversion == null ? sql`` : sql` AND e.name = ${conversion}::text`;
      return sql`EXISTS (SELECT FROM conversion e WHERE e.corporation_id = ${owner} AND e.contact_id = n.id${of(sql`e.campaign_id`)}${since(sql`e.happened_at`)}${named})`;
    }
    default: {
      // Ids of messages begin with the UTC day.
      const from = first === null ? sql`` : sql` AND m.id >= ${(Date.parse(first) / DAY_MS) * MESSAGES_A_DAY}::bigint`;
      const done =
        event === 'delivered'
          ? sql`chunk_state s ON s.chunk_id = m.id >> 10 AND end_of(flags_of(s.states, m.id & 1023)) = 'delivered'`
          : sql`chunk k ON k.id = m.id >> 10 AND (m.id & 1023) < k.cursor`;
      return sql`EXISTS (SELECT FROM message m JOIN ${done} WHERE m.corporation_id = ${owner} AND m.msisdn = n.number${of(sql`m.campaign_id`)}${from})`;
    }
  }
}
