import { z } from 'zod';
import { day, idText, instant, label, money, reference, text } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { idParams, oneReply } from '../kernel/resource.ts';
import { reportExport } from '../reports/report-file.ts';
import { PAYMENT_DRIVERS, PAYMENT_MODES } from './merchant-account.ts';

/** States of a top-up. In `in_review` the proof of a bank transfer waits for an approval. */
export const TOP_UP_STATES = [
  'created',
  'awaiting_payment',
  'in_review',
  'paid',
  'partly_refunded',
  'refunded',
  'charged_back',
  'failed',
  'expired',
  'rejected',
] as const;
export type TopUpState = (typeof TOP_UP_STATES)[number];
export const TOP_UP_DRIVERS = [...PAYMENT_DRIVERS, 'voucher'] as const;

const row = z.object({
  id: z.int(),
  created_at: instant,
  billing_account_id: z.int(),
  billing_account_name: z.string(),
  corporation_name: z.string(),
  driver: z.enum(TOP_UP_DRIVERS),
  method_name: z.string(),
  /** True if no money moved: the provider was the simulator. */
  simulated: z.boolean(),
  state: z.enum(TOP_UP_STATES),
  /** Credit that the account gets, the fee on top of it, and their sum, which the customer pays. */
  amount: money(),
  fee: money(),
  total: money(),
  currency: z.string(),
  /** Our reference at the provider and on bank statements. */
  reference: z.string(),
  client_reference: z.string().nullable(),
  /** Page of the provider where the customer pays; null before it is open. */
  checkout_url: z.string().nullable(),
  /** Card or wallet that paid, such as “visa 4242”. */
  method_label: z.string().nullable(),
  /** Why a payment at the provider does not count; null if nothing is wrong. */
  problem: z.enum(['amount_differs', 'currency_differs', 'reference_differs', 'provider_refused']).nullable(),
  automatic: z.boolean(),
  /** Money that went back to the customer, and the credit that the account lost with it. */
  returned: money(),
  taken_back: money(),
  user_name: z.string().nullable(),
  paid_at: instant.nullable(),
  expires_at: instant.nullable(),
  proof_name: z.string().nullable(),
  proof_at: instant.nullable(),
  /** First of two people who approve a large bank transfer. */
  approved_by_name: z.string().nullable(),
  decided_by_name: z.string().nullable(),
  decided_at: instant.nullable(),
  decision_note: z.string().nullable(),
  /** Actions that the caller may do now. */
  may: z.object({ refund: z.boolean(), charge_back: z.boolean(), approve: z.boolean(), prove: z.boolean() }),
});

const returnRow = z.object({
  id: z.int(),
  created_at: instant,
  kind: z.enum(['refund', 'chargeback']),
  state: z.enum(['asked', 'pending', 'done', 'failed', 'open', 'lost', 'won', 'requested', 'rejected', 'reversed']),
  amount: money(),
  reason: z.string().nullable(),
  user_name: z.string().nullable(),
  /** Person who approved or rejected it, and the reason of a rejection or reversal; for those that people record. */
  decided_by_name: z.string().nullable(),
  decision_note: z.string().nullable(),
  /** Actions that the caller may do now. */
  may: z.object({ approve: z.boolean(), reject: z.boolean(), reverse: z.boolean() }),
});
/** A top-up with its instructions and everything that went back. */
export const wholeTopUp = row.extend({ instructions: z.string().nullable(), returns: z.array(returnRow) });

const filters = z.object({
  billing_account_id: z.coerce.number().int().optional(),
  state: z.enum(TOP_UP_STATES).optional(),
  driver: z.enum(TOP_UP_DRIVERS).optional(),
  from: day.optional(),
  to: day.optional(),
});

/** Lists top-ups of accounts that the caller sees, newest first. */
export const topUps = listing({ path: '/api/v1/top-ups', permission: 'top-ups-index', row, filters });

/** Queues the file of a list of top-ups. */
export const exportTopUps = reportExport({ path: '/api/v1/top-ups/exports', permission: 'top-ups-download', filters });

export const getTopUp = operation({
  method: 'GET',
  path: '/api/v1/top-ups/:id',
  permission: 'top-ups-index',
  params: idParams,
  reply: oneReply(wholeTopUp),
  errors: ['not_found'],
});

/** Lists the payment methods of an account: those of the seller of its corporation. */
export const paymentMethods = operation({
  method: 'GET',
  path: '/api/v1/billing-accounts/:id/payment-methods',
  permission: 'top-ups-create',
  params: z.object({ id: idText }),
  reply: z.object({
    data: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        driver: z.enum(PAYMENT_DRIVERS),
        mode: z.enum(PAYMENT_MODES),
        currency: z.string(),
        minimum: money(),
        maximum: money(),
        fee_percent: money(),
        fee_fixed: money(),
        fee_payer: z.enum(['customer', 'seller']),
        instructions: z.string().nullable(),
      }),
    ),
  }),
  errors: ['not_found'],
});

/**
 * Begins a top-up. A worker opens the provider's page, and `checkout_url` then names it. The same `client_reference` on an
 * account begins one top-up.
 */
export const makeTopUp = operation({
  method: 'POST',
  path: '/api/v1/top-ups',
  permission: 'top-ups-create',
  body: z.object({
    billing_account_id: reference('billing-accounts'),
    merchant_account_id: z.int().positive(),
    amount: money({ digits: 8, decimals: 2 }),
    client_reference: label(100).optional(),
    /** Origin of the console to which the provider's page returns; one of the platform's or of a reseller. */
    origin: text(300).optional(),
  }),
  reply: oneReply(wholeTopUp),
  errors: ['top_up_reference_used'],
  status: 201,
});

/** Asks the provider now whether a top-up was paid. */
export const checkTopUp = operation({
  method: 'POST',
  path: '/api/v1/top-ups/:id/check',
  permission: 'top-ups-create',
  params: idParams,
  reply: oneReply(wholeTopUp),
  errors: ['not_found'],
});

/**
 * Gives money of a top-up back to the customer. The account loses the same part of its credit. For a bank transfer it is a
 * request that another person approves.
 */
export const refundTopUp = operation({
  method: 'POST',
  path: '/api/v1/top-ups/:id/refunds',
  permission: 'top-ups-refund',
  proof: 'sometimes',
  params: idParams,
  body: z.object({ amount: money({ digits: 8, decimals: 2 }), reason: label(200) }),
  reply: oneReply(wholeTopUp),
  errors: ['not_found', 'top_up_not_refundable'],
  status: 201,
});
