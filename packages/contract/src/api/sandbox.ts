import { z } from 'zod';
import { instant } from '../kernel/fields.ts';
import { personNumber, personText } from '../kernel/personal.ts';
import { publicOperation } from '../kernel/public-operation.ts';
import { LONGEST_REPLY, MOST_SECONDS } from '../sandbox/handsets.ts';
import { API_MESSAGE_STATES, idString, recipient } from './message.ts';

const number = personNumber(z.string()).describe(
  'Number of the handset. Masked, such as `63917•••••67`, if the key may not see numbers.',
);
const errors = ['test_key_required'] as const;
const page = z.coerce.number().int().min(1).max(200).default(50);

export const listHandsets = publicOperation({
  name: 'listHandsets',
  method: 'GET',
  path: '/v1/sandbox/handsets',
  scope: 'messages:read',
  tag: 'Sandbox',
  summary: 'List the virtual handsets',
  description: 'Handsets that received messages of your test keys, the last one first. For test keys only.',
  query: z.object({ limit: page }),
  reply: z.object({
    data: z.array(z.object({ number, messages: z.int().describe('Messages that it received.'), last_at: instant })),
  }),
  errors,
});

export const listHandsetMessages = publicOperation({
  name: 'listHandsetMessages',
  method: 'GET',
  path: '/v1/sandbox/messages',
  scope: 'messages:read',
  tag: 'Sandbox',
  summary: 'Read the conversation of a virtual handset',
  description: 'What a handset received and answered, the newest first. For test keys only.',
  query: z.object({ number: recipient, limit: page }),
  reply: z.object({
    data: z.array(
      z.object({
        direction: z.enum(['received', 'sent']).describe('As the phone sees it.'),
        id: idString.describe('Id of the message, or of the message from the phone.'),
        with: z.string().describe('Sender ID or number on the other side.'),
        text: personText(z.string()).describe('Empty if the key may not see texts.'),
        parts: z.int().describe('Parts that have arrived.'),
        state: z.enum(API_MESSAGE_STATES).nullable().describe('State of the message; null for an answer of the phone.'),
        at: instant,
      }),
    ),
  }),
  errors,
});

export const replyFromHandset = publicOperation({
  name: 'replyFromHandset',
  method: 'POST',
  path: '/v1/sandbox/replies',
  scope: 'messages:send',
  tag: 'Sandbox',
  summary: 'Answer from a virtual handset',
  description:
    'The text arrives as a message from a phone: as the event `message.received`, as a callback, and in the list of inbound messages of test keys. It is no part of the inbox of people, and STOP opts nobody out. For test keys only.',
  body: z.strictObject({
    from: recipient.describe('Number of a handset that has received a message.'),
    text: z.string().min(1).max(LONGEST_REPLY),
  }),
  reply: z.object({
    id: idString,
    from: number,
    to: z.string().describe('Sender ID of the last message that the handset received.'),
    received_at: instant,
  }),
  errors: [...errors, 'not_found', 'sandbox_full'],
  example: { from: '+63 917 000 0001', text: 'YES' },
});

export const moveSandboxTime = publicOperation({
  name: 'moveSandboxTime',
  method: 'POST',
  path: '/v1/sandbox/time',
  scope: 'messages:send',
  tag: 'Sandbox',
  summary: 'Let test time pass',
  description:
    'Everything of your test messages that waits comes nearer by so many seconds: scheduled messages, the end of their validity, receipts, and the end of verifications. A message that you send later counts from now. Live messages do not change. For test keys only.',
  body: z.strictObject({ seconds: z.int().min(1).max(MOST_SECONDS) }),
  reply: z.object({
    seconds: z.int(),
    receipts: z.int().describe('Receipts and answers of handsets that waited.'),
    messages: z.int().describe('Messages that waited.'),
    verifications: z.int().describe('Verifications that waited.'),
  }),
  errors,
  example: { seconds: 3_600 },
});
