import { z } from 'zod';
import { idText, instant, label, msisdn, reference, text } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { personText } from '../kernel/personal.ts';
import { resource } from '../kernel/resource.ts';

/**
 * Consent of a person to a corporation: opted in to it or one of its sender IDs, asked and not answered, opted out, or
 * nothing recorded.
 */
export const CONTACT_CONSENTS = ['opt_in', 'asked', 'opt_out', 'none'] as const;
/** Sources of a contact: entered by hand, by a program, or from a file. */
export const CONTACT_SOURCES = ['person', 'api', 'import', 'journey'] as const;

/** Maximum characters of a text value, and maximum tags of a contact. */
export const MOST_VALUE = 500;
export const MOST_TAGS = 50;

/** Values by the keys of their fields. Dates are such as 2026-01-31; null removes a value. */
export const contactValues = z.record(
  z.string().max(40),
  z.union([z.string().max(MOST_VALUE), z.number(), z.boolean(), z.null()]),
);

const contactTags = z.array(label(50)).max(MOST_TAGS);

const input = z.object({
  corporation_id: reference('corporations'),
  number: z.string().trim().min(1).max(40),
  name: text(100).nullable(),
  tags: contactTags,
  fields: contactValues,
});

/** People of a corporation: one record for a number. Changes of `fields` leave values that they do not name. */
export const contact = resource({
  name: 'contacts',
  row: input.extend({
    number: msisdn,
    name: personText(text(100).nullable()),
    tags: personText(z.array(z.string())),
    fields: personText(contactValues.clone()),
    corporation_name: z.string(),
    consent: z.enum(CONTACT_CONSENTS),
    source: z.enum(CONTACT_SOURCES),
    updated_at: instant,
  }),
  create: input.extend({
    name: input.shape.name.default(null),
    tags: input.shape.tags.default([]),
    fields: input.shape.fields.default({}),
  }),
  update: input.pick({ name: true, tags: true, fields: true }).partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    number_list_id: z.coerce.number().int().optional(),
    consent: z.enum(CONTACT_CONSENTS).optional(),
    tag: z.string().trim().max(50).optional(),
    /** Field that is compared with `value`; without a value, contacts that have one. */
    contact_field_id: z.coerce.number().int().optional(),
    value: z.string().trim().max(MOST_VALUE).optional(),
    /** True for contacts whose name another contact of the corporation has too, in whichever case. */
    same_name: z.stringbool().optional(),
  }),
  sort: ['number', 'name', 'created_at', 'updated_at'],
  title: 'number',
  conflicts: { contact_number_key: 'contact_already_exists' },
});

/** Kinds of events in the history of a person. */
export const CONTACT_EVENTS = [
  'sent',
  'received',
  'clicked',
  'opt_in',
  'asked',
  'opt_out',
  'created',
  'updated',
] as const;

const event = z.object({
  kind: z.enum(CONTACT_EVENTS),
  at: instant,
  /** Text of a message, or evidence of a consent; null for callers who may not read texts. */
  text: personText(z.string()).nullable(),
  /** Sender ID or number of the corporation, or the user who made the change. */
  by: z.string().nullable(),
  /** Outcome of a sent message. */
  state: z.string().nullable(),
  campaign_id: z.int().nullable(),
  campaign: z.string().nullable(),
});

/** Maximum events of a history, and days in which sent messages are looked for. */
export const CONTACT_HISTORY = { events: 200, days: 90 } as const;

/** Returns the last events of a contact, newest first, and the lists that it is in. */
export const contactHistory = operation({
  method: 'GET',
  path: '/api/v1/contacts/:id/history',
  permission: 'contacts-show',
  params: z.object({ id: idText }),
  reply: z.object({
    data: z.object({
      last_sent_at: instant.nullable(),
      last_delivered_at: instant.nullable(),
      last_clicked_at: instant.nullable(),
      last_replied_at: instant.nullable(),
      lists: z.array(z.object({ id: z.int(), name: z.string() })),
      events: z.array(event),
    }),
  }),
  errors: ['not_found'],
});
