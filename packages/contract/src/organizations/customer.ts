import { z } from 'zod';
import { user } from '../access/user.ts';
import { billingAccount, payBillingAccount } from '../billing/billing-account.ts';
import { idText, instant, label, money } from '../kernel/fields.ts';
import { operation, strict } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';
import { senderId } from '../senders/sender-id.ts';
import { corporation } from './corporation.ts';

const company = corporation.create
  .pick({ name: true, currency: true, timezone: true, sales_code: true, reseller_id: true })
  .extend({
    /** Name of its first department, which lists and templates need. */
    department: label(),
  });
const account = billingAccount.create
  .pick({ name: true, price_plan_id: true, low_balance_limit: true, credit_limit: true })
  .extend({
    /** Circuit number; without one, the account gets a key of its own. */
    key: billingAccount.create.shape.key.optional(),
    /** First payment; null for none. */
    payment: payBillingAccount.body.shape.amount.nullable().default(null),
  });
const sender = senderId.create.pick({ sender_id: true });
const admin = user.create.pick({ name: true, email: true, phone: true, preferred_language: true });

/**
 * Creates a customer in one step: the corporation with its first department, its billing account, a sender ID and its
 * first administrator, who gets an invitation by email. All of it is saved or nothing. A fault names the block and the
 * field, such as `account.price_plan_id`.
 */
export const createCustomer = operation({
  method: 'POST',
  path: '/api/v1/customers',
  permission: 'corporations-create',
  body: strict(z.object({ company, account, sender: sender.nullable().default(null), admin })),
  reply: oneReply(z.object({ corporation_id: z.int(), billing_account_id: z.int(), user_id: z.int() })),
  status: 201,
  errors: ['number_already_given'],
});

const person = z.object({ id: z.int(), name: z.string(), email: z.string(), role: z.string(), invited: z.boolean() });

/** Returns everything about one corporation on one page: money, people, senders, traffic and the last activity. */
export const corporationOverview = operation({
  method: 'GET',
  path: '/api/v1/corporations/:id/overview',
  permission: 'corporations-show',
  params: z.object({ id: idText }),
  reply: oneReply(
    z.object({
      departments: z.int(),
      users: z.int(),
      /** The first people, those of the highest level first. Empty if the caller may not see users. */
      people: z.array(person),
      /** The first accounts. Empty if the caller may not see billing accounts. */
      accounts: z.array(
        z.object({
          id: z.int(),
          name: z.string(),
          price_plan_name: z.string(),
          credit_balance: money({ signed: true }),
          enabled: z.boolean(),
          suspended: z.boolean(),
        }),
      ),
      senders: z.array(z.object({ id: z.int(), sender_id: z.string(), usable: z.boolean() })),
      /** The last 30 days in the corporation's time zone, oldest first, the last one today. */
      days: z.array(z.object({ date: z.string(), messages: z.int(), delivered: z.int() })),
      spend: money({ signed: true }),
      last_message_at: instant.nullable(),
      last_sign_in_at: instant.nullable(),
    }),
  ),
  errors: ['not_found'],
});
