import { z } from 'zod';
import { instant } from '../kernel/fields.ts';
import { personNumber } from '../kernel/personal.ts';
import { publicOperation } from '../kernel/public-operation.ts';
import { LOCALES } from '../kernel/scope.ts';
import { clientRef, idParam, idString, oneLine, recipient, sendErrors } from './message.ts';

/** States of a verification for programs. */
export const API_VERIFICATION_STATES = ['pending', 'approved', 'failed', 'expired', 'cancelled'] as const;

/** A verification as programs see it. The code is in no answer. */
export const apiVerification = z.object({
  id: idString,
  service: idString.describe('Verify service whose rules it follows.'),
  to: personNumber(z.string()).describe('Number. Masked, such as `63917•••••67`, if the key may not see numbers.'),
  status: z
    .enum(API_VERIFICATION_STATES)
    .describe('`approved`: the right code was entered in time. `failed`: all tries were wrong.'),
  language: z.enum(LOCALES),
  attempts_left: z.int().describe('Codes that may still be checked.'),
  resends_left: z.int(),
  resend_at: instant.nullable().describe('Earliest time of the next resend; null if there is none.'),
  messages: z
    .array(
      z.object({
        id: idString,
        state: z.string().describe('State as in `GET /v1/messages/{id}`.'),
        error_code: z.string().nullable(),
      }),
    )
    .describe('Messages with the code, the first one first.'),
  parts: z.int().describe('Parts of all its messages.'),
  price: z.string().describe('Reserved amount of all its messages, with three decimals.'),
  currency: z.string(),
  client_ref: z.string().nullable(),
  created_at: instant,
  expires_at: instant.describe('Time until which the code is valid.'),
  done_at: instant.nullable().describe('Time of the final status.'),
  test: z.boolean(),
});

export const startVerification = publicOperation({
  name: 'startVerification',
  method: 'POST',
  path: '/v1/verifications',
  scope: 'verifications:write',
  tag: 'Verifications',
  summary: 'Send a code to a number',
  description:
    'The code is made here, sent, and shown to nobody. Pass the address and the device of the person, so that the guard can tell people from false traffic.',
  body: z.strictObject({
    service: idString.describe('Verify service of your account; its id is on its page in the console.'),
    to: recipient,
    language: z.enum(LOCALES).optional().describe('Language of the text. Without it: that of the service.'),
    client_ip: z
      .union([z.ipv4(), z.ipv6()])
      .optional()
      .describe('Address of the person, not of your server. Stored for 30 days.'),
    device: oneLine(100).optional().describe('Your own id of the device or session. Stored for 30 days.'),
    client_ref: clientRef.optional(),
  }),
  reply: apiVerification,
  status: 202,
  idempotent: true,
  errors: [
    ...sendErrors.filter((code) => code !== 'client_ref_taken' && code !== 'flash_not_allowed'),
    'verification_refused',
  ],
  example: { service: '3', to: '+63 917 000 0001', client_ip: '203.0.113.7', client_ref: 'login-42' },
});

export const checkVerification = publicOperation({
  name: 'checkVerification',
  method: 'POST',
  path: '/v1/verifications/:id/check',
  scope: 'verifications:write',
  tag: 'Verifications',
  summary: 'Check the code that a person entered',
  description:
    'Let the person in only if `status` is `approved`. A verification is approved once: a further check is answered with `verification_over`. A wrong code takes one of `attempts_left`; a check of an expired one takes none.',
  params: idParam,
  body: z.strictObject({
    code: z.string().max(40).describe('Digits of the code. Blanks and dashes between them are ignored.'),
  }),
  reply: apiVerification,
  errors: ['not_found', 'verification_over'],
  example: { code: '482913' },
});

export const resendVerification = publicOperation({
  name: 'resendVerification',
  method: 'POST',
  path: '/v1/verifications/:id/resend',
  scope: 'verifications:write',
  tag: 'Verifications',
  summary: 'Send the code once more',
  description:
    'The same code, by the next sender ID of the service, so that a late first message is still right. It is valid until `expires_at`, which stays.',
  params: idParam,
  body: z.strictObject({}),
  reply: apiVerification,
  errors: [
    'not_found',
    'verification_over',
    'verification_resend_soon',
    'verification_resends_used',
    ...sendErrors.filter(
      (code) =>
        !['client_ref_taken', 'flash_not_allowed', 'idempotency_key_reused', 'idempotency_in_flight'].includes(code),
    ),
  ],
  example: {},
});

export const cancelVerification = publicOperation({
  name: 'cancelVerification',
  method: 'POST',
  path: '/v1/verifications/:id/cancel',
  scope: 'verifications:write',
  tag: 'Verifications',
  summary: 'End a verification',
  description: 'Its code is not accepted any more. Messages that were sent are not called back.',
  params: idParam,
  body: z.strictObject({}),
  reply: apiVerification,
  errors: ['not_found', 'verification_over'],
  example: {},
});

export const getVerification = publicOperation({
  name: 'getVerification',
  method: 'GET',
  path: '/v1/verifications/:id',
  scope: 'verifications:read',
  tag: 'Verifications',
  summary: 'Get a verification',
  description: 'With its present status, and the states of its messages. Kept for 30 days.',
  params: idParam,
  reply: apiVerification,
  errors: ['not_found'],
});
