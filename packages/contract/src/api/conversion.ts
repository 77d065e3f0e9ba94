import { z } from 'zod';
import { conversionName } from '../campaigns/conversion-name.ts';
import { instant, money } from '../kernel/fields.ts';
import { publicOperation } from '../kernel/public-operation.ts';
import { idString, oneLine } from './message.ts';

/** Days before a conversion in which a click or a delivered message of a campaign is looked for. */
export const CONVERSION_DAYS = 7;

const value = money({ digits: 12 });

export const addConversion = publicOperation({
  name: 'addConversion',
  method: 'POST',
  path: '/v1/conversions',
  scope: 'contacts:write',
  tag: 'Contacts',
  summary: 'Report what a person did after a message',
  description: `Give the number of the person or the code of their short link. With a code, the conversion is counted for the campaign and the link of the code. With a number, it is counted for the campaign whose link the person clicked last in the ${CONVERSION_DAYS} days before, otherwise for the campaign whose message was delivered to them last in that time, otherwise for none. The number is not stored; segments find the contact who has it, unless the corporation does not keep who clicked. A repeated reference changes nothing and is answered with the conversion that was recorded first. A test key is answered with \`not_found\`.`,
  body: z.object({
    reference: oneLine(100).describe(
      'Your own reference, such as an order number. Each is counted once. Only its hash is stored.',
    ),
    name: conversionName.describe('Event, such as `purchase`: letters, digits, `_`, `.` and `-`, at most 40.'),
    number: z.string().trim().min(1).max(40).optional().describe('Number of the person in international form.'),
    code: z
      .string()
      .regex(/^[0-9A-Za-z]{10}$/)
      .optional()
      .describe('Code of the short link, as in `link.clicked`.'),
    value: value.nullable().default(null).describe('What it was worth: a decimal string. With `currency`.'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, { error: 'currency' })
      .nullable()
      .default(null),
    at: instant.optional().describe('Time of the event; not in the future. Now by default.'),
  }),
  reply: z.object({
    id: idString,
    name: z.string(),
    value: z.string().nullable().describe('Decimal string with three decimals.'),
    currency: z.string().nullable(),
    at: instant,
    created_at: instant,
  }),
  errors: ['not_found', 'validation_failed'],
  example: { reference: 'order-1001', name: 'purchase', number: '639171234567', value: '499.00', currency: 'PHP' },
});
