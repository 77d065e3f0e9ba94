import { z } from 'zod';
import { id, label, reference } from '../kernel/fields.ts';
import { FILE_FORMATS } from '../kernel/file-format.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';
import { downloadRow } from '../reports/transaction.ts';
import { CONTACT_CONSENTS, MOST_TAGS, MOST_VALUE } from './contact.ts';

/** Maximum contacts that one call changes or deletes. */
export const MOST_CHOSEN_CONTACTS = 50_000;

/** Selection of contacts: those with the ids, or all that the list shows with these filters. */
export const contactSelection = z.object({
  ids: z.array(id).min(1).max(1_000).optional(),
  search: z.string().trim().max(100).optional(),
  corporation_id: reference('corporations').optional(),
  number_list_id: reference('number-lists').optional(),
  consent: z.enum(CONTACT_CONSENTS).optional(),
  tag: z.string().trim().max(50).optional(),
  contact_field_id: reference('contact-fields').optional(),
  value: z.string().trim().max(MOST_VALUE).optional(),
  same_name: z.boolean().optional(),
});
export type ContactSelection = z.output<typeof contactSelection>;

const tags = z.array(label(50)).max(MOST_TAGS).default([]);
const counted = z.object({ data: z.object({ contacts: z.int() }) });

/** Adds tags to contacts, and takes tags from them. Answers how many have changed. */
export const changeContactTags = operation({
  method: 'POST',
  path: '/api/v1/contacts/tags',
  permission: 'contacts-edit',
  body: z.object({ selection: contactSelection, add: tags, remove: tags }),
  reply: counted,
  errors: ['contacts_too_many'],
});

/** Deletes contacts. Answers how many. */
export const deleteContacts = operation({
  method: 'POST',
  path: '/api/v1/contacts/deletions',
  permission: 'contacts-delete',
  body: z.object({ selection: contactSelection }),
  reply: counted,
  errors: ['contacts_too_many'],
});

/** Writes contacts to a file, which appears in the bell: number, name, tags, consent and the chosen fields. */
export const exportContacts = operation({
  method: 'POST',
  path: '/api/v1/contacts/exports',
  permission: 'contacts-download',
  body: z.object({
    format: z.enum(FILE_FORMATS).default('csv'),
    selection: contactSelection.default({}),
    contact_field_ids: z.array(reference('contact-fields')).max(50).default([]),
  }),
  reply: oneReply(downloadRow),
  status: 202,
});
