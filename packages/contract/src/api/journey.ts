import { z } from 'zod';
import { JOURNEY_STATES } from '../journeys/journey.ts';
import { instant } from '../kernel/fields.ts';
import { personText } from '../kernel/personal.ts';
import { publicOperation } from '../kernel/public-operation.ts';
import { givenContact } from './contact.ts';
import { idString } from './message.ts';

const params = z.object({ id: idString });

const record = z.object({
  id: idString,
  name: z.string(),
  state: z.enum(JOURNEY_STATES).describe('People enter and go on only while it is `running`.'),
  version: z.int().nullable().describe('Number of the version that people enter; null for none.'),
  trigger: personText(z.string()).describe(
    'Cause for which people enter, as a sentence in the language of the maker of the key.',
  ),
  entered: z.int().describe('People who ever entered.'),
  spent: z.string().describe('Cost of the messages so far.'),
  budget: z.string().nullable().describe('Most that the messages may cost; null for no budget.'),
  currency: z.string(),
  created_at: instant,
  updated_at: instant,
});

export const listJourneys = publicOperation({
  name: 'listJourneys',
  method: 'GET',
  path: '/v1/journeys',
  scope: 'contacts:read',
  tag: 'Contacts',
  summary: 'Read journeys',
  description: 'The newest first. A test key gets an empty list.',
  query: z.object({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.string().max(40).optional().describe('`next_cursor` of the page before.'),
  }),
  reply: z.object({ data: z.array(record), next_cursor: z.string().nullable(), has_more: z.boolean() }),
  errors: ['cursor_invalid'],
});

export const getJourney = publicOperation({
  name: 'getJourney',
  method: 'GET',
  path: '/v1/journeys/:id',
  scope: 'contacts:read',
  tag: 'Contacts',
  summary: 'Read one journey',
  description: 'A test key is answered with `not_found`.',
  params,
  reply: record,
  errors: ['not_found'],
});

export const enterJourney = publicOperation({
  name: 'enterJourney',
  method: 'POST',
  path: '/v1/journeys/:id/people',
  scope: 'contacts:write',
  tag: 'Contacts',
  summary: 'Let a person enter a journey',
  description:
    'The journey must run, and its people must enter by events of programs. The person becomes a contact, or the contact with the number gets the values. `entered` is false if the person is under way already or may not enter again yet, so a repeated call is safe. A test key is answered with `not_found`.',
  params,
  body: givenContact,
  reply: z.object({ entered: z.boolean() }),
  errors: ['not_found', 'journey_closed', 'validation_failed'],
  example: { number: '639171234567', name: 'Maria', tags: ['vip'], fields: { town: 'Cebu' } },
});
