import { z } from 'zod';
import { keptField } from '../campaigns/contact-values.ts';
import { id, label, text, timeOfDay } from '../kernel/fields.ts';
import { compileText, FIELD_KEY } from '../kernel/merge-fields.ts';

/** Version of the stored form of a definition. */
export const JOURNEY_FORM = 1;
/** Maximum steps of a journey, branches within each other, and branches of a split. */
export const JOURNEY_LIMITS = { steps: 50, depth: 5, branches: 5 } as const;
/** Maximum contact fields of all texts of a journey: all that a corporation may have. */
const MOST_TEXT_FIELDS = 50;
/** Units of a wait, in minutes. */
export const WAIT_UNITS = { minutes: 1, hours: 60, days: 1_440 } as const;
/** Longest wait, in minutes: a year. */
const LONGEST_WAIT = 366 * WAIT_UNITS.days;

/** Causes for which people enter a journey. */
export const JOURNEY_TRIGGERS = ['segment', 'event', 'date', 'keyword', 'click'] as const;
export const journeyTrigger = z.discriminatedUnion('on', [
  /** People enter when the rule of a segment finds them, those that it finds at the start included. */
  z.object({ on: z.literal('segment'), segment_id: id }),
  /** A program of the corporation lets people enter. */
  z.object({ on: z.literal('event') }),
  /** People enter on a day that follows from a date of theirs. */
  z.object({
    on: z.literal('date'),
    field_id: id,
    /** True for each year, as a birthday. */
    yearly: z.boolean(),
    /** Days after the date; negative for days before it. */
    days: z.int().min(-365).max(365),
    /** Time of day in the zone of the corporation. */
    at: timeOfDay,
  }),
  /** People enter when their message to the corporation begins with one of some words. */
  z.object({
    on: z.literal('keyword'),
    keywords: z
      .array(label(40).regex(/^[^\s\p{Cc}]*$/u, { error: 'single_word' }))
      .min(1)
      .max(20),
    /** Number or sender ID of the corporation that they write to; null for all. */
    number: label(40).nullable().default(null),
  }),
  /** People enter when they first click a short link. */
  z
    .object({
      on: z.literal('click'),
      /** Campaign of the link; null for all. */
      campaign_id: id.nullable().default(null),
      /** Place of the link in the text of the campaign, from 1; null for any link. */
      link: z.int().min(1).max(20).nullable().default(null),
    })
    .refine(({ campaign_id, link }) => link === null || campaign_id !== null, {
      path: ['campaign_id'],
      error: 'journey_link_campaign',
    }),
]);
export type JourneyTrigger = z.output<typeof journeyTrigger>;

/** Number of a step, which it keeps when others are added or moved. */
const stepId = z.int().min(1).max(9_999);

const wait = z
  .object({
    id: stepId,
    do: z.literal('wait'),
    count: z.int().min(1).max(LONGEST_WAIT),
    unit: z.enum(Object.keys(WAIT_UNITS) as [keyof typeof WAIT_UNITS]),
  })
  .refine(({ count, unit }) => count * WAIT_UNITS[unit] <= LONGEST_WAIT, { path: ['count'], error: 'journey_wait' });
/** Waits until a time of day; with weekdays (1 is Monday) until the next of them. */
const until = z.object({
  id: stepId,
  do: z.literal('until'),
  at: timeOfDay,
  weekdays: z.array(z.int().min(1).max(7)).max(7).default([]),
});
/** Tells if a text has no other fields than the name of the person and what may be keys of contact fields. */
const hasKnownFields = (words: string): boolean => {
  const { fields, unknown } = compileText(words);
  return unknown.every((key) => FIELD_KEY.test(key)) && fields.every((field) => field === 'name');
};
/** Text in place of a value that a person does not have. */
const substitute = z.string().trim().max(60);
const message = z.object({
  id: stepId,
  do: z.literal('message'),
  sender_id: id,
  /** Text; `{name}` becomes the name of the person, and the key of a contact field, such as `{city}`, its value. */
  text: text(1_000).min(1).refine(hasKnownFields, { error: 'journey_placeholder' }),
  /** Word in place of `{name}` for people without a name. */
  nameless: substitute.default(''),
  /** Words for people without a value, by the keys of contact fields. */
  defaults: z
    .record(z.string(), substitute)
    .refine((words) => Object.keys(words).every((key) => FIELD_KEY.test(key)), { error: 'contact_field_key' })
    .default({}),
});
const set = z.object({
  id: stepId,
  do: z.literal('set'),
  field_id: id,
  /** Value as people write it; null for none. */
  value: label(500).nullable(),
});
const tag = z.object({ id: stepId, do: z.literal('tag'), tag: label(50), add: z.boolean() });
/** Tells the programs of the corporation, by the event `journey.step`. */
const callback = z.object({ id: stepId, do: z.literal('callback'), name: label(60) });
const end = z.object({ id: stepId, do: z.literal('end') });
const SIMPLE = [wait, until, message, set, tag, callback, end] as const;

/** Kinds of steps. */
export const JOURNEY_STEPS = [
  'wait',
  'until',
  'message',
  'condition',
  'split',
  'set',
  'tag',
  'callback',
  'end',
] as const;

export type SimpleStep = z.output<(typeof SIMPLE)[number]>;
export interface ConditionStep {
  id: number;
  do: 'condition';
  segment_id: number;
  yes: JourneyStep[];
  no: JourneyStep[];
}
export interface SplitStep {
  id: number;
  do: 'split';
  /** Shares in percent; their sum is 100. */
  branches: { share: number; steps: JourneyStep[] }[];
}
export type JourneyStep = SimpleStep | ConditionStep | SplitStep;

/** Returns the schema of a step in which branches may be within each other so many times. */
function stepOf(levels: number): z.ZodType<JourneyStep, unknown> {
  if (levels === 0) return z.discriminatedUnion('do', SIMPLE) as unknown as z.ZodType<JourneyStep, unknown>;
  const inner = stepsOf(levels - 1);
  const condition = z.object({
    id: stepId,
    do: z.literal('condition'),
    segment_id: id,
    yes: inner.default([]),
    no: inner.default([]),
  });
  const split = z
    .object({
      id: stepId,
      do: z.literal('split'),
      branches: z
        .array(z.object({ share: z.int().min(1).max(99), steps: inner.default([]) }))
        .min(2)
        .max(JOURNEY_LIMITS.branches),
    })
    .refine(({ branches }) => branches.reduce((sum, { share }) => sum + share, 0) === 100, {
      path: ['branches'],
      error: 'journey_shares',
    });
  return z.discriminatedUnion('do', [...SIMPLE, condition, split]) as unknown as z.ZodType<JourneyStep, unknown>;
}

const stepsOf = (levels: number) => z.array(stepOf(levels)).max(JOURNEY_LIMITS.steps);

/** Returns the lists of steps within a step. */
export const branchesOf = (step: JourneyStep): readonly (readonly JourneyStep[])[] =>
  step.do === 'condition' ? [step.yes, step.no] : step.do === 'split' ? step.branches.map(({ steps }) => steps) : [];

/** Returns all steps, those of branches included, in the order in which they are read. */
export const allSteps = (steps: readonly JourneyStep[]): JourneyStep[] =>
  steps.flatMap((step) => [step, ...branchesOf(step).flatMap((inner) => allSteps(inner))]);

/** Tells if a list of steps ends the journey for everybody before its own end. */
const alwaysEnds = (steps: readonly JourneyStep[]): boolean => {
  const last = steps.at(-1);
  if (last === undefined) return false;
  const branches = branchesOf(last);
  return last.do === 'end' || (branches.length > 0 && branches.every(alwaysEnds));
};

/** Returns the first step that nobody can reach, because those before it always end the journey. */
export function unreachable(steps: readonly JourneyStep[]): JourneyStep | undefined {
  for (const [place, step] of steps.entries()) {
    if (place > 0 && alwaysEnds(steps.slice(0, place))) return step;
    for (const inner of branchesOf(step)) {
      const found = unreachable(inner);
      if (found) return found;
    }
  }
  return undefined;
}

/**
 * Definition of a journey. Branches go on after the step that divides them, so a journey has no circles, and everybody
 * comes to its end.
 */
export const journeyDefinition = z
  .object({
    form: z.literal(JOURNEY_FORM).default(JOURNEY_FORM),
    trigger: journeyTrigger,
    /** Days after which a person who came to the end may enter again; null for never. */
    again_days: z.int().min(1).max(3_650).nullable().default(null),
    steps: stepsOf(JOURNEY_LIMITS.depth - 1),
    /** Contact fields that the texts use by their keys; the server finds them. */
    contact_fields: z.array(keptField).max(MOST_TEXT_FIELDS).default([]),
  })
  .superRefine(({ steps }, ctx) => {
    const all = allSteps(steps);
    const fault = (message: string) => ctx.addIssue({ code: 'custom', path: ['steps'], message });
    if (all.length > JOURNEY_LIMITS.steps) fault('journey_steps');
    if (new Set(all.map((step) => step.id)).size < all.length) fault('journey_repeated');
    if (unreachable(steps)) fault('journey_unreachable');
  });
export type JourneyDefinition = z.output<typeof journeyDefinition>;

/** Names of the records that a definition refers to, by their ids. */
export const journeyNames = z.object({
  segments: z.record(z.string(), z.string()),
  fields: z.record(z.string(), z.string()),
  senders: z.record(z.string(), z.string()),
  campaigns: z.record(z.string(), z.string()),
});
export type JourneyNames = z.output<typeof journeyNames>;

/** Returns the keys of contact fields that a text of a journey uses. */
export const fieldKeysIn = (words: string): readonly string[] => compileText(words).unknown;

/** Returns the ids of the records that a definition refers to. */
export function referencesOf({
  trigger,
  steps,
  contact_fields,
}: Pick<JourneyDefinition, 'trigger' | 'steps' | 'contact_fields'>) {
  const all = allSteps(steps);
  const once = (ids: readonly (number | undefined)[]) => [...new Set(ids)].filter((each) => each !== undefined);
  return {
    segments: once([
      trigger.on === 'segment' ? trigger.segment_id : undefined,
      ...all.map((step) => (step.do === 'condition' ? step.segment_id : undefined)),
    ]),
    fields: once([
      trigger.on === 'date' ? trigger.field_id : undefined,
      ...all.map((step) => (step.do === 'set' ? step.field_id : undefined)),
      ...contact_fields.map(({ id }) => id),
    ]),
    senders: once(all.map((step) => (step.do === 'message' ? step.sender_id : undefined))),
    campaigns: once([trigger.on === 'click' ? (trigger.campaign_id ?? undefined) : undefined]),
  };
}
