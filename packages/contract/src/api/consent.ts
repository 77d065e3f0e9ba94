import { z } from 'zod';
import { instant } from '../kernel/fields.ts';
import { personNumber } from '../kernel/personal.ts';
import { publicOperation } from '../kernel/public-operation.ts';
import { CONSENT_KINDS, CONSENT_SOURCES } from '../policy/consent.ts';
import { idString } from './message.ts';

const event = z.object({
  id: idString,
  number: personNumber(
    z
      .string()
      .describe(
        'Number of the person. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers.',
      ),
  ),
  kind: z.enum(CONSENT_KINDS),
  source: z.enum(CONSENT_SOURCES),
  from: z.string().nullable().describe('Sender ID that the event is about; null for all.'),
  wording: z.string().nullable(),
  proof: z.string().nullable(),
  at: instant,
});

export const addConsent = publicOperation({
  name: 'addConsent',
  method: 'POST',
  path: '/v1/consents',
  scope: 'inbound:write',
  tag: 'Inbound',
  summary: 'Record that a person opted in or out',
  description:
    'An event is never changed. `asked` becomes `opt_in` when the phone replies YES within 30 days. An opt-in does not end an opt-out: only a message of the phone itself does. A test key is answered with `not_found`.',
  body: z.object({
    number: z.string().trim().min(1).max(40),
    kind: z.enum(CONSENT_KINDS),
    from: z.string().max(30).nullable().default(null).describe('Sender ID that the event is about; null for all.'),
    wording: z.string().max(1000).nullable().default(null).describe('Wording that the person agreed to.'),
    proof: z.string().max(1000).nullable().default(null).describe('Evidence, such as the address of a form.'),
    at: instant.optional().describe('Time of the event; not in the future. Now by default.'),
  }),
  reply: event,
  errors: ['not_found', 'validation_failed'],
  example: {
    number: '639171234567',
    kind: 'opt_in',
    wording: 'News and offers by SMS',
    proof: 'https://example.com/club',
  },
});

export const listConsents = publicOperation({
  name: 'listConsents',
  method: 'GET',
  path: '/v1/consents',
  scope: 'inbound:read',
  tag: 'Inbound',
  summary: 'Read the consents and opt-outs of one person',
  description: 'All events of a number, the latest first. A test key gets an empty list.',
  query: z.object({ number: z.string().trim().min(1).max(40).describe('Number in international form.') }),
  reply: z.object({ data: z.array(event) }),
});
