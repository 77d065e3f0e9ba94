import { z } from 'zod';
import { id, idText, label, money, month, reference, text } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply, resource } from '../kernel/resource.ts';
import { HOLDS } from './credit-control.ts';

const input = z.object({
  corporation_id: reference('corporations'),
  name: label(),
  /** Circuit number of the account in the operator's own systems. */
  key: label(50),
  price_plan_id: reference('price-plans'),
  /** Maximum validity that a campaign can choose, in hours. */
  sms_validity: z.int().min(1).max(12),
  charge_on_delivery: z.boolean(),
  flash_allowed: z.boolean(),
  content_visible: z.boolean(),
  enabled: z.boolean(),
  suspended: z.boolean(),
  /**
   * Limit above which the cost of a campaign must be confirmed, and above which the account's people are told what they
   * owe. It is lower than the credit limit, if there is one.
   */
  cost_warning_limit: money({ digits: 6, decimals: 2 }).nullable(),
  /**
   * Amount below which the account's people are told, once each time the available amount falls below it: the credit
   * balance after reserves, plus the credit limit.
   */
  low_balance_limit: money({ digits: 6, decimals: 2 }).nullable(),
  /** Maximum amount by which the balance may go below zero. */
  credit_limit: money({ digits: 10, decimals: 2 }),
  monthly_plan: z.boolean(),
  /** Minimum cost of a month on a monthly plan. The shortfall is billed at the end of the month. */
  monthly_commitment: money({ digits: 10, decimals: 2 }),
});

export const billingAccount = resource({
  name: 'billing-accounts',
  row: input.extend({
    corporation_name: z.string(),
    price_plan_name: z.string(),
    currency: z.string(),
    /** Credit that can still be spent, without the credit limit: payments − charges − reservations. */
    credit_balance: money({ signed: true }),
    /** Amount reserved for messages on their way. */
    reserved: money(),
    /** Messages that wait until overdue amounts are paid. */
    hold: z.enum(HOLDS),
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
    // Without a value, these three come from the price plan.
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
  groups: {
    general: ['corporation_id', 'name', 'key', 'price_plan_id', 'enabled', 'suspended'],
    credit: [
      'credit_limit',
      'cost_warning_limit',
      'low_balance_limit',
      'monthly_plan',
      'monthly_commitment',
      'charge_on_delivery',
    ],
    sending: ['sms_validity', 'flash_allowed', 'content_visible'],
  },
  conflicts: {
    billing_account_key_key: 'billing_account_already_exists',
    billing_account_corporation_id_name_key: 'billing_account_already_exists',
  },
  errors: ['own_billing_account'],
});

const params = z.object({ id: idText });
const amount = money({ digits: 10, decimals: 2 });

/**
 * Records a payment: adds credit to the account in one ledger transfer. A repeated `reference` counts once per account.
 */
export const payBillingAccount = operation({
  method: 'POST',
  path: '/api/v1/billing-accounts/:id/payments',
  permission: 'billing-accounts-payment',
  proof: 'sometimes',
  params,
  body: z.object({ amount, reference: label(100).optional(), note: label(200).optional() }),
  reply: oneReply(billingAccount.row),
  errors: ['not_found', 'reference_used'],
  status: 201,
});

/** Refunds a campaign, in all at most the amount it was charged. A repeated `reference` counts once per account. */
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

/**
 * Corrects an account with a new entry: a positive amount adds credit, a negative one removes it. The entry belongs to the
 * open month, or to `month` if that was closed, opened again and is not on an invoice.
 */
export const correctBillingAccount = operation({
  method: 'POST',
  path: '/api/v1/billing-accounts/:id/corrections',
  permission: 'billing-accounts-payment',
  proof: 'sometimes',
  params,
  body: z.object({
    amount: money({ digits: 10, signed: true }),
    reference: label(100).optional(),
    note: label(200),
    month: month.optional(),
  }),
  reply: oneReply(billingAccount.row),
  errors: ['not_found', 'reference_used'],
  status: 201,
});

const suspension = { params, body: z.object({ note: text(200).optional() }), reply: oneReply(billingAccount.row) };

/** Suspends an account: no new message is sent at its cost. Messages on their way continue. */
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
