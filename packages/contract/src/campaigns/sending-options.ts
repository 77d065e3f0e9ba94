import { z } from 'zod';
import { id, timeOfDay } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';
import { shownTimeZone } from '../kernel/time-zones.ts';

/** Returns the options and the text ending of a sender ID, so that a text is shown and counted as it will be sent. */
export const sendingOptions = operation({
  method: 'GET',
  path: '/api/v1/campaigns/options',
  permission: 'campaigns-create',
  query: z.object({ sender_id: z.coerce.number().pipe(id) }),
  reply: oneReply(
    z.object({
      /** Signature and opt-out text at the end of every text of the caller. */
      ending: z.string(),
      /** True if only texts made from an approved template may leave under the sender ID. */
      templates_only: z.boolean(),
      /** Time zone of a schedule. */
      timezone: shownTimeZone,
      /** Time in `timezone` when no campaign may start; null if there is none, or if the caller may ignore it. */
      blackout: z.object({ from: timeOfDay, to: timeOfDay }).nullable(),
      /** Maximum hours that a message may wait. */
      sms_validity: z.int(),
      flash_allowed: z.boolean(),
      /** Whether its campaigns may give values of vendor parameters. */
      parameters_allowed: z.boolean(),
      /** Whether lookups may say that nobody has a number, so that such numbers can be skipped. */
      lookups: z.boolean(),
      /** Fields of the corporation's contacts that texts may use by their keys; none if the caller does not see contacts. */
      contact_fields: z.array(z.object({ key: z.string(), name: z.string() })),
      /** Languages that contacts may have, if the corporation marked a field for them and the caller sees contacts; else null. */
      language: z.object({ key: z.string(), name: z.string(), choices: z.array(z.string()) }).nullable(),
      /** Whether the operator's language model may be asked for other forms of a text. */
      text_model: z.boolean(),
      /** Address of a short link before its path and code. */
      short_link_base: z.string(),
      /** Whether the caller's profile has a number for the message about a campaign's end. */
      phone: z.boolean(),
    }),
  ),
  errors: ['sender_not_allowed', 'billing_account_missing'],
});
