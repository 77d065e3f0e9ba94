import { z } from 'zod';
import { id, instant, money } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply } from '../kernel/resource.ts';

/** Steps to a first campaign, in the order in which people take them. */
export const FIRST_RUN_STEPS = ['company', 'sender', 'credit', 'contacts', 'test', 'campaign'] as const;

const step = z.object({
  step: z.enum(FIRST_RUN_STEPS),
  done: z.boolean(),
  /** True if the caller may take this step. Otherwise `helper` or the corporation's administrator can. */
  may: z.boolean(),
});

/**
 * Returns the steps that lead the caller's corporation to its first campaign, each with its state. `data` is null once
 * a campaign was sent, after the caller dismissed the steps, and for people without a corporation.
 */
export const firstRun = operation({
  method: 'GET',
  path: '/api/v1/first-run',
  permission: null,
  reply: z.object({
    data: z
      .object({
        steps: z.array(step),
        corporation_id: z.int(),
        corporation_name: z.string(),
        timezone: z.string(),
        currency: z.string(),
        /** Credit of the account that pays for the caller's messages; null if there is no such account. */
        balance: money({ signed: true }).nullable(),
        /** Seller of the credit: the corporation's reseller, or the platform. */
        helper: z.string(),
        /** Name of an administrator of the corporation that the caller may see; null for the caller's own level. */
        administrator: z.string().nullable(),
        /** Sender ID that waits for an approval while no other can be used, and the name of who decides. */
        waiting_sender: z.object({ id, sender_id: z.string(), by: z.string() }).nullable(),
        /** Time of the last request for credit within a day; null if the helper can be asked again. */
        asked_at: instant.nullable(),
      })
      .nullable(),
  }),
});

/** Stops showing the steps to the caller. */
export const dismissFirstRun = operation({
  method: 'POST',
  path: '/api/v1/first-run/dismiss',
  permission: null,
  reply: doneReply,
});

/** Mails a request for credit to the people who sell it to the corporation: once a day. */
export const askForCredit = operation({
  method: 'POST',
  path: '/api/v1/first-run/credit-requests',
  permission: null,
  reply: doneReply,
});
