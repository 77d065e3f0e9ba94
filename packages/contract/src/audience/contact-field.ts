import { z } from 'zod';
import { idText, label, reference } from '../kernel/fields.ts';
import { FIELD_KEY, MERGE_FIELDS } from '../kernel/merge-fields.ts';
import { operation } from '../kernel/operation.ts';
import { resource } from '../kernel/resource.ts';

/** Types of fields of contacts. */
export const CONTACT_FIELD_TYPES = ['text', 'number', 'date', 'choice', 'yes_no'] as const;
export type ContactFieldType = (typeof CONTACT_FIELD_TYPES)[number];

/** Maximum fields of a corporation by type. Texts and choices share theirs. */
export const MOST_CONTACT_FIELDS = { text: 20, number: 10, date: 10, flag: 10 } as const;

/** Keys that mean something else in files and texts. */
export const RESERVED_FIELD_KEYS: ReadonlySet<string> = new Set([
  ...MERGE_FIELDS,
  // Placeholders of approved templates.
  'text',
  'digits',
  'number',
  'tags',
  'consent',
  'corporation_id',
]);

const input = z.object({
  corporation_id: reference('corporations'),
  name: label(60),
  /** Name for programs, files and placeholders, such as `birthday`. */
  key: z.string().trim().regex(FIELD_KEY, { error: 'contact_field_key' }),
  type: z.enum(CONTACT_FIELD_TYPES),
  /** Values that a field of the type `choice` may have, in their order. */
  choices: z.array(label(60)).max(100),
  /** Whether its value is the language of the contact, which chooses the text of a campaign; one field of a corporation. */
  is_language: z.boolean(),
});

/** Fields that a corporation gives its contacts. A field keeps its values when its name or key changes. */
export const contactField = resource({
  name: 'contact-fields',
  row: input.extend({ corporation_name: z.string() }),
  create: input.extend({
    type: input.shape.type.default('text'),
    choices: input.shape.choices.default([]),
    is_language: input.shape.is_language.default(false),
  }),
  update: input.pick({ name: true, key: true, choices: true, is_language: true }).partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    type: input.shape.type.optional(),
  }),
  sort: ['name', 'key', 'type', 'created_at'],
  title: 'name',
  conflicts: {
    contact_field_name_key: 'contact_field_already_exists',
    contact_field_key_key: 'contact_field_already_exists',
    contact_field_language_key: 'contact_language_exists',
  },
  errors: ['contact_fields_full'],
});

/** Returns how many contacts have a value in a field: they lose it with the field. */
export const contactFieldUse = operation({
  method: 'GET',
  path: '/api/v1/contact-fields/:id/use',
  permission: 'contact-fields-index',
  params: z.object({ id: idText }),
  /** `segments` are names of segments whose rules use the field. */
  reply: z.object({ data: z.object({ contacts: z.int(), segments: z.array(z.string()) }) }),
  errors: ['not_found'],
});
