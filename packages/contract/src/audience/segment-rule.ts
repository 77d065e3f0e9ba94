import { z } from 'zod';
import { conversionName } from '../campaigns/conversion-name.ts';
import { day, id, label } from '../kernel/fields.ts';
import { CONTACT_CONSENTS } from './contact.ts';

/** Version of the stored form of a rule. */
export const SEGMENT_VERSION = 1;
/** Maximum conditions of a rule, and maximum groups within each other. */
export const SEGMENT_LIMITS = { conditions: 50, depth: 5 } as const;

/** Comparisons by the type of a field. `empty` finds contacts without a value. */
export const SEGMENT_OPS = {
  text: ['is', 'contains', 'begins', 'empty'],
  choice: ['in', 'empty'],
  number: ['is', 'below', 'above', 'between', 'empty'],
  date: ['on', 'before', 'after', 'between', 'in_days', 'days_ago', 'next_days', 'last_days', 'birthday', 'empty'],
  yes_no: ['yes', 'no', 'empty'],
} as const;
/** Times of a contact that a condition can compare. */
export const SEGMENT_TIMES = ['created', 'updated'] as const;
/** Comparisons of a time. */
export const SEGMENT_TIME_OPS = ['last_days', 'before', 'after'] as const;
/** Events of the traffic, found by the number of a contact, and conversions, found by the contact. */
export const SEGMENT_EVENTS = ['sent', 'delivered', 'replied', 'clicked', 'converted'] as const;

const days = (max: number) => z.int().min(0).max(max);
/** True finds the contacts that the condition does not find, those without a value included. */
const not = z.boolean().default(false);
const field_id = id;
const words = label(500);

type Fault = { path: string; key: string } | undefined;
const faultOf = (refused: boolean, path: string): Fault => (refused ? { path, key: 'required' } : undefined);
const checked =
  <T>(find: (condition: T) => Fault) =>
  (condition: T, ctx: z.RefinementCtx) => {
    const fault = find(condition);
    if (fault) ctx.addIssue({ code: 'custom', path: [fault.path], message: fault.key });
  };

const textCondition = z
  .object({
    on: z.literal('text'),
    /** Field of the type text; null for the name of the contact. */
    field_id: field_id.nullable(),
    op: z.enum(SEGMENT_OPS.text),
    /** Text, compared without regard to capitals; not used by `empty`. */
    value: words.nullable().default(null),
    not,
  })
  .superRefine(checked(({ op, value }) => faultOf(op !== 'empty' && value === null, 'value')));

const choiceCondition = z
  .object({
    on: z.literal('choice'),
    field_id,
    op: z.enum(SEGMENT_OPS.choice),
    values: z.array(label(60)).max(100).default([]),
    not,
  })
  .superRefine(checked(({ op, values }) => faultOf(op === 'in' && values.length === 0, 'values')));

const numberCondition = z
  .object({
    on: z.literal('number'),
    field_id,
    op: z.enum(SEGMENT_OPS.number),
    value: z.number().nullable().default(null),
    /** Last number of a range, included. */
    to: z.number().nullable().default(null),
    not,
  })
  .superRefine(
    checked(
      ({ op, value, to }) =>
        faultOf(op !== 'empty' && value === null, 'value') ?? faultOf(op === 'between' && to === null, 'to'),
    ),
  );

const FIXED: ReadonlySet<string> = new Set(['on', 'before', 'after', 'between']);
const RELATIVE: ReadonlySet<string> = new Set(['in_days', 'days_ago', 'next_days', 'last_days', 'birthday']);
/** Tells if a comparison of dates needs a day of the calendar. */
export const needsDay = (op: string): boolean => FIXED.has(op);
/** Tells if a comparison of dates needs a number of days. */
export const needsDays = (op: string): boolean => RELATIVE.has(op);

const dateCondition = z
  .object({
    on: z.literal('date'),
    field_id,
    /** `birthday` compares the month and the day only; 29 February falls on 28 February in ordinary years. */
    op: z.enum(SEGMENT_OPS.date),
    day: day.nullable().default(null),
    /** Last day of a range, included. */
    to: day.nullable().default(null),
    /** Days from today in the time zone of the corporation. */
    days: days(3_650).nullable().default(null),
    not,
  })
  .superRefine(
    checked(
      ({ op, day: first, to, days: count }) =>
        faultOf(needsDay(op) && first === null, 'day') ??
        faultOf(op === 'between' && to === null, 'to') ??
        faultOf(needsDays(op) && count === null, 'days'),
    ),
  );

const yesNoCondition = z.object({ on: z.literal('yes_no'), field_id, op: z.enum(SEGMENT_OPS.yes_no), not });
const tagCondition = z.object({ on: z.literal('tag'), tag: label(50), not });
const listCondition = z.object({ on: z.literal('list'), list_id: id, not });
const consentCondition = z.object({
  on: z.literal('consent'),
  consents: z.array(z.enum(CONTACT_CONSENTS)).min(1).max(CONTACT_CONSENTS.length),
  not,
});

const timeCondition = z
  .object({
    on: z.literal('time'),
    time: z.enum(SEGMENT_TIMES),
    op: z.enum(SEGMENT_TIME_OPS),
    day: day.nullable().default(null),
    days: days(3_650).nullable().default(null),
    not,
  })
  .superRefine(
    checked(
      ({ op, day: at, days: count }) =>
        faultOf(op !== 'last_days' && at === null, 'day') ?? faultOf(op === 'last_days' && count === null, 'days'),
    ),
  );

const eventCondition = z
  .object({
    on: z.literal('event'),
    event: z.enum(SEGMENT_EVENTS),
    /** Campaign of the event; null for any message. */
    campaign_id: id.nullable().default(null),
    /** Place of a link in the text of the campaign, from 1; null for any link. Only for `clicked`. */
    link: z.int().min(1).max(20).nullable().default(null),
    /** Name of the conversion, as programs report it; null for any. Only for `converted`. */
    conversion: conversionName.nullable().default(null),
    /** Days before now in which the event happened; null for any time. */
    days: z.int().min(1).max(3_650).nullable().default(null),
    not,
  })
  .superRefine(checked(({ link, campaign_id }) => faultOf(link !== null && campaign_id === null, 'campaign_id')));

const CONDITIONS = [
  textCondition,
  choiceCondition,
  numberCondition,
  dateCondition,
  yesNoCondition,
  tagCondition,
  listCondition,
  consentCondition,
  timeCondition,
  eventCondition,
] as const;

/** One condition of a rule. */
export const segmentCondition = z.discriminatedUnion('on', CONDITIONS);
export type SegmentCondition = z.output<typeof segmentCondition>;

/** Relations of the parts of a group: all of them hold, any of them, or none of them. */
export const SEGMENT_MATCHES = ['all', 'any', 'none'] as const;
export type SegmentMatch = (typeof SEGMENT_MATCHES)[number];

export interface SegmentGroup {
  on: 'group';
  match: SegmentMatch;
  rules: SegmentNode[];
}
export type SegmentNode = SegmentCondition | SegmentGroup;
export interface SegmentRule {
  version: typeof SEGMENT_VERSION;
  match: SegmentMatch;
  rules: SegmentNode[];
}

/** Returns the schema of a part of a rule in which groups may be within each other so many times. */
function partOf(levels: number): z.ZodType<SegmentNode, unknown> {
  if (levels === 0) return segmentCondition as z.ZodType<SegmentNode, unknown>;
  const group = z.object({ on: z.literal('group'), match: z.enum(SEGMENT_MATCHES), rules: rulesOf(levels - 1) });
  return z.discriminatedUnion('on', [...CONDITIONS, group]) as unknown as z.ZodType<SegmentNode, unknown>;
}

const rulesOf = (levels: number) => z.array(partOf(levels)).min(1).max(SEGMENT_LIMITS.conditions);

/** Returns all conditions of a rule, in their order. */
export const conditionsOf = ({ rules }: Pick<SegmentGroup, 'rules'>): SegmentCondition[] =>
  rules.flatMap((part) => (part.on === 'group' ? conditionsOf(part) : [part]));

/** Rule of a segment: a tree of groups and conditions. */
export const segmentRule = z
  .object({
    version: z.literal(SEGMENT_VERSION).default(SEGMENT_VERSION),
    match: z.enum(SEGMENT_MATCHES),
    rules: rulesOf(SEGMENT_LIMITS.depth - 1),
  })
  .superRefine((rule, ctx) => {
    if (conditionsOf(rule).length > SEGMENT_LIMITS.conditions)
      ctx.addIssue({ code: 'custom', path: ['rules'], message: 'segment_conditions' });
  });

/** Names of the records that a rule refers to, by their ids. */
export const segmentNames = z.object({
  fields: z.record(z.string(), z.string()),
  lists: z.record(z.string(), z.string()),
  campaigns: z.record(z.string(), z.string()),
});
export type SegmentNames = z.output<typeof segmentNames>;

/** Kinds of records that a rule needs and that are gone, have another type, or are not visible for the caller. */
export const SEGMENT_LACKS = ['field', 'list', 'campaign', 'number'] as const;
export const segmentLack = z.object({ kind: z.enum(SEGMENT_LACKS), id: z.int() });
export type SegmentLack = z.output<typeof segmentLack>;
