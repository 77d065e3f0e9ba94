import { z } from 'zod';
import type { ErrorCode } from '../kernel/errors.ts';
import { idText, instant, label, money, msisdn, reference } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { personText } from '../kernel/personal.ts';
import { oneReply, resource } from '../kernel/resource.ts';
import { journeyDefinition, journeyNames } from './journey-definition.ts';

/** States of a journey. A paused one keeps its people where they are; a stopped one has ended them. */
export const JOURNEY_STATES = ['draft', 'running', 'paused', 'stopped'] as const;
export type JourneyState = (typeof JOURNEY_STATES)[number];

/** Reasons for which a journey paused by itself; `person` is a person who paused it. */
export const JOURNEY_PAUSES = ['person', 'budget', 'credit', 'sender', 'sending', 'segment', 'field', 'fault'] as const;
export type JourneyPause = (typeof JOURNEY_PAUSES)[number];

const input = z.object({
  corporation_id: reference('corporations'),
  name: label(100),
  /** Most that the messages may cost; null for no budget. */
  budget: money().nullable(),
  definition: journeyDefinition,
});

/** Journeys: what happens to people of a corporation, step by step. */
export const journey = resource({
  name: 'journeys',
  row: input.extend({
    definition: personText(journeyDefinition.clone()),
    corporation_name: z.string(),
    currency: z.string(),
    state: z.enum(JOURNEY_STATES),
    pause_reason: z.enum(JOURNEY_PAUSES).nullable(),
    /** Number of the version that people enter; null for none. */
    version: z.int().nullable(),
    /** True if the definition differs from that version. */
    changed: z.boolean(),
    /** Cost of the messages so far. */
    spent: money(),
    /** People who ever entered. */
    entered: z.int(),
    created_by_name: z.string().nullable(),
    updated_at: instant,
    names: journeyNames,
  }),
  create: input.extend({ budget: input.shape.budget.default(null) }),
  update: input.pick({ name: true, budget: true, definition: true }).partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    state: z.enum(JOURNEY_STATES).optional(),
  }),
  sort: ['name', 'created_at', 'updated_at', 'entered', 'spent'],
  title: 'name',
  conflicts: { journey_name_key: 'journey_already_exists' },
  errors: ['journey_runs'],
});

const params = z.object({ id: idText });
const action = (path: string, errors: readonly ErrorCode[] = []) =>
  operation({
    method: 'POST',
    path,
    permission: 'journeys-run',
    params,
    reply: oneReply(journey.row),
    errors: ['not_found', 'invalid_transition', ...errors],
  });

const STARTS = [
  'journey_empty',
  'journey_incomplete',
  'journey_ending',
  'journey_own_people',
  'billing_account_missing',
] as const;

/** Lets people enter: publishes the definition if it has changed. */
export const startJourney = action('/api/v1/journeys/:id/start', STARTS);
/** Makes the definition the version of the people who enter from now on. Others finish the one they began. */
export const publishJourney = action('/api/v1/journeys/:id/publish', STARTS);
export const pauseJourney = action('/api/v1/journeys/:id/pause');
export const resumeJourney = action('/api/v1/journeys/:id/resume', STARTS);
/** Ends the journey for everybody who is under way. */
export const stopJourney = action('/api/v1/journeys/:id/stop');

/** Figures of a step, over all versions. */
const stepFigures = z.object({
  step: z.int(),
  /** People who are at the step now. */
  waiting: z.int(),
  /** People who have passed it. */
  passed: z.int(),
  sent: z.int(),
  /** Messages that a rule refused, such as an opt-out. */
  refused: z.int(),
  spent: money(),
  /** Estimated cost of a message to one person; null if no price is known, and for other steps. */
  estimate: money().nullable(),
});

export const journeyFigures = operation({
  method: 'GET',
  path: '/api/v1/journeys/:id/figures',
  permission: 'journeys-show',
  params,
  reply: z.object({
    data: z.object({
      under_way: z.int(),
      entered: z.int(),
      steps: z.array(stepFigures),
      versions: z.array(
        z.object({
          number: z.int(),
          created_at: instant,
          published_by_name: z.string().nullable(),
          under_way: z.int(),
          definition: personText(journeyDefinition.clone()),
        }),
      ),
    }),
  }),
  errors: ['not_found'],
});

/** Maximum people of a dry run. */
export const DRY_RUN_PEOPLE = 10;

/** Results of a message in a dry run. */
export const DRY_RUN_FATES = ['sent', 'opted_out', 'blacklisted'] as const;

/** Follows the definition for real contacts, as things are now. Nothing is sent, changed or stored. */
export const dryRunJourney = operation({
  method: 'POST',
  path: '/api/v1/journeys/:id/dry-run',
  permission: 'journeys-edit',
  support: 'refused',
  params,
  body: z.object({ contact_ids: z.array(reference('contacts')).min(1).max(DRY_RUN_PEOPLE) }),
  reply: z.object({
    data: z.array(
      z.object({
        contact_id: z.int(),
        number: msisdn,
        name: personText(z.string().nullable()),
        steps: z.array(
          z.object({
            step: z.int(),
            at: instant,
            /** Branch that the person takes, from 0; null for steps without. */
            branch: z.int().nullable(),
            text: personText(z.string().nullable()),
            parts: z.int().nullable(),
            cost: money().nullable(),
            fate: z.enum(DRY_RUN_FATES).nullable(),
          }),
        ),
      }),
    ),
  }),
  errors: ['not_found', 'billing_account_missing'],
});
