import { z } from 'zod';
import { idText, instant, label, money, reference } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
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
  /** A campaign that costs more asks for a confirmation; less than the credit limit where there is one. */
  cost_warning_limit: money({ digits: 10 }).nullable(),
  /** How far below zero the balance may go. */
  credit_limit: money({ digits: 10 }),
  monthly_plan: z.boolean(),
  monthly_commitment: money({ digits: 10 }),
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
    credit_limit: money({ digits: 10 }).default('0.000'),
    monthly_plan: z.boolean().default(false),
    monthly_commitment: money({ digits: 10 }).default('0.000'),
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

/** A payment: adds credit to the account, as one ledger transfer. The same `reference` on an account counts once. */
export const payBillingAccount = operation({
  method: 'POST',
  path: '/api/v1/billing-accounts/:id/payments',
  permission: 'billing-accounts-payment',
  params: z.object({ id: idText }),
  body: z.object({ amount: money({ digits: 10 }), reference: label(100).optional(), note: label(200).optional() }),
  reply: oneReply(billingAccount.row),
  errors: ['not_found'],
  status: 201,
});

/** Every movement on an account, newest first. */
export const creditChanges = listing({
  path: '/api/v1/credit-changes',
  permission: 'credit-changes-index',
  row: z.object({
    id: z.int(),
    created_at: instant,
    billing_account_id: z.int(),
    billing_account_name: z.string(),
    kind: z.enum(['payment', 'reservation', 'charge', 'release', 'refund', 'commitment', 'correction']),
    amount: money({ signed: true }),
    balance_after: money({ signed: true }),
    currency: z.string(),
    campaign_id: z.int().nullable(),
    campaign_name: z.string().nullable(),
    user_name: z.string().nullable(),
    note: z.string().nullable(),
  }),
  filters: z.object({ billing_account_id: z.coerce.number().int().optional() }),
});

/** The top bar's badge: what the caller's account still holds, or owes. */
export const totalOutstandingNotify = operation({
  method: 'GET',
  path: '/api/v1/total-outstanding-notify',
  permission: null,
  reply: z.object({
    label: z.string(),
    amount: money({ signed: true }),
    currency: z.string(),
    type: z.enum(['prepaid', 'postpaid', 'none']),
  }),
});
