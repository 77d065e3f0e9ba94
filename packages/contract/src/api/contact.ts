import { z } from 'zod';
import { CONTACT_CONSENTS, contact, contactValues, MOST_TAGS } from '../audience/contact.ts';
import { CONTACT_FIELD_TYPES } from '../audience/contact-field.ts';
import { instant } from '../kernel/fields.ts';
import { personNumber, personText } from '../kernel/personal.ts';
import { publicOperation } from '../kernel/public-operation.ts';
import { idString, oneLine, shortProblem } from './message.ts';

const idParams = z.object({ id: idString });

const record = z.object({
  id: idString,
  number: personNumber(
    z
      .string()
      .describe(
        'Number of the person. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers.',
      ),
  ),
  name: personText(z.string()).nullable(),
  tags: personText(z.array(z.string())),
  fields: personText(contactValues.clone()).describe(
    'Values by the keys of the fields. Fields without a value are left out.',
  ),
  consent: z
    .enum(CONTACT_CONSENTS)
    .describe('Consent of the person to your corporation, from the recorded events; `none` if nothing is recorded.'),
  created_at: instant,
  updated_at: instant,
});

const cursor = z.string().max(40).optional().describe('`next_cursor` of the page before.');

export const listContacts = publicOperation({
  name: 'listContacts',
  method: 'GET',
  path: '/v1/contacts',
  scope: 'contacts:read',
  tag: 'Contacts',
  summary: 'Read contacts',
  description: 'The newest first. A test key gets an empty list.',
  query: z.object({
    number: z.string().trim().min(1).max(40).optional().describe('Number in international form.'),
    tag: z.string().trim().min(1).max(50).optional().describe('Tag, exactly as written.'),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor,
  }),
  reply: z.object({ data: z.array(record), next_cursor: z.string().nullable(), has_more: z.boolean() }),
  errors: ['cursor_invalid'],
});

export const getContact = publicOperation({
  name: 'getContact',
  method: 'GET',
  path: '/v1/contacts/:id',
  scope: 'contacts:read',
  tag: 'Contacts',
  summary: 'Read one contact',
  description: 'A test key is answered with `not_found`.',
  params: idParams,
  reply: record,
  errors: ['not_found'],
});

/** Contact as programs write it. */
export const givenContact = z.object({
  number: z.string().trim().min(1).max(40),
  name: contact.update.shape.name,
  tags: z.array(oneLine(50)).max(MOST_TAGS).optional().describe('All tags of the contact.'),
  fields: contactValues.optional().describe('Values by the keys of their fields. Dates are such as 2026-01-31.'),
});

export const saveContact = publicOperation({
  name: 'saveContact',
  method: 'POST',
  path: '/v1/contacts',
  scope: 'contacts:write',
  tag: 'Contacts',
  summary: 'Add a contact, or change the one with the number',
  description:
    'There is one contact for a number. What the body does not name stays as it is: a missing name, missing tags and missing values. `null` removes a value. A test key is answered with `not_found`.',
  body: givenContact,
  reply: record,
  errors: ['not_found', 'validation_failed'],
  example: { number: '639171234567', tags: ['vip'], fields: { birthday: '1990-05-31' } },
});

/** Maximum contacts of one call. */
export const MOST_SAVED_CONTACTS = 200;

export const saveContacts = publicOperation({
  name: 'saveContacts',
  method: 'POST',
  path: '/v1/contacts/batch',
  scope: 'contacts:write',
  tag: 'Contacts',
  summary: 'Add or change many contacts',
  description: `Up to ${MOST_SAVED_CONTACTS} contacts, each as \`POST /v1/contacts\` takes it. Each is saved or refused by itself, so a wrong one stops no other. Of several with one number the last counts. Repeat the call if you get no answer: contacts are found by their number. A test key is answered with \`not_found\`.`,
  body: z.strictObject({ contacts: z.array(givenContact).min(1).max(MOST_SAVED_CONTACTS) }),
  reply: z.object({
    saved: z.array(z.object({ index: z.int().describe('Position in the request, from 0.'), id: idString })),
    rejected: z.array(shortProblem.extend({ index: z.int().describe('Position in the request, from 0.') })),
  }),
  errors: ['not_found', 'validation_failed'],
  example: {
    contacts: [
      { number: '639171234567', tags: ['vip'] },
      { number: '639181234567', fields: { birthday: '1990-05-31' } },
    ],
  },
});

export const deleteContact = publicOperation({
  name: 'deleteContact',
  method: 'DELETE',
  path: '/v1/contacts/:id',
  scope: 'contacts:write',
  tag: 'Contacts',
  summary: 'Delete a contact',
  description: 'Messages, number lists, consents and opt-outs of the person stay.',
  params: idParams,
  reply: z.object({ id: idString }),
  errors: ['not_found'],
});

export const listContactFields = publicOperation({
  name: 'listContactFields',
  method: 'GET',
  path: '/v1/contact-fields',
  scope: 'contacts:read',
  tag: 'Contacts',
  summary: 'Read the fields of contacts',
  description: 'Fields are defined in the console. A test key gets them, too.',
  reply: z.object({
    data: z.array(
      z.object({
        id: idString.describe('Id of the field in rules of segments.'),
        key: z.string().describe('Name of the field in `fields` of a contact.'),
        name: z.string(),
        type: z.enum(CONTACT_FIELD_TYPES),
        choices: z.array(z.string()).describe('Values that a field of the type `choice` may have.'),
      }),
    ),
  }),
});
