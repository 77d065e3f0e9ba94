import { z } from 'zod';
import { contactValues } from '../audience/contact.ts';
import { INVOICE_KINDS } from '../invoices/invoice.ts';
import type { EventType } from '../kernel/events.ts';
import { day, instant } from '../kernel/fields.ts';
import { personNumber, personText } from '../kernel/personal.ts';
import { MESSAGE_STATES } from '../kernel/states.ts';
import { idString } from './message.ts';
import { apiVerification } from './verification.ts';

const amount = z.string().describe('Decimal string with three decimals.');

// Fields of a record that no longer exists are null in its events.
const message = z.object({
  id: idString,
  state: z.enum(MESSAGE_STATES),
  error_code: z
    .string()
    .nullable()
    .describe('Error code of the carrier, or `moderation` if the platform rejected the message.'),
  from: z.string().nullable(),
  to: personNumber(z.string()).nullable(),
  parts: z.int().nullable(),
  price: amount.nullable(),
  currency: z.string().nullable(),
  client_ref: z.string().nullable(),
  tags: z.array(z.string()),
  batch_id: idString.nullable(),
  campaign_id: idString.nullable().describe('Campaign of a message that was sent in the console.'),
  created_at: instant.nullable(),
  parameters: personText(
    z
      .record(z.string(), z.string())
      .describe('Parameters of the carrier’s receipt, by the names that the operator gave them.'),
  ),
  done_at: instant.describe('Time of the final state.'),
});

/** State that a carrier reports after the final state of a message; the final state does not change. */
const correction = message.extend({
  state: z
    .enum(MESSAGE_STATES)
    .describe('State that the carrier now reports. The state of the message itself does not change.'),
  done_at: instant.describe('Time of the report by the carrier.'),
});

const received = z.object({
  id: idString,
  from: personNumber(z.string()).nullable().describe('Number of the phone.'),
  to: z.string().nullable().describe('Short code, number or sender ID that the phone sent to.'),
  text: personText(z.string()).nullable(),
  keyword: z.string().nullable(),
  binary: z.boolean().describe('The text is hexadecimal.'),
  parameters: personText(
    z
      .record(z.string(), z.string())
      .describe('Parameters that the carrier added, by name, or by tag such as `0x1401` and in hexadecimal.'),
  ),
  received_at: instant.nullable(),
});

const campaign = z.object({
  id: idString,
  name: z.string().nullable(),
  state: z.enum(['completed', 'stopped', 'failed']),
  messages: z.int().nullable(),
  submitted: z.int(),
  delivered: z.int(),
  failed: z.int(),
  expired: z.int(),
  blocked: z.int().describe('Messages that were never handed to a carrier. They are not counted as failed.'),
  cancelled: z.int(),
  charged: amount,
  currency: z.string().nullable(),
});

const click = z.object({
  campaign_id: idString,
  campaign: z.string().nullable().describe('Name of the campaign.'),
  link: z.int().nullable().describe('Place of the link in the text, from 1.'),
  url: personText(z.string()).nullable().describe('Address that the link leads to.'),
  code: z.string().describe('Code of the short link. It is the same in the text of the message and in conversions.'),
  to: personNumber(z.string())
    .nullable()
    .describe('Number of the recipient; null if the corporation does not name who clicks, or the number was removed.'),
  clicked_at: instant.nullable().describe('Time of the first click.'),
});

const journeyStep = z.object({
  journey_id: idString,
  journey: z.string().nullable().describe('Name of the journey.'),
  step: z.int().describe('Id of the step.'),
  name: personText(z.string()).describe('Name that the step has for programs.'),
  to: personNumber(z.string()).nullable().describe('Number of the person; null if the contact was deleted.'),
  contact: z
    .object({
      id: idString,
      name: personText(z.string()).nullable(),
      fields: personText(contactValues.clone()).describe('Values by the keys of the fields, as they are now.'),
    })
    .nullable()
    .describe(
      'Contact of the person; null if it was deleted. In the feed also null without the scope `contacts:read`.',
    ),
});

const verification = z.object({
  id: idString,
  service: idString.nullable(),
  to: apiVerification.shape.to.nullable(),
  status: z.enum(['approved', 'failed', 'expired']),
  language: apiVerification.shape.language.nullable(),
  parts: z.int().nullable(),
  price: amount.nullable(),
  currency: z.string().nullable(),
  client_ref: z.string().nullable(),
  created_at: instant.nullable(),
  done_at: instant.nullable(),
  test: z.boolean(),
});

const balance = z.object({
  billing_account_id: idString,
  name: z.string().nullable(),
  limit: z.enum(['low_balance', 'cost_warning']).describe('Limit of the account that was passed.'),
  balance: amount,
  currency: z.string().nullable(),
});

const payment = z.object({
  id: idString.nullable().describe('Top-up; null for a payment that a person entered.'),
  billing_account_id: idString.nullable(),
  amount: amount.nullable().describe('What the account got.'),
  total: amount.nullable().describe('What was paid, with the fee.'),
  currency: z.string().nullable(),
  method: z.string().nullable().describe('Name of the payment method.'),
  reference: z.string().nullable(),
  client_reference: z.string().nullable(),
  paid_at: instant.nullable(),
});

const invoice = z.object({
  id: idString,
  kind: z.enum(INVOICE_KINDS).nullable(),
  number: z.string().nullable(),
  issue_date: day.nullable(),
  due_date: day.nullable(),
  total: amount.nullable(),
  currency: z.string().nullable(),
  billing_account_id: idString.nullable(),
  credited_invoice_id: idString.nullable().describe('Invoice that a credit note is about.'),
});

/** Data of the events by type, the same in callbacks and in the feed. */
const EVENT_DATA = {
  'message.delivered': message,
  'message.failed': message,
  'message.expired': message,
  'message.corrected': correction,
  'message.received': received,
  'campaign.finished': campaign,
  'link.clicked': click,
  'journey.step': journeyStep,
  'verification.approved': verification,
  'verification.failed': verification,
  'verification.expired': verification,
  'balance.low': balance,
  'payment.received': payment,
  'invoice.issued': invoice,
} as const satisfies Record<EventType, z.ZodType>;

const typed = <const Type extends EventType>(type: Type) => ({
  type: z.literal(type),
  timestamp: instant.describe('Time of the event.'),
  data: EVENT_DATA[type],
});

/** Body of the callbacks by event type. */
export const CALLBACKS = {
  'message.delivered': z.object(typed('message.delivered')),
  'message.failed': z.object(typed('message.failed')),
  'message.expired': z.object(typed('message.expired')),
  'message.corrected': z.object(typed('message.corrected')),
  'message.received': z.object(typed('message.received')),
  'campaign.finished': z.object(typed('campaign.finished')),
  'link.clicked': z.object(typed('link.clicked')),
  'journey.step': z.object(typed('journey.step')),
  'verification.approved': z.object(typed('verification.approved')),
  'verification.failed': z.object(typed('verification.failed')),
  'verification.expired': z.object(typed('verification.expired')),
  'balance.low': z.object(typed('balance.low')),
  'payment.received': z.object(typed('payment.received')),
  'invoice.issued': z.object(typed('invoice.issued')),
} as const satisfies Record<EventType, z.ZodType>;

/** An event of the feed: that of a callback, with an id. */
export const apiEvent = z.discriminatedUnion('type', [
  CALLBACKS['message.delivered'].extend({ id: idString }),
  CALLBACKS['message.failed'].extend({ id: idString }),
  CALLBACKS['message.expired'].extend({ id: idString }),
  CALLBACKS['message.corrected'].extend({ id: idString }),
  CALLBACKS['message.received'].extend({ id: idString }),
  CALLBACKS['campaign.finished'].extend({ id: idString }),
  CALLBACKS['link.clicked'].extend({ id: idString }),
  CALLBACKS['journey.step'].extend({ id: idString }),
  CALLBACKS['verification.approved'].extend({ id: idString }),
  CALLBACKS['verification.failed'].extend({ id: idString }),
  CALLBACKS['verification.expired'].extend({ id: idString }),
  CALLBACKS['balance.low'].extend({ id: idString }),
  CALLBACKS['payment.received'].extend({ id: idString }),
  CALLBACKS['invoice.issued'].extend({ id: idString }),
]);
