import { z } from 'zod';
import { id, timeOfDay } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';
import { shownTimeZone } from '../kernel/time-zones.ts';

/** What sending from a sender ID allows and adds, so that a text is shown and counted as it will go out. */
export const sendingOptions = operation({
  method: 'GET',
  path: '/api/v1/campaigns/options',
  permission: 'campaigns-create',
  query: z.object({ sender_id: z.coerce.number().pipe(id) }),
  reply: oneReply(
    z.object({
      /** Signature and opt-out text as they end every text of the caller's. */
      ending: z.string(),
      /** The time zone in which a schedule is meant. */
      timezone: shownTimeZone,
      /** When no campaign may start, by the clock of `timezone`; null for never, or for who skips it. */
      blackout: z.object({ from: timeOfDay, to: timeOfDay }).nullable(),
      /** Most hours a message may wait. */
      sms_validity: z.int(),
      flash_allowed: z.boolean(),
      /** What stands before the code of a short link, without its path. */
      short_link_base: z.string(),
      /** Whether the caller's profile has a number that can be told of a campaign's end. */
      phone: z.boolean(),
    }),
  ),
  errors: ['sender_not_allowed', 'billing_account_missing'],
});
