import { z } from 'zod';
import { id, idText, label, money, reference, text } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply, resource } from '../kernel/resource.ts';

const input = z.object({
  corporation_id: reference('corporations'),
  name: label(),
  /** The circuit number by which the operator's own systems know the account. */
  key: label(50),
  price_plan_id: reference('price-plans'),
  /** Longest validity a campaign may choose, in hours. */
  sms_validity: z.int().min(1).max(12),
  charge_on_delivery: z.boolean(),
  flash_allowed: z.boolean(),
  content_visible: z.boolean(),
  enabled: z.boolean(),
  suspended: z.boolean(),
  /**
   * A campaign that costs more asks for a confirmation, and who owes more is told; less than the credit limit where
   * there is one.
   */
  cost_warning_limit: money({ digits: 6, decimals: 2 }).nullable(),
  /** Below it the account's people are told, once each time the balance passes it. */
  low_balance_limit: money({ digits: 6, decimals: 2 }).nullable(),
  /** How far below zero the balance may go. */
  credit_limit: money({ digits: 10, decimals: 2 }),
  monthly_plan: z.boolean(),
  /** The least a month costs on a monthly plan: what the charges lack is billed when the month is over. */
  monthly_commitment: money({ digits: 10, decimals: 2 }),
});

export const billingAccount = resource({
  name: 'billing-accounts',
  row: input.extend({
    corporation_name: z.string(),
    price_plan_name: z.string(),
    currency: z.string(),
    /** What can still be spent without the credit limit: payments − charges − reservations. */
    credit_balance: money({ signed: true }),
    /** Reserved for messages on their way. */
    reserved: money(),
  }),
  create: input.extend({
    sms_validity: input.shape.sms_validity.default(12),
    charge_on_delivery: z.boolean().default(false),
    flash_allowed: z.boolean().default(true),
    content_visible: z.boolean().default(true),
    enabled: z.boolean().default(true),
    suspended: z.boolean().default(false),
    cost_warning_limit: input.shape.cost_warning_limit.default(null),
    low_balance_limit: input.shape.low_balance_limit.default(null),
    // Left out, these three are the price plan's.
    credit_limit: input.shape.credit_limit.optional(),
    monthly_plan: z.boolean().optional(),
    monthly_commitment: input.shape.monthly_commitment.optional(),
  }),
  update: input.omit({ corporation_id: true }).partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    enabled: z.stringbool().optional(),
    suspended: z.stringbool().optional(),
  }),
  sort: ['name', 'corporation_name', 'credit_balance', 'created_at'],
  title: 'name',
  conflicts: {
    billing_account_key_key: 'billing_account_already_exists',
    billing_account_corporation_id_name_key: 'billing_account_already_exists',
  },
  errors: ['own_billing_account'],
});

const params = z.object({ id: idText });
const amount = money({ digits: 10, decimals: 2 });

/** A payment: adds credit to the account, as one ledger transfer. The same `reference` on an account counts once. */
export const payBillingAccount = operation({
  method: 'POST',
  path: '/api/v1/billing-accounts/:id/payments',
  permission: 'billing-accounts-payment',
  params,
  body: z.object({ amount, reference: label(100).optional(), note: label(200).optional() }),
  reply: oneReply(billingAccount.row),
  errors: ['not_found', 'reference_used'],
  status: 201,
});

/** Gives back what a campaign was charged, at most that much in all. The same `reference` on an account counts once. */
export const refundBillingAccount = operation({
  method: 'POST',
  path: '/api/v1/billing-accounts/:id/refunds',
  permission: 'billing-accounts-payment',
  params,
  body: z.object({
    campaign_id: id,
    amount: money({ digits: 10 }),
    reference: label(100).optional(),
    note: label(200),
  }),
  reply: oneReply(billingAccount.row),
  errors: ['not_found', 'reference_used'],
  status: 201,
});

/** Puts an account right by a new entry: a positive amount gives credit, a negative one takes it. */
export const correctBillingAccount = operation({
  method: 'POST',
  path: '/api/v1/billing-accounts/:id/corrections',
  permission: 'billing-accounts-payment',
  params,
  body: z.object({ amount: money({ digits: 10, signed: true }), reference: label(100).optional(), note: label(200) }),
  reply: oneReply(billingAccount.row),
  errors: ['not_found', 'reference_used'],
  status: 201,
});

const suspension = { params, body: z.object({ note: text(200).optional() }), reply: oneReply(billingAccount.row) };

/** Nothing is sent at the cost of a suspended account; what is on its way goes on. */
export const suspendBillingAccount = operation({
  method: 'POST',
  path: '/api/v1/billing-accounts/:id/suspend',
  permission: 'billing-accounts-suspend',
  ...suspension,
  errors: ['not_found'],
});

export const resumeBillingAccount = operation({
  method: 'POST',
  path: '/api/v1/billing-accounts/:id/resume',
  permission: 'billing-accounts-suspend',
  ...suspension,
  errors: ['not_found'],
});
