import { z } from 'zod';
import { day, id, instant, reference, text } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { resource } from '../kernel/resource.ts';

/** States of a sender ID at a carrier. A link that asks for registrations takes messages only of registered ones. */
export const REGISTRATION_STATES = ['requested', 'registered', 'rejected', 'ended'] as const;

const details = z.object({
  state: z.enum(REGISTRATION_STATES),
  /** Number or name by which the carrier keeps it. */
  reference: text(100).nullable(),
  registered_on: day.nullable(),
  /** Last day, in the platform's time zone; null without an end. */
  expires_on: day.nullable(),
  /** Reason of a rejection or of the end. */
  reason: text(500).nullable(),
  /** Networks for which it holds; empty for all. A message to another network is not registered there. */
  network_ids: z.array(reference('networks')).max(100),
});
const place = z.object({ link_id: reference('links') });
const withDefaults = {
  reference: details.shape.reference.default(null),
  registered_on: details.shape.registered_on.default(null),
  expires_on: details.shape.expires_on.default(null),
  reason: details.shape.reason.default(null),
};

/** Registration of a sender ID with the carrier of a link. */
export const senderRegistration = resource({
  name: 'sender-registrations',
  row: place.extend({
    sender_id_id: reference('sender-ids'),
    sender_id_name: z.string(),
    corporation_name: z.string(),
    link_name: z.string(),
    ...details.shape,
    /** Names of the networks; empty for all. */
    networks: z.string(),
    changed_at: instant,
    changed_by_name: z.string().nullable(),
  }),
  /** Several sender IDs in one call: all are added or none. The answer is the first one. */
  create: place.extend({
    sender_id_ids: z.array(reference('sender-ids')).min(1).max(200),
    state: details.shape.state.default('requested'),
    ...withDefaults,
    network_ids: details.shape.network_ids.default([]),
  }),
  update: details.partial(),
  filters: z.object({
    sender_id_id: z.coerce.number().int().optional(),
    link_id: z.coerce.number().int().optional(),
    state: z.enum(REGISTRATION_STATES).optional(),
  }),
  sort: ['sender_id_name', 'corporation_name', 'link_name', 'registered_on', 'expires_on', 'created_at'],
  title: 'sender_id_name',
  conflicts: { sender_registration_key: 'sender_registration_exists' },
});

/**
 * Records the carrier's answer about several registrations: all are changed or none. When a registration ends, waiting
 * messages move to other links within a second; those without another link end, with their money released.
 */
export const decideRegistrations = operation({
  method: 'POST',
  path: '/api/v1/sender-registrations/decisions',
  permission: senderRegistration.permissions.edit,
  body: z.object({
    ids: z.array(id).min(1).max(200),
    state: z.enum(['registered', 'rejected', 'ended']),
    ...withDefaults,
  }),
  reply: z.object({ data: z.object({ changed: z.int() }) }),
  errors: ['not_found'],
});
