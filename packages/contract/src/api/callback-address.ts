import { z } from 'zod';
import { EVENT_TYPES } from '../kernel/events.ts';
import { instant, url } from '../kernel/fields.ts';
import { publicOperation } from '../kernel/public-operation.ts';
import { apiEvent } from './event.ts';
import { idString, oneLine } from './message.ts';

/** Most addresses that programs of one corporation may add. */
export const MOST_CALLBACK_ADDRESSES = 200;

const types = z.array(z.enum(EVENT_TYPES));

const record = z.object({
  id: idString,
  url: z.string(),
  types,
  description: z.string().nullable(),
  status: z
    .enum(['active', 'failing', 'paused', 'disabled'])
    .describe(
      '`failing`: the last calls did not arrive, and are tried again. `paused`: nothing arrived for three days, or the address answered 410.',
    ),
  created_at: instant,
});

export const listCallbacks = publicOperation({
  name: 'listCallbacks',
  method: 'GET',
  path: '/v1/callbacks',
  scope: 'callbacks:read',
  tag: 'Events',
  summary: 'List the addresses that programs have added for callbacks',
  description:
    'Those of keys of the same person or service account, and of the same mode. The newest first. Addresses that people set in the console are not listed.',
  reply: z.object({ data: z.array(record) }),
});

export const addCallback = publicOperation({
  name: 'addCallback',
  method: 'POST',
  path: '/v1/callbacks',
  scope: 'callbacks:write',
  tag: 'Events',
  summary: 'Have events sent to an address',
  description:
    'The key also needs the scope `events:read`, and `contacts:read` for `journey.step`. Only this answer has the secret that signs the calls. Nothing is sent any more once the key is revoked or has ended. An address that a test key adds gets only events of tests.',
  body: z.strictObject({
    url: url.describe('Public https address.'),
    types: types.min(1).max(EVENT_TYPES.length).describe('Types of events to send.'),
    description: oneLine(200).optional().describe('What receives the events, for people in the console.'),
  }),
  reply: record.extend({ secret: z.string().describe('Secret that signs the calls, by Standard Webhooks.') }),
  errors: ['callback_already_exists', 'callback_addresses_full', 'forbidden'],
  example: { url: 'https://example.com/events', types: ['message.delivered', 'message.received'] },
});

export const removeCallback = publicOperation({
  name: 'removeCallback',
  method: 'DELETE',
  path: '/v1/callbacks/:id',
  scope: 'callbacks:write',
  tag: 'Events',
  summary: 'Stop sending events to an address',
  description: 'Calls that wait are not sent any more.',
  params: z.object({ id: idString }),
  reply: z.object({ id: idString }),
  errors: ['not_found', 'forbidden'],
});

export const sampleEvents = publicOperation({
  name: 'sampleEvents',
  method: 'GET',
  path: '/v1/events/samples',
  scope: 'events:read',
  tag: 'Events',
  summary: 'Get a made-up event of each type',
  description: 'With it a program shows people which fields an event has, before one has happened.',
  query: z.object({ type: z.enum(EVENT_TYPES).optional().describe('Only this type.') }),
  reply: z.object({ data: z.array(apiEvent) }),
});
