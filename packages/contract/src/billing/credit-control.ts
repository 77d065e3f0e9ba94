import { z } from 'zod';
import { day, idText, instant, label, money } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';

/** Steps against an account that has not paid, from the mildest to the strictest. */
export const CREDIT_STEPS = ['remind', 'warn', 'hold', 'suspend'] as const;

/**
 * Holds of an account: `bulk` stops campaigns and bulk messages, `all` stops every message. One-time codes and
 * transactional messages continue under `bulk`.
 */
export const HOLDS = ['none', 'bulk', 'all'] as const;

const days = z.int().min(0).max(365);

const policy = z.object({
  enabled: z.boolean(),
  /** Days from the end of a month until its closing balance is due. */
  payment_days: z.int().min(0).max(180),
  /** Days after the due date on which each step is taken; null leaves the step out. */
  remind_after: days.nullable(),
  warn_after: days.nullable(),
  hold_after: days.nullable(),
  /** Days after the due date on which everything stops. It is later than all other steps. */
  suspend_after: z.int().min(1).max(365).nullable(),
});

/** Returns the caller's policy as a seller: the platform's, or the reseller's own. */
export const showCreditPolicy = operation({
  method: 'GET',
  path: '/api/v1/credit-control/policy',
  permission: 'credit-control-index',
  reply: oneReply(policy),
});

/** Sets the caller's policy as a seller. Accounts are judged by it within an hour. */
export const setCreditPolicy = operation({
  method: 'POST',
  path: '/api/v1/credit-control/policy',
  permission: 'credit-control-edit',
  body: policy,
  reply: oneReply(policy),
});

const overdue = {
  /** Amount that should have been paid by now. */
  overdue: money(),
  currency: z.string(),
  /** Oldest due date that was not met; null if nothing is overdue. */
  due_on: day.nullable(),
  hold: z.enum(HOLDS),
  grace_until: day.nullable(),
  /** Next step and its day; null if none follows. */
  next_step: z.enum(CREDIT_STEPS).nullable(),
  next_on: day.nullable(),
};

/** Lists the accounts that the caller sells to and that are overdue or on hold, by id. */
export const overdueAccounts = listing({
  path: '/api/v1/credit-control',
  permission: 'credit-control-index',
  row: z.object({
    id: z.int(),
    name: z.string(),
    corporation_name: z.string(),
    ...overdue,
    last_step: z.enum(CREDIT_STEPS).nullable(),
  }),
  filters: z.object({}),
});

const standing = z.object({
  ...overdue,
  /** True if a person set the hold; it stays until a person ends it. */
  held_by_person: z.boolean(),
  /** Steps of the present due date, with the day of each. */
  steps: z.array(z.object({ step: z.enum(CREDIT_STEPS), on: day, taken_at: instant.nullable() })),
});

const params = z.object({ id: idText });

/** Shows what an account owes beyond its due date, the steps that were taken, and the next one. */
export const accountCredit = operation({
  method: 'GET',
  path: '/api/v1/billing-accounts/:id/credit',
  permission: 'billing-accounts-show',
  params,
  reply: oneReply(standing),
  errors: ['not_found'],
});

/** Sets the hold of an account by hand. The steps of the policy change it again only after a person ended it. */
export const holdAccount = operation({
  method: 'POST',
  path: '/api/v1/billing-accounts/:id/hold',
  permission: 'billing-accounts-suspend',
  params,
  body: z.object({ hold: z.enum(HOLDS), note: label(200) }),
  reply: oneReply(standing),
  errors: ['not_found'],
});

/** Gives an account time: no step is taken before the day. Null ends it. */
export const giveGrace = operation({
  method: 'POST',
  path: '/api/v1/billing-accounts/:id/grace',
  permission: 'billing-accounts-suspend',
  params,
  body: z.object({ until: day.nullable(), note: label(200) }),
  reply: oneReply(standing),
  errors: ['not_found'],
});
